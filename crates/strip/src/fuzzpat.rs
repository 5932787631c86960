use super::parse;
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
    std::thread::Builder::new().stack_size(4 << 30).spawn(move || {
        let v = VOCAB.len();
        let total = v.pow(len as u32);
        let began = Instant::now();
        for index in (part..total).step_by(parts) {
            let mut k = index;
            let mut pattern = String::new();
            for _ in 0..len { pattern += VOCAB[k % v]; k /= v; }
            let close = closers(&pattern);
            for (pre, seed, suf) in [("", "x", true), ("", "x", false), ("type A=", "x", true), ("x=", "x=>y", true), ("", "x)=>y", false)] {
                if suf && close.is_empty() && pre.is_empty() { continue; }
                let make = |n: usize| format!("{pre}{}{seed}{}", pattern.repeat(n), if suf { close.repeat(n) } else { String::new() });
                let time = |n: usize| { let s = make(n); let t = Instant::now(); if std::panic::catch_unwind(|| { let _ = parse::strip(&s); }).is_err() { println!("PANIC {s:?}"); } t.elapsed().as_secs_f64() * 1e3 };
                let t8 = time(8);
                let mut bad = t8 > 3.0;
                let mut t16 = 0.0; let mut t32 = 0.0;
                if !bad { t16 = time(16); bad = t16 > 6.0; }
                if !bad { t32 = time(32); bad = t32 > 12.0; }
                if bad && time(8) < 3.0 && time(16) < 6.0 && time(32) < 12.0 { bad = false; }
                if bad {
                    let t8 = time(8).min(time(8)); let t12 = time(12).min(time(12));
                    println!("BAD {pre:?} {pattern:?} {seed:?} {close:?} suf={suf}: first {t8:.2} {t16:.2} {t32:.2} again t8={t8:.2} t12={t12:.2}");
                }
            }
        }
        println!("done {total} in {:?}", began.elapsed());
    }).unwrap().join().unwrap();
}
