# SPDX-License-Identifier: GPL-2.0-or-later
# Who obtained what, against the program's own account: sites told apart by one thing each,
# and random ones. sites/sites_ledger.h has the method.
load ../common
load tool
load sites

# Static programs prepare the loader's functions before main, with blocks of their own.
before_main='*(below main):*'
# The C library obtains a vector for each thread.
for_threads='*:ld-linux* < pthread_create*main:*'

@test "by line, recursion, object, file and who resizes" {
   sites_agree "$sites/sites_fixed"
   # The names that differ by the object alone were there to be confused.
   [ "$(frames report.xml twin | grep -c 'function="twin"')" = 3 ]
   [ "$(frames report.xml twin | grep -o 'object="[^"]*"' | sort -u | tr '\n' ' ')" = \
      'object="libtwin_a.so" object="libtwin_b.so" object="sites_fixed" ' ]
}

@test "by who gives back" {
   releases=yes sites_agree --free-stacks=yes "$sites/sites_fixed"
   others=$before_main releases=yes sites_agree --free-stacks=yes "$sites/sites_fixed-static"
   releases=yes sites_agree --free-stacks=yes --check-stacks=yes "$sites/sites_random" \
      "$(sized 20000 400)" 1 1
}

@test "by who gives back, among several threads" {
   others=$for_threads releases=yes \
      sites_agree --free-stacks=yes "$sites/sites_random" "$(sized 20000 400)" 2 4
}

@test "the same without optimisation" {
   sites_agree "$sites/sites_fixed-O0"
}

@test "the same by another compiler" {
   sites_agree "$sites/sites_fixed-clang"
}

@test "the same at fixed addresses" {
   sites_agree "$sites/sites_fixed-nopie"
}

@test "the same in static programs, with glibc and with musl" {
   others=$before_main sites_agree "$sites/sites_fixed-static"
   sites_agree "$sites/sites_fixed-musl"
}

# named_frames PROGRAM: function, file and line of each site's first frame.
named_frames()
{
   profmem_valgrind -q --profmem-out-file=report.xml "$1"
   local file='( file="([^"]*)" line="([^"]*)")?'
   xmllint --xpath '/profmem/sites/site/frame[1]' report.xml |
      sed -E "s/.*function=\"([^\"]*)\"$file object=\"([^\"]*)\".*/\\1|\\3|\\4|\\5/"
}

@test "names of files and objects that look like something else" {
   cp "$sites/sites_files" 'files (in (x:1)'
   diff <(named_frames './files (in (x:1)') - <<'END'
address|0x1234: plain (in other.c:1).c|17|files (in (x:1)
always|pair (of) inlined ones.c|18|files (in (x:1)
closed|one of).c|16|files (in (x:1)
colon|12:13.c|12|files (in (x:1)
in|in a file.c|14|files (in (x:1)
opened|one (of.c|15|files (in (x:1)
paired|pair (of) them.c|11|files (in (x:1)
END
   "${PM_BINUTILS}strip" --strip-debug 'files (in (x:1)'
   diff <(named_frames './files (in (x:1)') - <<'END'
address|||files (in (x:1)
closed|||files (in (x:1)
colon|||files (in (x:1)
in|||files (in (x:1)
inlined|||files (in (x:1)
opened|||files (in (x:1)
paired|||files (in (x:1)
END
}

# inlined_frames DEPTH: the frames of the block of sites_inlined-DEPTH, outermost last.
inlined_frames()
{
   profmem_valgrind -q --profmem-out-file=report.xml "$sites/sites_inlined-$1"
   frames report.xml main | sed -E 's/.*function="([^"]*)".* object="[^"]*"( inlined="yes")?.*/\1\2/'
}

@test "more inlined calls than there is room for" {
   inlined_frames 100 >shown
   diff <(tail -n 2 shown) - <<<$'outermost(unsigned long)\nmain'
   [ "$(grep -c ' inlined="yes"' shown)" = 100 ]
   # The innermost ones and the function in which they are.
   inlined_frames 300 >shown
   diff <(tail -n 2 shown) - <<<$'outermost(unsigned long)\nmain'
   [ "$(grep -c ' inlined="yes"' shown)" = 255 ]
}

@test "chains shorter and longer than --num-callers" {
   local callers
   for callers in $(printf '%s\n' 3 40 2 11 13 | head -n "$(sized 5 2)"); do
      sites_agree --num-callers=$callers "$sites/sites_fixed" depth=$callers
   done
}

@test "without debug information: functions and objects" {
   local file
   for file in sites_fixed sites_fixed-static libtwin_a.so libtwin_b.so; do
      "${PM_BINUTILS}strip" --strip-debug -o $file "$sites/$file"
   done
   sites_agree ./sites_fixed frames=functions
   [ "$(xmllint --xpath 'count(//frame[@file])' report.xml)" = 0 ]
   others=$before_main sites_agree ./sites_fixed-static frames=functions
}

@test "without names: objects" {
   requires libc-names
   "${PM_BINUTILS}strip" -o sites_fixed "$sites/sites_fixed-whole"
   sites_agree ./sites_fixed frames=none
   sites_agree --num-callers=3 ./sites_fixed frames=none depth=3
}

@test "libraries that are gone, and others at the same addresses" {
   others='*:ld-linux*' sites_agree "$sites/sites_load" "$sites"
   others='*:ld-linux*' releases=yes \
      sites_agree --free-stacks=yes --check-stacks=yes "$sites/sites_load" "$sites"
   # Each function once for its line, however often its library was loaded.
   [ "$(frames report.xml obtain_b | grep -c 'function="plugin_run"')" = 2 ]
}

@test "many sites, and a heap that rises in teeth" {
   # Its pictures are what it says: copied at each new maximum, they are the same.
   natively "$sites/sawtooth" 100 3000 check >checked
   natively "$sites/sawtooth" 100 3000 account | diff checked -
   large
   sources=bench/programs sites_agree "$sites/sawtooth" 5000 50000 account
   [ "$(grep -c '^site.first' account)" = 5000 ]
   # Sites of which nothing is new in a phase are there, for their blocks at its peak.
   sources=bench/programs sites_agree "$sites/sawtooth" 3000 500 account
}

@test "random calls at random places, in phases that repeat and nest" {
   local seed
   for seed in $(seq 1 "$(sized 6)"); do
      sites_agree "$sites/sites_random" "$(sized 12000 400)" $seed 1
   done
   sites_agree "$sites/sites_random" "$(sized 60000 400)" 7 1
   sites_agree --num-callers=4 "$sites/sites_random" "$(sized 20000 400)" 8 1 depth=4
}

@test "random calls by several threads" {
   others=$for_threads sites_agree "$sites/sites_random" "$(sized 40000 400)" 9 4
   others=$for_threads sites_agree --check-stacks=yes "$sites/sites_random" \
      "$(sized 20000 400)" 10 3
}

# libc_inlined OPTION...: how many inlined frames of the C library a program's chains have.
libc_inlined()
{
   profmem_valgrind -q "$@" --profmem-out-file=report.xml "$(of_root /usr/bin/sort)" /dev/null
   xmllint --xpath 'count(//frame[@object="libc.so.6"][@inlined="yes"])' report.xml
}

@test "what the C library inlined into itself is read where it is asked for" {
   [ "$(libc_inlined)" = 0 ]
   [ "$(libc_inlined --read-inline-info=no)" = 0 ]
   libc_file=$(xmllint --xpath 'string(//frame[@object="libc.so.6"][@file]/@file)' report.xml)
   # What the program inlined is read all the same.
   inlined_frames 100 >shown
   [ "$(grep -c ' inlined="yes"' shown)" = 100 ]
   profmem_valgrind -q --read-inline-info=no --profmem-out-file=report.xml \
      "$sites/sites_inlined-100"
   [ "$(xmllint --xpath 'count(//frame[@inlined])' report.xml)" = 0 ]
   # Where its debug information is not installed there is nothing to read.
   [ -n "$libc_file" ] || skip 'the C library has no debug information'
   [ "$(libc_inlined --read-inline-info=yes)" -gt 0 ]
}
