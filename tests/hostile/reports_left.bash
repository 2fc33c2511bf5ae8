# SPDX-License-Identifier: GPL-2.0-or-later
# reports_left.bash: several reports of a run, and the accounts of those who wrote them.
#
#   load against_none
#   load reports_left

# sized NUMBER [LEAST]: so many operations of a full size of NUMBER are made.
sized()
{
   local number=$(($1 * ${PM_SIZE_PERCENT:-100} / 100)) least=${2-1}
   echo $((number > least ? number : least))
}

# expect REPORT FILE...: each report says what its FILE wants (../phases/expect.py), and
# nothing in it contradicts itself.
expect()
{
   local pairs=("$@") reports=() r
   for ((r = 0; r < $#; r += 2)); do
      reports+=("${pairs[r]}")
   done
   python3 "$abs_top_srcdir/tests/phases/expect.py" "$@" && "$PROFMEM" validate "${reports[@]}"
}

# expect_all COUNT: there are so many accounts, "expected" and those with a number behind
# it, and for each a report that says so, and no other report.
expect_all()
{
   local account names=() pairs=()
   for account in expected*; do
      names+=("report.xml${account#expected}")
      pairs+=("${names[-1]}" "$account")
   done
   expect "${pairs[@]}" >valid || fail "wrong: $(grep -v ': valid$' valid)"
   [ ${#names[@]} -eq "$1" ] || fail "${#names[@]} accounts, not $1"
   only_reports "${names[@]}"
}

# only_reports NAME...: there are no others, nor what became of one half written.
only_reports()
{
   local there
   there=$(find . -maxdepth 1 \( -name 'report.xml*' -o -name '.profmem*' -o -name 'profmem.out*' \) \
      -printf '%f\n' | sort)
   [ "$there" = "$(printf '%s\n' "$@" | sort)" ] || fail "reports: $there"
}

# end_of REPORT: how it says that the process ended: "exit 0", "signal 6", "exec".
end_of()
{
   xmllint --xpath 'normalize-space(concat(//run/end/@kind, " ", //run/end/@status, //run/end/@signal))' "$1"
}
