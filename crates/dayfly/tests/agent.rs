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

/// What is missing of a conversation under `code` that came to its answer by programs, in each language.
fn missing(transcript: &str) -> Vec<String> {
    let mut missing = Vec::new();
    for language in ["typescript", "python"] {
        let mut lacks = |what: &str| missing.push(format!("{language}: {what}"));
        let begins = format!("######## {language}, mode code\n");
        let Some((_, rest)) = transcript.split_once(&begins) else {
            lacks("the conversation");
            continue;
        };
        let text = rest.split("\n######## ").next().unwrap();
        let blocks: Vec<&str> = text.split("\n-- ").collect();
        let requests: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("-- tools of the request: ")).collect();
        if requests.is_empty() || requests.iter().any(|tools| *tools != "run_code") {
            lacks("a request with `run_code` alone");
        }
        let programs = text.lines().filter_map(|line| line.strip_prefix("calls run_code as "));
        let called: Vec<&str> = programs
            .filter(|id| {
                text.lines().any(|line| {
                    line.starts_with("-- event tool/code-dispatch: ") && line.ends_with(&format!(" as {id}:code:1"))
                })
            })
            .collect();
        if called.is_empty() {
            lacks("a call under the number of its program");
        }
        // What the program gave back has the answer, and the last that the model says is it.
        let curated = blocks.iter().any(|block| {
            let result = |id| block.starts_with(&format!("event tool/result: run_code as {id}\n"));
            called.iter().copied().any(result) && block.contains("150")
        });
        if !curated {
            lacks("the answer in what a program gave back");
        }
        let last = text.rsplit_once("\n-- assistant\n").map(|(_, said)| said);
        if !last.is_some_and(|said| said.contains("150") && !said.lines().any(|line| line.starts_with("calls "))) {
            lacks("the answer as the last that was said");
        }
    }
    missing
}

#[test]
fn under_code_a_task_of_two_tools_is_done_in_one_program_in_both_languages() {
    let text = transcript(agent(&[]));
    assert_eq!(text.matches("-- tools of the request: run_code\n").count(), 2);
    assert_eq!(text.matches("-- event tool/code-dispatch: ").count(), 6);
    assert_eq!(text.matches("The stock of tea and cake is worth 150 euros.").count(), 2);
    assert_eq!(missing(&text), Vec::<String>::new());
    hold("agent-code.txt", &by_call(&text));
}

/// What is asked of a real model is asked of this conversation, and each lack of it is noticed.
#[test]
fn a_conversation_that_lacks_what_a_real_model_must_do_is_noticed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/agent-code.txt");
    let whole = std::fs::read_to_string(path).unwrap();
    assert_eq!(missing(&whole), Vec::<String>::new());
    let (typescript, python) = whole.split_once("######## python").unwrap();
    for (from, to, lack) in [
        ("request: run_code\n", "request: get_stock, run_code\n", "a request with `run_code` alone"),
        (":code:1", ":code:0", "a call under the number of its program"),
        ("\"euros\": 150", "\"euros\": 15", "the answer in what a program gave back"),
        ("worth 150 euros.", "worth much.", "the answer as the last that was said"),
        ("worth 150 euros.", "worth 150 euros.\ncalls run_code as call-3", "the answer as the last that was said"),
    ] {
        let changed = python.replace(from, to);
        assert_ne!(changed, python, "{from}");
        let found = missing(&format!("{typescript}######## python{changed}"));
        assert!(found.contains(&format!("python: {lack}")), "{lack}: {found:?}");
        assert!(found.iter().all(|lack| lack.starts_with("python: ")), "{found:?}");
    }
    assert_eq!(missing(typescript), ["python: the conversation"]);
}

#[test]
fn under_both_native_calls_and_programs_go_together() {
    let text = transcript(agent(&["both"]));
    assert_eq!(text.matches("-- tools of the request: convert, get_stock, run_code\n").count(), 2);
    for definition in ["convert", "get_stock", "run_code"] {
        assert_eq!(text.matches(&format!("\n{{\"name\":\"{definition}\",\"description\":")).count(), 2, "{definition}");
    }
    // Of each program, and of what it gave back.
    assert_eq!(text.matches("-- card\n{\"card\":\"generic\"").count(), 4);
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
        "arguments":"{\"code\":\"return await tools.get_stock({'item': 'tea'})\",\"description\":\"Counts\"}"}},{"id":"c2","type":"function","function":{"name":"run_code",
        "arguments":"{\"code\":"}}]}}]}"#;
    let done = r#"{"choices":[{"message":{"content":"There are 40."}}]}"#;
    // One conversation for each language.
    let (address, serving) = serve(vec![call, done, call, done]);
    let mut command = agent(&[]);
    command.env("DAYFLY_MODEL_URL", address).env("DAYFLY_MODEL_KEY", "secret").env("DAYFLY_MODEL", "some-model");
    command.env("DAYFLY_TASK", "How much tea is there?");
    let text = transcript(command);
    assert_eq!(text.matches("There are 40.").count(), 2, "{text}");
    // Once in each language, and in the log.
    assert_eq!(text.matches("-- event tool/code-dispatch: get_stock as c1:code:1\n").count(), 2, "{text}");
    let asked = serving.join().unwrap();
    assert_eq!(asked.len(), 4);
    for request in &asked {
        assert_eq!(request.get("model").unwrap().as_str(), Some("some-model"));
        let tools: Vec<_> = request.get("tools").unwrap().items().collect();
        assert_eq!(tools.len(), 1);
        assert_eq!(tools[0].get("function").unwrap().get("name").unwrap().as_str(), Some("run_code"));
    }
    for request in [&asked[1], &asked[3]] {
        let messages: Vec<_> = request.get("messages").unwrap().items().collect();
        let said = |key: &str| -> Vec<Option<String>> {
            messages.iter().map(|message| Some(message.get(key)?.as_str()?.to_owned())).collect()
        };
        // What the program called is no message.
        let roles = ["system", "user", "assistant", "tool", "tool"];
        assert_eq!(said("role"), roles.map(|role| Some(role.to_owned())));
        assert_eq!(said("tool_call_id")[3..], ["c1", "c2"].map(|id| Some(id.to_owned())));
        let [_, Some(task), _, Some(result), Some(torn)] = &said("content")[..] else { panic!("{request}") };
        assert_eq!(task, "How much tea is there?");
        assert_eq!(Json::parse(result).unwrap(), Json::parse(r#"{"count": 40, "price": 3.5}"#).unwrap());
        assert!(torn.starts_with("Error: ") && torn.contains("must be an object"), "{torn}");
    }
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
    assert_eq!(missing(&text), Vec::<String>::new(), "{text}");
}
