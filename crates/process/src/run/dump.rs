//! What V8 and Node print when they give up: a trace of collections, one line that says why, a native stack.
//!
//! Of such a page a model needs the one line, which becomes the failure's message. The page is taken out of the logs;
//! whoever operates the host has the end of it in the failure's `stderr_tail`.

/// The longest dump, in lines. V8 traces two collections; a native stack has at most 256 frames, and 15 are usual.
pub(super) const MOST_LINES: usize = 320;

/// The longest reason that is passed on, in characters.
const LONGEST_REASON: usize = 300;

/// A dump at the end of what a process has written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dump {
    /// How many lines it is.
    pub(super) lines: usize,
    /// Why the process gave up, in its own words.
    pub(super) reason: String,
}

/// The dump that `lines` end with. Lines that a program has printed before it are not of it.
pub(super) fn find<S: AsRef<str>>(lines: &[S]) -> Option<Dump> {
    let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    let stack = lines.iter().rposition(|line| !is_stack(line)).map_or(0, |last| last + 1);
    if !lines[stack..].iter().any(|line| is_native_frame(line) || line.starts_with("----- Native stack trace")) {
        return None;
    }
    let (mut start, reason) = match stack.checked_sub(1).map(|before| (before, lines[before])) {
        Some((before, line)) if line.starts_with("FATAL ERROR: ") || line.contains(": Assertion `") => {
            (before, line.to_owned())
        }
        _ => boxed(&lines, stack)?,
    };
    if let Some(traces) = lines[..start].iter().rposition(|line| *line == "<--- Last few GCs --->") {
        start = traces;
    }
    // It begins with a line break, and with two in front of a box.
    let blank = lines[..start].iter().rev().take(2).take_while(|line| line.is_empty()).count();
    let reason = reason.chars().take(LONGEST_REASON).collect();
    Some(Dump { lines: lines.len() - start + blank, reason })
}

/// The lines behind `#` that say why, and the first of them: V8's `# Fatal error in …`, Node's `#  Assertion failed: …`.
fn boxed(lines: &[&str], stack: usize) -> Option<(usize, String)> {
    let said = |line: &str| line.contains("# Fatal ") || line.contains("#  Assertion failed: ");
    let reason = stack + lines[stack..].iter().rposition(|line| said(line))?;
    let start = lines[..reason].iter().rposition(|line| !is_boxed(line)).map_or(0, |before| before + 1);
    let words = lines[start..].iter().take_while(|line| is_boxed(line));
    let words: Vec<&str> = words
        .map(|line| line.trim_start_matches(['#', ' ']))
        .filter(|line| !line.is_empty() && !line.starts_with("FailureMessage"))
        .collect();
    Some((start, words.join(": ")))
}

fn is_boxed(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// What stands below the reason, or around it in a box.
fn is_stack(line: &str) -> bool {
    line.trim().is_empty() || is_boxed(line) || line.starts_with("----- ") || frame(line).is_some()
}

fn is_native_frame(line: &str) -> bool {
    frame(line).is_some_and(|frame| frame.starts_with("0x"))
}

/// What stands behind the number of a frame.
fn frame(line: &str) -> Option<&str> {
    let (number, frame) = line.trim_start().split_once(": ")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(usize, String)> {
        let lines: Vec<&str> = text.split('\n').collect();
        find(&lines).map(|dump| (lines.len() - dump.lines, dump.reason))
    }

    fn at(start: usize, reason: &str) -> Option<(usize, String)> {
        Some((start, reason.to_owned()))
    }

    const HEAP: &str = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";

    #[test]
    fn the_dumps_of_a_full_heap_are_found_behind_what_the_program_printed() {
        // Node 18, 20 and 24: an old trace may stand there by its end only, or fill a line with another.
        let eighteen = format!(
            "mine\n\n<--- Last few GCs --->\nin[20153:0x2478f8a0]      513 ms: Mark-sweep (reduce) 30.2 (32.1)\n\n\
             <--- JS stacktrace --->\n\n{HEAP}\n 1: 0xb9bbf0 node::Abort() [/usr/bin/node]\n10: 0xaa27ee  [/usr/bin/node]"
        );
        let twenty = format!(
            "mine\nmine\n\n<--- Last few GCs --->\n\n[1:0x1]      513 ms: Scavenge; \n\n\n<--- JS stacktrace --->\n\n{HEAP}\n\
             ----- Native stack trace -----\n\n 1: 0xb78db3 node::OOMErrorHandler() [/usr/bin/node]\n"
        );
        let newest = format!(
            "<--- Last few GCs --->\n= [20288:0x3e67d000]      634 ms: Mark-Compact\n{HEAP}\n----- Native stack trace -----\n\n\
             1: 0x9434f0  [/usr/bin/node]\n\n----- JavaScript stack trace -----\n\n1: main (program.ts:1:23)\n2: program.ts:0:40\n\n"
        );
        assert_eq!([found(&eighteen), found(&twenty), found(&newest)], [at(1, HEAP), at(2, HEAP), at(0, HEAP)]);
    }

    #[test]
    fn the_dumps_of_a_check_that_failed_are_found_with_their_reason() {
        let v8 = "mine\n\n\n#\n# Fatal error in , line 0\n# Check failed: x.\n#\n#\n#\n#FailureMessage Object: 0x7ffe\n\
                  ----- Native stack trace -----\n\n 1: 0xcb5167  [node]";
        assert_eq!(found(v8), at(1, "Fatal error in , line 0: Check failed: x."));
        let memory =
            "\n\n#\n# Fatal process out of memory: Zone\n#\n----- Native stack trace -----\n\n 1: 0xcb5167  [node]";
        assert_eq!(found(memory), at(0, "Fatal process out of memory: Zone"));
        let node = "# mine\n\n  #  node[2]: void Open() at ../src/node_file.cc:2125\n  #  Assertion failed: (a) != nullptr\n\n\
                    ----- Native stack trace -----\n\n 1: 0xcb5167  [node]\n\n----- JavaScript stack trace -----\n\n\
                    1: program.ts:1:23\n\n";
        let reason = "node[2]: void Open() at ../src/node_file.cc:2125: Assertion failed: (a) != nullptr";
        assert_eq!(found(node), at(1, reason));
        let eighteen = "mine\nnode[2]: ../src/node_file.cc:1918:void Open(): Assertion `(a) != nullptr' failed.\n\
                        1: 0xb9bbf0 node::Abort() [node]";
        let reason = "node[2]: ../src/node_file.cc:1918:void Open(): Assertion `(a) != nullptr' failed.";
        assert_eq!(found(eighteen), at(1, reason));
    }

    #[test]
    fn what_a_program_prints_itself_is_no_dump() {
        for text in [
            "",
            "FATAL ERROR: no such customer",
            "# Fatal mistakes\n\n1: one\n2: two",
            "1: 0xfeed is the first row",
            "FATAL ERROR: the child said\n 1: 0xb9bbf0 node::Abort() [node]\nand I go on",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn a_reason_is_cut() {
        let text = format!("FATAL ERROR: {}\n 1: 0x1 [node]", "é".repeat(10_000));
        assert_eq!(found(&text).map(|(_, reason)| reason.chars().count()), Some(LONGEST_REASON));
    }
}
