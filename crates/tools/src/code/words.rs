//! What the model is told of `run_code` itself. How programs are written is in the section with the declarations.

use dayfly_runtime::{Json, Language};

/// What the tool does.
pub(super) fn description(language: Language) -> String {
    format!(
        "Runs one {} program that can call the tools declared for it. Only what the program prints or returns comes back; what \
         its calls gave stays inside it. Every run starts fresh, and what its calls have done stays done when it fails.",
        name(language)
    )
}

/// The schema of its arguments.
pub(super) fn input(language: Language) -> Json {
    let code = text_property(body(language));
    let description = text_property(
        "One line for the people who watch: what the program does and what for, such as \"Count the TODO comments of each \
         package\".",
    );
    Json::object([
        ("type", Json::from("object")),
        ("properties", Json::object([("code", code), ("description", description)])),
        ("required", Json::array(["code", "description"])),
        ("additionalProperties", Json::from(false)),
    ])
}

fn text_property(description: &str) -> Json {
    Json::object([("type", "string"), ("description", description)])
}

/// The language's name for readers. One that this crate has no words for goes by its own.
pub(super) fn name(language: Language) -> &'static str {
    match language {
        Language::Python => "Python",
        Language::TypeScript => "TypeScript",
        other => other.name(),
    }
}

/// What `code` is.
fn body(language: Language) -> &'static str {
    match language {
        Language::Python => {
            "The program: the body of an async Python function. Call a tool with `await tools.name(key=value)` or \
             `await tools[\"odd-name\"]({\"key\": value})`, print with `print(...)`, and give the result with a top-level `return`. \
             The standard library can be imported."
        }
        Language::TypeScript => {
            "The program: the body of an async TypeScript function. Call a tool with `await tools.name({ key: value })` or \
             `await tools[\"odd-name\"]({ key: value })`, print with `console.log(...)`, and give the result with a top-level \
             `return`. Types are erased and not checked, so no `enum`, no `namespace` and no static `import`."
        }
        _ => {
            "The program: the body of an async function that calls tools as its declarations say and returns the result."
        }
    }
}
