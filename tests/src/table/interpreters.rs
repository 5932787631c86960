//! P25: an interpreter that is missing, too old or not executable.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use super::{Case, Ends, text};
use crate::binaries::built;

pub(super) fn cases() -> Vec<Case> {
    let unusable = |name, says: &'static [&'static str], interpreter| {
        let mut case = Case::new(
            "P25",
            name,
            text("return 1").says([says, &["Install Node.js 18.19.0 or newer", "`node`"]].concat()),
            text("return 1").says([says, &["Install CPython 3.10.0 or newer", "`python`"]].concat()),
            Ends::NoInterpreter,
        );
        case.interpreter = Some(interpreter);
        case
    };
    vec![
        unusable(
            "an interpreter that is missing is named, with what to install",
            &["absent/interpreter", "No such file"],
            |scratch| scratch.join("absent/interpreter"),
        ),
        unusable("one that is too old is named with its version", &["interpreter", "version 3.2.1"], |_| old()),
        unusable("one that is not executable is named", &["interpreter", "ermission denied"], |scratch| {
            let path = scratch.join("interpreter");
            fs::copy(old(), &path).expect("the fixture can be copied");
            fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("its mode can be changed");
            path
        }),
        unusable("one that is no program is named", &["interpreter", "neither a binary nor a script"], |scratch| {
            let path = scratch.join("interpreter");
            fs::write(&path, "not a program").expect("the fixture can be written");
            path
        }),
        unusable("a directory without an interpreter is named", &["interpreter/bin", "found none"], |scratch| {
            let path = scratch.join("interpreter");
            fs::create_dir(&path).expect("the fixture can be made");
            path
        }),
    ]
}

/// A real binary that answers as an interpreter of long ago: this package's own.
fn old() -> PathBuf {
    built("old-interpreter")
}
