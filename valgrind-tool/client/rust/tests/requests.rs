// SPDX-License-Identifier: BSD-2-Clause
//! Every call, right and wrong, under profmem and without: each test asks which it is.
use profmem::{begin, end, is_watching, read, Error, Numbers, Phase};

/// Not inlined: an optimiser that saw all of a block's life could do without it.
#[inline(never)]
fn array_of(byte: u8, bytes: usize) -> Vec<u8> {
    vec![byte; bytes]
}

/// What a call gives that is a mistake: an error if anybody is there to tell.
fn mistake<T>(result: Result<T, Error>, error: Error) {
    match result {
        Ok(_) => assert!(!is_watching()),
        Err(told) => {
            assert!(is_watching());
            assert_eq!(told, error);
        }
    }
}

#[test]
fn begun_twice() {
    let first = Phase::begin("begun twice").unwrap();
    assert_eq!(first.name(), "begun twice");
    mistake(Phase::begin("begun twice"), Error::BegunTwice);
    first.end().unwrap();
    mistake(end("begun twice"), Error::NotOpen);
}

#[test]
fn not_open() {
    mistake(end("never begun"), Error::NotOpen);
    mistake(read("never heard of"), Error::NotOpen);
}

#[test]
fn names() {
    let longest = "é".repeat(127) + "x";
    assert_eq!(longest.len(), 255);
    Phase::begin(&longest).unwrap().end().unwrap();
    mistake(begin(&(longest + "x")), Error::NameTooLong);
    mistake(begin("a\0b"), Error::NameWithZero);
    Phase::begin("").unwrap().end().unwrap();
}

#[test]
fn open_on_two_other_threads() {
    let (go, gone) = (std::sync::Barrier::new(3), std::sync::Barrier::new(3));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let _phase = Phase::begin("elsewhere").unwrap();
                go.wait();
                gone.wait();
            });
        }
        go.wait();
        mistake(end("elsewhere"), Error::Ambiguous);
        gone.wait();
    });
}

#[test]
fn a_guard_that_is_dropped_elsewhere_ends_its_phase() {
    let phase = Phase::begin("sent").unwrap();
    std::thread::spawn(move || drop(phase)).join().unwrap();
    mistake(end("sent"), Error::NotOpen);
}

#[test]
fn a_panic_ends_the_phase() {
    let unwound = std::panic::catch_unwind(|| {
        let _phase = Phase::begin("panic").unwrap();
        std::panic::resume_unwind(Box::new(()));
    });
    assert!(unwound.is_err());
    mistake(end("panic"), Error::NotOpen);
}

/// Other tests' threads allocate meanwhile, so only bounds are known here.
#[test]
fn numbers_are_read_while_the_phase_is_open_and_when_it_has_ended() {
    let mut older = array_of(2, 50_000);
    begin("numbers").unwrap();
    let block = array_of(1, 100_000);
    let open = read("numbers").unwrap();
    drop(block);
    older.truncate(10_000);
    older.shrink_to_fit();
    end("numbers").unwrap();
    let ended = read("numbers").unwrap();
    if !is_watching() {
        assert_eq!(open, Numbers::default());
        assert_eq!(ended, Numbers::default());
        return;
    }
    assert!(open.heap_retained.unwrap() >= 100_000);
    assert!(ended.heap_scratch_peak.unwrap() >= 100_000);
    assert!(ended.heap_peak.unwrap() >= ended.heap_entry.unwrap());
    assert!(ended.heap_resized.unwrap() <= -40_000);
    assert!(ended.reallocations_count.unwrap() >= 1);
    assert!(ended.instructions_total.unwrap() > open.instructions_total.unwrap());
    assert!(ended.instructions_own_thread.unwrap() <= ended.instructions_total.unwrap());
}

#[test]
fn errors_speak() {
    for (error, text) in [
        (
            Error::BegunTwice,
            "the phase is open on this thread already",
        ),
        (Error::Other(77), "profmem refused it, with result 77"),
    ] {
        assert_eq!(Box::<dyn std::error::Error>::from(error).to_string(), text);
    }
}
