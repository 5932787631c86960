use super::{
    StripLimits, parse,
    scan::{scan, work},
};
use std::time::Instant;

const VOCAB: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "a",
    "b",
    "=>",
    "?",
    ":",
    ",",
    "=",
    "...",
    "async ",
    "await ",
    "new ",
    "`${",
    "!",
    "+",
    ".",
    "T",
    ">",
    ")",
    "]",
    "}",
    "as ",
    "extends ",
    "infer ",
    "function ",
    "class ",
    "1",
    ";",
    "?.",
    "keyof ",
    "typeof ",
    "in ",
    "is ",
    "|",
    "get ",
    "for(",
    "yield ",
    "asserts ",
    "@",
    "import(",
    "const ",
    "type ",
    "\n",
];

fn closers(pattern: &str) -> String {
    let mut out = String::new();
    let mut stack = Vec::new();
    for c in pattern.chars() {
        match c {
            '(' => stack.push(')'),
            '[' => stack.push(']'),
            '{' => stack.push('}'),
            '<' => stack.push('>'),
            ')' | ']' | '}' | '>' => {
                if stack.last() == Some(&c) {
                    stack.pop();
                }
            }
            '`' => stack.push('`'),
            _ => {}
        }
    }
    while let Some(c) = stack.pop() {
        out.push(c);
    }
    out
}

#[test]
#[ignore = "x"]
fn fuzz_patterns() {
    let len: usize = std::env::var("LEN").unwrap_or("3".into()).parse().unwrap();
    let part: usize = std::env::var("PART").unwrap_or("0".into()).parse().unwrap();
    let parts: usize = std::env::var("PARTS").unwrap_or("1".into()).parse().unwrap();
    std::thread::Builder::new()
        .stack_size(4 << 30)
        .spawn(move || {
            let v = VOCAB.len();
            let total = v.pow(len as u32);
            let began = Instant::now();
            let budget: u64 = std::env::var("BUDGET").unwrap_or("20000".into()).parse().unwrap();
            let mut worst = 0.0f64;
            for index in (part..total).step_by(parts) {
                let mut k = index;
                let mut pattern = String::new();
                for _ in 0..len {
                    pattern += VOCAB[k % v];
                    k /= v;
                }
                let close = closers(&pattern);
                for (pre, seed, suf) in [
                    ("", "x", true),
                    ("", "x", false),
                    ("type A=", "x", true),
                    ("x=", "x=>y", true),
                    ("", "x)=>y", false),
                ] {
                    if suf && close.is_empty() && pre.is_empty() {
                        continue;
                    }
                    let make = |n: usize| {
                        format!("{pre}{}{seed}{}", pattern.repeat(n), if suf { close.repeat(n) } else { String::new() })
                    };
                    let limits = StripLimits { max_work: budget, max_source_bytes: 1 << 16, ..StripLimits::default() };
                    let mut n = 1;
                    while n < 20_000 && scan(&make(n * 2), &limits).is_ok() {
                        n *= 2;
                    }
                    let n = (0..8).fold(n, |n, k| {
                        let more = n + (n >> (k + 1)).max(1);
                        if scan(&make(more), &limits).is_ok() { more } else { n }
                    });
                    let s = make(n);
                    if scan(&s, &limits).is_err() {
                        continue;
                    }
                    let time = || {
                        let t = Instant::now();
                        if std::panic::catch_unwind(|| {
                            let _ = parse::strip(&s);
                        })
                        .is_err()
                        {
                            println!("PANIC {s:?}");
                        }
                        t.elapsed().as_secs_f64() * 1e9
                    };
                    let floor = |t: f64| t / (work(&s).unwrap_or(0) + s.len() as u64) as f64;
                    let mut t = floor(time());
                    if t > worst * 0.8 {
                        for _ in 0..3 {
                            t = t.min(floor(time()));
                        }
                    }
                    if t > worst * 0.8 || t > 400.0 {
                        worst = worst.max(t);
                        println!(
                            "{t:.0} ns per read: n={n} work={:?} {pre:?} {pattern:?} {seed:?} {close:?} suf={suf}",
                            work(&s)
                        );
                    }
                }
            }
            println!("done {total} in {:?}", began.elapsed());
        })
        .unwrap()
        .join()
        .unwrap();
}
