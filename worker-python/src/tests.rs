use super::*;

#[test]
fn a_worker_is_started_isolated_and_with_the_loader_last() {
    let arguments = arguments();
    assert_eq!(arguments[..3], ["-I", "-S", "-B"]);
    assert_eq!(arguments.last().map(String::as_str), Some(LOADER));
    assert_eq!(compiler_arguments().last().map(String::as_str), Some(COMPILER));
}

#[test]
fn nothing_handed_to_an_interpreter_holds_a_nul() {
    for text in [BOOTSTRAP, LOADER, COMPILER] {
        assert!(!text.contains('\0'));
    }
}

#[test]
fn every_part_of_the_bootstrap_ends_with_a_line_break() {
    assert!(BOOTSTRAP.contains("\n# From `ready` to the last frame.\n"));
    assert!(BOOTSTRAP.ends_with("\nmain()\n"));
}
