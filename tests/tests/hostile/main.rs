//! Hostile programs and peers: the list H1–H44, as far as it belongs to the profile `open`.
//!
//! A row is played by a program of each language and, where it is about frames, by a forged interpreter: see
//! `src/hostile`. A row that another test holds is named in [`HELD`].

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

/// Makes a test of each row, and a list of them.
macro_rules! rows {
    ($($name:ident: $row:expr,)*) => {
        /// The rows of this file.
        pub(crate) const ROWS: &[fn() -> dayfly_tests::hostile::Row] = &[$($row),*];

        $(
            #[test]
            fn $name() {
                let path = concat!(module_path!(), "::", stringify!($name));
                dayfly_tests::hostile::hold(path.split_once("::").unwrap().1, $row);
            }
        )*
    };
}

mod calls;
mod clocks;
mod flow;
mod frames;
mod memory;
mod output;
mod processes;
mod start;

use std::collections::BTreeSet;

use dayfly::Language;
use dayfly_tests::hostile::{Row, Sides};
use dayfly_tests::named::is_a_test;

/// The list. H20–H23, H26, H27, H31, H39–H41 and H45–H50 are about layers that `open` does not have.
const LIST: &[u32] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 24, 25, 28, 29, 30, 32, 33, 34, 35, 36, 37, 38,
    42, 43, 44,
];

/// Rows, or parts of rows, that a test of another shape holds.
const HELD: &[(&str, &str)] = &[
    ("H9", "contract::names::every_name_is_reached_exactly"),
    ("H28", "quiescence::killed::a_host_that_is_killed_in_mid_run_leaves_no_process_and_no_directory"),
    ("H29", "hostile::processes::a_shutdown_with_twenty_runs_in_flight_leaves_nothing"),
    ("H30", "contract::surroundings::the_hosts_descriptors_are_not_the_programs"),
    ("H32", "lifecycle::budgets::a_loop_behind_a_call_that_nobody_awaits_is_ended_by_compute"),
    ("H33", "lifecycle::budgets::waiting_for_a_tool_for_ten_times_the_compute_budget_costs_nothing"),
    ("H33", "lifecycle::budgets::a_program_that_idles_on_a_tool_outlives_compute_and_dies_of_the_wall_alone"),
    ("H35", "lifecycle::budgets::a_clock_that_the_program_rewrites_does_not_change_its_budget"),
    ("H36", "lifecycle::budgets::a_clock_that_the_program_rewrites_does_not_change_its_budget"),
    ("H37", "hostile::start::an_interpreter_that_never_says_ready_is_named_with_its_deadline"),
];

fn rows() -> Vec<Row> {
    let files = [frames::ROWS, calls::ROWS, flow::ROWS, output::ROWS, processes::ROWS, clocks::ROWS, memory::ROWS];
    files.concat().into_iter().map(|row| row()).collect()
}

#[test]
fn every_row_of_the_list_has_a_test() {
    let held: BTreeSet<&str> = rows().iter().map(|row| row.id).chain(HELD.iter().map(|(id, _)| *id)).collect();
    let list: BTreeSet<String> = LIST.iter().map(|number| format!("H{number}")).collect();
    let held: BTreeSet<String> = held.into_iter().map(str::to_owned).collect();
    assert_eq!(held, list);
}

#[test]
fn every_test_that_the_list_refers_to_exists() {
    let offences: Vec<String> = HELD.iter().filter_map(|(_, name)| is_a_test(name).err()).collect();
    assert!(offences.is_empty(), "{}", offences.join("\n"));
    assert!(is_a_test("hostile::frames::no_such_test").is_err());
}

#[test]
fn every_row_has_programs_in_both_languages() {
    for row in rows() {
        for language in Language::ALL {
            let has = row.cases.iter().any(|case| match &case.sides {
                Sides::Script(_) => true,
                Sides::Programs(programs) => programs.of(language).is_ok(),
            });
            assert!(has, "{} has no program in {language}", row.id);
        }
        let mut names = BTreeSet::new();
        for case in &row.cases {
            assert!(names.insert(case.name), "{}: {} stands there twice", row.id, case.name);
            if let Sides::Programs(programs) = &case.sides {
                let missing = [&programs.typescript, &programs.python].into_iter().filter_map(|one| one.as_ref().err());
                let missing: Vec<_> = missing.collect();
                assert!(
                    missing.len() < 2 && missing.iter().all(|reason| reason.len() > 10),
                    "{}: {}",
                    row.id,
                    case.name
                );
            }
        }
    }
}
