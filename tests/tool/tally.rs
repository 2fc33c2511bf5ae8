// SPDX-License-Identifier: GPL-2.0-or-later
// tally.rs: counts words of made-up text in the standard library's collections.
// A Rust program to compare tools on: hashing, trees, vectors, strings, boxes.
use std::collections::{BTreeMap, HashMap};

struct Entry {
    word: String,
    seen: Vec<usize>,
}

fn words(count: usize) -> impl Iterator<Item = String> {
    let mut state: u32 = 12345;
    (0..count).map(move |_| {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        format!("w{}-{}", (state >> 16) % 97, (state >> 8) % 13)
    })
}

fn main() {
    let mut by_word: HashMap<String, Box<Entry>> = HashMap::new();
    for (place, word) in words(3000).enumerate() {
        let entry = by_word
            .entry(word.clone())
            .or_insert_with(|| Box::new(Entry { word, seen: Vec::new() }));
        entry.seen.push(place);
    }
    let mut by_count: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for entry in by_word.values() {
        by_count.entry(entry.seen.len()).or_default().push(entry.word.clone());
    }
    for (count, mut words) in by_count {
        words.sort();
        println!("{} {}", count, words.join(" "));
    }
}
