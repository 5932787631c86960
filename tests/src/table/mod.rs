//! The programs that both languages run, and what should come of them.
//!
//! Every [`Case`] belongs to a row of the list of situations (P1–P25) and holds a program for each language with one
//! expectation for both. [`check`] runs one case in one language and says what differs, with the row's id;
//! [`check_shown`] does so through `run_code` and holds what a model is shown against the same expectation.

mod budgets;
mod calls;
mod check;
mod differences;
mod endings;
mod interpreters;
mod output;
mod shown;
mod syntax;
mod thrown;
mod values;

use std::path::{Path, PathBuf};

use dayfly::{Language, Outcome, ProcessConfig};

pub use check::{LATE, check};
pub use shown::check_shown;

use crate::patience::LONGER;
use crate::{Both, Host};

/// One situation in both languages.
#[derive(Debug, Clone)]
pub struct Case {
    /// The row's id, such as `P11`.
    pub row: &'static str,
    /// What is true when the case passes, as a sentence.
    pub name: &'static str,
    /// How the host is configured.
    pub config: fn(ProcessConfig) -> ProcessConfig,
    /// Makes the interpreter that the host is configured with, in a directory of its own.
    pub interpreter: Option<fn(&Path) -> PathBuf>,
    /// The programs.
    pub sides: Both<Side>,
    /// How the run ends, in either language.
    pub ends: Ends,
    /// What the run prints, in either language.
    pub prints: Prints,
    /// The receipts, in the order of the calls.
    pub calls: Vec<(&'static str, Outcome)>,
}

/// A language's program, with what only this language can say.
#[derive(Debug, Clone)]
pub struct Side {
    /// The program, or why the language has none.
    pub program: Result<String, &'static str>,
    /// Texts that the failure's message or, where there is none, a log entry must contain.
    pub says: Vec<&'static str>,
    /// The class of the exception.
    pub class: Option<&'static str>,
    /// The line of the exception.
    pub line: Option<u32>,
    /// The column of the exception.
    pub column: Option<u32>,
    /// Texts that the stack must contain, in this order.
    pub stack: Vec<&'static str>,
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ends {
    /// With this value, written as JSON.
    Value(&'static str),
    /// With a text of this many `x`.
    Text(usize),
    /// With no value.
    Nothing,
    /// As `exception`.
    Exception,
    /// As `exception`, and no worker was started.
    ExceptionBeforeStart,
    /// As `timeout` of the wall.
    Wall,
    /// As `timeout` of the compute budget.
    Compute,
    /// As `worker-exit` with this code.
    Exit(i32),
    /// As `worker-exit` by this signal.
    Signal(i32),
    /// As `invalid-output` at this path.
    Invalid(&'static str),
    /// As `output-limit`.
    OutputLimit,
    /// Not at all: there is no usable interpreter.
    NoInterpreter,
}

/// What a run prints: the texts of its log entries, joined by line breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prints {
    /// Nothing.
    Nothing,
    /// Exactly this.
    Exactly(&'static str),
    /// Exactly what the interpreter prints when it runs the same text by itself.
    AsTheInterpreterDoes,
    /// The lines `line 0`, `line 1`, … up to this many, and after them whatever the interpreter says about its death.
    Numbered(usize),
    /// At least one and fewer than this many of those lines, from the first, without a gap.
    NumberedUntilFull(usize),
    /// A note of Dayfly's that holds the side's `says`.
    Note,
    /// A note of Dayfly's or a warning of the language's own, of any number of lines, that holds the side's `says`.
    Warning,
}

impl Case {
    fn new(row: &'static str, name: &'static str, typescript: Side, python: Side, ends: Ends) -> Self {
        Self {
            row,
            name,
            config: |config| config,
            interpreter: None,
            sides: Both::new(typescript, python),
            ends,
            prints: Prints::Nothing,
            calls: Vec::new(),
        }
    }

    fn prints(mut self, prints: Prints) -> Self {
        self.prints = prints;
        self
    }

    fn calls(mut self, calls: impl Into<Vec<(&'static str, Outcome)>>) -> Self {
        self.calls = calls.into();
        self
    }

    fn config(mut self, config: fn(ProcessConfig) -> ProcessConfig) -> Self {
        self.config = config;
        self
    }

    /// The host that the case asks for, with so many times as much of the budget that ends it; an interpreter of its own is
    /// made in this directory.
    fn host(&self, scratch: &Path, times: u32) -> Host {
        Host::with(|config| {
            let config = self.limits(config, times);
            match self.interpreter.map(|make| make(scratch)) {
                Some(path) => config.node(&path).python(&path),
                None => config,
            }
        })
    }

    fn limits(&self, config: ProcessConfig, times: u32) -> ProcessConfig {
        let config = (self.config)(config);
        let (wall, compute) = (config.wall * times, config.compute * times);
        if self.ends == Ends::Wall {
            config.wall(wall)
        } else if self.ends == Ends::Compute {
            config.compute(compute)
        } else {
            config
        }
    }

    /// The budget that ends the case, as it is written for a reader.
    fn spent(&self, times: u32) -> Option<String> {
        let limits = self.limits(ProcessConfig::default(), times);
        let (name, budget) = if self.ends == Ends::Wall {
            ("wall ceiling", limits.wall)
        } else if self.ends == Ends::Compute {
            ("compute budget", limits.compute)
        } else {
            return None;
        };
        Some(format!("{name} of {:.3} s", budget.as_secs_f64()))
    }

    /// Does `check` with the limits of the case; where a budget ends it, a second and a third time with more of it, as long
    /// as something differs. What the program does before needs a machine that does not stand still meanwhile.
    async fn patiently(&self, check: impl AsyncFn(u32) -> Result<(), String>) -> Result<(), String> {
        let mut outcome = check(1).await;
        for times in LONGER {
            if outcome.is_ok() || !matches!(self.ends, Ends::Wall | Ends::Compute) {
                break;
            }
            outcome = check(times).await;
        }
        outcome
    }

    /// The row and the name with the language, for messages.
    #[must_use]
    pub fn title(&self, language: Language) -> String {
        format!("{} in {language}: {}", self.row, self.name)
    }
}

/// A program of this text.
fn text(program: impl Into<String>) -> Side {
    Side { program: Ok(program.into()), says: Vec::new(), class: None, line: None, column: None, stack: Vec::new() }
}

/// The language has no such program, because…
fn none(reason: &'static str) -> Side {
    Side { program: Err(reason), ..text("") }
}

impl Side {
    fn says(mut self, says: impl Into<Vec<&'static str>>) -> Self {
        self.says = says.into();
        self
    }

    fn class(mut self, class: &'static str) -> Self {
        self.class = Some(class);
        self
    }

    fn line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    fn column(mut self, column: u32) -> Self {
        self.column = Some(column);
        self
    }

    fn stack(mut self, stack: impl Into<Vec<&'static str>>) -> Self {
        self.stack = stack.into();
        self
    }
}

/// The rows that the table must hold.
pub const ROWS: &[&str] = &[
    "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P10", "P11", "P12", "P13", "P14", "P15", "P16", "P18", "P19",
    "P20", "P22", "P23", "P24", "P25",
];

/// Rows that are no matter of one program, with the tests that hold each: on the runtime, where it is one of the runtime's, and
/// through `run_code`.
pub const ELSEWHERE: &[(&str, &[&str])] = &[
    (
        "P9",
        &[
            "hostile::clocks::p9_a_run_that_spins_does_not_delay_its_neighbour",
            "run_code::agents::p9_a_program_that_spins_does_not_delay_another_agents",
        ],
    ),
    (
        "P17",
        &[
            "contract::names::every_name_is_reached_exactly",
            "run_code::names::p17_every_name_is_declared_and_reached_exactly",
        ],
    ),
    ("P21", &["run_code::order::p21_twenty_three_writes_at_once_run_alone_and_in_order"]),
];

/// Every case.
#[must_use]
pub fn cases() -> Vec<Case> {
    [
        syntax::cases(),
        budgets::cases(),
        endings::cases(),
        thrown::cases(),
        values::cases(),
        output::cases(),
        calls::cases(),
        interpreters::cases(),
    ]
    .concat()
}
