//! How deep the tokens read so far can nest, and how often they can be read.

use super::{
    Refused,
    lexer::{Kind, Token},
    slash::Before,
};
use crate::{StripErrorKind, StripLimits};

/// Keywords that nest statements: only the end of a statement ends what they began.
const NESTING: [&str; 6] = ["if", "else", "for", "while", "do", "with"];

/// Words that go on with what the line or the block before began.
const CONTINUING: [&str; 14] = [
    "else",
    "while",
    "catch",
    "finally",
    "in",
    "instanceof",
    "of",
    "as",
    "satisfies",
    "is",
    "extends",
    "implements",
    "from",
    "with",
];

/// Words that look like names but leave something to come.
const OPENING: [&str; 26] = [
    "keyof",
    "readonly",
    "unique",
    "infer",
    "asserts",
    "is",
    "abstract",
    "async",
    "out",
    "accessor",
    "static",
    "public",
    "private",
    "protected",
    "override",
    "declare",
    "get",
    "set",
    "type",
    "namespace",
    "module",
    "interface",
    "as",
    "satisfies",
    "implements",
    "global",
];

/// Nested tokens whose frames are as much memory as makes a read cost twice: measured on chains of arrow functions, which
/// take five times longer per token at 5,000 levels than at 500, once the stack no longer fits the caches.
const COLD_STACK: usize = 500;

/// What has been read since a bracket was opened.
#[derive(Default)]
struct Level {
    /// Tokens since the last comma or the last end of a statement.
    run: usize,
    /// Of the tokens since the last end of a statement, those that nest across commas: `<`, `if`, `else`, loops.
    nested: usize,
    /// `<` that no `>` has closed, since the last end of a statement.
    angles: usize,
    /// `infer`, whose constraint is read twice, since the last end of a statement.
    infers: usize,
    /// `?` since the last comma: what follows an arrow function behind it may be read twice.
    questions: usize,
    /// The factor before this level.
    outer_factor: u64,
}

/// Counts what a text can cost.
pub(super) struct Budget {
    limits: StripLimits,
    levels: Vec<Level>,
    /// Sum over the levels of what can nest.
    run: usize,
    /// How many attempts can be under way that each read a token once more.
    attempts: usize,
    /// How often a token is read because attempts are made anew inside attempts.
    factor: u64,
    work: u64,
    after_semicolon: bool,
    last: Last,
}

/// What of the last token the next one depends on.
#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Last {
    /// A `(` that is not a call's: it may begin a type, and what pattern follows is read twice.
    LooseParenthesis,
    /// A `}`.
    Brace,
    /// A word that leaves something to come.
    Opening,
    #[default]
    Other,
}

impl Budget {
    pub(super) fn new(limits: &StripLimits) -> Self {
        Self {
            limits: *limits,
            levels: vec![Level::default()],
            run: 0,
            attempts: 0,
            factor: 1,
            work: 0,
            after_semicolon: false,
            last: Last::Other,
        }
    }

    /// Counts one token.
    pub(super) fn spend(&mut self, token: &Token<'_>) -> Result<(), Refused> {
        let continues = token.kind == Kind::Word && CONTINUING.contains(&token.text);
        if !continues && (std::mem::take(&mut self.after_semicolon) || self.begins_statement(token)) {
            self.end_statement();
        }
        self.after_semicolon = false;
        let last = std::mem::take(&mut self.last);
        match token.kind {
            Kind::Open => self.open(token, last)?,
            Kind::Close => self.close(token),
            Kind::Mark => self.mark(token),
            Kind::Word => self.word(token),
            Kind::Literal | Kind::Template => self.add_run(),
        }
        if self.run > self.limits.max_run {
            return Err(self.refuse(
                token,
                "statement or expression has too many parts in one piece",
                self.limits.max_run,
                "break it into several statements, or put the parts into an array",
            ));
        }
        let reads = self.attempts + 1 + self.run / COLD_STACK;
        let reads = u64::try_from(reads).unwrap_or(u64::MAX).saturating_mul(self.factor);
        self.work = self.work.saturating_add(reads);
        if self.work > self.limits.max_work {
            return Err(Refused {
                kind: StripErrorKind::Limit,
                offset: Some(token.offset),
                message: "the program up to here takes too long to parse: it is too long or too deeply nested".into(),
                hint: Some(
                    "split it into several runs, name inner functions and types, and close comparisons in parentheses",
                ),
            });
        }
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Whether the token can only be the first of a statement or of a member, because no operator stands before it.
    fn begins_statement(&self, token: &Token<'_>) -> bool {
        matches!(token.kind, Kind::Word | Kind::Literal)
            && match self.last {
                Last::Brace => true,
                Last::Opening | Last::LooseParenthesis => false,
                Last::Other => token.on_new_line && token.before == Before::Operand,
            }
    }

    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn end_list_element(&mut self) {
        let level = self.level();
        let (run, questions) = (std::mem::take(&mut level.run), std::mem::take(&mut level.questions));
        self.run -= run;
        self.attempts -= questions;
    }

    fn end_statement(&mut self) {
        self.end_list_element();
        let level = self.level();
        level.infers = 0;
        let (nested, angles) = (std::mem::take(&mut level.nested), std::mem::take(&mut level.angles));
        self.run -= nested;
        self.attempts -= angles;
    }

    fn add_run(&mut self) {
        self.level().run += 1;
        self.run += 1;
    }

    fn add_nested(&mut self) {
        self.level().nested += 1;
        self.run += 1;
    }

    fn open(&mut self, token: &Token<'_>, last: Last) -> Result<(), Refused> {
        if self.levels.len() > self.limits.max_depth {
            return Err(self.refuse(
                token,
                "brackets are nested too deeply",
                self.limits.max_depth,
                "move inner parts into functions and variables of their own",
            ));
        }
        self.add_run();
        let level = self.level();
        // Behind `<` the text may be type arguments, and is read again as operands when it is not. Expressions in
        // brackets in there make such attempts of their own, each time.
        let mut factor = u64::try_from(1 + level.angles + level.infers).unwrap_or(u64::MAX);
        if last == Last::LooseParenthesis && token.text != "(" {
            factor = factor.saturating_mul(2);
        }
        if token.text == "(" && (token.before != Before::Operand || last == Last::Opening) {
            self.last = Last::LooseParenthesis;
        }
        self.levels.push(Level { outer_factor: self.factor, ..Level::default() });
        self.factor = self.factor.saturating_mul(factor);
        self.attempts += 1;
        Ok(())
    }

    fn close(&mut self, token: &Token<'_>) {
        self.end_statement();
        if let Some(level) = self.levels.pop() {
            self.factor = level.outer_factor;
            self.attempts -= 1;
        }
        if token.text == "}" {
            self.last = Last::Brace;
        }
    }

    fn mark(&mut self, token: &Token<'_>) {
        match token.text {
            "," => self.end_list_element(),
            ";" => {
                self.end_list_element();
                self.after_semicolon = true;
            }
            "<" => {
                self.add_nested();
                self.level().angles += 1;
                self.attempts += 1;
            }
            ">" => {
                self.add_run();
                let level = self.level();
                if level.angles > 0 {
                    level.angles -= 1;
                    self.attempts -= 1;
                }
            }
            "?" => {
                self.add_run();
                self.level().questions += 1;
                self.attempts += 1;
            }
            _ => self.add_run(),
        }
    }

    fn word(&mut self, token: &Token<'_>) {
        if NESTING.contains(&token.text) {
            self.add_nested();
        } else {
            self.add_run();
        }
        if token.text == "infer" {
            self.level().infers += 1;
        }
        if OPENING.contains(&token.text) {
            self.last = Last::Opening;
        }
    }

    fn refuse(&self, token: &Token<'_>, what: &str, limit: usize, hint: &'static str) -> Refused {
        Refused {
            kind: StripErrorKind::Limit,
            offset: Some(token.offset),
            message: format!("{what}: at most {limit} are allowed"),
            hint: Some(hint),
        }
    }
}
