#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# streams.bats: output that cannot be written is never taken for a result.

load cli

check_status_only()
{
   [ "$status" -eq "$1" ] || fail "status $status, not $1"
}

@test "a full disk is 2 with a message, for short output and for long" {
   [ -w /dev/full ] || skip "there is no /dev/full"
   for arguments in "show $fixtures/good/good-hello.xml" \
      "show --metric heap.peak $fixtures/good/good-hello.xml" \
      "validate $fixtures/good/good-hello.xml" "validate $fixtures/bad/bad-identity-exit.xml" \
      "help" "--version"; do
      status=0
      # shellcheck disable=SC2086
      "$PROFMEM" $arguments >/dev/full 2>err || status=$?
      check_status_only 2
      check_err "profmem: error: cannot write the output: No space left on device"
   done
}

@test "standard output that is closed is 2 with a message" {
   status=0
   "$PROFMEM" show "$fixtures/good/good-hello.xml" >&- 2>err || status=$?
   check_status_only 2
   check_err "profmem: error: cannot write the output: Bad file descriptor"
}

# 20,000 phases are more than a pipe holds.
large_report()
{
   sed '/<phase /,$d' "$fixtures/good/good-small.xml"
   for i in $(seq 20000); do
      printf '<phase name="p%d" kind="request" instances="1" complete="yes"/>\n' "$i"
   done
   printf '</phases></profmem>\n'
}

@test "a reader that leaves ends the program without a word" {
   large_report >large.xml
   "$PROFMEM" show large.xml 2>err | head -n 1 >out
   check_out "command     ./small"
   check_err ""
}

@test "the same when nobody delivers SIGPIPE: no message, but not a success" {
   large_report >large.xml
   (
      trap '' PIPE
      status=0
      "$PROFMEM" show large.xml 2>err || status=$?
      echo "$status" >status
   ) | head -n 1 >out
   check_out "command     ./small"
   check_err ""
   [ "$(cat status)" -eq 2 ]
}

@test "an error is on stderr even when stdout is closed" {
   status=0
   "$PROFMEM" show nothing.xml >&- 2>err || status=$?
   check_status_only 2
   check_err "profmem: error: nothing.xml: cannot be opened: No such file or directory"
}
