// SPDX-License-Identifier: BSD-2-Clause
//! scratch.rs: a program that knows what one of its phases needs, and checks it.
//!
//! It keeps 4 KiB, and needs 64 KiB more for a while. Under profmem it prints
//!
//!     entry=4096 peak=69632 exit=4096 scratch-peak=65536
//!
//! from what it read back, without what was live before its first own block: the Rust
//! runtime's own. Elsewhere it prints "unavailable".
/// Bytes live now, or `None` outside profmem.
fn live() -> Result<Option<u64>, profmem::Error> {
    profmem::Phase::begin("now")?.end()?;
    Ok(profmem::read("now")?.heap_exit)
}

/// Not inlined: an optimiser that saw all of an array's life could do without it.
#[inline(never)]
fn array_of(byte: u8, bytes: usize) -> Vec<u8> {
    vec![byte; bytes]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = live()?;
    let kept = array_of(3, 4096);
    {
        let _phase = profmem::Phase::begin("scratch")?;
        let _ones = array_of(1, 65536);
    }
    let n = profmem::read("scratch")?;
    let numbers = (n.heap_entry, n.heap_peak, n.heap_exit, n.heap_scratch_peak);
    match (runtime, numbers) {
        (Some(runtime), (Some(entry), Some(peak), Some(exit), Some(scratch_peak))) => {
            println!(
                "entry={} peak={} exit={} scratch-peak={scratch_peak}",
                entry - runtime,
                peak - runtime,
                exit - runtime,
            );
            assert!(peak - entry <= 65536);
        }
        _ => println!("unavailable"),
    }
    drop(kept);
    Ok(())
}
