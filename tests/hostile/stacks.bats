# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of the program's own, and functions left in unusual ways: coroutines, longjmp,
# exceptions, deep recursion. Expected is the programs' own ledger (hostile_stacks.c,
# hostile_exceptions.cc).
load ../common
load against_none

stacks=$hostile/hostile_stacks
exceptions=$hostile/hostile_exceptions
tasks=(--phase-fn=task_0 --phase-fn=task_1 --phase-fn=task_2 --phase-fn=task_3)

@test "100,000 switches by swapcontext, phases of both kinds open across them" {
   lesson "${tasks[@]}" -- "$stacks" swapcontext
}

@test "100,000 switches by hand, as Boost's contexts do" {
   lesson "${tasks[@]}" -- "$stacks" by-hand
}

@test "100,000 switches inside allocation functions" {
   lesson -- "$stacks" yields-inside
}

@test "10,000 times out of an allocation function by longjmp" {
   lesson -- "$stacks" jumps
}

@test "100,000 frames: back, left by longjmp, and inside an allocation function" {
   lesson --phase-fn=task_of_depth -- "$stacks" deep
}

@test "10,000 exceptions out of operator new, through a phase" {
   lesson --phase-fn=phase_of_exceptions -- "$exceptions" throws
}

@test "a new_handler that gives memory back, so that the call succeeds" {
   lesson -- "$exceptions" handler
}

@test "a new_handler that throws something of its own" {
   lesson -- "$exceptions" handler-throws
}

@test "exceptions of constructors: single, in arrays, aligned, of a class with its own operator new" {
   lesson -- "$exceptions" constructors
}

@test "all forms of operator new that fail, quietly or not" {
   lesson -- "$exceptions" forms
}

@test "exceptions thrown again, kept, and thrown from there" {
   lesson -- "$exceptions" carried
}
