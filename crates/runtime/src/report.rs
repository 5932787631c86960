//! A result as one JSON object, for commands, traces and logs.

use std::time::Duration;

use crate::json::JsonBuilder;
use crate::{
    Failure, Fault, Isolation, Json, LayerReport, LayerState, LogEntry, NameCounts, Receipt, RunResult, Usage,
};

impl RunResult {
    /// The result as one object.
    ///
    /// `{value?, logs, failure?, usage, receipts, isolation, start}`; durations are fractional milliseconds under names
    /// that end in `_ms`, sizes are bytes. `value` is absent when the program returned nothing, `failure` when it
    /// completed:
    ///
    /// ```text
    /// logs       [{source, level, text}]
    /// failure    {kind, message} and, by kind:
    ///            exception       name, line?, column?, stack
    ///            timeout         budget, limit_ms, used_ms
    ///            worker-exit     code?, signal?, stderr_tail
    ///            invalid-output  path
    ///            output-limit    limit
    /// usage      {wall_ms, cpu_ms, startup_ms, peak_memory, calls, bytes_in, bytes_out}
    /// receipts   {calls: [{id, global, name, outcome, started_ms, took_ms}],
    ///             rest: [{global, name, succeeded, failed, cancelled, abandoned, not_started}]}
    /// isolation  {profile, cpu, layers: [{layer, state, errno?, verified}]}
    /// start      "none" | "spawn"
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut json = JsonBuilder::new();
        json.begin_object();
        if let Some(value) = &self.value {
            json.key("value").value(value);
        }
        list(json.key("logs"), &self.logs, log);
        if let Some(problem) = &self.failure {
            failure(json.key("failure"), problem);
        }
        usage(json.key("usage"), &self.usage);
        json.key("receipts").begin_object();
        list(json.key("calls"), &self.receipts.calls, receipt);
        list(json.key("rest"), &self.receipts.rest, counts);
        json.end();
        isolation(json.key("isolation"), &self.isolation);
        json.key("start").string(self.start.name());
        json.end();
        // The events above are balanced, and every double among them is finite and positive.
        json.finish().unwrap_or_default()
    }
}

impl Isolation {
    /// The report as one object, as it stands in a result: `{profile, cpu, layers: [{layer, state, errno?, verified}]}`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut json = JsonBuilder::new();
        isolation(&mut json, self);
        // The events are balanced, and no double is among them.
        json.finish().unwrap_or_default()
    }
}

fn list<T>(json: &mut JsonBuilder, items: &[T], one: fn(&mut JsonBuilder, &T)) {
    json.begin_array();
    items.iter().for_each(|item| one(json, item));
    json.end();
}

fn log(json: &mut JsonBuilder, entry: &LogEntry) {
    json.begin_object();
    json.key("source").string(entry.source.name()).key("level").string(entry.level.name());
    json.key("text").string(&entry.text).end();
}

fn failure(json: &mut JsonBuilder, failure: &Failure) {
    json.begin_object();
    json.key("kind").string(failure.kind().name()).key("message").string(&failure.message);
    match &failure.fault {
        Fault::Exception(detail) => {
            json.key("name").string(&detail.name);
            optional(json, "line", detail.line);
            optional(json, "column", detail.column);
            json.key("stack").string(&detail.stack);
        }
        Fault::Timeout { budget, limit, used } => {
            json.key("budget").string(budget.name());
            milliseconds(json, "limit_ms", *limit);
            milliseconds(json, "used_ms", *used);
        }
        Fault::Abort => {}
        Fault::WorkerExit { code, signal, stderr_tail } => {
            optional(json, "code", *code);
            optional(json, "signal", *signal);
            json.key("stderr_tail").string(stderr_tail);
        }
        Fault::InvalidOutput { path } => {
            json.key("path").string(path);
        }
        Fault::OutputLimit { limit } => {
            json.key("limit").u64(*limit);
        }
    }
    json.end();
}

fn usage(json: &mut JsonBuilder, usage: &Usage) {
    json.begin_object();
    milliseconds(json, "wall_ms", usage.wall);
    milliseconds(json, "cpu_ms", usage.cpu);
    milliseconds(json, "startup_ms", usage.startup);
    json.key("peak_memory").u64(usage.peak_memory).key("calls").u64(usage.calls);
    json.key("bytes_in").u64(usage.bytes_in).key("bytes_out").u64(usage.bytes_out).end();
}

fn receipt(json: &mut JsonBuilder, receipt: &Receipt) {
    json.begin_object();
    json.key("id").u64(receipt.id.into()).key("global").string(&receipt.global).key("name").string(&receipt.name);
    json.key("outcome").string(receipt.outcome.name());
    milliseconds(json, "started_ms", receipt.started);
    milliseconds(json, "took_ms", receipt.took);
    json.end();
}

fn counts(json: &mut JsonBuilder, counts: &NameCounts) {
    json.begin_object();
    json.key("global").string(&counts.global).key("name").string(&counts.name);
    json.key("succeeded").u64(counts.succeeded).key("failed").u64(counts.failed);
    json.key("cancelled").u64(counts.cancelled).key("abandoned").u64(counts.abandoned);
    json.key("not_started").u64(counts.not_started).end();
}

fn isolation(json: &mut JsonBuilder, isolation: &Isolation) {
    json.begin_object();
    json.key("profile").string(&isolation.profile).key("cpu").string(isolation.cpu.name());
    list(json.key("layers"), &isolation.layers, layer);
    json.end();
}

fn layer(json: &mut JsonBuilder, report: &LayerReport) {
    json.begin_object();
    json.key("layer").string(&report.layer).key("state").string(report.state.name());
    if let LayerState::Unavailable { errno } = report.state {
        json.key("errno").i64(errno.into());
    }
    json.key("verified").bool(report.verified).end();
}

fn optional<T: Into<i64>>(json: &mut JsonBuilder, key: &str, value: Option<T>) {
    if let Some(value) = value {
        json.key(key).i64(value.into());
    }
}

/// Whole microseconds, written as milliseconds.
fn milliseconds(json: &mut JsonBuilder, key: &str, duration: Duration) {
    let micros = duration.as_micros();
    // By way of text, so that 1.1 ms is 1.1 and not the nearest sum of binary fractions.
    let text = format!("{}.{:03}", micros / 1_000, micros % 1_000);
    json.key(key).float(text.parse().unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, CpuAccounting, ExceptionDetail, LogLevel, LogSource, Outcome, Receipts, StartMethod};

    fn failed(fault: Fault) -> Json {
        let result = RunResult { failure: Some(Failure::new(fault, "words")), ..RunResult::default() };
        result.to_json().get("failure").map(|failure| failure.to_owned()).unwrap()
    }

    #[test]
    fn a_whole_result_is_one_object() {
        let mut rest = NameCounts::new("tools", "grep");
        rest.count(Outcome::Succeeded);
        rest.count(Outcome::Abandoned);
        let ms = Duration::from_micros;
        let result = RunResult {
            value: Some(Json::null()),
            logs: vec![LogEntry::new(LogSource::Stderr, LogLevel::Error, "oh\n")],
            failure: None,
            usage: Usage {
                wall: ms(1_100),
                cpu: ms(2_000),
                startup: ms(25_003),
                peak_memory: 1,
                calls: 2,
                bytes_in: 3,
                bytes_out: 4,
            },
            receipts: Receipts {
                calls: vec![Receipt::new(1, "tools", "odd-name", Outcome::Failed, ms(10), ms(0))],
                rest: vec![rest],
            },
            isolation: Isolation {
                profile: "open".to_owned(),
                layers: vec![
                    LayerReport::new("rlimits", LayerState::Applied, true),
                    LayerReport::new("seccomp", LayerState::Unavailable { errno: 22 }, false),
                ],
                cpu: CpuAccounting::Exact,
            },
            start: StartMethod::Spawn,
        };
        assert_eq!(
            result.to_json().to_string(),
            concat!(
                r#"{"value":null,"logs":[{"source":"stderr","level":"error","text":"oh\n"}],"#,
                r#""usage":{"wall_ms":1.1,"cpu_ms":2.0,"startup_ms":25.003,"peak_memory":1,"calls":2,"bytes_in":3,"bytes_out":4},"#,
                r#""receipts":{"calls":[{"id":1,"global":"tools","name":"odd-name","outcome":"failed","started_ms":0.01,"took_ms":0.0}],"#,
                r#""rest":[{"global":"tools","name":"grep","succeeded":1,"failed":0,"cancelled":0,"abandoned":1,"not_started":0}]},"#,
                r#""isolation":{"profile":"open","cpu":"exact","layers":[{"layer":"rlimits","state":"applied","verified":true},"#,
                r#"{"layer":"seccomp","state":"unavailable","errno":22,"verified":false}]},"start":"spawn"}"#,
            )
        );
    }

    #[test]
    fn nothing_returned_is_an_absent_value() {
        assert_eq!(RunResult::default().to_json().get("value"), None);
    }

    #[test]
    fn every_kind_of_failure_has_its_particulars() {
        let second = Duration::from_secs(1);
        let detail = ExceptionDetail { name: "TypeError".to_owned(), line: Some(3), ..ExceptionDetail::default() };
        let cases = [
            (
                Fault::Exception(detail),
                r#"{"kind":"exception","message":"words","name":"TypeError","line":3,"stack":""}"#,
            ),
            (
                Fault::Timeout { budget: Budget::Compute, limit: second, used: second * 2 },
                r#"{"kind":"timeout","message":"words","budget":"compute","limit_ms":1000.0,"used_ms":2000.0}"#,
            ),
            (Fault::Abort, r#"{"kind":"abort","message":"words"}"#),
            (
                Fault::WorkerExit { code: None, signal: Some(9), stderr_tail: "x".to_owned() },
                r#"{"kind":"worker-exit","message":"words","signal":9,"stderr_tail":"x"}"#,
            ),
            (
                Fault::InvalidOutput { path: "result.a".to_owned() },
                r#"{"kind":"invalid-output","message":"words","path":"result.a"}"#,
            ),
            (Fault::OutputLimit { limit: 64 }, r#"{"kind":"output-limit","message":"words","limit":64}"#),
        ];
        for (fault, text) in cases {
            assert_eq!(failed(fault).to_string(), text);
        }
    }
}
