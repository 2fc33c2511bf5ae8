# SPDX-License-Identifier: GPL-2.0-or-later
# Processes that a signal ends: the report is complete, says which signal it was, and has
# the program's own numbers (hostile_deaths.c).
load ../common
load against_none

# Valgrind prints where a process died of a fault. The tool has inlined functions read,
# and then they stand there, too; so that both print the same, both do.
core_options=(--read-inline-info=yes)

# dies PLACE CAUSE SIGNAL
dies()
{
   ulimit -c 0
   status_wanted=$((128 + $3)) lesson -- "$hostile/hostile_deaths" "$1" "$2"
   [ "$(xmllint --xpath 'concat(//run/end/@kind, " ", //run/end/@signal)' report.xml)" = "signal $3" ] ||
      fail "$1, $2: $(xmllint --xpath '//run/end' report.xml)"
}

# Valgrind lets nobody die of SIGSTKFLT (16), dies itself of SIGSYS (31), and keeps 64 for itself.
@test "each signal whose default is to end the process, sent to itself" {
   local number name numbers=(1 2 3 4 5 6 7 8 10 11 12 13 14 15 24 25 26 27 29 30)
   for number in "${numbers[@]}"; do
      dies main $number $number
      name=$(kill -l $number)
      [ "$(xmllint --xpath 'string(//run/end/@name)' report.xml)" = "SIG${name#SIG}" ] ||
         fail "$number is $(xmllint --xpath '//run/end' report.xml)"
   done
}

@test "real-time signals" {
   requires real-time-signals
   dies main 34 34
   [ "$(xmllint --xpath 'string(//run/end/@name)' report.xml)" = SIGRTMIN ]
   dies main 50 50
   dies main 63 63
   [ "$(xmllint --xpath 'string(//run/end/@name)' report.xml)" = SIGRTMIN+29 ]
}

@test "faults and their like, in main" {
   dies main unmapped 11
   dies main overflow 11
   dies main behind-the-end 7
   dies main no-instruction "$(if [[ $PROFMEM_PLATFORM == arm64* ]]; then echo 5; else echo 4; fi)"
   # Valgrind names an address of its own translation, and of the division what was known
   # last, which the tool has made right.
   [ -n "$(lacking divide-faults)" ] || valgrind_lines=differ dies main division 8
   dies main broken-pipe 13
   dies main abort 6
}

@test "in a thread, a handler, on an alternate stack, inside an allocation function" {
   local place
   for place in thread handler alternate allocator; do
      dies $place 15 15
      dies $place unmapped 11
      dies $place abort 6
   done
}
