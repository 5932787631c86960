//! The linear look at a text that decides whether the parser may see it.
//!
//! The parser recurses on what it reads and, where TypeScript is ambiguous, tries one reading and then the other, inside which
//! it tries again. Nothing can stop it once it runs. So its cost is bounded from the tokens beforehand: how deep they
//! can nest ([`budget`]) and how often they can be read. For the bounds to hold, no bracket may hide from
//! the scan: a text of which the scan cannot tell what is a literal and what is code ([`slash`]) is refused.

mod budget;
mod lexer;
mod slash;

use crate::{StripError, StripErrorKind, StripLimits};
use budget::Budget;
use lexer::Lexer;

/// Why the scan refuses a text.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) kind: StripErrorKind,
    /// Where. `None` when the whole text is meant.
    pub(crate) offset: Option<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

/// Checks a text against the limits.
pub(crate) fn scan(source: &str, limits: &StripLimits) -> Result<(), StripError> {
    check(source, limits).map_err(|refused| match refused.offset {
        Some(offset) => StripError::at(refused.kind, source, offset, refused.message, refused.hint),
        None => StripError::nowhere(refused.kind, refused.message, refused.hint),
    })
}

fn check(source: &str, limits: &StripLimits) -> Result<(), Refused> {
    if source.len() > limits.max_source_bytes {
        return Err(Refused {
            kind: StripErrorKind::Limit,
            offset: None,
            message: format!(
                "the program has {} bytes, and at most {} are allowed",
                source.len(),
                limits.max_source_bytes
            ),
            hint: Some("keep data out of the program: read it with a tool, or build it in a loop"),
        });
    }
    let mut lexer = Lexer::new(source);
    let mut budget = Budget::new(limits);
    while let Some(token) = lexer.next()? {
        budget.spend(&token)?;
    }
    Ok(())
}

/// The work that the scan estimates for a text, for comparison with the time it takes.
#[cfg(test)]
pub(crate) fn work(source: &str) -> Option<u64> {
    let limits =
        StripLimits { max_source_bytes: usize::MAX, max_depth: usize::MAX, max_run: usize::MAX, max_work: u64::MAX };
    let mut lexer = Lexer::new(source);
    let mut budget = Budget::new(&limits);
    while let Some(token) = lexer.next().ok()? {
        budget.spend(&token).ok()?;
    }
    Some(budget.work())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<&str> {
        let mut lexer = Lexer::new(source);
        let mut texts = Vec::new();
        while let Some(token) = lexer.next().unwrap_or_else(|refused| panic!("{source:?}: {refused:?}")) {
            texts.push(token.text);
        }
        texts
    }

    #[test]
    fn literals_and_comments_hide_their_brackets_and_nothing_else_does() {
        for (source, tokens) in [
            ("a /* ( */ b // (\nc", vec!["a", "b", "c"]),
            ("'(\\'(' \"\\\n(\"", vec!["'(\\'('", "\"\\\n(\""]),
            ("`(${a + `)${b}(`})` c", vec!["`(${", "a", "+", "`)${", "b", "}", "(`", "}", ")`", "c"]),
            ("a / b / (c)", vec!["a", "/", "b", "/", "(", "c", ")"]),
            ("x = /[/(]/g.test(y)", vec!["x", "=", "/[/(]/g", ".", "test", "(", "y", ")"]),
            ("if (a) /(/.b", vec!["if", "(", "a", ")", "/(/", ".", "b"]),
            ("(a) / 2 / (", vec!["(", "a", ")", "/", "2", "/", "("]),
            ("a.if(b) / (c)", vec!["a", ".", "if", "(", "b", ")", "/", "(", "c", ")"]),
            ("return /(/", vec!["return", "/(/"]),
            ("a.return / (b)", vec!["a", ".", "return", "/", "(", "b", ")"]),
            ("a! / (b)", vec!["a", "!", "/", "(", "b", ")"]),
            ("!/(/.a", vec!["!", "/(/", ".", "a"]),
            ("a++ / (b)", vec!["a", "++", "/", "(", "b", ")"]),
            ("a ?.5 : b?.c", vec!["a", "?", ".5", ":", "b", "?.", "c"]),
            ("\\u{61}b", vec!["\\u{61}b"]),
            ("#!(\na", vec!["a"]),
        ] {
            assert_eq!(kinds(source), tokens, "{source:?}");
        }
    }

    #[test]
    fn a_slash_that_could_hide_brackets_either_way_is_refused() {
        for source in
            ["{}\n/(/.test(a)", "type A = B\n/[(]/.test(a)", "a\n/ (b) /c", "x as A<B> / (c) / d", "await /(/"]
        {
            let refused = check(source, &StripLimits::default()).unwrap_err();
            assert!(refused.message.contains("not clear"), "{source:?}: {refused:?}");
        }
        for source in ["{}\n/re/.test(a)", "a\n  / b // per cent", "a\n/ b", "{}\n/^a+$/.test(b)"] {
            check(source, &StripLimits::default()).unwrap_or_else(|refused| panic!("{source:?}: {refused:?}"));
        }
    }

    #[test]
    fn long_programs_of_plain_statements_are_within_every_limit() {
        for line in [
            "const a = { b: [1, 2, 3], c: (d) => d.e }\n",
            "foo(a, b, c)\n",
            "if (a) { b } else if (c) { d } else { e }\n",
            "for (let i = 0; i < n; i++) { if (i < 3 && i > 2) continue; }\n",
            "function f<T extends A<B>>(x: T): Promise<Array<T>> { return x as T }\n",
            "class A { x = 1\n y: number\n m() { return this.x < 3 ? 1 : 2 } }\n",
            "interface A { b: string\n c?: number\n d(e: F<G>): void }\n",
            "type A = B extends C ? D : E;",
            "x = `a${b}c`;",
        ] {
            let source = line.repeat(20_000 / line.len() * 20);
            check(&source, &StripLimits::default()).unwrap_or_else(|refused| panic!("{line:?}: {refused:?}"));
        }
    }

    #[test]
    fn each_limit_says_where_and_what_to_do() {
        let limits = StripLimits::default();
        for (source, says) in [
            ("x".repeat(limits.max_source_bytes + 1), "bytes"),
            ("(".repeat(300), "nested too deeply"),
            ("!".repeat(11_000), "too many parts"),
            (format!("f({}x", "a<b&&".repeat(2_000)), "takes too long"),
        ] {
            let refused = check(&source, &limits).unwrap_err();
            assert_eq!(refused.kind, StripErrorKind::Limit);
            assert!(refused.message.contains(says), "{refused:?}");
            assert!(refused.hint.is_some(), "{refused:?}");
        }
    }

    #[test]
    fn unclosed_literals_and_unmatched_brackets_are_syntax_errors_with_a_place() {
        for (source, offset) in
            [("a = 'b\n'", 4), ("a `b", 2), ("/* a", 0), ("a = /b\n", 4), ("(]", 1), ("a)", 1), ("`${a", usize::MAX)]
        {
            match check(source, &StripLimits::default()) {
                Err(refused) => {
                    assert_eq!((refused.kind, refused.offset), (StripErrorKind::Syntax, Some(offset)), "{source:?}");
                }
                // What is open at the end, the parser reports.
                Ok(()) => assert_eq!(offset, usize::MAX, "{source:?}"),
            }
        }
    }
}
