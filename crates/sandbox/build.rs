//! Compiles the warden with the user's own compiler and linker, for the library to carry.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=warden");
    println!("cargo::rerun-if-changed=build.rs");
    // On other targets the library itself says what is wrong, in one line.
    if var("CARGO_CFG_TARGET_OS")? != "linux" || !matches!(&*var("CARGO_CFG_TARGET_ARCH")?, "x86_64" | "aarch64") {
        return Ok(());
    }
    let (host, target) = (var("HOST")?, var("TARGET")?);
    let output = PathBuf::from(var("OUT_DIR")?).join("warden");
    // The compiler itself: wrappers (sccache, clippy-driver) and RUSTFLAGS are for the user's code, and this program is
    // built one way only.
    let mut rustc = Command::new(var("RUSTC")?);
    rustc
        .arg(Path::new(&var("CARGO_MANIFEST_DIR")?).join("warden/main.rs"))
        .args(["--crate-name", "dayfly_warden", "--crate-type", "bin", "--edition", "2024"])
        .args(["--target", &target])
        .args(["-C", "opt-level=s", "-C", "panic=abort", "-C", "relocation-model=static", "-C", "strip=symbols"])
        .args(["-C", "debuginfo=0", "-C", "link-arg=-static"])
        .arg("-o")
        .arg(&output);
    let linker = std::env::var_os("RUSTC_LINKER");
    if let Some(linker) = &linker {
        rustc.arg("-C").arg(argument("linker=", linker));
    }
    // A bare linker adds no start files; a compiler driver must be told not to.
    if !linker.as_deref().is_some_and(is_bare_linker) {
        rustc.args(["-C", "link-arg=-nostartfiles"]);
    }
    // musl targets bring start files of their own, which this program has no use for.
    if var("CARGO_CFG_TARGET_ENV")? == "musl" {
        rustc.args(["-C", "link-self-contained=no"]);
    }
    // None of Cargo's flags for this build script are meant for the nested one.
    rustc.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTFLAGS");
    let result = rustc.output()?;
    if !result.status.success() {
        if linker.is_none() && host != target {
            let key = target.to_uppercase().replace(['-', '.'], "_");
            println!(
                "cargo::error=a program for {target} is linked here even by `cargo check`, and no linker for it is \
                 named: set CARGO_TARGET_{key}_LINKER, for example to aarch64-linux-gnu-gcc for aarch64"
            );
        }
        let words = String::from_utf8_lossy(&result.stderr);
        return Err(format!("failed to compile the warden ({rustc:?}): {words}").into());
    }
    Ok(())
}

fn var(name: &str) -> Result<String, Box<dyn Error>> {
    std::env::var(name).map_err(|problem| format!("{name}: {problem}").into())
}

fn argument(key: &str, value: &std::ffi::OsStr) -> OsString {
    let mut text = OsString::from(key);
    text.push(value);
    text
}

fn is_bare_linker(linker: &std::ffi::OsStr) -> bool {
    Path::new(linker).file_stem().and_then(std::ffi::OsStr::to_str).is_some_and(|stem| {
        let stem = stem.trim_end_matches(|c: char| c == '-' || c == '.' || c.is_ascii_digit());
        stem.ends_with("lld") || stem == "ld" || stem == "mold" || stem.ends_with("-ld")
    })
}
