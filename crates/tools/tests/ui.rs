//! What the compiler catches: each file in `ui` is a misuse, and what it is told stands beside it.

#[test]
fn a_misuse_that_the_compiler_can_catch_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
