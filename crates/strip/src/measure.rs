use super::parse;
use std::time::{Duration, Instant};

fn stack_rss() -> usize {
    let local = 0u8;
    let at = &raw const local as usize;
    let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut inside = false;
    for line in smaps.lines() {
        if let Some((range, _)) = line.split_once(' ')
            && let Some((a, b)) = range.split_once('-')
            && let (Ok(a), Ok(b)) = (usize::from_str_radix(a, 16), usize::from_str_radix(b, 16))
        {
            inside = (a..b).contains(&at);
        } else if inside && let Some(rest) = line.strip_prefix("Rss:") {
            return rest.trim().trim_end_matches("kB").trim().parse::<usize>().unwrap() * 1024;
        }
    }
    0
}

pub(crate) fn measure(source: String) -> (usize, Duration, Option<String>) {
    std::thread::Builder::new()
        .stack_size(12 << 30)
        .spawn(move || {
            let before = stack_rss();
            let start = Instant::now();
            let r = parse::strip(&source);
            let t = start.elapsed();
            (stack_rss().saturating_sub(before), t, r.err().map(|e| e.message))
        })
        .unwrap()
        .join()
        .unwrap()
}

#[test]
#[ignore = "x"]
fn table() {
    let pats: &[(&str, &str, &str, &str)] = &[
        ("", "(", "x", ")"),
        ("", "[", "x", "]"),
        ("x=", "{a:", "x", "}"),
        ("", "{", "", "}"),
        ("", "`${", "x", "}`"),
        ("", "a?b:", "c", ""),
        ("", "a?", "b", ":c"),
        ("", "!", "x", ""),
        ("", "- ", "x", ""),
        ("", "typeof ", "x", ""),
        ("", "await ", "x", ""),
        ("", "new ", "x", ""),
        ("", "a=>", "x", ""),
        ("", "(a)=>", "x", ""),
        ("", "async a=>", "x", ""),
        ("", "a=", "x", ""),
        ("", "a**", "x", ""),
        ("", "a+", "x", ""),
        ("", "a&&", "x", ""),
        ("", "a??", "x", ""),
        ("a", ".b", "", ""),
        ("a", "?.b", "", ""),
        ("a", "()", "", ""),
        ("a", "[0]", "", ""),
        ("a", "!", "", ""),
        ("a", "``", "", ""),
        ("a", " as T", "", ""),
        ("a", "<T>()", "", ""),
        ("", "if(a)b;else ", "c", ""),
        ("", "if(a)", "c", ""),
        ("", "for(;;)", "c", ""),
        ("", "a:", "c", ""),
        ("", "while(a)", "b", ""),
        ("", "do ", "b", " while(a)"),
        ("type A=", "B extends C?D:", "E", ""),
        ("type A=", "keyof ", "B", ""),
        ("type A=", "A<", "B", ">"),
        ("type A=B", "[]", "", ""),
        ("type A=", "[", "B", "]"),
        ("type A=", "(", "B", ")"),
        ("type A=", "()=>", "B", ""),
        ("type A=", "{a:", "B", "}"),
        ("type A=", "B|(", "C", ")"),
        ("type A=", "(a:", "B", ")=>C"),
        ("type A=", "new ()=>", "B", ""),
        ("type A=", "infer U extends ", "B", ""),
        ("type A=a", "[a]", "", ""),
        ("type A=typeof a", ".b", "", ""),
        ("", "a,", "x", ""),
        ("", "f<", "x", ">"),
        ("", "f<T>(", "x", ")"),
        ("", "<T>", "x", ""),
        ("", "<T>(x)=>", "x", ""),
        ("", "(a,", "b", ")"),
        ("", "(a=", "b", ")=>c"),
        ("", "a?(b):c=>", "d", ""),
        ("", "a?(b)=>", "d", ":e"),
        ("", "a?(b):", "d", ""),
        ("", "async (", "x", ")"),
        ("", "async<T>(", "x", ")"),
        ("", "({a:", "x", "})"),
        ("", "([", "x", "])"),
        ("", "({a=", "x", "})"),
        ("", "f(a,b=>", "x", ")"),
        ("", "class A{a=", "x", "}"),
        ("", "class A extends ", "B", "{}"),
        ("x=", "function(){return ", "x", "}"),
        ("", "switch(a){case b:", "c", "}"),
        ("", "try{", "a", "}catch{}"),
        ("let ", "[a=", "b", "]=c"),
        ("let ", "{a:", "b", "}=c"),
        ("", "[a,", "b", "]=c"),
        ("import x from 'y' with {", "a:'b',", "", "}"),
        ("", "a<b>", "c", ""),
        ("", "a<", "b", ""),
        ("", "a>", "b", ""),
        ("", "\"a\"+", "b", ""),
        ("", "yield ", "b", ""),
        ("", "...", "b", ""),
        ("", "void ", "b", ""),
        ("", "@a ", "class A{}", ""),
        ("", "abstract ", "class A{}", ""),
        ("", "export default ", "a", ""),
        ("", "import(", "a", ")"),
        ("", "namespace A{", "", "}"),
        ("namespace A", ".B", "", "{}"),
        ("", "a satisfies {b:", "c", "}"),
        ("", "f`${a", "b", "}`"),
        ("x=", "async function*(){yield ", "b", "}"),
        ("", "new a(", "b", ")"),
        ("type A=`${", "`${", "b", "}`"),
        ("let a:", "(b:c)=>d is ", "e", ""),
        ("let a:", "asserts ", "e", ""),
    ];
    let only = std::env::var("ONLY").ok();
    let ns: Vec<usize> =
        std::env::var("NS").unwrap_or("100,200,400".into()).split(',').map(|x| x.parse().unwrap()).collect();
    for (a, b, c, d) in pats {
        if only.as_deref().is_some_and(|o| o != *b) {
            continue;
        }
        for (form, close) in [("closed", true), ("open", false)] {
            if !close && d.is_empty() {
                continue;
            }
            let mut line = format!("{a}|{b}|{c}|{d} {form}: ");
            let mut err = None;
            for n in &ns {
                let n = *n;
                let src = format!("{a}{}{c}{}", b.repeat(n), if close { d.repeat(n) } else { String::new() });
                let (stack, time, e) = measure(src);
                line += &format!(
                    " n={n} {:.1}KB/rep {:.1}ms",
                    stack as f64 / n as f64 / 1024.0,
                    time.as_secs_f64() * 1000.0
                );
                err = e;
                if time > Duration::from_secs(3) {
                    line += " SLOW";
                    break;
                }
            }
            println!("{line}  {}", err.unwrap_or_default());
        }
    }
}
