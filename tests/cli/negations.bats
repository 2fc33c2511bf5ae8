#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# negations.bats: no test has a step that cannot fail. The shell ends no test at a command that
# is negated with `!`, so such a line says nothing unless it is the last one of its function or
# says what to do instead.

load cli

# negations FILE...: such lines, as FILE:LINE.
negations()
{
   awk 'FNR == 1 { held = "" }
        held != "" && !/^ *}/ { print held }
        { held = /^ *! / && !/\|\|/ && !/\\$/ ? FILENAME ":" FNR : "" }' "$@"
}

@test "a command that must not succeed says what to do if it does" {
   cd "$abs_top_srcdir"
   found=$(negations tests/*/*.bats tests/*.bash tests/*/*.bash)
   [ -z "$found" ] || fail "these lines cannot fail: $found"
   [ "$(cat tests/*/*.bats | grep -c '^ *! ')" -ge 10 ]
}

@test "such a line would be found" {
   printf 'a()\n{\n   ! true\n   true\n}\n' >bad.bats
   printf 'a()\n{\n   ! true || fail x\n   ! true ||\n      fail x\n   ! true\n}\n' >good.bats
   [ "$(negations good.bats bad.bats good.bats)" = bad.bats:3 ]
}
