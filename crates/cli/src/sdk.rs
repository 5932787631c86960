//! `dayfly sdk`.

use std::fmt::Write as _;

use dayfly::json::JsonBuilder;
use dayfly::tools::sdk::{self, Lint, OddName, SchemaOf, Size, ToolLint};
use dayfly::{Json, Language};

use crate::args::{Lang, SdkArguments};
use crate::exit::{CliError, Exit};
use crate::output;
use crate::tools::Toolbox;

/// Prints what a model is told of the tools, or what their author should know.
pub(crate) fn sdk(arguments: &SdkArguments) -> Result<Exit, CliError> {
    let language = Language::from(arguments.lang.unwrap_or(Lang::Ts));
    let toolbox = Toolbox::load(&arguments.tools)?;
    let mut tools = toolbox.tools().to_vec();
    tools.sort_by(|left, right| left.name().cmp(right.name()));
    let unknown = || CliError::Registry { problem: format!("there is no renderer for {language}") };
    let text = if arguments.lint {
        let lint = sdk::lint(language, &tools).ok_or_else(unknown)?;
        if arguments.json { format!("{}\n", as_json(&lint)) } else { as_text(&lint, language) }
    } else {
        format!("{}\n", sdk::section(language, &tools).ok_or_else(unknown)?)
    };
    output::print(&text)?;
    Ok(Exit::Completed)
}

fn as_text(lint: &Lint, language: Language) -> String {
    let mut text = String::new();
    for tool in &lint.tools {
        add_tool(&mut text, tool);
    }
    for names in &lint.similar {
        line(&mut text, format_args!("easily mistaken for each other: {}", quoted(names)));
    }
    let (native, sdk) = (lint.native, lint.sdk);
    line(
        &mut text,
        format_args!(
            "{} tools: {} as function definitions, {} in {language}; how to write programs takes {} whatever the tools",
            lint.tools.len(),
            size(native),
            size(sdk),
            size(lint.instructions)
        ),
    );
    text
}

fn add_tool(text: &mut String, tool: &ToolLint) {
    line(
        text,
        format_args!(
            "{}: {} as a function definition, {} declared",
            shown(&tool.name),
            size(tool.native),
            size(tool.sdk)
        ),
    );
    for odd in &tool.odd_name {
        let said = match odd {
            OddName::Subscript => "its name is no plain identifier; programs call it by a subscript",
            OddName::NotNative => "model providers do not take its name for a function definition",
            _ => "its name is awkward",
        };
        line(text, format_args!("  {said}"));
    }
    if tool.undescribed {
        line(text, format_args!("  it has no description; say what it does and when to use it"));
    }
    for widening in &tool.widened {
        let schema = match widening.schema {
            SchemaOf::Input => "input",
            SchemaOf::Output => "output",
        };
        line(text, format_args!("  {schema} at {}: {}", pointer(&widening.path), widening.reason));
    }
}

fn line(text: &mut String, said: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{said}");
}

fn pointer(path: &str) -> &str {
    if path.is_empty() { "the root" } else { path }
}

fn size(size: Size) -> String {
    format!("{} bytes (about {} tokens)", size.bytes, size.tokens())
}

/// A name as a person may read it: what a terminal would obey is escaped.
fn shown(name: &str) -> String {
    if name.chars().any(char::is_control) { Json::from(name).to_string() } else { name.to_owned() }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ")
}

/// `{tools: [{name, native, sdk, oddName, undescribed, widened: [{schema, path, reason}]}], similar, native, sdk, instructions}` where a
/// size is `{bytes, tokens}`.
fn as_json(lint: &Lint) -> Json {
    let mut json = JsonBuilder::new();
    json.begin_object().key("tools").begin_array();
    for tool in &lint.tools {
        json.begin_object().key("name").string(&tool.name);
        add_size(&mut json, "native", tool.native);
        add_size(&mut json, "sdk", tool.sdk);
        json.key("oddName").begin_array();
        for odd in &tool.odd_name {
            json.string(match odd {
                OddName::Subscript => "subscript",
                OddName::NotNative => "not-native",
                _ => "other",
            });
        }
        json.end().key("undescribed").bool(tool.undescribed).key("widened").begin_array();
        for widening in &tool.widened {
            let schema = match widening.schema {
                SchemaOf::Input => "input",
                SchemaOf::Output => "output",
            };
            json.begin_object().key("schema").string(schema).key("path").string(&widening.path);
            json.key("reason").string(&widening.reason).end();
        }
        json.end().end();
    }
    json.end().key("similar").begin_array();
    for names in &lint.similar {
        json.begin_array();
        for name in names {
            json.string(name);
        }
        json.end();
    }
    json.end();
    add_size(&mut json, "native", lint.native);
    add_size(&mut json, "sdk", lint.sdk);
    add_size(&mut json, "instructions", lint.instructions);
    json.end();
    json.finish().unwrap_or_default()
}

fn add_size(json: &mut JsonBuilder, key: &str, size: Size) {
    let (bytes, tokens) =
        (u64::try_from(size.bytes).unwrap_or(u64::MAX), u64::try_from(size.tokens()).unwrap_or(u64::MAX));
    json.key(key).begin_object().key("bytes").u64(bytes).key("tokens").u64(tokens).end();
}
