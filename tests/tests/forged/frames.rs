//! Forged frames, one by one. Nothing here knows what the host makes of them.

use dayfly_tests::forged::{frame, header};

use crate::dice::Dice;
use crate::host::{DEEPEST, LONGEST};
use crate::violations;

pub(crate) const CALL: u8 = 0x02;
pub(crate) const LOG: u8 = 0x03;
pub(crate) const DONE: u8 = 0x04;
pub(crate) const FAILED: u8 = 0x05;

/// What kind of frame, or of bytes that are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A call of a function that answers.
    Call,
    /// A call of a function that fails, panics, or gives what cannot be sent.
    FailingCall,
    /// A call that is answered when the run has settled, or never.
    HeldCall,
    /// A call for a name that nobody declared.
    UnknownCall,
    /// A call whose argument is JSON and not lossless.
    RefusedCall,
    /// A call whose argument is so long that it is decoded apart.
    LargeCall,
    /// A call with an id that has been used, or is smaller than one that has been.
    UsedId,
    /// A call with the last id there is.
    LastId,
    Log,
    /// A log of many bytes, of text or of padding.
    LargeLog,
    Done,
    /// A completion that is JSON and not lossless.
    RefusedDone,
    Failed,
    /// A frame that breaks the protocol.
    Violation,
    /// A frame with a few bytes changed, left out or put in.
    Edited,
    /// A frame whose header says another length than its payload has.
    Lying,
    /// No frame at all.
    Noise,
}

impl Class {
    pub(crate) const ALL: [Self; 17] = [
        Self::Call,
        Self::FailingCall,
        Self::HeldCall,
        Self::UnknownCall,
        Self::RefusedCall,
        Self::LargeCall,
        Self::UsedId,
        Self::LastId,
        Self::Log,
        Self::LargeLog,
        Self::Done,
        Self::RefusedDone,
        Self::Failed,
        Self::Violation,
        Self::Edited,
        Self::Lying,
        Self::Noise,
    ];
}

/// Bytes that are meant as one frame.
#[derive(Clone)]
pub(crate) struct Forged {
    pub(crate) class: Class,
    pub(crate) bytes: Vec<u8>,
}

impl std::fmt::Debug for Forged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = self.bytes.get(..300).unwrap_or(&self.bytes);
        write!(f, "{:?}[{}] {}", self.class, self.bytes.len(), shown.escape_ascii())
    }
}

/// Makes the frames of one session: it remembers the ids.
#[derive(Debug, Default)]
pub(crate) struct Forge {
    last_id: u32,
}

impl Forge {
    pub(crate) fn forge(&mut self, class: Class, seed: u64) -> Forged {
        let mut dice = Dice::new(seed);
        let dice = &mut dice;
        let bytes = match class {
            Class::Call => {
                let args = self::args(dice);
                self.call(dice, &["echo", "turns", "big", "odd-name"], &args)
            }
            Class::FailingCall => {
                let args = self::args(dice);
                self.call(dice, &["fail", "crash", "crash early", "deep", "huge"], &args)
            }
            Class::HeldCall => self.call(dice, &["slow", "stuck"], "{}"),
            Class::UnknownCall => self.unknown_call(dice),
            Class::RefusedCall => {
                let args = refused(dice);
                self.call(dice, &["echo", "turns", "slow", "no such name"], &args)
            }
            Class::LargeCall => {
                let args = large(dice);
                self.call(dice, &["echo", "turns", "fail", "no such name"], &args)
            }
            Class::UsedId => {
                let id = self.last_id.saturating_sub(u32::try_from(dice.below(4)).unwrap()).max(1);
                self.last_id = self.last_id.max(id);
                frame(CALL, id, call_payload(dice, "tools", "turns", "{}").as_bytes())
            }
            Class::LastId => {
                self.last_id = u32::MAX;
                frame(CALL, u32::MAX, call_payload(dice, "tools", "turns", "{}").as_bytes())
            }
            Class::Log => frame(LOG, 0, log(dice, None).as_bytes()),
            Class::LargeLog => {
                let text = "x".repeat(dice.below(LONGEST + 100));
                frame(LOG, 0, log(dice, Some(&text)).as_bytes())
            }
            Class::Done => {
                let members = if dice.once_in(4) { Vec::new() } else { vec![("value", self::args(dice))] };
                frame(DONE, 0, object(dice, members).as_bytes())
            }
            Class::RefusedDone => {
                let members = vec![("value", refused(dice))];
                frame(DONE, 0, object(dice, members).as_bytes())
            }
            Class::Failed => frame(FAILED, 0, failed(dice).as_bytes()),
            Class::Violation => violations::forge(dice).0,
            Class::Edited => {
                let mut bytes = self.any(dice);
                for _ in 0..=dice.below(3) {
                    edit(dice, &mut bytes);
                }
                bytes
            }
            Class::Lying => {
                let mut bytes = self.any(dice);
                let length = u32::try_from(bytes.len() - 16).unwrap();
                let more = u32::try_from(1 + dice.below(8)).unwrap();
                let lie = if dice.once_in(2) { length.saturating_sub(1) } else { length + more };
                bytes[12..16].copy_from_slice(&lie.to_le_bytes());
                bytes
            }
            Class::Noise => (0..=dice.below(60)).map(|_| dice.roll().to_le_bytes()[0]).collect(),
        };
        Forged { class, bytes }
    }

    fn any(&mut self, dice: &mut Dice) -> Vec<u8> {
        let class = dice.pick(&[Class::Call, Class::Log, Class::UnknownCall, Class::Done, Class::Failed]);
        self.forge(class, dice.roll()).bytes
    }

    fn next_id(&mut self, dice: &mut Dice) -> u32 {
        let step = if dice.once_in(8) { dice.below(1_000) + 1 } else { 1 };
        self.last_id = self.last_id.saturating_add(u32::try_from(step).unwrap());
        self.last_id
    }

    fn call(&mut self, dice: &mut Dice, names: &[&str], args: &str) -> Vec<u8> {
        let name = dice.pick(names);
        frame(CALL, self.next_id(dice), call_payload(dice, "tools", name, args).as_bytes())
    }

    fn unknown_call(&mut self, dice: &mut Dice) -> Vec<u8> {
        let long = "n".repeat(1 + dice.below(500));
        let global = dice.pick(&["tools", "tools", "tool", "", "__proto__", "工具", &long]);
        // What nobody declared in any namespace.
        let name = dice.pick(&["", "ecko", "__proto__", "constructor", "\\u0000", "工具", "then", &long]);
        frame(CALL, self.next_id(dice), call_payload(dice, global, name, "[1]").as_bytes())
    }
}

fn call_payload(dice: &mut Dice, global: &str, name: &str, args: &str) -> String {
    let mut members = vec![("global", format!("\"{global}\"")), ("name", format!("\"{name}\""))];
    if args != "{}" || dice.once_in(2) {
        members.push(("args", args.to_owned()));
    }
    object(dice, members)
}

/// A log: with this text, or any.
fn log(dice: &mut Dice, text: Option<&str>) -> String {
    let source = dice.pick(&["console", "stdout", "stderr"]);
    let level = dice.pick(&["debug", "log", "info", "warn", "error"]);
    let texts = ["", "x", "printed", "\\n\\t\\u0001", "\\ud83d\\ude00", "工具", "DAYF\\u0001\\u0000"];
    let text = text.unwrap_or_else(|| dice.pick(&texts)).to_owned();
    // The bytes go into the text, or into what is ignored.
    let (text, padding) = if dice.once_in(3) { (String::new(), text) } else { (text, String::new()) };
    let mut members =
        vec![("source", format!("\"{source}\"")), ("level", format!("\"{level}\"")), ("text", format!("\"{text}\""))];
    if !padding.is_empty() {
        members.push(("padding", format!("\"{padding}\"")));
    }
    object(dice, members)
}

fn failed(dice: &mut Dice) -> String {
    let kind = dice.pick(&["exception", "invalid-output", "output-limit"]);
    let long = "m".repeat(dice.below(100_000));
    let message = dice.pick(&["", "failed", "\\u001b[2J", &long]).to_owned();
    let mut members = vec![("kind", format!("\"{kind}\"")), ("message", format!("\"{message}\""))];
    for name in ["name", "stack", "path"] {
        if dice.once_in(2) {
            members.push((name, format!("\"{message}\"")));
        }
    }
    for name in ["line", "column"] {
        if dice.once_in(2) {
            members.push((name, dice.pick(&["1", "4294967295"]).to_owned()));
        }
    }
    object(dice, members)
}

/// A value that both languages hold.
pub(crate) fn args(dice: &mut Dice) -> String {
    let inner = dice.below(DEEPEST);
    let deep = format!("{}{}", "[".repeat(inner + 1), "]".repeat(inner + 1));
    let wide = format!("[{}0]", "0,".repeat(dice.below(40)));
    let values =
        ["{}", "null", "true", "-1.5e-7", "\"\"", "[]", r#"{"a":{"a":[{}]},"a":1}"#, r#""\u0000工具""#, &deep, &wide];
    dice.pick(&values).to_owned()
}

/// JSON that is not lossless, too deep or too large.
fn refused(dice: &mut Dice) -> String {
    let deep = format!("{}{}", "[".repeat(DEEPEST + 1), "]".repeat(DEEPEST + 1));
    if dice.once_in(40) {
        // Bytes cost the host time, so what is long is rare.
        let deeper = format!("{}{}", r#"{"a":["#.repeat(5_000), "]}".repeat(5_000));
        return dice.pick(&[&deeper, &*"7".repeat(5_000)]).to_owned();
    }
    dice.pick(&["-0", "[1e400]", r#"{"a":"\ud800"}"#, &deep]).to_owned()
}

/// An argument that is long: the most a frame takes, or one that takes many times its length in memory.
fn large(dice: &mut Dice) -> String {
    let length = LONGEST / 2 + dice.below(LONGEST / 2 - 200);
    if dice.once_in(2) { format!("\"{}\"", "y".repeat(length)) } else { format!("[{}0]", "0,".repeat(length / 2)) }
}

/// An object of these members, written as an honest worker would not: in any order, with others, with spaces, and with
/// members that come twice.
pub(crate) fn object(dice: &mut Dice, mut members: Vec<(&str, String)>) -> String {
    if dice.once_in(2) {
        let start = dice.below(members.len().max(1));
        members.rotate_left(start);
    }
    if dice.once_in(8) {
        members.insert(0, ("unknown", dice.pick(&["null", "[[]]", "\"DAYF\"", "{\"text\":1}"]).to_owned()));
    }
    if dice.once_in(8)
        && let Some((name, _)) = members.last()
    {
        // Of members that come twice the last counts.
        members.insert(0, (name, dice.pick(&["null", "0", "\"first\""]).to_owned()));
    }
    let space = if dice.once_in(8) { " \n\t\r".repeat(1 + dice.below(20)) } else { String::new() };
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{space}\"{name}\"{space}:{value}")).collect();
    format!("{{{}{space}}}{space}", members.join(","))
}

fn edit(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let at = dice.below(bytes.len().max(1));
    let byte = dice.pick(&[0, 1, 0x82, b'"', b'}', 0xff]);
    match dice.below(3) {
        0 if at < bytes.len() => bytes[at] = byte,
        1 if at < bytes.len() => drop(bytes.remove(at)),
        _ => bytes.insert(at.min(bytes.len()), byte),
    }
}

/// The beginning of a frame that never ends.
pub(crate) fn beginning(dice: &mut Dice) -> Vec<u8> {
    let whole = Forge::default().forge(Class::Done, dice.roll()).bytes;
    match dice.below(3) {
        0 => whole[..1 + dice.below(whole.len() - 1)].to_vec(),
        // What it announces is the most that is taken.
        1 => header(DONE, 0, 0, u32::try_from(LONGEST).unwrap()).to_vec(),
        _ => [&header(CALL, 0, 1, u32::try_from(LONGEST).unwrap()), &*" ".repeat(100_000).into_bytes()].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{End, Model};

    /// What the protocol makes of frames of this class alone.
    fn ends(class: Class) -> Vec<(Forged, Model)> {
        let read = |seed| {
            let forged = Forge::default().forge(class, seed);
            let mut model = Model::new();
            model.read(&forged.bytes);
            (forged, model)
        };
        (0..300).map(read).collect()
    }

    #[test]
    fn every_forged_call_is_accepted_and_as_good_as_its_class() {
        for (class, runs) in
            [(Class::Call, true), (Class::HeldCall, true), (Class::UnknownCall, false), (Class::RefusedCall, false)]
        {
            for (forged, model) in ends(class) {
                let [call] = &*model.prediction.calls else { panic!("{forged:?}: {:?}", model.prediction) };
                assert_eq!((model.prediction.end, call.does.is_some()), (End::Stream, runs), "{forged:?}");
            }
        }
    }

    #[test]
    fn every_forged_ending_is_one() {
        for (class, end) in [(Class::Done, End::Completed), (Class::RefusedDone, End::InvalidOutput)] {
            for (forged, model) in ends(class) {
                assert_eq!(model.prediction.end, end, "{forged:?}");
            }
        }
        for (forged, model) in ends(Class::Failed) {
            assert!(matches!(model.prediction.end, End::Failed(_)), "{forged:?}: {:?}", model.prediction.end);
        }
    }

    #[test]
    fn every_forged_log_is_one() {
        for (forged, model) in ends(Class::Log) {
            assert_eq!((model.prediction.end, model.prediction.logs), (End::Stream, 1), "{forged:?}");
        }
    }
}
