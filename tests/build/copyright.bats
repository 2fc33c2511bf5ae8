# SPDX-License-Identifier: GPL-2.0-or-later
# Licences are said once: the first lines of each file, debian/copyright and the licence files
# that are installed agree.
load ../common

@test "debian/copyright says of every file what its first lines say" {
   /usr/bin/python3 -B "$abs_top_srcdir/tests/build/copyright_agrees.py" "$abs_top_srcdir" >said || fail "$(cat said)"
   cat said
   # Both licences were met, on many files.
   [ "$(sed -n 's/^GPL-2.0-or-later //p' said)" -gt 100 ]
   [ "$(sed -n 's/^BSD-2-Clause //p' said)" -gt 5 ]
}

@test "what becomes part of other programs has the licence in it, in the same words" {
   # words FILE: from the conditions on, without the marks of comments
   words()
   {
      sed -n '/Redistribution and use in source/,/POSSIBILITY OF SUCH DAMAGE/p' "$1" |
         sed 's/^ *\*\? *//; s/^\.$//' | tr -s ' \n' '\n' | sed '/^$/d; s/HOLDERS\?$/HOLDER/'
   }
   words "$abs_top_srcdir/valgrind-tool/client/LICENSE" >licence
   [ "$(wc -l <licence)" -gt 150 ]
   words "$abs_top_srcdir/valgrind-tool/client/profmem.h" | diff licence -
   words "$abs_top_srcdir/debian/copyright" | diff licence -
}
