// SPDX-License-Identifier: BSD-2-Clause
//! The most frequent words of a text, ten unless told otherwise:
//!
//!     wordcount FILE [WORDS]
//!
//! The text is in memory once, and the words that are counted are pieces of it: what else is
//! needed depends on how many different words there are, not on how long the text is.

use profmem::Phase;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::{env, fs, io, process};

/// The text, in lower case as far as its letters are ASCII.
fn read(name: &str) -> io::Result<String> {
    let _reading = Phase::begin("read");
    let mut text = fs::read_to_string(name)?;
    text.make_ascii_lowercase();
    Ok(text)
}

fn count(text: &str) -> HashMap<&str, usize> {
    let _counting = Phase::begin("count");
    let mut counts = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() {
            *counts.entry(word).or_insert(0) += 1;
        }
    }
    counts
}

/// A line for each of the most frequent words; of words that are as frequent, in the order
/// of the alphabet.
fn report(counts: &HashMap<&str, usize>, words: usize) -> String {
    let _reporting = Phase::begin("report");
    let mut ranked: Vec<_> = counts.iter().collect();
    ranked.sort_unstable_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let mut lines = String::new();
    for (word, count) in ranked.iter().take(words) {
        writeln!(lines, "{count} {word}").expect("a string takes all");
    }
    lines
}

fn run(name: &str, words: usize) -> io::Result<()> {
    let text = read(name)?;
    let counts = count(&text);
    io::stdout().write_all(report(&counts, words).as_bytes())
}

fn main() {
    let mut arguments = env::args().skip(1);
    let name = arguments.next();
    let words = arguments.next().map_or(Ok(10), |words| words.parse());
    match (name, words, arguments.next()) {
        (Some(name), Ok(words), None) => {
            if let Err(error) = run(&name, words) {
                eprintln!("wordcount: {name}: {error}");
                process::exit(1);
            }
        }
        _ => {
            eprintln!("usage: wordcount FILE [WORDS]");
            process::exit(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_ranked() {
        let counts = count("to be, or not to be: that is");
        assert_eq!(counts["to"], 2);
        assert_eq!(counts.len(), 6);
        assert_eq!(report(&counts, 3), "2 be\n2 to\n1 is\n");
    }
}
