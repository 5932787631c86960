//! What it costs to start `/bin/true` and wait for its end: by `std::process`, and through the warden, from this process
//! as it is and with 4 GiB of memory in use. Prints medians of one run with tenths and ninetieths, so that only ratios matter.
#![expect(clippy::print_stdout, reason = "an example that prints a table")]

use std::error::Error;
use std::ffi::CString;
use std::process::{Command, Stdio};
use std::time::Instant;

use dayfly_sandbox::{Profile, ResourceLimits, SpawnSpec, Spawner, WorkDir};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

const ROUNDS: usize = 300;
const HEAP: usize = 4 << 30;

fn main() -> Result<(), Box<dyn Error>> {
    let spawner = Spawner::start()?;
    let directory = WorkDir::create(&std::env::temp_dir())?;
    table(&spawner, &directory, "as it is")?;
    // Written, so that the pages exist.
    let heap = vec![1_u8; HEAP];
    table(&spawner, &directory, "with 4 GiB")?;
    println!("({} bytes held)", heap.len());
    directory.remove()?;

    let root = std::env::temp_dir();
    let directories = times(|| Ok(WorkDir::create(&root)?.remove()?))?;
    let directory = WorkDir::create(&root)?;
    let worker = spawner.spawn_blocking(specification(&directory, "/bin/sleep", "1000")?)?;
    let reading = times(|| worker.cpu_time().map(drop).map_err(Into::into))?;
    println!("a private directory made and removed {directories}\na reading of CPU time {reading}");
    drop(worker);
    directory.remove()?;
    Ok(())
}

fn specification(directory: &WorkDir, program: &str, argument: &str) -> Result<SpawnSpec, Box<dyn Error>> {
    let (_out, stdout) = std::io::pipe()?;
    let (_err, stderr) = std::io::pipe()?;
    Ok(SpawnSpec {
        executable: program.into(),
        arguments: vec![CString::new(program)?, CString::new(argument)?],
        directory: directory.path().to_owned(),
        stdout: stdout.into(),
        stderr: stderr.into(),
        socket: None,
        bootstrap: None,
        limits: ResourceLimits::default(),
        profile: Profile::Open,
    })
}

fn table(spawner: &Spawner, directory: &WorkDir, host: &str) -> Result<(), Box<dyn Error>> {
    let bare = times(|| {
        Command::new("/bin/true").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        Ok(())
    })?;
    let warden = times(|| {
        let mut worker = spawner.spawn_blocking(specification(directory, "/bin/true", "")?)?;
        poll(&mut [PollFd::new(worker.pidfd(), PollFlags::POLLIN)], PollTimeout::NONE)?;
        worker.try_reap()?;
        Ok(())
    })?;
    println!("{host}: std::process {bare}\n{host}: warden       {warden}");
    Ok(())
}

/// The median, and the tail that other load on the machine makes.
fn times(mut once: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<String, Box<dyn Error>> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        once()?;
        times.push(begin.elapsed());
    }
    times.sort();
    let at = |percent: usize| times.get(ROUNDS * percent / 100).copied().unwrap_or_default();
    Ok(format!("{:?} (10 %: {:?}, 90 %: {:?})", at(50), at(10), at(90)))
}
