// SPDX-License-Identifier: BSD-2-Clause
//! Sets cfg(have_profmem) if there is a command profmem, for tests/memory.rs.

use std::env;

fn main() {
    println!("cargo:rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| folder.join("profmem").is_file()) {
        println!("cargo:rustc-cfg=have_profmem");
    }
}
