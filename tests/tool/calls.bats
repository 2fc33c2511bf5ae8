# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of allocation functions that do not begin and return one inside the other.
#
# The expected numbers are the programs' own.
load ../common
load tool

@test "calls that are left by a jump have failed, and end there" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/abandon" >expected
   agree expected report.xml
   steps "$programs/freestanding/abandon" >counted
   agree counted report.xml instructions.total
   [ "$(metric report.xml instructions.allocator)" -lt $(($(metric report.xml instructions.total) / 2)) ]
}

# coroutines_on STACKS
coroutines_on()
{
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/coroutines" "$1" >expected
   agree expected report.xml
}

@test "calls under way on several stacks at once: mappings" {
   coroutines_on mapped
}

@test "calls under way on several stacks at once: blocks" {
   coroutines_on blocks
}

@test "calls under way on several stacks at once: registered" {
   coroutines_on registered
}
