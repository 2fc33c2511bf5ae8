// SPDX-License-Identifier: GPL-2.0-or-later
// growing_rust.rs: names in a vector, for tests of `profmem diff`.
//
// --cfg regression: room for them is not made at once, so that the vector grows step by step.

const NAMES: usize = 1000;

#[inline(never)]
fn collect() -> Vec<String> {
    let mut names = Vec::with_capacity(if cfg!(regression) { 0 } else { NAMES });
    for number in 0..NAMES {
        names.push(number.to_string());
    }
    names
}

fn main() {
    assert_eq!(collect().len(), NAMES);
}
