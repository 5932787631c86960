//! Environment, descriptors, modules, and what is never shown of the host.

use std::fs;
use std::os::fd::AsRawFd as _;

use dayfly::{RunRequest, StartMethod};
use dayfly_tests::{Both, Host, tools};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};

use crate::{gives, in_both, value};

#[tokio::test]
async fn the_environment_is_empty() {
    let programs = Both::new(
        "const { readFileSync } = require('node:fs');\nreturn [Object.keys(process.env), readFileSync('/proc/self/environ', 'utf8')]",
        "import os\nreturn [list(os.environ), open('/proc/self/environ').read()]",
    );
    gives(programs, |program| RunRequest::new(program), r#"[[],""]"#).await;
}

#[tokio::test]
async fn the_hosts_descriptors_are_not_the_programs() {
    let canary = tempfile::NamedTempFile::with_prefix("dayfly-canary-").unwrap();
    fcntl(canary.as_file(), FcntlArg::F_SETFD(FdFlag::empty())).unwrap();
    assert!(canary.as_file().as_raw_fd() > 2);
    let programs = Both::new(
        r#"const fs = require("node:fs");
const link = (fd: string) => { try { return fs.readlinkSync("/proc/self/fd/" + fd) } catch { return "" } };
return fs.readdirSync("/proc/self/fd").map(fd => [Number(fd), link(fd)])"#,
        r#"import os
def link(fd):
    try: return os.readlink("/proc/self/fd/" + fd)
    except OSError: return ""
return [[int(fd), link(fd)] for fd in os.listdir("/proc/self/fd")]"#,
    );
    let host = Host::new();
    in_both(async |language| {
        let open = value(language, &host.run_text(language, programs).await);
        let open: Vec<(u64, String)> = open
            .items()
            .map(|pair| (pair.at(0).unwrap().as_u64().unwrap(), pair.at(1).unwrap().as_str().unwrap().to_owned()))
            .collect();
        let kind = |fd: u64| open.iter().find(|(open, _)| *open == fd).map(|(_, link)| link.as_str());
        assert_eq!(kind(0), Some("/dev/null"), "{language}: {open:?}");
        assert!(kind(1).is_some_and(|link| link.starts_with("pipe:")), "{language}: {open:?}");
        assert!(kind(2).is_some_and(|link| link.starts_with("pipe:")), "{language}: {open:?}");
        assert!(kind(3).is_some_and(|link| link.starts_with("socket:")), "{language}: {open:?}");
        // What else is open, the interpreter opened for itself: event machinery, a socket to wake its loop, devices, and
        // this listing.
        for (fd, link) in open.iter().filter(|(fd, _)| *fd > 3) {
            let own = ["anon_inode:", "pipe:", "socket:", "/dev/", "/proc/"].iter().any(|kind| link.starts_with(kind));
            assert!(own || link.is_empty(), "{language}: descriptor {fd} is {link}");
            assert!(!link.starts_with("socket:") || !ours().contains(link), "{language}: {fd} is the host's {link}");
        }
        assert!(open.iter().all(|(_, link)| !link.contains("dayfly-canary-")), "{language}: {open:?}");
    })
    .await;
}

/// What this process has open.
fn ours() -> Vec<String> {
    let entries = fs::read_dir("/proc/self/fd").unwrap().flatten();
    entries.filter_map(|entry| Some(fs::read_link(entry.path()).ok()?.to_string_lossy().into_owned())).collect()
}

#[tokio::test]
async fn standard_input_is_at_its_end() {
    let programs = Both::new(
        "return require('node:fs').readFileSync(0, 'utf8')",
        "import sys\nreturn sys.stdin.read() if sys.stdin else ''",
    );
    gives(programs, |program| RunRequest::new(program), r#""""#).await;
}

#[tokio::test]
async fn a_stack_shows_the_program_and_nothing_of_the_host() {
    let programs = Both::new(
        r#"const seen: string[] = [String(new Error("own").stack)];
try { JSON.parse("{") } catch (e) { seen.push(String(e.stack)) }
try { await tools.fail() } catch (e) { seen.push(String(e.stack)) }
try { tools.echo.call } catch (e) { seen.push(String(e.stack)) }
await new Promise<void>(resolve => setTimeout(() => { seen.push(String(new Error("timer").stack)); resolve() }, 1));
[1].map(() => seen.push(String(new Error("callback").stack)));
seen.push(String((function outer() { return new Error("named") })().stack));
return seen"#,
        r#"import traceback, json, asyncio
seen = ["".join(traceback.format_stack())]
try: json.loads("{")
except ValueError: seen.append(traceback.format_exc())
try: await tools.fail()
except Exception: seen.append(traceback.format_exc())
def late():
    seen.append("".join(traceback.format_stack(limit=1)))
asyncio.get_running_loop().call_later(0.001, late)
await asyncio.sleep(0.01)
return seen"#,
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        let seen = value(language, &result);
        for stack in seen.items().map(|stack| stack.as_str().unwrap().to_owned()) {
            for private in ["bootstrap", "memfd", "/proc/", "dayfly", "[eval", "evalmachine", "<string>"] {
                assert!(!stack.contains(private), "{language}: {private:?} is in\n{stack}");
            }
        }
        let all = seen.to_string();
        assert!(all.contains(language.program_file()), "{language}: no frame of the program in {all}");
    })
    .await;
}

#[tokio::test]
async fn packages_can_be_imported_from_the_configured_directory() {
    let packages = tempfile::tempdir().unwrap();
    let node = packages.path().join("node_modules");
    let python = packages.path().join("site");
    fs::create_dir_all(node.join("bees/lib")).unwrap();
    fs::write(node.join("bees/package.json"), r#"{"name":"bees","version":"1.0.0","main":"lib/index.js"}"#).unwrap();
    fs::write(node.join("bees/lib/index.js"), "module.exports = { legs: 6 };").unwrap();
    fs::create_dir_all(python.join("bees")).unwrap();
    fs::write(python.join("bees/__init__.py"), "legs = 6\n").unwrap();
    let host = Host::with(|config| config.node_modules(&node).python_modules(&python));
    let programs = Both::new(
        "const bees = await import('bees');\nreturn [bees.default.legs, require('bees').legs]",
        "import bees\nfrom bees import legs\nreturn [bees.legs, legs]",
    );
    in_both(async |language| {
        let seen = value(language, &host.run_text(language, programs).await);
        assert_eq!(seen.to_string(), "[6,6]", "{language}");
    })
    .await;
}

#[tokio::test]
async fn nothing_of_one_run_is_seen_by_the_next() {
    let first = Both::new(
        "globalThis.total = 1;\nObject.prototype.left = 1;\nrequire('node:fs').writeFileSync('left.txt', 'x');\nreturn process.pid",
        "import builtins, os\nglobal total\ntotal = 1\nbuiltins.left = 1\nopen('left.txt', 'w').write('x')\nreturn os.getpid()",
    );
    let second = Both::new(
        "return [typeof total, typeof ({} as any).left, require('node:fs').readdirSync('.').length, process.pid]",
        "import builtins, os\nreturn ['undefined' if 'total' not in globals() else 'seen', 'undefined' if not hasattr(builtins, 'left') else 'seen', len(os.listdir('.')), os.getpid()]",
    );
    let host = Host::new();
    in_both(async |language| {
        let pid = value(language, &host.run_text(language, first).await).as_u64().unwrap();
        let result = host.run_text(language, second).await;
        assert_eq!(result.start, StartMethod::Spawn);
        let seen = value(language, &result);
        assert_eq!(seen.at(0).unwrap().as_str(), Some("undefined"), "{language}");
        assert_eq!(seen.at(1).unwrap().as_str(), Some("undefined"), "{language}");
        assert_eq!(seen.at(2).unwrap().as_u64(), Some(0), "{language}");
        assert_ne!(seen.at(3).unwrap().as_u64(), Some(pid), "{language}");
    })
    .await;
}
