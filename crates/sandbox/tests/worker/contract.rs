//! What an interpreter finds when it starts, and how a start that fails is told.

use std::collections::BTreeMap;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::time::Duration;

use dayfly_runtime::LayerState;
use dayfly_sandbox::{Profile, ResourceLimits, SpawnError, SpawnSpec, Spawner, sealed_memfd};

use crate::fixture::{Run, descriptors, eventually, shell, start};

/// A worker that only exists, to be looked at.
fn idle(spawner: &Spawner, adapt: impl FnOnce(&mut SpawnSpec)) -> Run {
    let mut run = start(spawner, "/bin/sh", &["-c", "echo loaded; kill -STOP $$"], adapt).unwrap();
    // From here on it opens nothing more; before, its libraries were being loaded.
    assert_eq!(run.line(), "loaded");
    // Its own signal has been pending for a moment.
    eventually(|| run.status("State").starts_with('T'));
    run
}

#[test]
fn the_environment_is_empty() {
    let spawner = Spawner::start().unwrap();
    let mut run = start(&spawner, "/usr/bin/env", &[], |_| {}).unwrap();
    assert_eq!(run.rest(), "");
    assert_eq!(run.wait().code, Some(0));
}

#[test]
fn only_the_contracts_descriptors_are_open() {
    let spawner = Spawner::start().unwrap();
    // One that a careless host would leak: not close-on-exec.
    let leak = nix::unistd::dup(std::fs::File::open("/etc/passwd").unwrap().as_fd()).unwrap();
    let (socket, _host) = std::os::unix::net::UnixStream::pair().unwrap();
    let socket_inode = std::fs::metadata(format!("/proc/self/fd/{}", socket.as_raw_fd())).unwrap().ino();
    let bootstrap = Arc::new(sealed_memfd("bootstrap", b"program").unwrap());
    let run = idle(&spawner, |spec| {
        spec.socket = Some(socket.into());
        spec.bootstrap = Some(Arc::clone(&bootstrap));
    });
    let found: BTreeMap<_, _> = descriptors(&run.worker.pid().to_string()).into_iter().collect();
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(found[&0].to_str().unwrap(), "/dev/null");
    let link = |fd: &dyn std::os::fd::AsRawFd| std::fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd())).unwrap();
    assert_eq!(found[&1], link(&run.out));
    assert_eq!(found[&2], link(&run.err));
    assert_eq!(found[&3].to_str().unwrap(), format!("socket:[{socket_inode}]"));
    assert_eq!(found[&4], link(&bootstrap));
    drop(leak);
}

#[test]
fn without_socket_and_bootstrap_there_are_three_descriptors() {
    let spawner = Spawner::start().unwrap();
    let run = idle(&spawner, |_| {});
    let found: Vec<_> = descriptors(&run.worker.pid().to_string()).into_iter().map(|(number, _)| number).collect();
    assert_eq!(found, [0, 1, 2]);
}

#[test]
fn the_warden_keeps_two_descriptors_of_its_own_and_none_of_the_workers() {
    let spawner = Spawner::start().unwrap();
    let run = idle(&spawner, |_| {});
    // Its last act before it says that the worker has started is to close them.
    let found = descriptors(&run.worker.warden_pid().to_string());
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn it_leads_a_session_in_its_private_directory() {
    let spawner = Spawner::start().unwrap();
    let run = idle(&spawner, |_| {});
    let pid = run.worker.pid();
    assert_eq!(nix::unistd::getsid(Some(nix::unistd::Pid::from_raw(pid))).unwrap().as_raw(), pid);
    assert_eq!(std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), run.directory.path());
    assert_eq!(run.status("Umask"), "0077");
}

#[test]
fn no_new_privileges_and_no_signal_of_the_host_is_blocked_or_ignored() {
    let spawner = Spawner::start().unwrap();
    let run = idle(&spawner, |_| {});
    assert_eq!(run.status("NoNewPrivs"), "1");
    // This test program, as any Rust host, ignores SIGPIPE.
    assert_ne!(
        u64::from_str_radix(&crate::fixture::status(std::process::id().cast_signed(), "SigIgn"), 16).unwrap(),
        0
    );
    for set in ["SigIgn", "SigBlk", "SigPnd", "ShdPnd"] {
        assert_eq!(u64::from_str_radix(&run.status(set), 16).unwrap(), 0, "{set}");
    }
}

#[test]
fn every_limit_arrives_soft_and_hard() {
    let spawner = Spawner::start().unwrap();
    let run = idle(&spawner, |spec| {
        spec.limits = ResourceLimits {
            cpu: Some(Duration::from_millis(7_500)),
            data: Some(64 << 20),
            address_space: Some(1 << 30),
            stack: Some(4 << 20),
            file_size: Some(12_345),
            open_files: Some(77),
            processes: Some(999),
        };
    });
    let text = std::fs::read_to_string(format!("/proc/{}/limits", run.worker.pid())).unwrap();
    let limit = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().take(2).map(|word| word.parse().unwrap()).collect::<Vec<u64>>()
    };
    for (name, value) in [
        ("Max cpu time", 8),
        ("Max data size", 64 << 20),
        ("Max address space", 1 << 30),
        ("Max stack size", 4 << 20),
        ("Max file size", 12_345),
        ("Max open files", 77),
        ("Max processes", 999),
    ] {
        assert_eq!(limit(name), [value, value], "{name}");
    }
    // 0 where the host itself may have none; never more than the byte that turns dumps off for good.
    assert!(limit("Max core file size").iter().all(|bytes| *bytes <= 1));
}

#[test]
fn a_limit_is_enforced() {
    let spawner = Spawner::start().unwrap();
    let mut run = start(&spawner, "/bin/sh", &["-c", "head -c 5000 /dev/zero > file; echo $?"], |spec| {
        spec.limits.file_size = Some(4096);
    })
    .unwrap();
    // 128 + SIGXFSZ.
    assert_eq!(run.rest().trim(), "153");
    assert_eq!(std::fs::metadata(run.directory.path().join("file")).unwrap().len(), 4096);
}

#[test]
fn the_exit_of_the_interpreter_is_told() {
    let spawner = Spawner::start().unwrap();
    let mut run = shell(&spawner, "exit 42");
    let exit = run.wait();
    assert_eq!((exit.code, exit.signal), (Some(42), None));
    assert_eq!(run.worker.try_reap().unwrap(), Some(exit), "asked again");
    let mut run = shell(&spawner, "kill -SEGV $$");
    let exit = run.wait();
    assert_eq!((exit.code, exit.signal), (None, Some(libc::SIGSEGV)));
}

#[test]
fn a_failed_start_names_the_layer_and_the_errno() {
    let spawner = Spawner::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, mode: u32, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(folder.path().join("text"), text).unwrap();
        // By a process of its own: a child that another test starts meanwhile would have the file open for writing until it
        // executes something, and such a file is busy.
        let mut install = std::process::Command::new("install");
        let installed = install.args(["-m", &format!("{mode:o}")]).arg(folder.path().join("text")).arg(&path).status();
        assert!(installed.unwrap().success());
        path.to_str().unwrap().to_owned()
    };
    for (program, errno) in [
        (folder.path().join("missing").to_str().unwrap().to_owned(), libc::ENOENT),
        (write("plain", 0o644, "text"), libc::EACCES),
        (write("broken", 0o755, "text"), libc::ENOEXEC),
        (folder.path().to_str().unwrap().to_owned(), libc::EACCES),
    ] {
        let error = start(&spawner, &program, &[], |_| {}).map(|_| ()).unwrap_err();
        let SpawnError::Step { layer, action, errno: found } = &error else { panic!("{error}") };
        assert_eq!((*layer, *found), ("exec", errno), "{program}");
        assert!(action.contains(&program) && error.remedy().is_some(), "{error}");
    }
    let error = start(&spawner, "/bin/true", &[], |spec| spec.directory = "/nonexistent".into()).map(|_| ());
    assert!(matches!(error, Err(SpawnError::Step { layer: "working-directory", errno: libc::ENOENT, .. })));
    let error = start(&spawner, "bin/true", &[], |_| {}).map(|_| ());
    assert!(matches!(error, Err(SpawnError::Invalid { .. })));
    // A warden that has told of its failure ends; for one that takes long over it nobody waits but the spawner's thread.
    eventually(|| spawner.live() == 0);
    assert_eq!(start(&spawner, "/bin/true", &[], |_| {}).unwrap().wait().code, Some(0), "the spawner still serves");
}

#[test]
fn the_report_is_verified_by_a_canary_and_claims_only_what_open_has() {
    let spawner = Spawner::start().unwrap();
    let unverified = Profile::Open.report();
    assert_eq!(unverified.profile, "open");
    assert!(unverified.layers.iter().all(|layer| !layer.verified));
    let verified = Profile::Open.verify(&spawner).unwrap();
    for layer in &verified.layers {
        assert_eq!(layer.verified, layer.state == LayerState::Applied, "{layer:?}");
    }
    let applied: Vec<_> = verified.layers.iter().filter(|layer| layer.verified).map(|layer| &*layer.layer).collect();
    assert!(applied.contains(&"no-new-privs") && !applied.contains(&"seccomp"), "{applied:?}");
    assert_eq!(Profile::Open.verify(&spawner).unwrap(), verified);
    assert_eq!(spawner.live(), 0, "the canary is gone");
}
