//! What a run consumed, and what the kernel keeps it from.

use std::time::Duration;

use dayfly::{ByteSize, Json, Language, RunRequest};
use dayfly_tests::forged::{Ending, ForgedHost, Script, Step};
use dayfly_tests::patience::with_more_time;
use dayfly_tests::{Both, Host, tools};

use crate::in_both;

#[tokio::test]
async fn what_a_run_consumed_is_in_its_result() {
    let programs = Both::new(
        "const used = () => { const u = process.cpuUsage(); return u.user + u.system };\nconst until = used() + 50_000;\nwhile (used() < until);\nconst held = Buffer.alloc(64 << 20, 1);\nawait tools.echo({ text: 'x'.repeat(1 << 20) });\nreturn held.length",
        "import time\nuntil = time.process_time() + 0.05\nwhile time.process_time() < until: pass\nheld = b'x' * (64 << 20)\nawait tools.echo(text='x' * (1 << 20))\nreturn len(held)",
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(64 << 20))), "{language}");
        let usage = result.usage;
        // The kernel counts in ticks of 10 ms, and Python's own clock began with the interpreter.
        assert!(usage.cpu >= Duration::from_millis(30), "{language}: {usage:?}");
        assert!(usage.wall > Duration::ZERO && usage.startup > Duration::ZERO, "{language}: {usage:?}");
        assert!(usage.peak_memory >= 64 << 20, "{language}: {usage:?}");
        assert_eq!(usage.calls, 1, "{language}");
        for bytes in [usage.bytes_in, usage.bytes_out] {
            assert!((1 << 20..2 << 20).contains(&bytes), "{language}: {usage:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_comes_before_start_is_in_no_budget() {
    // A worker that says `ready` when a wall that began with its process would be over.
    with_more_time(async |times| {
        let forged = ForgedHost::with(|config| config.wall(Duration::from_secs(1) * times));
        let late = Script::new().pause(2_000 * u64::from(times)).ready(Language::Python);
        let late = late.step(Step::AwaitStart).done("1").end(Ending::Linger);
        let result = forged.play(Language::Python, &late, RunRequest::new("")).await.unwrap();
        assert_eq!((result.failure, result.value), (None, Some(Json::from(1))));
        assert!(result.usage.startup >= Duration::from_secs(2), "{:?}", result.usage);
    })
    .await;

    // All that the process has used, its start included, in seconds.
    let programs = Both::new(
        "const { user, system } = process.cpuUsage();\nreturn (user + system) / 1e6",
        "import time\nreturn time.process_time()",
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run_text(language, programs).await;
        let used = result.value.as_ref().and_then(|value| value.as_f64()).unwrap();
        assert!(result.usage.cpu.as_secs_f64() < used, "{language}: {used} s, {:?}", result.usage);
    })
    .await;
}

/// A program that returns the soft and the hard limit of each line of `/proc/self/limits` by its first three words.
const LIMITS: Both<&str> = Both::new(
    "const limits: Record<string, string[]> = {};\nfor (const line of require('node:fs').readFileSync('/proc/self/limits', 'utf8').split('\\n')) limits[line.slice(0, 25).trim()] = line.slice(25).trim().split(/\\s+/).slice(0, 2);\nreturn limits",
    "limits = {}\nfor line in open('/proc/self/limits'): limits[line[:25].strip()] = line[25:].split()[:2]\nreturn limits",
);

#[tokio::test]
async fn the_limits_that_the_kernel_holds_are_those_of_the_configuration() {
    let host = Host::with(|config| {
        let config = config.compute(Duration::from_secs(20)).memory(ByteSize::gib(3)).address_space(ByteSize::gib(6));
        config.stack(ByteSize::mib(7)).file_size(ByteSize::bytes(12_345)).open_files(99)
    });
    in_both(async |language| {
        let result = host.run_text(language, LIMITS).await;
        let found = result.value.unwrap_or_else(|| panic!("{language}: {:?}", result.failure));
        let limit = |name| found.get(name).map(|both| both.to_string());
        let both = |number: u64| Some(format!(r#"["{number}","{number}"]"#));
        assert_eq!(limit("Max data size"), both(3 << 30), "{language}");
        assert_eq!(limit("Max stack size"), both(7 << 20), "{language}");
        assert_eq!(limit("Max file size"), both(12_345), "{language}");
        assert_eq!(limit("Max open files"), both(99), "{language}");
        if language == Language::Python {
            assert_eq!(limit("Max address space"), both(6 << 30));
        }
        // Behind the host's own meter, so later than the budget.
        let seconds = found.get("Max cpu time").and_then(|both| both.at(0)?.as_str()?.parse::<u64>().ok());
        assert!(seconds.is_some_and(|seconds| (21..120).contains(&seconds)), "{language}: {seconds:?}");
    })
    .await;
}

#[tokio::test]
async fn what_the_kernel_refuses_is_an_error_that_the_program_can_catch() {
    let host = Host::with(|config| {
        // Node 24 and 26 take more than 512 MiB of it to start.
        config.memory(ByteSize::gib(1)).file_size(ByteSize::kib(64)).old_space(ByteSize::mib(128))
    });
    let programs = Both::new(
        "const seen: unknown[] = [];\ntry { new ArrayBuffer(2 ** 31); seen.push('allocated') } catch (e) { seen.push(e instanceof RangeError && e.message.includes('allocation')) }\nconst fs = require('node:fs');\ntry { fs.writeFileSync('file', Buffer.alloc(1 << 20)); seen.push('written') } catch (e) { seen.push(e.code) }\nseen.push(await tools.echo(1));\nreturn seen",
        "seen = []\ntry:\n    bytearray(1 << 31)\n    seen.append('allocated')\nexcept MemoryError:\n    seen.append(True)\nimport errno\ntry:\n    with open('file', 'wb', buffering=0) as file:\n        data = b'x' * (1 << 20)\n        while data: data = data[file.write(data):]\n    seen.append('written')\nexcept OSError as e:\n    seen.append(errno.errorcode[e.errno])\nseen.append(await tools.echo(1))\nreturn seen",
    );
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        assert_eq!(result.failure, None, "{language}");
        assert_eq!(result.value.map(|value| value.to_string()).as_deref(), Some(r#"[true,"EFBIG",1]"#), "{language}");
        host.still_serves(language).await;
    })
    .await;
}
