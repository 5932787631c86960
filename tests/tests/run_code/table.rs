//! The table of programs through `run_code`: what a model is shown, and what is kept of the calls.

use dayfly::Language;
use dayfly_tests::table::{Case, ROWS, cases, check_shown};
use futures_util::{StreamExt as _, stream};

/// Runs every case of one row, in both languages, and fails with all that differs.
async fn hold(row: &str) {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.row == row).collect();
    let checks = cases.iter().flat_map(|case| Language::ALL.map(|language| check_shown(case, language)));
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
fn every_row_has_a_test() {
    assert_eq!(TESTED, ROWS);
}
