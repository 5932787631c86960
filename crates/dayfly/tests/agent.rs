//! The example of an agent: what it prints is what is written down, and it speaks the protocol of real models.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use dayfly::Json;

/// The example, as `cargo test` built it, without whatever model the environment names.
fn agent(arguments: &[&str]) -> Command {
    let own = std::env::current_exe().unwrap();
    let example = own.parent().unwrap().with_file_name("examples").join("agent");
    assert!(example.exists(), "{} is not built; run `cargo build --example agent`", example.display());
    let mut command = Command::new(example);
    command.args(arguments);
    for variable in ["DAYFLY_MODEL_KEY", "DAYFLY_MODEL_URL", "DAYFLY_MODEL", "DAYFLY_TASK"] {
        command.env_remove(variable);
    }
    command
}

fn transcript(mut command: Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The transcript with the events of each program's calls by call: of calls that overlap, which is heard of first is not said.
fn by_call(transcript: &str) -> String {
    let mut blocks: Vec<&str> = transcript.split("\n\n").collect();
    let dispatch = |block: &&str| block.starts_with("-- event tool/code-dispatch");
    let number = |block: &str| {
        let (head, _) = block.split_once('\n').unwrap();
        head.rsplit(':').next().unwrap().parse::<u32>().unwrap()
    };
    for run in blocks.chunk_by_mut(|left, right| dispatch(left) && dispatch(right)) {
        if dispatch(&run[0]) {
            run.sort_by_key(|block| (number(block), !block.contains("-start: ")));
        }
    }
    blocks.join("\n\n")
}

/// Holds a text against what is written down; `DAYFLY_BLESS=1` writes it down.
fn hold(name: &str, text: &str) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("DAYFLY_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == written, "{} says otherwise; DAYFLY_BLESS=1 writes this down:\n{text}", path.display());
}

#[test]
fn under_code_a_task_of_two_tools_is_done_in_one_program_in_both_languages() {
    let text = transcript(agent(&[]));
    assert_eq!(text.matches("-- tools of the request: run_code\n").count(), 2);
    assert_eq!(text.matches("-- event tool/code-dispatch: ").count(), 6);
    assert_eq!(text.matches("The stock of tea and cake is worth 150 euros.").count(), 2);
    hold("agent-code.txt", &by_call(&text));
}

#[test]
fn under_both_native_calls_and_programs_go_together() {
    let text = transcript(agent(&["both"]));
    assert_eq!(text.matches("-- tools of the request: convert, get_stock, run_code\n").count(), 2);
    hold("agent-both.txt", &by_call(&text));
}

#[test]
fn a_mode_that_there_is_not_is_refused() {
    let output = agent(&["natvie"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("`natvie`"), "{output:?}");
}

/// Answers each request with the next of these texts, and gives back what was asked.
fn serve(answers: Vec<&'static str>) -> (String, std::thread::JoinHandle<Vec<Json>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1/", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut request, mut chunk) = (Vec::new(), [0; 4_096]);
            let body = loop {
                let count = stream.read(&mut chunk).unwrap();
                assert!(count > 0, "the request is torn");
                request.extend_from_slice(&chunk[..count]);
                let text = String::from_utf8_lossy(&request).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                assert!(head.starts_with("POST /v1/chat/completions "), "{head}");
                assert!(head.contains("Bearer secret"), "{head}");
                let length = head
                    .lines()
                    .find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
                if body.len() >= length.unwrap().parse::<usize>().unwrap() {
                    break body.to_owned();
                }
            };
            asked.push(Json::parse(&body).unwrap());
            let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", answer.len());
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(answer.as_bytes())).unwrap();
        }
        asked
    });
    (address, serving)
}

#[test]
fn a_real_model_is_asked_by_the_chat_protocol_and_its_mistakes_come_back_to_it() {
    let call = r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"run_code",
        "arguments":"{\"code\":\"return 6*7\",\"description\":\"Computes\"}"}},{"id":"c2","type":"function","function":{"name":"run_code",
        "arguments":"{\"code\":"}}]}}]}"#;
    let done = r#"{"choices":[{"message":{"content":"It is 42."}}]}"#;
    // One conversation for each language.
    let (address, serving) = serve(vec![call, done, call, done]);
    let mut command = agent(&[]);
    command.env("DAYFLY_MODEL_URL", address).env("DAYFLY_MODEL_KEY", "secret").env("DAYFLY_MODEL", "some-model");
    command.env("DAYFLY_TASK", "What is 6 times 7?");
    let text = transcript(command);
    assert_eq!(text.matches("It is 42.").count(), 2, "{text}");
    let asked = serving.join().unwrap();
    assert_eq!(asked.len(), 4);
    for request in &asked {
        assert_eq!(request.get("model").unwrap().as_str(), Some("some-model"));
        let tools: Vec<_> = request.get("tools").unwrap().items().collect();
        assert_eq!(tools.len(), 1);
        assert_eq!(tools[0].get("function").unwrap().get("name").unwrap().as_str(), Some("run_code"));
    }
    let messages: Vec<_> = asked[1].get("messages").unwrap().items().collect();
    let roles: Vec<&str> = messages.iter().map(|message| message.get("role").unwrap().as_str().unwrap()).collect();
    // What the program called is no message.
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool"]);
    assert_eq!(messages[1].get("content").unwrap().as_str(), Some("What is 6 times 7?"));
    assert_eq!(messages[3].get("content").unwrap().as_str(), Some("42"));
    let torn = messages[4].get("content").unwrap().as_str().unwrap().to_owned();
    assert!(torn.starts_with("Error: ") && torn.contains("must be an object"), "{torn}");
}

/// With a key of your own: a real model does the task, in one program or several.
#[test]
fn a_real_model_does_the_task_when_there_is_a_key() {
    let Some(key) = std::env::var_os("DAYFLY_MODEL_KEY") else {
        eprintln!("SKIPPED: DAYFLY_MODEL_KEY is not set");
        return;
    };
    let mut command = agent(&[]);
    command.env("DAYFLY_MODEL_KEY", key);
    for variable in ["DAYFLY_MODEL_URL", "DAYFLY_MODEL"] {
        if let Some(value) = std::env::var_os(variable) {
            command.env(variable, value);
        }
    }
    let text = transcript(command);
    assert_eq!(text.matches("-- tools of the request: run_code\n").count(), 2, "{text}");
    assert!(text.contains("-- event tool/code-dispatch: "), "{text}");
    assert!(text.matches("150").count() >= 2, "{text}");
}
