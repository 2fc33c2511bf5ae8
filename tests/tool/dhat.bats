# SPDX-License-Identifier: GPL-2.0-or-later
# The heap of real programs against DHAT's.
#
# DHAT replaces malloc and counts a block of 0 bytes as 1. The expected numbers are
# its own: Total blocks; Total bytes less one for each zero-size block; At t-gmax,
# where the program has no zero-size block, else as many less at most.
load ../common
load tool
load distribution

setup_file()
{
   make_inputs
}

# dhat_number LINE N: the N-th number of its line.
dhat_number()
{
   sed -n "s/,//g; s/.*$1: *\([0-9]*\) bytes in \([0-9]*\) blocks.*/\\$2/p" dhat.log
}

# heap_equals NAME
heap_equals()
{
   # Valgrind puts the library with DHAT's malloc into LD_PRELOAD, which programs
   # copy to their heap: the other run has as many slashes more.
   local library="$PROFMEM_VALGRIND_LIB/vgpreload_dhat-$PROFMEM_PLATFORM.so:"
   under "$1" dhat "$steady" --dhat-out-file=/dev/null
   under "$1" profmem "${library//?//}$steady" --profmem-out-file="$PWD/report.xml"
   cmp profmem.out dhat.out
   local zeros peak
   zeros=$(metric report.xml allocations.zero-size)
   cat >expected <<END
traffic.blocks=$(dhat_number Total 2)
traffic.bytes=$(($(dhat_number Total 1) - zeros))
deallocations.unmatched=0
deallocations.unseen=0
END
   if [ "$zeros" -eq 0 ]; then
      echo "heap.peak=$(dhat_number 'At t-gmax' 1)" >>expected
      echo "heap.peak-blocks=$(dhat_number 'At t-gmax' 2)" >>expected
   else
      peak=$(metric report.xml heap.peak)
      [ "$peak" -le "$(dhat_number 'At t-gmax' 1)" ]
      [ "$peak" -ge $(($(dhat_number 'At t-gmax' 1) - zeros)) ]
   fi
   agree expected report.xml
}

@test "git" {
   large
   heap_equals git
}

@test "xmllint" {
   large
   heap_equals xmllint
}

@test "perl" {
   large
   heap_equals perl
}

@test "python3" {
   large
   heap_equals python3
}

@test "gcc's cc1" {
   large
   heap_equals cc1
}

@test "sqlite3" {
   large
   heap_equals sqlite3
}

@test "lua" {
   heap_equals lua
}

@test "gold, a C++ program" {
   heap_equals gold
}

@test "a Rust program" {
   requires rust
   heap_equals rust
}

@test "bzip2" {
   heap_equals bzip2
}
