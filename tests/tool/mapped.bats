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

# What the loader maps is not the program's to know: the difference to a run that
# maps nothing by itself. The program's record, and glibc's own account.
@test "mappings of a program with glibc, and of its malloc" {
   profmem_valgrind -q --profmem-out-file=base.xml "$programs/mapped_libc" 0 >none
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/mapped_libc" 1 >printed
   [ "$(metric base.xml mapped.peak)" -lt 10000000 ]
   local name
   for name in mapped.exit allocator-mapped.exit allocator-mapped.peak mapped.peak; do
      echo "$name=$(($(value printed $name) + $(metric base.xml ${name%.*}.exit)))"
   done >expected
   agree expected report.xml
   [ "$(value printed allocator-mapped.exit)" -gt 1000000 ]
}
