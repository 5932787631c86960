//! x
use dayfly_sandbox::*;
use std::ffi::CString;
use std::io::Read as _;
#[test]
fn smoke() {
    let spawner = Spawner::start().unwrap();
    let dir = WorkDir::create(&std::env::temp_dir()).unwrap();
    let (mut out, stdout) = std::io::pipe().unwrap();
    let (mut err, stderr) = std::io::pipe().unwrap();
    let mut worker = spawner.spawn_blocking(SpawnSpec {
        executable: "/bin/sh".into(),
        arguments: ["sh", "-c", "pwd; ls -l /proc/self/fd; cat /proc/self/status | grep -E 'NoNew|SigBlk|SigIgn|PPid'; cat /proc/self/stat; ulimit -a; /usr/bin/env; exit 3"].map(|a| CString::new(a).unwrap()).to_vec(),
        directory: dir.path().to_owned(), stdout: stdout.into(), stderr: stderr.into(), socket: None, bootstrap: None,
        limits: ResourceLimits::default(), profile: Profile::Open,
    }).unwrap();
    let mut text = String::new();
    out.read_to_string(&mut text).unwrap();
    err.read_to_string(&mut text).unwrap();
    println!("{text}");
    loop {
        if let Some(exit) = worker.try_reap().unwrap() {
            println!("{exit:?}");
            break;
        }
    }
    dir.remove().unwrap();
}
