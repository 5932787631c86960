//! Hostile programs and peers, and what must come of them.
//!
//! A [`Row`] belongs to the list of hostile situations (H1–H44) and holds cases. A [`Case`] has a peer for each language,
//! with one expectation: either a [`Script`] of bytes, which a program of each language and a forged interpreter play
//! alike, or a program of each language written by hand. Neither can be made for one language alone without the reason
//! why the other has none. [`hold`] plays a row, alone in its process, and checks what must be true of every row:
//!
//! - each run settles, in the way the case says, and nothing happens for it afterwards
//! - no host function runs twice for one call
//! - the host's memory grows by no more than the row allows, and nothing in the host panics
//! - the host still serves, with every place free, and no child is left

mod arsenal;
mod check;
mod forged;
mod frame;
mod hold;
mod measure;
mod neighbour;
mod program;
mod script;
mod witness;

use dayfly::{ByteSize, Language, Outcome, ProcessConfig};

pub use frame::{Frame, call, done, log, nested};
pub use hold::hold;
pub use script::{Act, Script, Then};
pub use witness::Seen;

use crate::Both;

/// One situation of the list.
#[derive(Debug, Clone)]
pub struct Row {
    /// The row's id, such as `H11`.
    pub id: &'static str,
    /// How the host is configured, beyond [`PLACES`].
    pub config: fn(ProcessConfig) -> ProcessConfig,
    /// How much the host's memory may grow, resident and reserved.
    pub growth: ByteSize,
    /// Whether ordinary runs must complete beside the hostile ones, which go on until then.
    pub neighbour: bool,
    /// What is played.
    pub cases: Vec<Case>,
}

/// Runs that a host of these tests has at a time: all of them must be free in the end.
pub const PLACES: usize = 4;

/// One hostile peer in each language.
#[derive(Debug, Clone)]
pub struct Case {
    /// What is true when the case passes, as a sentence.
    pub name: &'static str,
    /// Who plays it.
    pub sides: Sides,
    /// How the run ends in each language; a forged interpreter's as Python's.
    pub ends: Both<Ends>,
    /// The receipts in the order of the calls, where the case says them.
    pub calls: Option<Vec<(&'static str, Outcome)>>,
    /// What else must be true.
    pub also: fn(&Seen) -> Result<(), String>,
}

/// Who plays a case.
#[derive(Debug, Clone)]
pub enum Sides {
    /// A program of each language and a forged interpreter, all doing the same.
    Script(Script),
    /// A program of each language, or why a language has none.
    Programs(Both<Result<String, &'static str>>),
}

/// How a run ends.
#[derive(Debug, Clone, Copy)]
pub enum Ends {
    /// With this value, written as JSON. (A forged interpreter, which does not look into replies, returns `[]` where a
    /// program returns them.)
    Value(&'static str),
    /// With any value.
    Completed,
    /// As `worker-exit`: the worker broke the protocol, and the message says all of this.
    Broken(&'static [&'static str]),
    /// As `worker-exit` without an exit of the worker's own, in these words.
    Closed(&'static str),
    /// As `worker-exit` with this code.
    Exit(i32),
    /// As `worker-exit` by a signal.
    Killed,
    /// As `worker-exit`, said to be out of memory.
    OutOfMemory,
    /// As `exception` of this class.
    Exception(&'static str),
    /// As `exception` or as `worker-exit`: either is right.
    ExceptionOrExit,
    /// As `timeout` of the wall.
    Wall,
    /// As `timeout` of the compute budget.
    Compute,
    /// As `output-limit`.
    OutputLimit,
    /// As `invalid-output` at a path that begins so, and the message says this.
    Invalid(&'static str, &'static str),
}

/// One that plays a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// A program under the real interpreter.
    Program(Language),
    /// A native executable in the interpreter's place.
    Forged,
}

impl std::fmt::Display for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(language) => language.fmt(f),
            Self::Forged => f.write_str("forged"),
        }
    }
}

impl Row {
    /// A row without cases, with the usual configuration.
    #[must_use]
    pub fn new(id: &'static str) -> Self {
        Self { id, config: |config| config, growth: ByteSize::mib(64), neighbour: false, cases: Vec::new() }
    }

    /// Configures the host.
    #[must_use]
    pub fn config(mut self, config: fn(ProcessConfig) -> ProcessConfig) -> Self {
        self.config = config;
        self
    }

    /// Lets the host's memory grow by this much.
    #[must_use]
    pub fn growth(mut self, growth: ByteSize) -> Self {
        self.growth = growth;
        self
    }

    /// Has neighbours that must not be delayed.
    #[must_use]
    pub fn neighbour(mut self) -> Self {
        self.neighbour = true;
        self
    }

    /// Adds a case that a program of each language and a forged interpreter play.
    #[must_use]
    pub fn script(self, name: &'static str, script: Script, ends: Ends) -> Self {
        self.case(name, Sides::Script(script), Both::new(ends, ends))
    }

    /// Adds a case with a program of each language and one ending.
    #[must_use]
    pub fn programs(self, name: &'static str, typescript: &str, python: &str, ends: Ends) -> Self {
        self.each(name, (typescript, ends), (python, ends))
    }

    /// Adds a case with a program of each language and an ending for each.
    #[must_use]
    pub fn each(self, name: &'static str, typescript: (&str, Ends), python: (&str, Ends)) -> Self {
        let programs = Both::new(Ok(typescript.0.to_owned()), Ok(python.0.to_owned()));
        self.case(name, Sides::Programs(programs), Both::new(typescript.1, python.1))
    }

    /// Adds a case that TypeScript has no program for, and why.
    #[must_use]
    pub fn python_alone(self, name: &'static str, reason: &'static str, python: &str, ends: Ends) -> Self {
        let programs = Both::new(Err(reason), Ok(python.to_owned()));
        self.case(name, Sides::Programs(programs), Both::new(ends, ends))
    }

    fn case(mut self, name: &'static str, sides: Sides, ends: Both<Ends>) -> Self {
        self.cases.push(Case { name, sides, ends, calls: None, also: |_| Ok(()) });
        self
    }

    /// Says the receipts of the last case.
    ///
    /// # Panics
    ///
    /// When there is no case.
    #[must_use]
    pub fn calls(mut self, calls: impl Into<Vec<(&'static str, Outcome)>>) -> Self {
        self.cases.last_mut().expect("a case comes first").calls = Some(calls.into());
        self
    }

    /// Says what else must be true of the last case.
    ///
    /// # Panics
    ///
    /// When there is no case.
    #[must_use]
    pub fn also(mut self, also: fn(&Seen) -> Result<(), String>) -> Self {
        self.cases.last_mut().expect("a case comes first").also = also;
        self
    }
}

impl Case {
    /// Who plays it.
    #[must_use]
    pub fn peers(&self) -> Vec<Peer> {
        let programs = Language::ALL.map(Peer::Program);
        match &self.sides {
            Sides::Script(_) => programs.into_iter().chain([Peer::Forged]).collect(),
            Sides::Programs(_) => programs.to_vec(),
        }
    }
}
