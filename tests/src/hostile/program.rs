//! A script as the text of a program.

use std::fmt::Write as _;

use dayfly::Language;

use super::script::{Act, Script, Then, hex, pieces};

const TYPESCRIPT: &str = r#"const fs = require("node:fs");
const cell = new Int32Array(new SharedArrayBuffer(4));
const pause = (ms: number) => { Atomics.wait(cell, 0, 0, ms) };
const again = (e: any) => { if (e.code !== "EAGAIN") throw e; pause(1) };
function send(bytes: Buffer) {
  for (let at = 0; at < bytes.length;) try { at += fs.writeSync(3, bytes, at) } catch (e) { again(e) }
}
function take(count: number) {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count;) try {
    const got = fs.readSync(3, bytes, at, count - at, null);
    if (got === 0) throw new Error("the host has closed the socket");
    at += got;
  } catch (e) { again(e) }
  return bytes;
}
const replies: unknown[] = [];
function reply() {
  const header = take(16);
  replies.push([header[7] === 1, JSON.parse(take(header.readUInt32LE(12)).toString())]);
}
function calls(payload: string, first: number, count: number) {
  const size = 16 + payload.length;
  for (let made = 0; made < count;) {
    const many = Math.min(1000, count - made);
    const bytes = Buffer.alloc(many * size);
    for (let at = 0; at < many; at++, made++) {
      bytes.write("DAYF\x01\x00\x02\x00", at * size, "latin1");
      bytes.writeUInt32LE(first + made, at * size + 8);
      bytes.writeUInt32LE(payload.length, at * size + 12);
      bytes.write(payload, at * size + 16, "latin1");
    }
    send(bytes);
  }
}
const shut = () => require("node:child_process").spawnSync(process.execPath, ["-e", "new net.Socket({ fd: 3 }).end()"], { stdio: ["ignore", "ignore", "ignore", 3] });
"#;

const PYTHON: &str = r#"import json, os, socket, struct, time
def send(data):
    rest = memoryview(data)
    while rest:
        try: rest = rest[os.write(3, rest):]
        except BlockingIOError: time.sleep(0.001)
def take(count):
    data = b""
    while len(data) < count:
        try: got = os.read(3, count - len(data))
        except BlockingIOError:
            time.sleep(0.001)
            continue
        if not got: raise EOFError("the host has closed the socket")
        data += got
    return data
replies = []
def reply():
    header = take(16)
    replies.append([header[7] == 1, json.loads(take(struct.unpack("<I", header[12:])[0]))])
def calls(payload, first, count):
    for start in range(first, first + count, 1000):
        send(b"".join(struct.pack("<4sHBBII", b"DAYF", 1, 2, 0, id, len(payload)) + payload for id in range(start, min(start + 1000, first + count))))
def shut(how): socket.socket(fileno=os.dup(3)).shutdown(how)
"#;

/// The program of `language` that plays `script`, or why the language has none.
pub(super) fn text(script: &Script, language: Language) -> Result<String, &'static str> {
    match language {
        Language::TypeScript => typescript(script),
        Language::Python => Ok(python(script)),
        other => panic!("nobody has said how {other} plays a script"),
    }
}

fn typescript(script: &Script) -> Result<String, &'static str> {
    let bytes = |bytes: &[u8]| {
        let pieces = pieces(bytes).into_iter().map(|(piece, times)| match (&*piece, times) {
            (piece, 1) => format!(r#"Buffer.from("{}", "hex")"#, hex(piece)),
            ([byte], times) => format!("Buffer.alloc({times}, {byte})"),
            (piece, times) => format!(r#"Buffer.alloc({}, "{}", "hex")"#, piece.len() * times, hex(piece)),
        });
        format!("Buffer.concat([{}])", pieces.collect::<Vec<_>>().join(", "))
    };
    let mut text = TYPESCRIPT.to_owned();
    for act in &script.acts {
        let line = match act {
            Act::Send(sent) => format!("send({});", bytes(sent)),
            Act::Repeat(sent, times) => {
                format!("{{ const bytes = {}; for (let i = 0; i < {times}; i++) send(bytes) }}", bytes(sent))
            }
            Act::Trickle(sent, pause) => {
                format!("for (const byte of {}) {{ send(Buffer.of(byte)); pause({}) }}", bytes(sent), pause.as_millis())
            }
            Act::Calls(name, first, count) => format!(r#"calls('{}', {first}, {count});"#, payload(name)),
            Act::AwaitReply => "reply();".to_owned(),
            Act::StopReading => String::new(),
            Act::Close => "fs.closeSync(3);".to_owned(),
            Act::CloseWriting => "shut();".to_owned(),
            Act::CloseReading => return Err("Node has no way to close only the half of a socket that it reads from"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text += &match script.then {
        Then::Return => "return replies".to_owned(),
        Then::Sleep => "for (;;) pause(60_000)".to_owned(),
        Then::Spin => "for (;;);".to_owned(),
        Then::Exit(code) => format!("process.reallyExit({code})"),
    };
    Ok(text)
}

fn python(script: &Script) -> String {
    let bytes = |bytes: &[u8]| {
        let pieces = pieces(bytes).into_iter();
        let pieces = pieces.map(|(piece, times)| format!("bytes.fromhex('{}') * {times}", hex(&piece)));
        format!("b''.join([{}])", pieces.collect::<Vec<_>>().join(", "))
    };
    let mut text = PYTHON.to_owned();
    for act in &script.acts {
        let line = match act {
            Act::Send(sent) => format!("send({})", bytes(sent)),
            Act::Repeat(sent, times) => format!("for data in [{}] * {times}: send(data)", bytes(sent)),
            Act::Trickle(sent, pause) => {
                format!("for byte in {}: send(bytes([byte])); time.sleep({})", bytes(sent), pause.as_secs_f64())
            }
            Act::Calls(name, first, count) => format!("calls(b'{}', {first}, {count})", payload(name)),
            Act::AwaitReply => "reply()".to_owned(),
            Act::StopReading => String::new(),
            Act::Close => "os.close(3)".to_owned(),
            Act::CloseWriting => "shut(socket.SHUT_WR)".to_owned(),
            Act::CloseReading => "shut(socket.SHUT_RD)".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text += &match script.then {
        Then::Return => "return replies".to_owned(),
        Then::Sleep => "while True: time.sleep(60)".to_owned(),
        Then::Spin => "while True: pass".to_owned(),
        Then::Exit(code) => format!("os._exit({code})"),
    };
    text
}

/// The payload of a call that a script makes many times.
pub(super) fn payload(name: &str) -> String {
    format!(r#"{{"global":"tools","name":"{name}"}}"#)
}
