# SPDX-License-Identifier: GPL-2.0-or-later
# Memory mapped directly, and blocks announced by requests.
#
# The expected numbers are the programs': each keeps a record of its own calls.
load ../common
load tool

@test "mmap, munmap, mremap, MAP_FIXED and brk, by the program and by its allocator" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/mapped" >expected
   agree expected report.xml
   [ "$(metric report.xml mapped.entry)" -eq 0 ]
   [ "$(metric report.xml allocator-mapped.entry)" -eq 0 ]
}

@test "announced blocks: of pools inside malloc's blocks, ordinary ones elsewhere" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/pools" >expected
   agree expected report.xml
   "$PROFMEM" validate report.xml
}
