# SPDX-License-Identifier: GPL-2.0-or-later
# Forks, images and ends: every process that reports has the numbers of its own account
# (lives.c), and none of them behaves otherwise than under --tool=none.
load ../common
load against_none
load reports_left

lives=$hostile/lives

# As as_under_none, with images of an exec under Valgrind, too.
traced()
{
   local core_options=(--trace-children=yes)
   as_under_none "$@"
}

@test "forks: parent, children and their children have a heap each" {
   local count number
   count=$(sized 100 10)
   as_under_none -- "$lives" forks "$count"
   expect_all $((1 + count + (count + 5) / 10))
   # What the parent executed before is no child's.
   for ((number = 1; number <= count; number++)); do
      [ "$(of_phase program instructions.total report.xml.$number)" -lt 5000000 ] || fail "child $number"
      [ "$(end_of report.xml.$number)" = "exit $((number % 100))" ] || fail "child $number"
   done
   [ "$(of_phase program instructions.total report.xml)" -gt 15000000 ]
}

@test "vfork" {
   local count number
   count=$(sized 20 2)
   as_under_none -- "$lives" vforks "$count"
   expect_all $((count + 1))
   for ((number = 1; number <= count; number++)); do
      [ "$(of_phase program instructions.total report.xml.$number)" -lt 5000 ] || fail "child $number"
   done
}

# The instructions of fork_steps.S, counted by hand.
@test "a child's instructions begin behind the fork" {
   local child parent
   case $PROFMEM_PLATFORM in
   amd64-linux) child=4006 parent=2029 ;;
   arm64-linux) child=4005 parent=2032 ;;
   *) skip 'a program in assembler, for amd64 and arm64' ;;
   esac
   as_under_none -- "$hostile/fork_steps"
   [ "$(of_phase program instructions.total report.xml)" = $parent ]
   [ "$(of_phase program instructions.total report.xml.1)" = $child ]
   [ "$(of_phase program instructions.total report.xml.2)" = $child ]
}

@test "forks in a thread, while others allocate" {
   local count
   count=$(sized 10 2)
   as_under_none -- "$lives" thread-forks "$count"
   expect_all $((count + 1))
}

@test "images by posix_spawn and system" {
   local count
   count=$(sized 6 3)
   traced -- "$lives" spawns "$count"
   expect_all $((count + 1))
   rm expected*
   # Untraced images report nothing; the others as before.
   as_under_none -- "$lives" spawns "$count"
   rm expected.*.1
   expect_all $(((count + 1) / 3 + 1))
}

# Files that an exec fails of, each at another stage.
no_programs()
{
   echo text >not-executable
   printf '\177ELF and nothing that belongs to it' >no-program
   chmod +x no-program
}

@test "an image after the other, after execs that fail" {
   no_programs
   traced -- "$lives" chain 5
   expect_all 6
   [ "$(end_of report.xml)" = exec ]
   [ "$(end_of report.xml.1.1.1.1)" = exec ] || fail "$(end_of report.xml.1.1.1.1)"
   [ "$(end_of report.xml.1.1.1.1.1)" = "exit 0" ]
}

@test "an image after the other, untraced: the first one's part is reported" {
   no_programs
   as_under_none -- "$lives" chain 2
   rm expected.1*
   expect_all 1
   [ "$(end_of report.xml)" = exec ]
}

@test "images of forked children, by --report-children" {
   local how
   for how in exec all no; do
      rm -f report.xml*
      profmem_valgrind -q --profmem-out-file=report.xml --trace-children=yes \
         --report-children=$how sh -c "'$lives' image expected; '$lives' image expected; exit 3" ||
         [ $? -eq 3 ]
      case $how in
      exec) only_reports report.xml report.xml.1.1 report.xml.2.1 ;;
      all) only_reports report.xml report.xml.1 report.xml.1.1 report.xml.2 report.xml.2.1 ;;
      no) only_reports report.xml ;;
      esac
      [ $how = no ] || expect report.xml.2.1 expected
      [ $how != all ] || [ "$(end_of report.xml.1)" = exec ]
   done
}

@test "an exec by a thread, while others allocate" {
   no_programs
   traced -- "$lives" thread-exec
   expect_all 2
   as_under_none -- "$lives" thread-exec
   [ "$(end_of report.xml)" = exec ]
}

# appears FILE: that it does, within ten seconds.
appears()
{
   local tries
   for ((tries = 0; tries < 200; tries++)); do
      [ ! -e "$1" ] || return 0
      sleep 0.05
   done
   fail "there is no $1"
}

@test "a daemon" {
   as_under_none -- "$lives" daemon
   appears report.xml.1.1
   expect_all 3
   [ "$(end_of report.xml.1.1)" = "exit 0" ] || fail "$(end_of report.xml.1.1)"
}

@test "a shell script and its hundred children" {
   local count number
   count=$(sized 100 10)
   cat >script <<'END'
i=0
while [ $((i += 1)) -le "$1" ]; do
   (x=$(expr $i + 1); exit $((i % 50)))
   echo "$i: $?"
done
END
   as_under_none -- sh script "$count"
   # A subshell for each, which has one in turn, that ends in an exec.
   only_reports report.xml $(seq -f report.xml.%g 1 "$count")
   for ((number = 1; number <= count; number++)); do
      [ "$(end_of report.xml.$number)" = "exit $((number % 50))" ] || fail "child $number"
   done
   "$PROFMEM" validate report.xml*
}

# ends HOW END STATUS: what the account says, and such an end.
ends()
{
   status_wanted=$3 as_under_none -- "$lives" end "$1"
   expect_all 1
   [ "$(end_of report.xml)" = "$2" ] || fail "$1: $(end_of report.xml)"
}

@test "ends: exit and its handlers, _exit, quick_exit, abort, a signal" {
   ends exit 'exit 11' 11
   ends _exit 'exit 12' 12
   ends quick_exit 'exit 13' 13
   ends abort 'signal 6' 134
   ends signal 'signal 12' 140
}

@test "ends by another thread, and by the last one" {
   ends thread-exit 'exit 11' 11
   ends thread-_exit 'exit 12' 12
   ends thread-quick_exit 'exit 13' 13
   ends thread-abort 'signal 6' 134
   ends thread-signal 'signal 12' 140
   ends last-thread 'exit 0' 0
}
