//! Trying a candidate under the conditions of a worker.

use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dayfly_runtime::RunError;
use dayfly_sandbox::sealed_memfd;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;

use super::need;
use super::{Interpreter, Problem, Tried, Version, shim};
use crate::config::ByteSize;
use crate::dialect::Dialect;
use crate::supervisor::Shared;
use crate::worker::{Launch, WorkerProcess, host};

/// What a probe may print. A compiled bootstrap is a few times its source.
const MOST_OUTPUT: u64 = 4 << 20;

/// Tries one file; `Err` is a host that cannot try anything.
pub(super) async fn try_candidate(
    shared: &Shared,
    dialect: &'static Dialect,
    found: PathBuf,
) -> Result<Tried, RunError> {
    let outcome = match examine(shared, dialect, &found).await {
        Ok(interpreter) => Ok(interpreter),
        Err(Refusal::Candidate(problem) | Refusal::Died(problem)) => Err(Problem { text: problem, starved: false }),
        Err(Refusal::Starved(problem)) => Err(Problem { text: problem, starved: true }),
        // A candidate whose execution is refused is this candidate's problem.
        Err(Refusal::Host(RunError::Layer { remedy, .. })) => Err(Problem { text: remedy, starved: false }),
        Err(Refusal::Host(error)) => return Err(error),
    };
    Ok(Tried { found, outcome })
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Refusal {
    Candidate(String),
    /// It ended without one.
    Died(String),
    /// It would answer if it had more memory.
    Starved(String),
    Host(RunError),
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Self {
        Self::Host(error)
    }
}

fn refuse<T>(problem: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Candidate(problem.into()))
}

async fn examine(shared: &Shared, dialect: &'static Dialect, found: &Path) -> Result<Interpreter, Refusal> {
    let path = match shim::binary(shared, dialect, found.to_owned()).await {
        Ok(path) => path,
        Err(problem) => return refuse(problem),
    };
    let seal = |bytes: &[u8]| sealed_memfd("dayfly-bootstrap", bytes).map(Arc::new).map_err(host("hold the bootstrap"));
    let source = seal(dialect.bootstrap.as_bytes())?;
    let question = |arguments| Question { dialect, path: &path, arguments, bootstrap: &source };
    let printed = answer(shared, &question((dialect.probe)(&shared.limits))).await?;
    let end = printed.iter().position(|byte| *byte == b'\n').unwrap_or(printed.len());
    let (answered, ready_made) = printed.split_at(end);
    let text = String::from_utf8_lossy(answered);
    let Some((implementation, version)) = text.split_once(' ') else {
        return refuse(format!("printed {:?} instead of its version", need::excerpt(&text)));
    };
    let Some(version) = Version::parse(version) else {
        return refuse(format!("printed {:?} instead of its version", need::excerpt(&text)));
    };
    if implementation != dialect.implementation {
        return refuse(format!("is {implementation:?}, not {}", dialect.product));
    }
    if version < dialect.floor {
        return refuse(format!("is version {version}, and {} or newer is needed", dialect.floor));
    }
    let arguments = argument_vector(&path, (dialect.arguments)(&shared.limits).iter().map(String::as_str))?;
    let bootstrap = match (ready_made.get(1..).unwrap_or_default(), dialect.compiler) {
        ([], None) => Arc::clone(&source),
        ([], Some(compiler)) => {
            let compiled = answer(shared, &question(compiler())).await?;
            if compiled.is_empty() {
                return refuse("could not compile the bootstrap");
            }
            seal(&compiled)?
        }
        (ready_made, _) => seal(ready_made)?,
    };
    let modules = (dialect.modules)(&shared.limits, &path, version);
    Ok(Interpreter { dialect, path, version, arguments, bootstrap, modules })
}

/// What an interpreter is asked.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) dialect: &'static Dialect,
    pub(super) path: &'a Path,
    pub(super) arguments: Vec<String>,
    pub(super) bootstrap: &'a Arc<OwnedFd>,
}

/// The answer under the conditions of a worker; when there is none for want of memory, that is the refusal.
async fn answer(shared: &Shared, question: &Question<'_>) -> Result<Vec<u8>, Refusal> {
    match capture(shared, question, shared.limits.memory).await {
        Err(Refusal::Died(problem)) => Err(need::explain(shared, question, problem).await),
        captured => captured,
    }
}

/// What the interpreter prints, run as a worker is run, but for the memory that it may have.
pub(super) async fn capture(shared: &Shared, question: &Question<'_>, memory: ByteSize) -> Result<Vec<u8>, Refusal> {
    let arguments = argument_vector(question.path, question.arguments.iter().map(String::as_str))?;
    let launch = Launch {
        executable: question.path,
        arguments,
        dialect: question.dialect,
        memory,
        socket: None,
        bootstrap: Some(Arc::clone(question.bootstrap)),
        packages: None,
    };
    let mut process = WorkerProcess::launch(shared, launch).await?;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let finished = {
        let WorkerProcess { stdout: out, stderr: err, .. } = &mut process;
        let both = async { tokio::try_join!(read_all(out, &mut stdout), read_all(err, &mut stderr)) };
        tokio::select! {
            biased;
            () = shared.closing.cancelled() => None,
            finished = tokio::time::timeout(shared.limits.ready_deadline, both) => Some(finished),
        }
    };
    let exit = process.end().await;
    let Some(finished) = finished else { return Err(Refusal::Host(RunError::ShutDown)) };
    match finished {
        Err(_) => refuse(format!("did not answer within {:?}", shared.limits.ready_deadline)),
        Ok(Err(error)) => Err(Refusal::Host(host("read what an interpreter printed")(error))),
        Ok(Ok(_)) if exit.code == Some(0) => Ok(stdout),
        Ok(Ok(_)) => {
            let ending = match (exit.code, exit.signal) {
                (Some(code), _) => format!("exited with code {code}"),
                (None, Some(signal)) => format!("was killed by signal {signal}"),
                (None, None) => "ended".to_owned(),
            };
            let words = need::last_words(&String::from_utf8_lossy(&stderr), memory);
            Err(Refusal::Died(format!("{ending} when asked for its version: {words}")))
        }
    }
}

/// The arguments behind the interpreter's own path, by which a venv's interpreter knows its venv.
fn argument_vector<'a>(path: &'a Path, arguments: impl Iterator<Item = &'a str>) -> Result<Vec<CString>, Refusal> {
    let words = std::iter::once(path.as_os_str().as_encoded_bytes()).chain(arguments.map(str::as_bytes));
    let words: Result<Vec<_>, _> = words.map(CString::new).collect();
    words.or_else(|_| refuse("its path holds a NUL byte"))
}

async fn read_all(pipe: &mut pipe::Receiver, into: &mut Vec<u8>) -> io::Result<()> {
    pipe.take(MOST_OUTPUT).read_to_end(into).await.map(|_| ())
}
