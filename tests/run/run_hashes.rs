// SPDX-License-Identifier: GPL-2.0-or-later
//! run_hashes.rs: the order of a HashMap, which its random seed decides.
use std::collections::HashMap;

fn main() {
    let map: HashMap<String, usize> = (0..500).map(|i| (format!("key {i}"), i)).collect();
    let order: Vec<String> = map.values().map(|i| i.to_string()).collect();
    println!("{}", order.join(","));
}
