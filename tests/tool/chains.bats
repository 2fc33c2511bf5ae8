# SPDX-License-Identifier: GPL-2.0-or-later
# Call chains that are remembered instead of unwound: the same sites, from the start.
load ../common
load tool

# chains PROGRAM: each site's blocks are as many as the program obtained by it.
chains()
{
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/$1" >/dev/null
   xmllint --xpath '//phase[@name="program"]/sites/site/@traffic-bytes' report.xml |
      tr -dc '0-9\n' | sort -n >bytes
   # The C library's for standard output; by left, right and other; by fixed.
   diff bytes - <<'END_OF_BYTES'
4096
10000
20000
30000
120000
END_OF_BYTES
   # And unwinding them all gives what was remembered.
   profmem_valgrind -q --profmem-out-file=unwound.xml --check-stacks=yes "$programs/$1" >/dev/null
   diff <(xmllint --xpath '//sites' report.xml) <(xmllint --xpath '//sites' unwound.xml)
}

@test "frames of variable length, without frame pointers" {
   chains chains
}

@test "frames of variable length, with frame pointers" {
   chains chains_fp
}

@test "without names, the function that called main is the last" {
   "${PM_BINUTILS}strip" -o stripped "$programs/chains"
   profmem_valgrind -q --profmem-out-file=report.xml --check-stacks=yes ./stripped one two >/dev/null
   local last='//profmem/sites/site/frame[last()]/@function'
   xmllint --xpath "$last" report.xml | sort -u
   [ "$(xmllint --xpath "$last" report.xml | sort -u)" = ' function="(below main)"' ]
   # By fixed, by the others, which look the same now, and the C library's.
   [ "$(xmllint --xpath 'count(//profmem/sites/site)' report.xml)" = 3 ]
}

@test "a stack that the program made ends with its first function" {
   # Not with what its memory held before, that unwinding takes for addresses.
   profmem_valgrind -q --profmem-out-file=report.xml --check-stacks=yes "$programs/contexts"
   local site='//phase[@name="program"]/sites/site'
   xmllint --xpath '//profmem/sites' report.xml
   [ "$(xmllint --xpath "count($site)" report.xml)" = 1 ]
   [ "$(xmllint --xpath "string($site/@traffic-blocks)" report.xml)" = 100 ]
   local frame='//profmem/sites/site/frame'
   [ "$(xmllint --xpath "$frame/@function" report.xml | head -n 2)" = ' function="obtain"
 function="begin"' ]
   [ "$(xmllint --xpath "count(${frame}[@object='???'])" report.xml)" = 0 ]
}

# checked COMMAND...: every remembered chain is unwound again and compared.
checked()
{
   profmem_valgrind -q --profmem-out-file=report.xml --check-stacks=yes "$@"
}

@test "programs of the distribution" {
   large
   [ "$(checked /usr/bin/perl -e 'print scalar map { "$_," x ($_ % 9) } 1 .. 3000')" = 3000 ]
   [ "$(checked /usr/bin/python3 -S -B -c 'print(len({str(i): [i] for i in range(3000)}))')" = 3000 ]
   [ "$(seq 3000 | checked /usr/bin/sed -E '/(.)0\1/!d')" = "$(seq 3000 | sed -E '/(.)0\1/!d')" ]
}
