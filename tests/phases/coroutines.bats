# SPDX-License-Identifier: GPL-2.0-or-later
# Functions as phases on stacks that take turns: swapcontext in the middle of them.
# What is expected is the program's own account of what it does (coroutines.c).
load ../common
load phases

# lesson NAME KIND PATTERN...
lesson()
{
   local name=$1 kind=$2
   shift 2
   measured "${@/#/--phase-fn=}" "$phases/coroutines" "$name" "$kind"
}

@test "two functions under way on two stacks, and one on main's" {
   local kind
   for kind in blocks mapped guarded registered; do
      lesson turns $kind task_main task_a task_b
   done
}

@test "left by longjmp on a stack of their own" {
   local kind
   for kind in blocks mapped guarded registered; do
      lesson jumps $kind leaves
   done
}

@test "given up in the middle: over when the stack's memory is given back" {
   local kind
   for kind in blocks mapped guarded; do
      lesson abandoned $kind unfinished
   done
}

@test "given up in the middle, and the stack used again" {
   requires fresh-coroutines
   local kind
   for kind in blocks mapped guarded registered; do
      lesson reused $kind unfinished
   done
}

@test "a phase by request begins on one stack and ends on another" {
   measured "$phases/coroutines" requests blocks
}
