//! An interpreter that plays rounds of something that Dayfly is compared with.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What a peer does.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "the benches name each of them")]
pub enum PeerScript {
    /// `bare N`, `sequential N`, `parallel N`: messages to a worker thread and back through a `MessagePort`.
    MessagePort,
    /// `text N`, `rows N`: a large value through Node's own JSON.
    NodeJson,
    /// The same through CPython's.
    PythonJson,
}

/// A process that plays on command, so that it is warm and costs nothing while others play.
#[derive(Debug)]
pub struct Peer {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts `script` on `interpreter`.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn start(interpreter: &Path, script: PeerScript) -> Self {
        let (flag, text) = match script {
            PeerScript::MessagePort => ("-e", include_str!("peers/messageport.js")),
            PeerScript::NodeJson => ("-e", include_str!("peers/json.js")),
            PeerScript::PythonJson => ("-c", include_str!("peers/json.py")),
        };
        let mut child = Command::new(interpreter)
            .args([flag, text])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", interpreter.display()));
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else { panic!("no pipes") };
        Self { child, stdin, stdout: BufReader::new(stdout) }
    }

    /// Plays one round and waits for its end.
    ///
    /// # Panics
    ///
    /// When the process has ended.
    pub fn round(&mut self, kind: &str, count: usize) {
        let told = self.stdin.write_all(format!("{kind} {count}\n").as_bytes());
        let mut line = String::new();
        let heard = told.and_then(|()| self.stdout.read_line(&mut line));
        assert!(matches!(heard, Ok(read) if read > 0), "a peer has ended: {heard:?}");
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
