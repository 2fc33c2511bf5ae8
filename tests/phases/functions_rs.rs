// SPDX-License-Identifier: GPL-2.0-or-later
// functions_rs.rs: functions of Rust that are phases, and what a report must say.
//
// As functions.c. What the test calls step, keeper and leaves are functions here.
use std::hint::black_box;
use std::panic;

mod work {
    use std::hint::black_box;

    #[inline(never)]
    pub fn step(bytes: usize) {
        drop(black_box(vec![1u8; bytes]));
    }

    pub struct Keeper<T> {
        pub kept: Vec<T>,
    }

    impl<T: Clone> Keeper<T> {
        #[inline(never)]
        pub fn keep(&mut self, value: &T) {
            self.kept = vec![value.clone(); 10];
            black_box(&self.kept);
        }
    }

    #[inline(never)]
    pub fn leaves(bytes: usize) {
        step(bytes);
        if black_box(bytes) > 0 {
            panic!("left");
        }
    }
}

fn expect(phase: &str, what: &str, value: &str) {
    println!("{phase}\t{what}\t{value}");
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    for bytes in 1..=10 {
        work::step(bytes * 100);
    }
    let mut numbers = work::Keeper { kept: Vec::new() };
    numbers.keep(&1u64);
    numbers.keep(&2u64);
    let mut letters = work::Keeper { kept: Vec::new() };
    letters.keep(&b'a');
    for _ in 0..20 {
        let left = panic::catch_unwind(|| work::leaves(7));
        assert!(left.is_err());
        black_box(vec![0u8; 1000000]);
    }

    expect("step", "@instances", "30");
    expect("step", "@complete", "yes");
    expect("step", "allocations.bytes", "5640");
    expect("step", "allocations.count", "30");
    expect("keep", "@instances", "3");
    expect("keep", "allocations.bytes", "170");
    expect("keep", "allocations.bytes:max", "80");
    expect("keep", "@complete", "yes");
    expect("leaves", "@instances", "20");
    expect("leaves", "@complete", "no");
    expect("leaves", "heap.released", "0");
    expect("leaves", "!phase-left-by-jump", "20");
}
