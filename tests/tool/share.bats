# SPDX-License-Identifier: GPL-2.0-or-later
# The allocator's share of the instructions, on an allocator of the test's own.
#
# The expected numbers are the program's: calls times the known number of
# instructions of each (own_allocator.S, share.c).
load ../common
load tool

# share_of ARGUMENTS...
share_of()
{
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/share" "$@" >expected
   agree expected report.xml
}

@test "one thread" {
   share_of
   steps "$programs/freestanding/share" >counted
   agree counted report.xml instructions.total
}

@test "four threads more, that run in the middle of each other's calls" {
   share_of four
}

@test "program and allocator are the total" {
   share_of four
   [ $(($(metric report.xml instructions.program) + $(metric report.xml instructions.allocator))) \
      -eq "$(metric report.xml instructions.total)" ]
}
