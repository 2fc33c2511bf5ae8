# SPDX-License-Identifier: GPL-2.0-or-later
# Signals inside allocation functions, and handlers that allocate, nest and do not return.
# Expected is the programs' own ledger (hostile_signals.c, hostile_libc.c); where each
# signal has landed they have seen from the address that it interrupted.
load ../common
load against_none

signals=$hostile/hostile_signals

@test "10,000 signals inside allocation functions, handlers that allocate" {
   lesson -- "$signals" inside
}

@test "the same on an alternate stack" {
   lesson -- "$signals" alternate
}

# A handler's instructions are the program's, whatever it has interrupted.
@test "what handlers execute inside an allocation function is not the allocator's" {
   local spins total allocator
   for spins in 1001 2001; do
      HOSTILE_SPIN=$spins lesson -- "$signals" inside
      total+=("$(of_phase signals instructions.total)")
      allocator+=("$(of_phase signals instructions.allocator)")
   done
   [ "${allocator[1]}" = "${allocator[0]}" ]
   [ $((total[1] - total[0])) -eq $(($(noted inside) * 2 * 1000)) ]
}

@test "handlers inside the allocation calls of handlers, 4 deep, on both stacks" {
   lesson -- "$signals" nested
}

@test "10,000 handlers that leave allocation functions by siglongjmp" {
   lesson -- "$signals" jumps
   [ "$(noted failed)" -gt 0 ]
}

@test "the same through alternate stacks" {
   lesson -- "$signals" jumps-alternate
}

@test "10,000 faults as the normal way on, half of them inside allocation functions" {
   lesson -- "$signals" faults
}

@test "timers every millisecond" {
   lesson -- "$signals" timers
   [ "$(noted inside)" -gt 0 ]
}

# Their alternate stacks are part of the threads' own: thread-local storage.
@test "threads that send each other signals" {
   lesson -- "$signals" threads
   [ "$(noted inside)" -gt 0 ]
}

@test "10,000 faults inside the C library's malloc and free, handlers with their own allocator" {
   lesson -- "$hostile/hostile_libc" faults
   [ "$(noted inside)" -gt 0 ]
}

@test "the same at any time: a timer every millisecond" {
   lesson -- "$hostile/hostile_libc" timers
   [ "$(noted inside)" -gt 0 ]
}

@test "handlers in threads that have allocated nothing" {
   local options
   for options in '' '--stacks=no --functions=no'; do
      # shellcheck disable=SC2086
      profmem_valgrind -q $options --profmem-out-file=report.xml "$hostile/handlers_first"
      "$PROFMEM" validate report.xml
   done
}
