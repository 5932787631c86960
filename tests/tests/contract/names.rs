//! Names: any text is one, and none is taken for another.

use dayfly::{CodeRuntime as _, Json, Language, Namespace, RunError, RunRequest};
use dayfly_tests::{Both, Host, tools};

use crate::{gives, in_both, value};

#[tokio::test]
async fn every_name_is_reached_exactly() {
    let mut names: Vec<String> = [
        "get-stock",
        "get_stock",
        "getStock",
        "class",
        "def",
        "constructor",
        "__proto__",
        "toString",
        "hasOwnProperty",
        "then",
        "__class__",
        "__getattr__",
        "__getitem__",
        "工具",
        "a \"quoted\"\nname",
        "",
        " ",
        "'",
        "\\",
        "${x}",
        "0",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("n".repeat(200));
    let request = |program: &str| {
        let bindings = names.iter().fold(Namespace::tools(), |bindings, name| {
            let answer = Json::from(format!("called {name}"));
            bindings.async_fn(name, move |_| {
                let answer = answer.clone();
                async move { Ok(answer) }
            })
        });
        RunRequest::new(program).bind(bindings)
    };
    let list = Json::from(names.clone()).to_string();
    let typescript =
        format!("const seen = [];\nfor (const name of {list}) seen.push(await tools[name]());\nreturn seen");
    let python = format!("seen = []\nfor name in {list}: seen.append(await tools[name]())\nreturn seen");
    let wanted = Json::from_iter(names.iter().map(|name| format!("called {name}"))).to_string();
    gives(Both::new(typescript.as_str(), python.as_str()), request, &wanted).await;
}

#[tokio::test]
async fn names_of_the_language_are_not_tools_unless_they_are_declared() {
    let programs = Both::new(
        r#"return [Object.getPrototypeOf(tools) === null, typeof tools.constructor, typeof tools.toString, typeof (tools as any).__proto__, "ping" in tools, Object.keys(tools).includes("odd-name")]"#,
        r#"return [True, *["undefined" if not hasattr(tools, name) else "a tool" for name in ["constructor", "toString", "__proto__"]], "ping" in tools, "odd-name" in list(tools)]"#,
    );
    let wanted = r#"[true,"undefined","undefined","undefined",true,true]"#;
    gives(programs, |program| RunRequest::new(program).bind(tools()), wanted).await;
}

#[tokio::test]
async fn what_is_misused_is_refused_before_anything_starts() {
    let host = Host::with(|config| config.max_program_bytes(dayfly::ByteSize::kib(1)));
    let refused = async |request: RunRequest| host.runtime(Language::Python).run(request).await.unwrap_err();
    let twice = RunRequest::new("").bind(Namespace::new("tools")).bind(Namespace::new("tools"));
    assert!(matches!(refused(twice).await, RunError::DuplicateNamespace { global } if global == "tools"));
    let echo = |_| async { Ok(Json::null()) };
    let twins = Namespace::tools().async_fn("a", echo).async_fn("a", echo);
    assert!(
        matches!(refused(RunRequest::new("").bind(twins)).await, RunError::DuplicateFunction { name, .. } if name == "a")
    );
    for global in ["class", "def", "print", "a-b", "__proto__"] {
        let request = RunRequest::new("").bind(Namespace::new(global));
        assert!(matches!(refused(request).await, RunError::InvalidGlobal { .. }), "{global}");
    }
    let long = RunRequest::new(" ".repeat(1_025));
    assert!(matches!(refused(long).await, RunError::ProgramTooLarge { bytes: 1_025, limit: 1_024 }));
}

#[tokio::test]
async fn a_program_that_rewrites_the_language_hurts_only_itself() {
    let programs = Both::new(
        r#"const broken = () => { throw new Error("rewritten") };
JSON.stringify = JSON.parse = broken as any;
Promise.prototype.then = Promise.prototype.catch = broken as any;
Array.prototype.push = Array.prototype.map = Array.prototype.shift = Array.prototype[Symbol.iterator] = broken as any;
Map.prototype.get = Map.prototype.set = Map.prototype.delete = broken as any;
Object.keys = Object.defineProperty = Object.getOwnPropertyDescriptor = Reflect.ownKeys = broken as any;
Buffer.concat = Buffer.from = Buffer.alloc = broken as any;
String.prototype.split = String.prototype.replace = broken as any;
Function.prototype.call = Function.prototype.apply = Function.prototype.bind = broken as any;
(globalThis as any).Promise = (globalThis as any).Error = (globalThis as any).Buffer = undefined;
Object.prototype.value = "polluted";
return await tools.echo({ still: "here" })"#,
        r#"import builtins, json, os, struct, asyncio
def broken(*a, **k): raise ValueError("rewritten")
json.dumps = json.loads = json.JSONEncoder = broken
os.write = os.read = struct.pack = struct.unpack = broken
asyncio.ensure_future = asyncio.get_running_loop = asyncio.Future = broken
for name in ["len", "isinstance", "dict", "list", "str", "print", "getattr", "Exception", "int", "type"]:
    setattr(builtins, name, broken)
return await tools.echo({"still": "here"})"#,
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        // Its own code may fail on what it broke; the host's part of it holds, and the next run sees nothing of it.
        assert_eq!(value(language, &result).to_string(), r#"{"still":"here"}"#, "{language}");
        host.still_serves(language).await;
    })
    .await;
}
