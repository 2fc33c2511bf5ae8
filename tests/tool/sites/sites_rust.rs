// SPDX-License-Identifier: GPL-2.0-or-later
// sites_rust.rs: sites in Rust, with the program's own account of them.
//
//    sites_rust legacy|v0
//
// The argument says how the compiler made symbols out of names. Every call stands in
// here!, or in library! when it allocates by way of the standard library, whose own frames
// are not known. What it allocates is seen by an allocator that hands every call on to the
// system's. The account is printed as sites_ledger.h describes; it has one phase, the
// whole program.
#![no_main] // no blocks of the runtime's, and main is the program's

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::collections::BTreeSet;
use std::fmt::{Debug, Write};
use std::rc::Rc;

// ---- The account. It allocates nothing.

const MOST_SITES: usize = 64;
const MOST_PAIRS: usize = 64;
const MOST_BLOCKS: usize = 1024;
const MOST_FRAMES: usize = 8;

#[derive(Clone, Copy, PartialEq)]
struct Frame {
    legacy: &'static str,
    v0: &'static str,
    line: u32,
    inlined: bool,
}

const NO_FRAME: Frame = Frame { legacy: "", v0: "", line: 0, inlined: false };
const LIBRARY: Frame = Frame { legacy: "...", ..NO_FRAME };

#[derive(Clone, Copy, PartialEq)]
struct Chain {
    frames: [Frame; MOST_FRAMES], // the outermost first
    length: usize,
}

#[derive(Clone, Copy, Default)]
struct Numbers {
    live_bytes: usize,
    live_blocks: usize,
    largest_bytes: usize,
    peak_bytes: usize,
    peak_blocks: usize,
    traffic_bytes: usize,
    traffic_blocks: usize,
    temporary_blocks: usize,
}

#[derive(Clone, Copy, Default)]
struct Pair {
    origin: usize,
    site: usize,
    blocks: usize,
    bytes: usize,
    net_bytes: isize,
}

#[derive(Clone, Copy, Default)]
struct Block {
    address: usize, // 0: none
    bytes: usize,
    site: usize,
}

struct Account {
    now: Chain,
    sites: [(Chain, Numbers); MOST_SITES],
    site_count: usize,
    pairs: [Pair; MOST_PAIRS],
    pair_count: usize,
    blocks: [Block; MOST_BLOCKS],
    last_obtained: usize, // address, if obtaining it was the last event
    live_bytes: usize,
    peak_bytes: usize,
}

struct Shared(UnsafeCell<Account>);
unsafe impl Sync for Shared {} // there is one thread

const NO_CHAIN: Chain = Chain { frames: [NO_FRAME; MOST_FRAMES], length: 0 };
const NO_NUMBERS: Numbers = Numbers {
    live_bytes: 0,
    live_blocks: 0,
    largest_bytes: 0,
    peak_bytes: 0,
    peak_blocks: 0,
    traffic_bytes: 0,
    traffic_blocks: 0,
    temporary_blocks: 0,
};

static ACCOUNT: Shared = Shared(UnsafeCell::new(Account {
    now: NO_CHAIN,
    sites: [(NO_CHAIN, NO_NUMBERS); MOST_SITES],
    site_count: 0,
    pairs: [Pair { origin: 0, site: 0, blocks: 0, bytes: 0, net_bytes: 0 }; MOST_PAIRS],
    pair_count: 0,
    blocks: [Block { address: 0, bytes: 0, site: 0 }; MOST_BLOCKS],
    last_obtained: 0,
    live_bytes: 0,
    peak_bytes: 0,
}));

fn account() -> &'static mut Account {
    unsafe { &mut *ACCOUNT.0.get() }
}

impl Account {
    fn enter(&mut self, frame: Frame) {
        self.now.frames[self.now.length] = frame;
        self.now.length += 1;
    }

    fn leave(&mut self) {
        self.now.length -= 1;
        self.now.frames[self.now.length] = NO_FRAME; // equal chains are equal throughout
    }

    fn site_now(&mut self) -> usize {
        let known = self.sites[..self.site_count].iter().position(|site| site.0 == self.now);
        known.unwrap_or_else(|| {
            self.sites[self.site_count].0 = self.now;
            self.site_count += 1;
            self.site_count - 1
        })
    }

    fn place_of(&self, address: usize) -> usize {
        match self.blocks.iter().position(|block| block.address == address) {
            Some(place) => place,
            None => stop("a block that nobody obtained, or too many of them"),
        }
    }

    fn live_changed(&mut self, site: usize, bytes: isize, blocks: isize) {
        let numbers = &mut self.sites[site].1;
        numbers.live_bytes = numbers.live_bytes.wrapping_add(bytes as usize);
        numbers.live_blocks = numbers.live_blocks.wrapping_add(blocks as usize);
        numbers.largest_bytes = numbers.largest_bytes.max(numbers.live_bytes);
        self.live_bytes = self.live_bytes.wrapping_add(bytes as usize);
        if self.live_bytes > self.peak_bytes {
            self.peak_bytes = self.live_bytes;
            for (_, numbers) in &mut self.sites[..self.site_count] {
                numbers.peak_bytes = numbers.live_bytes;
                numbers.peak_blocks = numbers.live_blocks;
            }
        }
    }

    fn count_traffic(&mut self, site: usize, bytes: usize) {
        self.sites[site].1.traffic_bytes += bytes;
        self.sites[site].1.traffic_blocks += 1;
    }

    fn obtained(&mut self, address: usize, bytes: usize) {
        let site = self.site_now();
        let place = self.place_of(0);
        self.blocks[place] = Block { address, bytes, site };
        self.last_obtained = address;
        self.count_traffic(site, bytes);
        self.live_changed(site, bytes as isize, 1);
    }

    fn resized(&mut self, old_address: usize, address: usize, bytes: usize) {
        let site = self.site_now();
        let place = self.place_of(old_address);
        let origin = self.blocks[place].site;
        let net_bytes = bytes as isize - self.blocks[place].bytes as isize;
        self.blocks[place] = Block { address, bytes, site: origin };
        self.last_obtained = 0;
        self.count_traffic(site, bytes);
        let same = |pair: &Pair| pair.origin == origin && pair.site == site;
        let at = self.pairs[..self.pair_count].iter().position(same).unwrap_or(self.pair_count);
        self.pair_count = self.pair_count.max(at + 1);
        let before = self.pairs[at];
        self.pairs[at] = Pair {
            origin,
            site,
            blocks: before.blocks + 1,
            bytes: before.bytes + bytes,
            net_bytes: before.net_bytes + net_bytes,
        };
        self.live_changed(origin, net_bytes, 0);
    }

    fn given_back(&mut self, address: usize) {
        let place = self.place_of(address);
        let block = self.blocks[place];
        self.blocks[place].address = 0;
        if self.last_obtained == address {
            self.sites[block.site].1.temporary_blocks += 1;
        }
        self.last_obtained = 0;
        self.live_changed(block.site, -(block.bytes as isize), -1);
    }
}

struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let block = System.alloc(layout);
        account().obtained(block as usize, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let block = System.alloc_zeroed(layout);
        account().obtained(block as usize, layout.size());
        block
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        let block = System.realloc(old, layout, bytes);
        account().resized(old as usize, block as usize, bytes);
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        account().given_back(block as usize);
        System.dealloc(block, layout)
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

// ---- Its print.

extern "C" {
    fn write(descriptor: i32, bytes: *const u8, count: usize) -> isize;
    fn _exit(status: i32) -> !;
}

struct Output(i32);

impl Write for Output {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        unsafe { write(self.0, text.as_ptr(), text.len()) };
        Ok(())
    }
}

fn stop(reason: &str) -> ! {
    let _ = writeln!(Output(2), "sites_rust: {reason}");
    unsafe { _exit(2) }
}

fn print_frames(program: &str, v0: bool, chain: &Chain) {
    let mut out = Output(1);
    for frame in chain.frames[..chain.length].iter().rev() {
        let _ = if *frame == LIBRARY {
            write!(out, "\t...|||*|")
        } else {
            let name = if v0 { frame.v0 } else { frame.legacy };
            let inlined = if frame.inlined { "yes" } else { "" };
            write!(out, "\t{name}|sites_rust.rs|{}|{program}|{inlined}", frame.line)
        };
    }
}

fn print(program: &str, v0: bool) {
    let all = account();
    let mut out = Output(1);
    for (chain, n) in &all.sites[..all.site_count] {
        let _ = write!(
            out,
            "site\tprogram\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            n.largest_bytes,
            n.peak_bytes,
            n.peak_blocks,
            n.traffic_bytes,
            n.traffic_blocks,
            n.temporary_blocks,
            n.live_bytes, // what the program obtained itself is retained
            n.live_blocks
        );
        print_frames(program, v0, chain);
        let _ = writeln!(out);
    }
    for pair in &all.pairs[..all.pair_count] {
        let Pair { blocks, bytes, net_bytes, .. } = pair;
        let _ = write!(out, "resize\tprogram\t{blocks}\t{bytes}\t{net_bytes}");
        print_frames(program, v0, &all.sites[pair.origin].0);
        let _ = write!(out, "\t=>");
        print_frames(program, v0, &all.sites[pair.site].0);
        let _ = writeln!(out);
    }
}

// ---- Calls.

macro_rules! here {
    ($legacy:expr, $v0:expr, $inlined:expr, $call:expr) => {{
        account().enter(Frame { legacy: $legacy, v0: $v0, line: line!(), inlined: $inlined });
        let result = $call;
        account().leave();
        result
    }};
    ($name:expr, $call:expr) => {
        here!($name, $name, false, $call)
    };
}

macro_rules! library {
    ($legacy:expr, $v0:expr, $inlined:expr, $call:expr) => {
        here!($legacy, $v0, $inlined, {
            account().enter(LIBRARY);
            let result = $call;
            account().leave();
            result
        })
    };
    ($name:expr, $call:expr) => {
        library!($name, $name, false, $call)
    };
}

trait Named {
    const GROW: &'static str; // of v0; legacy symbols have no types
}
impl Named for u32 {
    const GROW: &'static str = "sites_rust::grow::<u32>";
}
impl Named for (u64, u64) {
    const GROW: &'static str = "sites_rust::grow::<(u64, u64)>";
}

#[inline(never)]
fn boxed(number: u64) -> Box<u64> {
    library!("sites_rust::boxed", Box::new(number))
}

#[inline(never)]
fn grow<T: Named + Default>(count: usize) -> Vec<T> {
    let mut values = Vec::new();
    for _ in 0..count {
        library!("sites_rust::grow", T::GROW, false, values.push(T::default()));
    }
    values
}

#[inline(never)]
fn shrink(values: &mut Vec<u32>) {
    values.truncate(7);
    library!("sites_rust::shrink", values.shrink_to_fit())
}

#[inline(always)]
fn filled(count: usize) -> Vec<u16> {
    library!("filled", "filled", true, vec![7; count])
}

#[inline(never)]
fn two_lines() -> (Vec<u16>, Vec<u16>) {
    let first = here!("sites_rust::two_lines", filled(10));
    let second = here!("sites_rust::two_lines", filled(1000));
    (first, second)
}

// By a pointer that the compiler does not know, so that the closure stays a function.
#[inline(never)]
fn apply<F: Fn(usize) -> Vec<u8>>(v0: &'static str, function: F) -> Vec<u8> {
    let pointer: &dyn Fn(usize) -> Vec<u8> = &function;
    let unknown = unsafe { std::ptr::read_volatile(&pointer) };
    here!("sites_rust::apply", v0, false, unknown(40))
}

const CLOSURE_0: &str = "sites_rust::closures::{closure#0}";
const CLOSURE_1: &str = "sites_rust::closures::{closure#1}";
const APPLY_0: &str = "sites_rust::apply::<sites_rust::closures::{closure#0}>";
const APPLY_1: &str = "sites_rust::apply::<sites_rust::closures::{closure#1}>";

#[inline(never)]
fn closures() -> (Vec<u8>, Vec<u8>) {
    let legacy = "sites_rust::closures::{{closure}}";
    let one = |n| library!(legacy, CLOSURE_0, false, Vec::with_capacity(n + 2));
    let other = |n| library!(legacy, CLOSURE_1, false, vec![0; n * 3]);
    let first = here!("sites_rust::closures", apply(APPLY_0, one));
    let second = here!("sites_rust::closures", apply(APPLY_1, other));
    (first, second)
}

trait Speaks {
    fn speak(&self) -> String;
}
struct Animal(&'static str);

const SPEAK_LEGACY: &str = "<sites_rust::Animal as sites_rust::Speaks>::speak";

impl Speaks for Animal {
    #[inline(never)]
    fn speak(&self) -> String {
        library!(SPEAK_LEGACY, self.0.repeat(3))
    }
}

#[inline(never)]
fn dynamic() -> (Box<dyn Speaks>, String) {
    let animal: Box<dyn Speaks> = library!("sites_rust::dynamic", Box::new(Animal("mew")));
    let text = here!("sites_rust::dynamic", animal.speak());
    (animal, text)
}

#[inline(never)]
fn collections(word: &str) -> impl Debug {
    let shared = library!("sites_rust::collections", Rc::new([1u8; 100]));
    let text = library!("sites_rust::collections", format!("{word} {word}"));
    let list = library!("sites_rust::collections", word.chars().collect::<Vec<char>>());
    let tree = library!("sites_rust::collections", (0..99).collect::<BTreeSet<u16>>());
    (shared, text, list, tree)
}

#[no_mangle]
pub extern "C" fn main(argc: i32, argv: *const *const u8) -> i32 {
    let argument = |n| unsafe {
        let start = *argv.offset(n);
        let length = (0..).find(|&i| *start.offset(i) == 0).unwrap_or(0);
        std::str::from_utf8_unchecked(std::slice::from_raw_parts(start, length as usize))
    };
    if argc != 2 {
        stop("usage: sites_rust legacy|v0");
    }
    let one = here!("main", boxed(1));
    let two = here!("main", boxed(2));
    let mut numbers = here!("main", grow::<u32>(100));
    let pairs = here!("main", grow::<(u64, u64)>(9));
    here!("main", shrink(&mut numbers));
    let same = here!("main", two_lines());
    let closed = here!("main", closures());
    drop(closed);
    let spoken = here!("main", dynamic());
    let many = here!("main", collections("seven"));
    drop(two);
    print(argument(0).rsplit('/').next().unwrap_or(""), argument(1) == "v0");
    std::mem::forget((one, numbers, pairs, same, spoken, many));
    unsafe { _exit(0) }
}
