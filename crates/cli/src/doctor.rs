//! `dayfly doctor`.

use std::fmt::Write as _;

use dayfly::{DoctorReport, InterpreterReport, Isolation, Json, LayerState};

use crate::args::{DoctorArguments, LimitArguments};
use crate::exit::{CliError, Exit};
use crate::{output, settings};

/// Says what this host can run.
pub(crate) fn doctor(arguments: &DoctorArguments) -> Result<Exit, CliError> {
    let (supervisor, _) = settings::supervisor(&arguments.host, &LimitArguments::default())?;
    let report = crate::event_loop(async {
        let report = supervisor.doctor().await;
        supervisor.shutdown().await;
        report
    })?;
    let text = if arguments.json { format!("{}\n", json(&report)) } else { text(&report) };
    output::print(&text)?;
    let usable = report.interpreters.iter().all(|interpreter| interpreter.problem.is_none());
    Ok(if usable { Exit::Completed } else { Exit::Host })
}

fn text(report: &DoctorReport) -> String {
    let mut text = String::new();
    for interpreter in &report.interpreters {
        push_interpreter(&mut text, interpreter);
    }
    let _ = push_isolation(&mut text, &report.isolation);
    text
}

fn push_interpreter(text: &mut String, report: &InterpreterReport) {
    // Writing to a string cannot fail, here and below.
    let _ = match (&report.path, &report.version, &report.problem) {
        (Some(path), Some(version), None) => writeln!(text, "{}: {version}, {}", report.language, path.display()),
        (_, _, problem) => {
            writeln!(text, "{}: not usable: {}", report.language, problem.as_deref().unwrap_or("no reason known"))
        }
    };
    for candidate in &report.candidates {
        let found = candidate.found.display();
        let _ = match (&candidate.problem, &candidate.version, &candidate.path) {
            (Some(problem), _, _) => writeln!(text, "  {found}: {problem}"),
            (None, Some(version), Some(path)) if *path != candidate.found => {
                writeln!(text, "  {found}: {version}, which is {}", path.display())
            }
            (None, version, _) => writeln!(text, "  {found}: {}", version.as_deref().unwrap_or("usable")),
        };
    }
}

fn push_isolation(text: &mut String, isolation: &Isolation) -> std::fmt::Result {
    writeln!(text, "profile: {}", isolation.profile)?;
    let (requested, others): (Vec<_>, Vec<_>) =
        isolation.layers.iter().partition(|layer| layer.state != LayerState::NotRequested);
    for layer in requested {
        let verified = if layer.verified { ", verified" } else { "" };
        writeln!(text, "  {}: {}{verified}", layer.layer, state(layer.state))?;
    }
    if !others.is_empty() {
        let names: Vec<&str> = others.into_iter().map(|layer| layer.layer.as_str()).collect();
        writeln!(text, "  not part of the profile `{}`: {}", isolation.profile, names.join(", "))?;
    }
    writeln!(text, "  CPU time of a run: {}", isolation.cpu.name())
}

fn state(state: LayerState) -> String {
    match state {
        LayerState::Applied => "applied".to_owned(),
        LayerState::Unavailable { errno } => format!("unavailable (errno {errno})"),
        LayerState::NotRequested => "not requested".to_owned(),
        other => format!("{other:?}"),
    }
}

fn json(report: &DoctorReport) -> Json {
    let interpreters = report.interpreters.iter().map(|interpreter| {
        let candidates = interpreter.candidates.iter().map(|candidate| {
            object([
                ("found", Some(Json::from(candidate.found.display().to_string()))),
                ("path", candidate.path.as_ref().map(|path| Json::from(path.display().to_string()))),
                ("version", candidate.version.as_ref().map(Json::from)),
                ("problem", candidate.problem.as_ref().map(Json::from)),
            ])
        });
        object([
            ("language", Some(Json::from(interpreter.language.name()))),
            ("path", interpreter.path.as_ref().map(|path| Json::from(path.display().to_string()))),
            ("version", interpreter.version.as_ref().map(Json::from)),
            ("problem", interpreter.problem.as_ref().map(Json::from)),
            ("candidates", Some(Json::array(candidates))),
        ])
    });
    Json::object([("interpreters", Json::array(interpreters)), ("isolation", report.isolation.to_json())])
}

/// An object of the entries that are there.
fn object<const N: usize>(entries: [(&str, Option<Json>); N]) -> Json {
    Json::object(entries.into_iter().filter_map(|(key, value)| value.map(|value| (key, value))))
}
