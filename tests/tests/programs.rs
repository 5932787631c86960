//! The table of programs, in both languages.
//!
//! `DAYFLY_NODE` and `DAYFLY_PYTHON` run it on other interpreters than those that Dayfly finds.

use std::collections::BTreeSet;

use dayfly::Language;
use dayfly_tests::named::is_a_test;
use dayfly_tests::table::{Case, ELSEWHERE, ROWS, cases, check};
use futures_util::{StreamExt as _, stream};

/// Runs every case of one row, in both languages, and fails with all that differs.
async fn hold(row: &str) {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.row == row).collect();
    let checks = cases.iter().flat_map(|case| Language::ALL.map(|language| check(case, language)));
    // Two at a time: the machine that this must pass on has two cores.
    let failures: Vec<String> =
        stream::iter(checks).buffer_unordered(2).filter_map(|outcome| async { outcome.err() }).collect().await;
    assert!(failures.is_empty(), "{} failed:\n\n{}", failures.len(), failures.join("\n\n"));
}

macro_rules! rows {
    ($($name:ident: $row:literal,)*) => {
        /// The rows with a test below.
        const TESTED: &[&str] = &[$($row),*];

        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                hold($row).await;
            }
        )*
    };
}

rows! {
    p1_types_are_erased_and_lines_stay: "P1",
    p2_what_cannot_be_erased_is_refused_with_what_to_write: "P2",
    p3_a_fence_around_the_program_is_taken_off: "P3",
    p4_a_function_that_nobody_called_is_spoken_of: "P4",
    p5_imports_that_cannot_be_are_told_what_to_use: "P5",
    p6_every_run_starts_fresh: "P6",
    p7_what_computes_without_end_is_ended_by_compute: "P7",
    p8_a_sleep_ends_at_the_wall: "P8",
    p10_a_tool_that_never_answers_ends_somewhere: "P10",
    p11_whatever_is_thrown_is_an_exception: "P11",
    p12_what_nobody_awaits_is_not_silent: "P12",
    p13_what_is_not_lossless_is_refused_with_its_path: "P13",
    p14_output_is_counted_to_the_byte: "P14",
    p15_output_is_as_the_interpreter_prints_it: "P15",
    p16_every_line_that_fits_is_there_in_order: "P16",
    p18_a_tool_without_parameters_needs_no_argument: "P18",
    p19_fields_may_have_any_name: "P19",
    p20_a_failed_call_can_be_caught: "P20",
    p22_the_standard_library_is_never_shadowed: "P22",
    p23_a_call_that_nobody_awaits_is_cancelled_and_named: "P23",
    p24_an_exit_is_said_with_its_code: "P24",
    p25_an_interpreter_that_cannot_be_used_is_named: "P25",
}

#[test]
fn every_row_has_a_test_and_cases_in_both_languages() {
    assert_eq!(TESTED, ROWS);
    let cases = cases();
    for row in ROWS {
        for language in Language::ALL {
            let programs =
                cases.iter().filter(|case| case.row == *row && case.sides.of(language).program.is_ok()).count();
            assert!(programs > 0, "{row} has no program in {language}");
        }
    }
    let known: BTreeSet<&str> = ROWS.iter().copied().collect();
    assert!(cases.iter().all(|case| known.contains(case.row)), "a case of a row that no test runs");
}

#[test]
fn every_situation_is_in_one_list() {
    let elsewhere = ELSEWHERE.iter().map(|(row, _)| *row);
    let mut listed: Vec<&str> = ROWS.iter().copied().chain(elsewhere).collect();
    listed.sort_by_key(|row| row[1..].parse::<u32>().expect("a row has a number"));
    assert_eq!(listed, (1..=25).map(|number| format!("P{number}")).collect::<Vec<_>>());
    let offences: Vec<String> =
        ELSEWHERE.iter().flat_map(|(_, names)| *names).filter_map(|name| is_a_test(name).err()).collect();
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn a_language_without_a_program_says_why_and_never_is_the_other_without_one_too() {
    for case in cases() {
        let missing: Vec<&str> = Language::ALL
            .iter()
            .filter_map(|language| case.sides.of(*language).program.as_ref().err().copied())
            .collect();
        assert!(missing.len() < 2, "{}: {}: no language has a program", case.row, case.name);
        assert!(missing.iter().all(|reason| reason.len() > 10), "{}: {}: {missing:?}", case.row, case.name);
    }
}

#[test]
fn no_two_cases_of_a_row_have_one_name() {
    let mut seen = BTreeSet::new();
    for case in cases() {
        assert!(seen.insert((case.row, case.name)), "{}: {}", case.row, case.name);
    }
}
