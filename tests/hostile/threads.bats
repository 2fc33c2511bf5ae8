# SPDX-License-Identifier: GPL-2.0-or-later
# Many threads: what they do to each other's blocks, and what is left of those that are
# gone. Expected is the program's own ledger (hostile_threads.c).
load ../common
load against_none

threads=$hostile/hostile_threads

@test "64 threads that give back and resize each other's blocks: sums, and every thread's row" {
   lesson -- "$threads" exchange
}

@test "the same one at a time: peaks, too" {
   lesson -- "$threads" exchange-in-order
}

@test "threads that return, exit deep in calls, or are cancelled, while others run" {
   lesson -- "$threads" leaving
}

@test "the first thread is gone, and another one ends the process" {
   lesson -- "$threads" main-leaves
   [ "$(xmllint --xpath 'string(//run/end/@kind)' report.xml)" = exit ]
}

# All take the same path but for one loop, whose instructions the program knows.
@test "each thread's instructions are its own" {
   lesson -- "$threads" instructions
   local number spins all count=0 rest=
   while read -r _ number spins; do
      count=$((count + 1))
      all=$(xmllint --xpath "string(//phase[@name='spinning']/threads/thread[@number='$number']/@instructions)" report.xml)
      rest=${rest:-$((all - spins))}
      [ $((all - spins)) -eq "$rest" ] || fail "thread $number: $((all - spins)) besides its loop, not $rest"
   done < <(grep ^spins ledger)
   [ $count -eq 40 ] && [ "$rest" -gt 0 ]
}
