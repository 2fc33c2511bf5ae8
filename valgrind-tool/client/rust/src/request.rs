// SPDX-License-Identifier: BSD-2-Clause
//! The request itself: the sequence of instructions that Valgrind recognises, as in
//! profmem.h, which lists the requests, their arguments and their results.

pub enum Request {
    Watching = 0x504d_0000,
    Begin = 0x504d_0001,
    End = 0x504d_0002,
    Read = 0x504d_0003,
}

/// Makes a request. `numbers` is null, or where `Request::Read` writes that many bytes.
/// Without profmem the result is 0.
#[inline(always)]
pub fn make(request: Request, name: &str, numbers: *mut u8, numbers_bytes: usize) -> u32 {
    let arguments: [usize; 6] = [
        request as usize,
        name.as_ptr() as usize,
        name.len(),
        numbers as usize,
        numbers_bytes,
        0,
    ];
    sequence(&arguments) as u32
}

#[cfg(all(
    target_os = "linux",
    target_arch = "x86_64",
    target_pointer_width = "64",
    not(miri)
))]
#[inline(always)]
fn sequence(arguments: &[usize; 6]) -> usize {
    let mut result = 0;
    // SAFETY: four rotations of a register by 128 bits in all, and an exchange of a
    // register with itself, change nothing but flags. Under profmem the result is written,
    // and the memory that the arguments name, which is why `nomem` is not among the options.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            inout("rdx") result,
            in("rax") arguments.as_ptr(),
            options(nostack),
        );
    }
    result
}

#[cfg(all(
    target_os = "linux",
    target_arch = "aarch64",
    target_endian = "little",
    target_pointer_width = "64",
    not(miri)
))]
#[inline(always)]
fn sequence(arguments: &[usize; 6]) -> usize {
    let mut result = 0;
    // SAFETY: four rotations of a register by 128 bits in all, and a register's "or" with
    // itself, change nothing. As above under profmem.
    unsafe {
        std::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            inout("x3") result,
            in("x4") arguments.as_ptr(),
            options(nostack, preserves_flags),
        );
    }
    result
}

#[cfg(not(any(
    all(
        target_os = "linux",
        target_arch = "x86_64",
        target_pointer_width = "64",
        not(miri)
    ),
    all(
        target_os = "linux",
        target_arch = "aarch64",
        target_endian = "little",
        target_pointer_width = "64",
        not(miri)
    )
)))]
#[inline(always)]
fn sequence(_arguments: &[usize; 6]) -> usize {
    0
}
