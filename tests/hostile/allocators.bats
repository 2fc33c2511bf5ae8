# SPDX-License-Identifier: GPL-2.0-or-later
# Allocators of many kinds, and what programs do to them. Every program keeps an account
# of its own of what must be reported, and behaves as under --tool=none.
load ../common
load against_none

# of_account PROGRAM LESSON: it has another status if the environment says so.
of_account()
{
   lesson -- "$hostile/$1" "$2"
}

# dies_of LESSON: by glibc's abort, and the report counts the call.
dies_of()
{
   status_wanted=134 of_account allocators "$1"
   [ "$(xmllint --xpath 'string(//run/end/@name)' report.xml)" = SIGABRT ]
}

@test "glibc: every function, sizes that are mapped, blocks used to their end" {
   of_account allocators everything
}

# What glibc says of itself: its heap and the blocks that it maps.
@test "glibc: thresholds, trimming, and what it has from the kernel" {
   of_account allocators tuning
   [ "$(of_phase program allocator-mapped.exit)" = "$(noted allocator-mapped.exit)" ]
   [ "$(of_phase program allocator-mapped.peak)" -ge "$(noted least-peak)" ]
}

@test "glibc: threads with an arena each give back each other's blocks" {
   of_account allocators arenas
}

@test "the break, moved by the program and by glibc" {
   of_account allocators break
   local others=$(($(of_phase program mapped.exit) - $(noted own-exit)))
   [ $others -ge 0 ]
   [ $others -lt 200000 ]
   [ "$(of_phase program mapped.peak)" = $((others + $(noted own-peak))) ]
}

@test "glibc: no block, the inside of one, one twice: it aborts, and the call is counted" {
   dies_of foreign
   dies_of interior
   dies_of double
}

@test "the program's own malloc, in its executable" {
   of_account allocators-own everything
   of_account allocators-own arenas
   # One mapping, made by the first call.
   [ "$(of_phase program allocator-mapped.peak)" = $((1 << 29)) ]
}

@test "the program's own malloc, which bears mistakes" {
   of_account allocators-own mistakes
   [ "$(of_phase mistakes deallocations.unmatched)" -gt 0 ]
}

@test "interposers with headers, one above the other" {
   LD_PRELOAD=$hostile/interposer.so of_account allocators everything
   LD_PRELOAD=$hostile/interposer.so:$hostile/interposer-2.so of_account allocators everything
   LD_PRELOAD=$hostile/interposer.so of_account allocators-own everything
}

# Its functions go to hooks, and the hooks to its functions.
@test "glibc's debugging library: hooks and checks" {
   local library=libc_malloc_debug.so.0 # since glibc 2.34
   LD_PRELOAD=$library of_account allocators everything
   LD_PRELOAD=$library MALLOC_CHECK_=3 of_account allocators everything
   LD_PRELOAD=$library MALLOC_CHECK_=3 dies_of interior
}

@test "jemalloc: mallocx, rallocx, xallocx, sdallocx, dallocx" {
   LD_PRELOAD=libjemalloc.so.2 of_account mallocx random
}

@test "functions of all kinds, made known by --alloc-fn" {
   local options
   mapfile -t options < <("$hostile/own_kinds" options)
   lesson "${options[@]}" -- "$hostile/own_kinds" random
   lesson "${options[@]}" -- "$hostile/own_kinds" overflows
   # Unknown, they are code like any other.
   as_under_none -- "$hostile/own_kinds" random ledger
   [ "$(of_phase program allocations.count)" = 0 ]
}

@test "announced blocks and pools, inside blocks and outside" {
   of_account announced random
}

@test "announced sizes that no address space has room for" {
   of_account announced too-large
}

@test "a garbage collector, known and unknown" {
   lesson --alloc-fn=malloc:GC_malloc --alloc-fn=malloc:GC_malloc_atomic --alloc-fn=free:GC_free \
      -- "$hostile/collected" observed
   [ "$(of_phase collected deallocations.unseen)" -gt 0 ]
   of_account collected unobserved
   [ "$(of_phase program mapped.peak)" -gt 300000 ]
}
