// SPDX-License-Identifier: GPL-2.0-or-later
// strings_rs.rs: strings in a hash with a random seed, in measured().
use std::collections::HashMap;

#[no_mangle]
#[inline(never)]
pub extern "C" fn measured(count: usize) -> usize {
    let mut lengths: HashMap<String, usize> = HashMap::new();
    let mut text = String::new();
    for n in 0..count {
        let key = format!("a key, and its number: {}", n * 7919 % count);
        text.push_str(&key);
        *lengths.entry(key).or_insert(0) += text.len();
    }
    lengths.values().sum::<usize>() + text.matches("number").count()
}

fn main() {
    println!("{}", measured(2000));
}
