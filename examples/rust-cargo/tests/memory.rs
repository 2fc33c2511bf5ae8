// SPDX-License-Identifier: BSD-2-Clause
//! The memory that wordcount needs is within wordcount.limits.

// have_profmem is set by build.rs; compilers before 1.80 do not ask where it comes from.
#![allow(unknown_lints, unexpected_cfgs)]

use std::fmt::Write;
use std::process::Command;
use std::{env, fs};

/// 20,000 words, of which 200 are different.
fn text() -> String {
    let mut text = String::new();
    for i in 0..20_000 {
        write!(text, "Word{} ", i * i % 7919 % 200).expect("a string takes all");
    }
    text
}

#[test]
#[cfg_attr(not(have_profmem), ignore = "profmem is not installed")]
fn memory_is_within_limits() {
    env::set_current_dir(env!("CARGO_TARGET_TMPDIR")).expect("cargo made it");
    fs::write("text.txt", text()).expect("the text can be written");
    let run = Command::new("profmem")
        .args(["run", "--limits"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/wordcount.limits"))
        .args([
            "-o",
            "memory.xml",
            env!("CARGO_BIN_EXE_wordcount"),
            "text.txt",
        ])
        .output()
        .expect("profmem can be started");
    assert!(
        run.status.success(),
        "profmem run, {}:\n{}",
        run.status,
        String::from_utf8_lossy(&run.stderr)
    );
}
