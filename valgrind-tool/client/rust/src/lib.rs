// SPDX-License-Identifier: BSD-2-Clause
// Copyright (C) 2026 the profmem authors
//! Declare phases of a program to profmem, and read their numbers.
//!
//! `valgrind --tool=profmem ./program` measures the requested heap and the instructions
//! of a program, for each phase that the program declares:
//!
//! ```
//! # fn parse() {}
//! # fn main() -> Result<(), profmem::Error> {
//! {
//!     let _parsing = profmem::Phase::begin("parse")?;
//!     parse();
//! } // the phase ends where the guard is dropped
//!
//! let numbers = profmem::read("parse")?;
//! if let Some(scratch_peak) = numbers.heap_scratch_peak {
//!     assert!(scratch_peak <= 65536);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A name has at most 255 bytes, none of them zero. It is copied: the memory may be reused. Phases may nest,
//! overlap and repeat, on any thread.
//!
//! # Outside profmem
//!
//! A call is a handful of instructions that do nothing, so it can stay in the program;
//! other Valgrind tools ignore it. Nothing is an error then, and every number is `None`.
//! So it is on platforms other than Linux on x86-64 and aarch64, too.
//!
//! # Mistakes
//!
//! A mistake, such as ending a phase that is not open, is an [`Error`] here and an error in
//! the report; it stops nothing. A program that must do under profmem what it does without
//! ignores it (`let _parsing = Phase::begin("parse");` holds the guard, or the error) and
//! leaves it to the report.
#![warn(missing_docs)]

mod request;

use request::Request;
use std::fmt;
use std::marker::PhantomData;
use std::mem::size_of;

/// True if the program runs under profmem.
#[inline]
#[must_use]
pub fn is_watching() -> bool {
    request::make(Request::Watching, "", std::ptr::null_mut(), 0) == 1
}

/// What was wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// The phase is open on this thread; the begin was ignored.
    BegunTwice,
    /// There is nothing to end, or nothing to read yet.
    NotOpen,
    /// The phase is open on several other threads; none was ended.
    Ambiguous,
    /// The name has more than 255 bytes.
    NameTooLong,
    /// The name has a zero byte in it.
    NameWithZero,
    /// profmem has no memory left.
    NoMemory,
    /// A result that this version of the crate does not know.
    Other(u32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BegunTwice => f.write_str("the phase is open on this thread already"),
            Error::NotOpen => f.write_str("the phase is not open"),
            Error::Ambiguous => f.write_str("the phase is open on several other threads"),
            Error::NameTooLong => f.write_str("the phase's name has more than 255 bytes"),
            Error::NameWithZero => f.write_str("the phase's name has a zero byte in it"),
            Error::NoMemory => f.write_str("profmem has no memory left"),
            Error::Other(result) => write!(f, "profmem refused it, with result {result}"),
        }
    }
}

impl std::error::Error for Error {}

/// A request's result: `Ok` says whether profmem watches.
#[inline]
fn check(result: u32) -> Result<bool, Error> {
    match result {
        0 => Ok(false),
        1 => Ok(true),
        2 => Err(Error::BegunTwice),
        3 => Err(Error::NotOpen),
        4 => Err(Error::Ambiguous),
        5 => Err(Error::NameTooLong),
        6 => Err(Error::NameWithZero),
        8 => Err(Error::NoMemory),
        other => Err(Error::Other(other)),
    }
}

/// A phase that is open until this guard is dropped.
///
/// Take care to give the guard a name: `let _ = Phase::begin("parse")` drops it at once.
/// A guard that is sent to another thread ends its phase there, which is allowed; the
/// report tells it.
#[derive(Debug)]
#[must_use = "the phase ends where its guard is dropped"]
pub struct Phase<'name> {
    name: &'name str,
}

impl<'name> Phase<'name> {
    /// Begins a phase.
    ///
    /// # Errors
    ///
    /// Under profmem only: [`Error::BegunTwice`], [`Error::NameTooLong`],
    /// [`Error::NameWithZero`] and [`Error::NoMemory`]. The phase is as it was before.
    #[inline]
    pub fn begin(name: &'name str) -> Result<Phase<'name>, Error> {
        begin(name)?;
        Ok(Phase { name })
    }

    /// Ends the phase, as dropping it does, and says what came of it.
    ///
    /// # Errors
    ///
    /// Under profmem only: [`Error::NotOpen`] if somebody else has ended it, and
    /// [`Error::Ambiguous`] if it was open elsewhere besides.
    #[inline]
    pub fn end(self) -> Result<(), Error> {
        let name = self.name;
        std::mem::forget(self);
        end(name)
    }

    /// The name that it was begun with.
    #[must_use]
    pub fn name(&self) -> &'name str {
        self.name
    }
}

impl Drop for Phase<'_> {
    #[inline]
    fn drop(&mut self) {
        // The report has the error, if it is one.
        let _ = end(self.name);
    }
}

/// Begins a phase that [`end`] ends, for where a guard does not fit.
///
/// # Errors
///
/// Those of [`Phase::begin`].
#[inline]
pub fn begin(name: &str) -> Result<(), Error> {
    check(request::make(Request::Begin, name, std::ptr::null_mut(), 0)).map(drop)
}

/// Ends a phase: the one of this thread, or else the only one that is open.
///
/// # Errors
///
/// Under profmem only: [`Error::NotOpen`] and [`Error::Ambiguous`], and those that a name
/// can be at begin.
#[inline]
pub fn end(name: &str) -> Result<(), Error> {
    check(request::make(Request::End, name, std::ptr::null_mut(), 0)).map(drop)
}

/// The numbers of the phase's instance that is open, on this thread before others, or else
/// of the one that ended last. Outside profmem all of them are `None`.
///
/// # Errors
///
/// Under profmem only: [`Error::NotOpen`] if the phase has not been begun yet.
pub fn read(name: &str) -> Result<Numbers, Error> {
    let mut raw = RawNumbers::default();
    let numbers: *mut RawNumbers = &mut raw;
    check(request::make(
        Request::Read,
        name,
        numbers.cast(),
        size_of::<RawNumbers>(),
    ))?;
    Ok(Numbers::from(&raw))
}

/// `struct profmem_value` of profmem.h, and what its value is here.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct RawValue<T> {
    value: u64,
    available: u64,
    number: PhantomData<T>,
}

trait Number: Sized {
    fn from_value(value: u64) -> Self;
}

impl Number for u64 {
    fn from_value(value: u64) -> u64 {
        value
    }
}

impl Number for i64 {
    /// From two's complement.
    fn from_value(value: u64) -> i64 {
        i64::from_ne_bytes(value.to_ne_bytes())
    }
}

impl<T: Number> RawValue<T> {
    fn get(&self) -> Option<T> {
        (self.available == 1).then(|| T::from_value(self.value))
    }
}

/// The struct of profmem.h, and the one that it is turned into, from one list.
macro_rules! numbers {
    ($($(#[$doc:meta])* $member:ident: $number:ty,)*) => {
        /// `struct profmem_numbers` of profmem.h.
        #[repr(C)]
        #[derive(Default)]
        struct RawNumbers {
            $($member: RawValue<$number>,)*
        }

        /// The numbers of a phase; `None` is unavailable.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Numbers {
            $($(#[$doc])* pub $member: Option<$number>,)*
        }

        impl From<&RawNumbers> for Numbers {
            fn from(raw: &RawNumbers) -> Numbers {
                Numbers { $($member: raw.$member.get(),)* }
            }
        }
    };
}

numbers! {
    /// Bytes live at begin.
    heap_entry: u64,
    /// Blocks live at begin.
    heap_entry_blocks: u64,
    /// Most bytes live at once.
    heap_peak: u64,
    /// Blocks live when `heap_peak` was first reached.
    heap_peak_blocks: u64,
    /// Bytes live at end, or now.
    heap_exit: u64,
    /// Blocks live at end, or now.
    heap_exit_blocks: u64,
    /// `heap_peak` - `heap_entry`, in bytes.
    heap_growth: u64,
    /// Bytes that the phase itself needed at once.
    heap_scratch_peak: u64,
    /// Bytes live at end, or now, in blocks obtained inside.
    heap_retained: u64,
    /// Bytes given back in blocks obtained before.
    heap_released: u64,
    /// Net change, in bytes, of blocks obtained before.
    heap_resized: i64,
    /// Blocks obtained.
    allocations_count: u64,
    /// Bytes obtained.
    allocations_bytes: u64,
    /// Allocations that failed.
    allocations_failed: u64,
    /// Blocks given back by the next heap event of the thread that obtained them.
    allocations_temporary: u64,
    /// Resizes.
    reallocations_count: u64,
    /// The new sizes of resizes, in bytes.
    reallocations_bytes: u64,
    /// Blocks given back.
    deallocations_count: u64,
    /// Bytes given back.
    deallocations_bytes: u64,
    /// Deallocations of an address at which no block was.
    deallocations_unmatched: u64,
    /// Allocations and resizes.
    traffic_blocks: u64,
    /// `allocations_bytes` + `reallocations_bytes`.
    traffic_bytes: u64,
    /// Most bytes of address range mapped at once by the program itself.
    mapped_peak: u64,
    /// Most bytes of address range mapped at once by allocation functions.
    allocator_mapped_peak: u64,
    /// Instructions of all threads.
    instructions_total: u64,
    /// Instructions of allocation functions.
    instructions_allocator: u64,
    /// `instructions_total` - `instructions_allocator`.
    instructions_program: u64,
    /// Instructions of the thread that began the phase.
    instructions_own_thread: u64,
    /// System calls.
    syscalls_count: u64,
}
