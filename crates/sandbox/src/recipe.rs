//! A specification compiled into a flat list of system calls.

use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd as _, BorrowedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::layout::{BASE, CHECK_PARENT, CHECK_SUCCESS, HEADER_BYTES, SPACE, STEP_BYTES};
use crate::profile::layer;
use crate::{Profile, SpawnError, SpawnSpec};

/// What each step is for, by its number.
pub(crate) type StepNames = Vec<(&'static str, String)>;

/// A compiled specification.
pub(crate) struct Recipe {
    /// What the warden maps.
    pub(crate) bytes: Vec<u8>,
    /// What each step is for.
    pub(crate) names: StepNames,
}

/// The first descriptor that may serve as an intermediate place; below are the worker's own.
const FIRST_SPARE: RawFd = 5;
/// `AT_FDCWD`, which is -100, as the register holds it.
const AT_FDCWD: u64 = 100_u64.wrapping_neg();
/// `close_range`'s "to the last one".
const LAST_DESCRIPTOR: u64 = u32::MAX as u64;

/// Compiles `spec`. `null` is `/dev/null`, `report` the warden's end of the report pipe; all descriptors are the host's
/// numbers, which are the warden's too.
pub(crate) fn compile(
    spec: &SpawnSpec,
    null: BorrowedFd<'_>,
    report: BorrowedFd<'_>,
    host: i32,
) -> Result<Recipe, SpawnError> {
    let mut list = List::default();
    match spec.profile {
        Profile::Open => {
            outer(&mut list);
            let outer_steps = list.names.len();
            inner(&mut list, spec, null)?;
            list.finish(spec, outer_steps, report.as_raw_fd(), host)
        }
    }
}

/// What the warden does to itself.
fn outer(list: &mut List) {
    // SIGTERM, which the warden takes from its queue: it must live to clear up. It fires when the *thread* that started
    // the warden ends, which is the spawner's and outlives every worker.
    list.prctl(
        layer::PARENT_DEATH,
        "set the warden's parent-death signal",
        libc::PR_SET_PDEATHSIG,
        libc::SIGTERM as u64,
    );
    // The host may have died before the call above.
    list.check_parent("find the host alive");
    // A group of its own, so that a Ctrl-C, Ctrl-Z or kill meant for the host's group passes it by. Not a session: when
    // the host dies, the kernel resumes a stopped group that loses its last parent *in the same session*, so a warden
    // that a program has stopped still clears up.
    list.step(layer::SESSION, "give the warden a process group", libc::SYS_setpgid, [0; 6]);
    list.prctl(layer::REAPING, "make the warden the subreaper", libc::PR_SET_CHILD_SUBREAPER, 1);
    let root = list.text(c"/");
    list.step(layer::WORKING_DIRECTORY, "move the warden to /", libc::SYS_chdir, [root, 0, 0, 0, 0, 0]);
    // The result of the last step is what the warden keeps: its own list of children.
    let children = list.text(c"/proc/thread-self/children");
    let flags = (libc::O_RDONLY | libc::O_CLOEXEC) as u64;
    let arguments = [AT_FDCWD, children, flags, 0, 0, 0];
    list.step(layer::REAPING, "open the warden's list of children", libc::SYS_openat, arguments);
}

/// What the interpreter's process does to itself.
fn inner(list: &mut List, spec: &SpawnSpec, null: BorrowedFd<'_>) -> Result<(), SpawnError> {
    list.step(layer::SESSION, "start a session", libc::SYS_setsid, [0; 6]);
    let sources = [
        Some(null.as_raw_fd()),
        Some(spec.stdout.as_raw_fd()),
        Some(spec.stderr.as_raw_fd()),
        spec.socket.as_ref().map(|socket| socket.as_raw_fd()),
        spec.bootstrap.as_ref().map(|bootstrap| bootstrap.as_raw_fd()),
    ];
    place_descriptors(list, sources);
    list.step(layer::WORKING_DIRECTORY, "set the umask", libc::SYS_umask, [0o077, 0, 0, 0, 0, 0]);
    let directory = list.path(&spec.directory)?;
    let action = format!("enter {}", spec.directory.display());
    list.step(layer::WORKING_DIRECTORY, action, libc::SYS_chdir, [directory, 0, 0, 0, 0, 0]);
    for (resource, value) in spec.limits.to_set() {
        let limit = list.words(&[value, value]);
        let is_core = resource == nix::sys::resource::Resource::RLIMIT_CORE;
        let layer = if is_core { layer::CORE_DUMPS } else { layer::RLIMITS };
        let action = format!("set {resource:?} to {value}");
        list.step(layer, action, libc::SYS_prlimit64, [0, resource as u64, limit, 0, 0, 0]);
    }
    // Credentials belong here: changing them clears the parent-death signal.
    list.prctl(layer::PARENT_DEATH, "set the parent-death signal", libc::PR_SET_PDEATHSIG, libc::SIGKILL as u64);
    list.check_parent("find the warden alive");
    list.prctl(layer::NO_NEW_PRIVS, "set no_new_privs", libc::PR_SET_NO_NEW_PRIVS, 1);
    // The kernel's set of 64 signals; the dispositions were reset by the warden at its start.
    let none_blocked = list.words(&[0]);
    let arguments = [libc::SIG_SETMASK as u64, none_blocked, 0, 8, 0, 0];
    list.step(layer::SIGNALS, "unblock signals", libc::SYS_rt_sigprocmask, arguments);
    let executable = list.path(&spec.executable)?;
    let mut pointers: Vec<u64> = spec.arguments.iter().map(|argument| list.text(argument)).collect();
    pointers.push(0);
    let arguments = list.words(&pointers);
    let environment = list.words(&[0]);
    let action = format!("execute {}", spec.executable.display());
    list.step(layer::EXEC, action, libc::SYS_execve, [executable, arguments, environment, 0, 0, 0]);
    Ok(())
}

/// Puts these descriptors at 0–4 and closes all others.
///
/// A source may be where a target belongs, in any permutation, so all are first copied to spare numbers: the lowest from
/// 5 on that no source has. What else the host may have there is not for the worker and may be overwritten.
fn place_descriptors(list: &mut List, sources: [Option<RawFd>; 5]) {
    let placed: Vec<(u64, RawFd)> = (0..).zip(sources).filter_map(|(to, from)| Some((to, from?))).collect();
    let spares = (FIRST_SPARE..).filter(|spare| placed.iter().all(|(_, from)| from != spare)).map(descriptor);
    let moves: Vec<(RawFd, u64, u64)> =
        placed.iter().zip(spares).map(|((to, from), spare)| (*from, spare, *to)).collect();
    for (from, spare, _) in &moves {
        let arguments = [descriptor(*from), *spare, u64::from(libc::O_CLOEXEC.unsigned_abs()), 0, 0, 0];
        list.step(layer::DESCRIPTORS, format!("copy descriptor {from} aside"), libc::SYS_dup3, arguments);
    }
    for (_, spare, to) in &moves {
        list.step(layer::DESCRIPTORS, format!("place descriptor {to}"), libc::SYS_dup3, [*spare, *to, 0, 0, 0, 0]);
    }
    // Whatever is not placed is closed: a gap at 3, and everything behind.
    let mut next = 0;
    for target in placed.iter().map(|(to, _)| *to).chain([LAST_DESCRIPTOR + 1]) {
        if next < target {
            let action = "close every other descriptor";
            list.step(layer::DESCRIPTORS, action, libc::SYS_close_range, [next, target - 1, 0, 0, 0, 0]);
        }
        next = target + 1;
    }
}

fn descriptor(number: RawFd) -> u64 {
    u64::from(number.unsigned_abs())
}

/// Steps and the data that they point to.
///
/// The data lies at a fixed place behind the room for the steps, so that an address is final as soon as it is given out.
#[derive(Default)]
struct List {
    steps: Vec<u8>,
    names: StepNames,
    data: Vec<u8>,
}

/// Where the data begins: room for 145 steps, of which a profile has a third.
const DATA: usize = 8192;

impl List {
    fn step(&mut self, layer: &'static str, action: impl Into<String>, number: libc::c_long, arguments: [u64; 6]) {
        self.push(layer, action.into(), number, CHECK_SUCCESS, arguments);
    }

    fn prctl(&mut self, layer: &'static str, action: &'static str, option: i32, value: u64) {
        self.step(layer, action, libc::SYS_prctl, [u64::from(option.unsigned_abs()), value, 0, 0, 0, 0]);
    }

    fn check_parent(&mut self, action: &'static str) {
        self.push(layer::PARENT_DEATH, action.into(), libc::SYS_getppid, CHECK_PARENT, [0; 6]);
    }

    fn push(&mut self, layer: &'static str, action: String, number: libc::c_long, check: u32, arguments: [u64; 6]) {
        // System call numbers are small and not negative.
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        self.steps.extend_from_slice(&number.to_ne_bytes());
        self.steps.extend_from_slice(&check.to_ne_bytes());
        for argument in arguments {
            self.steps.extend_from_slice(&argument.to_ne_bytes());
        }
        self.names.push((layer, action));
    }

    /// The address of a string.
    fn text(&mut self, text: &CStr) -> u64 {
        let address = self.address();
        self.data.extend_from_slice(text.to_bytes_with_nul());
        address
    }

    /// The address of an absolute path.
    fn path(&mut self, path: &Path) -> Result<u64, SpawnError> {
        let invalid = |problem| SpawnError::Invalid { path: path.to_owned(), problem };
        if !path.is_absolute() {
            return Err(invalid("the path is not absolute; the worker starts elsewhere, so give it from the root on"));
        }
        let text = CString::new(path.as_os_str().as_bytes()).map_err(|_| invalid("the path contains a NUL byte"))?;
        Ok(self.text(&text))
    }

    /// The address of an array of 64-bit words.
    fn words(&mut self, words: &[u64]) -> u64 {
        self.data.resize(self.data.len().next_multiple_of(8), 0);
        let address = self.address();
        self.data.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
        address
    }

    fn address(&self) -> u64 {
        BASE + DATA as u64 + self.data.len() as u64
    }

    fn finish(self, spec: &SpawnSpec, outer: usize, report: RawFd, host: i32) -> Result<Recipe, SpawnError> {
        let inner = self.names.len() - outer;
        let invalid = |problem| SpawnError::Invalid { path: spec.executable.clone(), problem };
        if HEADER_BYTES + self.steps.len() > DATA || (DATA + self.data.len()) as u64 > SPACE {
            return Err(invalid("the arguments are longer than 16 MiB; pass less"));
        }
        let count = |steps: usize| u32::try_from(steps).map_err(|_| invalid("the recipe has too many steps"));
        let mut bytes = Vec::with_capacity(DATA + self.data.len());
        bytes.extend_from_slice(&count(outer)?.to_ne_bytes());
        bytes.extend_from_slice(&count(inner)?.to_ne_bytes());
        bytes.extend_from_slice(&host.to_ne_bytes());
        bytes.extend_from_slice(&report.to_ne_bytes());
        bytes.resize(HEADER_BYTES, 0);
        bytes.extend_from_slice(&self.steps);
        bytes.resize(DATA, 0);
        bytes.extend_from_slice(&self.data);
        Ok(Recipe { bytes, names: self.names })
    }
}

const _: () = assert!(STEP_BYTES * 145 + HEADER_BYTES <= DATA);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Walks the steps over a table of descriptors: number, what it stands for, close-on-exec.
    fn walk(list: &List, mut table: BTreeMap<u64, (RawFd, bool)>) -> BTreeMap<u64, RawFd> {
        for step in list.steps.chunks(STEP_BYTES) {
            let number = u32::from_ne_bytes(step[..4].try_into().unwrap());
            let argument = |n: usize| u64::from_ne_bytes(step[8 + 8 * n..16 + 8 * n].try_into().unwrap());
            match libc::c_long::from(number) {
                libc::SYS_dup3 => {
                    assert_ne!(argument(0), argument(1), "dup3 refuses equal numbers");
                    let (what, _) = table[&argument(0)];
                    table.insert(argument(1), (what, argument(2) != 0));
                }
                libc::SYS_close_range => table.retain(|number, _| *number < argument(0) || *number > argument(1)),
                other => panic!("unexpected system call {other}"),
            }
        }
        table.retain(|_, (_, close_on_exec)| !*close_on_exec);
        table.into_iter().map(|(number, (what, _))| (number, what)).collect()
    }

    #[test]
    fn any_descriptors_arrive_where_they_belong_and_no_other_does() {
        // Every choice of sources among nine numbers: the targets themselves and the first spare ones.
        let numbers = 0..9;
        for (null, stdout, stderr) in numbers
            .clone()
            .flat_map(|a| numbers.clone().flat_map(move |b| (0..9).map(move |c| (a, b, c))))
            .filter(|(a, b, c)| a != b && b != c && a != c)
        {
            let free = |number: &RawFd| ![null, stdout, stderr].contains(number);
            let optional = || [None].into_iter().chain((0..9).filter(free).map(Some));
            for (socket, bootstrap) in optional().flat_map(|socket| optional().map(move |boot| (socket, boot))) {
                if socket.is_some() && socket == bootstrap {
                    continue;
                }
                let sources = [Some(null), Some(stdout), Some(stderr), socket, bootstrap];
                let mut list = List::default();
                place_descriptors(&mut list, sources);
                // The host has all these and more, some of it not close-on-exec.
                let table = (0..40).map(|number| (descriptor(number), (number, number % 2 == 0))).collect();
                let expected = (0..).zip(sources).filter_map(|(to, from)| Some((to, from?))).collect();
                assert_eq!(walk(&list, table), expected, "{sources:?}");
            }
        }
    }
}
