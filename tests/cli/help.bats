#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# help.bats: help and usage.

load cli

@test "help, --help and -h give the overview" {
   profmem help
   check_status 0
   check_golden help.txt
   profmem --help
   check_status 0
   check_golden help.txt
   profmem -h
   check_golden help.txt
}

# The commands that the overview lists.
commands()
{
   "$PROFMEM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

@test "every command of the overview has help of its own" {
   [ "$(commands | wc -l)" -ge 3 ]
   for command in $(commands); do
      profmem help "$command"
      check_status 0
      check_err ""
      check_golden "help-$command.txt"
      profmem "$command" --help
      check_status 0
      check_golden "help-$command.txt"
      profmem "$command" -h
      check_golden "help-$command.txt"
   done
}

@test "help metrics lists every metric of the table with unit and meaning" {
   profmem help metrics
   check_status 0
   sed -n 's/^PM_METRIC([A-Z_]*, "\([^"]*\)", "\([^"]*\)", .*, "\([^"]*\)")$/\1 \2 \3/p' \
      "$abs_top_srcdir/valgrind-tool/core/pm_metrics.def" >expected
   [ "$(wc -l <expected)" -ge 46 ]
   sed 's/  */ /g' out | diff expected -
}

@test "help on one metric is its line" {
   profmem help metrics
   cp out all
   while read -r metric rest; do
      profmem help "$metric"
      check_status 0
      [ "$(tr -s ' ' <out)" = "$metric $(tr -s ' ' <<<"$rest")" ] || fail "$(cat out)"
   done <all
   profmem help heap.peek
   check_status 2
   check_err "profmem: error: no help on 'heap.peek'; did you mean 'heap.peak'?"
}

@test "--version" {
   profmem --version
   check_status 0
   grep -E -x 'profmem [0-9]+\.[0-9]+\.[0-9]+' out
   profmem -V
   grep -E -x 'profmem [0-9]+\.[0-9]+\.[0-9]+' out
}

# usage MESSAGE ARGS...: status 2, the message first on stderr, nothing on stdout.
usage()
{
   local message=$1
   shift
   profmem "$@"
   check_status 2
   check_out ""
   [ "$(head -n 1 err)" = "$message" ] || fail "$*: $(cat err)"
}

@test "wrong usage is 2 and says what is wrong" {
   usage "Usage: profmem COMMAND [OPTION...] ARGUMENT..."
   usage "profmem: error: no command 'shwo'; did you mean 'show'?" shwo x.xml
   usage "profmem: error: no command 'frobnicate'; \`profmem help\` lists them" frobnicate
   usage "profmem: error: no command ''; \`profmem help\` lists them" ""
   usage "profmem: error: --frob: unknown option" --frob show
   usage "profmem: error: --frob: unknown option" show --frob x.xml
   usage "profmem: error: -z: unknown option" validate -z x.xml
   usage "profmem: error: --metric: missing argument" show --metric
   usage "profmem: error: show takes one report" show
   usage "profmem: error: show takes one report" show a.xml b.xml
   usage "profmem: error: validate takes one report or more" validate
   usage "profmem: error: help takes one topic" help show validate
   usage "profmem: error: no help on 'metric'; did you mean 'metrics'?" help metric
   usage "profmem: error: no help on 'class'; did you mean 'classes'?" help class
   usage "profmem: error: no help on 'everything'" help everything
   profmem show --frob
   grep -x "Try 'profmem help show'." err
}

@test "options end at --" {
   cp "$fixtures/good/good-small.xml" ./--help
   "$PROFMEM" show --metric heap.peak -- --help >out
   check_out 64
}
