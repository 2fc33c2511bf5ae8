#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# man.bats: the manual pages: they are well formed, and say what the programs do.

load ../common

pages=$abs_top_builddir/docs/man

@test "no page has anything for mandoc or groff to warn of" {
   [ "$(ls "$pages"/*.[15] | wc -l)" -ge 11 ]
   for page in "$pages"/*.[15]; do
      mandoc -Tlint -Wwarning "$page" >said || fail "$page: $(cat said)"
      groff -t -ww -man -Tutf8 "$page" 2>said >/dev/null
      [ ! -s said ] || fail "$page: $(cat said)"
   done
}
