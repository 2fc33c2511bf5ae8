# SPDX-License-Identifier: GPL-2.0-or-later
# Which allocation functions are found, and what is said where none is.
load ../common
load tool

# The expected numbers and names are the program's own: see functions.c.
@test "every allocation function that is known by its name" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/functions" >printed
   sed -n 's/^function //p' printed | sort >expected
   xmllint --xpath '//allocation-function[@calls > 0]/@name' report.xml |
      sed 's/.*"\(.*\)".*/\1/' | sort >called
   diff expected called
   agree printed report.xml
}

# unavailable NAME: bare number asked for, status 1, the reason on standard error.
unavailable()
{
   local status=0
   metric report.xml "$1" >number 2>reason || status=$?
   [ $status -eq 1 ] || fail "$1: status $status, $(cat number)"
   [ ! -s number ]
   grep -q 'no allocation function found' reason || fail "$(cat reason)"
}

@test "no allocation function: heap metrics are unavailable, with the reason" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/conditions"
   local name
   for name in heap.peak heap.exit allocations.count deallocations.count traffic.bytes; do
      unavailable $name
   done
   [ "$(metric report.xml instructions.total)" -gt 10000 ]
   # Nor is there a list of sites that nothing obtained blocks at.
   xmllint --xpath 'string(/profmem/sites/@unavailable)' report.xml |
      grep -q 'no allocation function found'
   [ "$(xmllint --xpath 'count(//phase/sites | //histograms | //timeline)' report.xml)" = 0 ]
   "$PROFMEM" validate report.xml
}

@test "a static program without its symbols: the same" {
   cp "$programs/ledger-static" stripped
   "${PM_BINUTILS}strip" stripped
   profmem_valgrind -q --profmem-out-file=report.xml ./stripped 100 1 1 locked >out
   unavailable heap.peak
   [ "$(metric report.xml mapped.peak)" -gt 0 ]
}

# A zero would say that the allocator ran no instruction and mapped nothing.
@test "no allocation function: the allocator's share is unavailable too" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/conditions"
   local name
   for name in allocator-mapped.entry allocator-mapped.peak allocator-mapped.exit \
      instructions.allocator instructions.program; do
      unavailable $name
   done
}

@test "found and never called: measured zeros" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/unused"
   local name
   for name in heap.peak heap.exit allocations.count deallocations.count instructions.allocator; do
      [ "$(metric report.xml $name)" = 0 ] || fail "$name"
   done
}

@test "a function of the user's own, by --alloc-fn" {
   profmem_valgrind -q --profmem-out-file=report.xml --alloc-fn=malloc:obtain \
      --alloc-fn=free:give_back "$programs/freestanding/own_names" >expected
   agree expected report.xml
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/own_names" >expected
   unavailable heap.peak
}

@test "what is not measured is named, with what to use instead" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/conditions"
   local name
   for name in allocator-overhead resident-memory device-memory; do
      [ -n "$(xmllint --xpath "string(//quantity[@name='$name']/@reason)" report.xml)" ]
      [ -n "$(xmllint --xpath "string(//quantity[@name='$name']/@instead)" report.xml)" ]
   done
}
