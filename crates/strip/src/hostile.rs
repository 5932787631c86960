//! Texts made to exhaust the parser, filled up to the limits.
//!
//! The short version runs with every `cargo test`. The long one tries every sequence of tokens:
//!
//! ```text
//! DAYFLY_PATTERN_TOKENS=3 cargo test --release -p dayfly-strip --lib every_pattern -- --ignored --nocapture
//! ```
//!
//! `DAYFLY_PATTERN_SHARE=1/3` takes every third pattern only. It prints the slowest patterns in nanoseconds per estimated read; times
//! [`StripLimits::max_work`], that is what a program can cost.

use crate::{
    StripLimits, parse,
    scan::{scan, work},
};
use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// For patterns that no limit but the number of bytes stops.
const MOST_REPETITIONS: usize = 20_000;

/// A text that repeats: the beginning, what is repeated, the middle, and the closing that is repeated as often.
struct Pattern {
    head: &'static str,
    part: String,
    middle: &'static str,
    close: String,
}

impl Pattern {
    fn repeat(&self, times: usize) -> String {
        format!("{}{}{}{}", self.head, self.part.repeat(times), self.middle, self.close.repeat(times))
    }

    /// The longest text that the limits let through.
    fn fill(&self, limits: &StripLimits) -> Option<String> {
        let fits = |times| scan(&self.repeat(times), limits).is_ok();
        let mut times = 1;
        if !fits(times) {
            return None;
        }
        while times < MOST_REPETITIONS && fits(times * 2) {
            times *= 2;
        }
        let mut step = times / 2;
        // To an eighth: each try scans the whole text.
        while step > times / 8 {
            if fits(times + step) {
                times += step;
            }
            step /= 2;
        }
        Some(self.repeat(times))
    }
}

/// What closes the brackets of `part`, innermost first.
fn closing(part: &str) -> String {
    let mut open = Vec::new();
    for character in part.chars() {
        match character {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            '<' => open.push('>'),
            '`' => open.push('`'),
            ')' | ']' | '}' | '>' if open.last() == Some(&character) => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}

/// Ways to nest, each with one more level per repetition: heads, parts and middles.
const NESTING: [(&str, &str, &str); 88] = [
    ("", "(", "x"),
    ("", "[", "x"),
    ("x=", "{a:", "x"),
    ("", "{", ""),
    ("", "`${", "x"),
    ("", "a?b:", "c"),
    ("", "!", "x"),
    ("", "- ", "x"),
    ("", "++", "x"),
    ("", "typeof ", "x"),
    ("", "void ", "x"),
    ("", "await ", "x"),
    ("", "new ", "x"),
    ("", "new a(", "x"),
    ("", "a=>", "x"),
    ("", "(a)=>", "x"),
    ("", "async a=>", "x"),
    ("", "<T>(x)=>", "x"),
    ("", "a=", "x"),
    ("", "a**", "x"),
    ("", "a+", "x"),
    ("", "a,", "x"),
    ("", "a&&", "x"),
    ("", "a??", "x"),
    ("a", ".b", ""),
    ("a", "?.b", ""),
    ("a", "()", ""),
    ("a", "[0]", ""),
    ("a", "!", ""),
    ("a", "``", ""),
    ("a", " as T", ""),
    ("a", " satisfies T", ""),
    ("a", "<T>()", ""),
    ("", "if(a)b;else ", "c"),
    ("", "if(a)", "c"),
    ("", "for(;;)", "c"),
    ("", "for(a of b)", "c"),
    ("", "while(a)", "b"),
    ("", "do ", "b"),
    ("", "a:", "c"),
    ("", "if(a){}else ", "c"),
    ("", "try{", "a"),
    ("", "switch(a){case b:", "c"),
    ("type A=", "B extends C?D:", "E"),
    ("type A=", "keyof ", "B"),
    ("type A=", "A<", "B"),
    ("type A=B", "[]", ""),
    ("type A=", "[", "B"),
    ("type A=", "(", "B"),
    ("type A=", "()=>", "B"),
    ("type A=", "new ()=>", "B"),
    ("type A=", "<T>()=>", "B"),
    ("type A=", "{a:", "B"),
    ("type A=", "B|(", "C"),
    ("type A=", "(a:", "B"),
    ("type A=", "infer U extends ", "B"),
    ("type A=a", "[a]", ""),
    ("type A=typeof a", ".b", ""),
    ("type A=", "`${", "B"),
    ("type A=", "<out\nT extends ", "B"),
    ("type A=", "readonly ", "B"),
    ("type A=", "B|", "C"),
    ("let a:", "(b:c)=>d is ", "e"),
    ("", "f<", "x"),
    ("", "f<T>(", "x"),
    ("", "<T>", "x"),
    ("", "(a,", "b"),
    ("", "(a=", "b"),
    ("", "a?(b):c=>", "d"),
    ("", "a?(b)=>", "d"),
    ("", "async (", "x"),
    ("", "async<T>(", "x"),
    ("", "({a:", "x"),
    ("", "([", "x"),
    ("", "({a=", "x"),
    ("", "f(a,b=>", "x"),
    ("", "{[a<", "x"),
    ("", "a<{[", "x"),
    ("", "a as({[", "x"),
    ("", "class A{a=", "x"),
    ("", "class extends ", "x"),
    ("", "class A{static{", "x"),
    ("x=", "function(){return ", "x"),
    ("x=", "async function*(){yield ", "x"),
    ("let ", "[a=", "b"),
    ("let ", "{a:", "b"),
    ("", "namespace A{", ""),
    ("", "import(", "a"),
];

/// What this thread has used of a CPU: it stands still while others have it.
fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap().into()
}

/// The bytes of the current thread's stack that have been touched.
fn touched_stack() -> usize {
    let marker = 0_u8;
    let here = std::ptr::from_ref(&marker).addr();
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut inside = false;
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let bound = |hex: &str| usize::from_str_radix(hex, 16).ok();
        if let Some((start, end)) = range.and_then(|(start, end)| bound(start).zip(bound(end))) {
            inside = (start..end).contains(&here);
        } else if inside && let Some(size) = line.strip_prefix("Rss:") {
            return size.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024;
        }
    }
    panic!("the stack is not among the mappings");
}

#[test]
fn whatever_nests_within_the_limits_fits_into_half_of_the_stack() {
    // Less work than is allowed by default: what is measured is depth.
    let limits = StripLimits { max_work: 300_000, ..StripLimits::default() };
    let mut most = (0, String::new());
    for (head, part, middle) in NESTING {
        for close in [String::new(), closing(part)] {
            let pattern = Pattern { head, part: part.to_owned(), middle, close };
            let source = pattern.fill(&limits).unwrap();
            let touched = std::thread::Builder::new()
                .stack_size(limits.stack_bytes())
                .spawn(move || {
                    let before = touched_stack();
                    drop(parse::strip(&source));
                    // A page that was taken out of memory meanwhile counts as untouched.
                    touched_stack().saturating_sub(before)
                })
                .unwrap()
                .join()
                .unwrap();
            if touched > most.0 {
                most = (touched, format!("{head}{part}{middle}"));
            }
        }
    }
    println!("most: {} KiB of {} KiB, by {:?}", most.0 >> 10, limits.stack_bytes() >> 10, most.1);
    assert!(most.0 < limits.stack_bytes() / 2, "{:?} touched {} bytes", most.1, most.0);
}

/// What patterns are made of.
const TOKENS: [&str; 44] = [
    "(",
    "[",
    "{",
    "<",
    "`${",
    "a",
    "1",
    "T",
    "=>",
    "?",
    ":",
    ",",
    ";",
    "=",
    "...",
    "!",
    "+",
    ".",
    "?.",
    "|",
    ">",
    ")",
    "]",
    "}",
    "\n",
    "@",
    "async ",
    "await ",
    "yield ",
    "new ",
    "typeof ",
    "in ",
    "as ",
    "is ",
    "keyof ",
    "extends ",
    "infer ",
    "asserts ",
    "function ",
    "class ",
    "type ",
    "const ",
    "for(",
    "import(",
];

/// Tries patterns of `length` tokens, one in `share`, each filled until it is worth `limits`. Gives the slowest, in
/// nanoseconds per estimated read, and the longest time.
fn try_patterns(length: u32, share: usize, limits: StripLimits, report: bool) -> (f64, Duration) {
    let search = move || {
        let (mut slowest, mut longest) = (0.0_f64, Duration::ZERO);
        for index in (0..TOKENS.len().pow(length)).step_by(share) {
            let mut rest = index;
            let mut part = String::new();
            for _ in 0..length {
                part.push_str(TOKENS[rest % TOKENS.len()]);
                rest /= TOKENS.len();
            }
            let close = closing(&part);
            for (head, middle, closed) in
                [("", "x", true), ("", "x", false), ("type A=", "x", true), ("x=", "x=>y", true), ("", "x)=>y", false)]
            {
                if closed && close.is_empty() && head.is_empty() {
                    continue;
                }
                let close = if closed { close.clone() } else { String::new() };
                let pattern = Pattern { head, part: part.clone(), middle, close };
                let Some(source) = pattern.fill(&limits) else { continue };
                let run = || {
                    let start = cpu_time();
                    drop(parse::strip(&source));
                    cpu_time() - start
                };
                let mut time = run();
                // What is slow only once was interrupted.
                if time.as_secs_f64() > longest.as_secs_f64() * 0.8 {
                    time = time.min(run()).min(run());
                }
                longest = longest.max(time);
                let reads = f64::from(u32::try_from(work(&source).unwrap()).unwrap());
                let each = time.as_secs_f64() * 1e9 / reads;
                // A thread costs more than a handful of tokens.
                if reads >= 1_000.0 && each > slowest {
                    slowest = each;
                    if report {
                        println!(
                            "{each:.0} ns for each of {reads} reads ({time:?}): {head}{part}{middle}, closed: {closed}"
                        );
                    }
                }
            }
        }
        (slowest, longest)
    };
    std::thread::Builder::new().stack_size(limits.stack_bytes()).spawn(search).unwrap().join().unwrap()
}

#[test]
fn no_short_pattern_takes_longer_than_its_estimate() {
    let limits = StripLimits { max_work: 1_000, max_source_bytes: 4_000, ..StripLimits::default() };
    for (length, share) in [(1, 1), (2, 3), (4, 20_011)] {
        let (slowest, longest) = try_patterns(length, share, limits, false);
        println!("patterns of {length}: slowest {slowest:.0} ns a read, longest {longest:?}");
        // Milliseconds. A pattern whose cost doubles with each repetition would take years.
        assert!(longest < Duration::from_secs(2), "a pattern of {length} tokens took {longest:?}");
    }
}

#[test]
#[ignore = "takes minutes to hours: for DAYFLY_PATTERN_TOKENS and DAYFLY_PATTERN_SHARE see the top of this file"]
fn every_pattern() {
    let length = std::env::var("DAYFLY_PATTERN_TOKENS").map_or(2, |length| length.parse().unwrap());
    let share = std::env::var("DAYFLY_PATTERN_SHARE");
    let share = share.map_or(1, |share| share.trim_start_matches("1/").parse().unwrap());
    let limits = StripLimits { max_work: 20_000, ..StripLimits::default() };
    let (slowest, longest) = try_patterns(length, share, limits, true);
    println!("slowest: {slowest:.0} ns a read; longest: {longest:?}");
    assert!(longest < Duration::from_secs(2), "a pattern took {longest:?}");
}

#[test]
fn the_known_bad_ones_side_by_side_cost_what_the_estimate_says_from_a_small_thread() {
    // An eighth of the work that is allowed by default, for the sake of debug builds.
    let limits = StripLimits { max_work: StripLimits::default().max_work / 8, ..StripLimits::default() };
    for part in ["a?(b):c=>", "(a=", "f<", "{[a<", "a<{[", "a as({[", "a=>", "new "] {
        for close in [String::new(), closing(part)] {
            let pattern = Pattern { head: "", part: part.to_owned(), middle: "x", close };
            let once = pattern.fill(&StripLimits { max_work: 20_000, ..limits }).unwrap();
            let many = Pattern { head: "", part: format!("{once};\n"), middle: "", close: String::new() };
            let source = many.fill(&limits).unwrap_or(once);
            let time = std::thread::Builder::new()
                .stack_size(2 << 20)
                .spawn(move || {
                    let start = cpu_time();
                    drop(crate::strip(&source, &limits));
                    cpu_time() - start
                })
                .unwrap()
                .join()
                .unwrap();
            println!("{part}: {time:?}");
            assert!(time < Duration::from_secs(20), "{part:?} took {time:?}");
        }
    }
}
