# SPDX-License-Identifier: GPL-2.0-or-later
# Locked instructions that have to be tried again, because another process was in between.
load ../common
load ../tool/tool

program=$abs_top_builddir/tests/accuracy/shared_word

# instructions REPORT PHASE
instructions()
{
   "$PROFMEM" show --metric instructions.total --phase "$2" "$1"
}

# On one processor it is seldom tried again; then there is little to be seen, and nothing
# to be wrong.
@test "a locked instruction counts once, however often it is tried" {
   [ -x "$program" ] || skip "written for amd64"
   local additions report
   additions=$(sized 20000000)
   profmem_valgrind -q --profmem-out-file=report.xml "$program" "$additions" >word
   [ "$(cat word)" -eq $((2 * (additions + 1))) ]
   for report in report.xml report.xml.1; do
      [ $(($(instructions $report many) - $(instructions $report one))) -eq \
         $((3 * (additions - 1))) ] || fail "$report: $(instructions $report many) instructions"
   done
}
