# SPDX-License-Identifier: GPL-2.0-or-later
# Instruction totals of real programs against Callgrind's.
#
# Callgrind counts n + 1 for a rep that makes n passes (n, if its condition ended
# it), 1 for a client request, and loses the last few instructions of the process
# ($lost_at_end). So the expected number is: total + rep-iterations -
# rep-ended-by-condition - 4 * client-requests - Ir is 0 to so many.
load ../common
load tool
load distribution

setup_file()
{
   make_inputs
}

# relation NAME
relation()
{
   under "$1" profmem "$steady" --profmem-out-file="$PWD/report.xml"
   under "$1" callgrind "$steady" --callgrind-out-file="$PWD/counts"
   cmp profmem.out callgrind.out
   local total iterations by_condition requests ir
   total=$(metric report.xml instructions.total)
   iterations=$(metric_or_0 report.xml instructions.rep-iterations)
   by_condition=$(metric_or_0 report.xml instructions.rep-ended-by-condition)
   requests=$(metric report.xml instructions.client-requests)
   ir=$(sed -n 's/^summary: //p' counts)
   local rest=$((total + iterations - by_condition - 4 * requests - ir))
   echo "total $total, rep-iterations $iterations, rep-ended-by-condition $by_condition," \
      "client-requests $requests, Ir $ir: rest $rest"
   [ "$total" -gt 100000 ] && [ $rest -ge 0 ] && [ $rest -le $lost_at_end ]
}

@test "git" {
   large
   relation git
}

@test "xmllint" {
   large
   relation xmllint
}

@test "perl" {
   large
   relation perl
}

@test "python3" {
   large
   relation python3
}

@test "gcc's cc1" {
   large
   relation cc1
}

@test "sqlite3" {
   large
   relation sqlite3
}

@test "lua" {
   relation lua
}

@test "gold, a C++ program" {
   large
   relation gold
}

@test "a Rust program" {
   requires rust
   relation rust
}

@test "bzip2" {
   relation bzip2
}

@test "C++ with exceptions" {
   relation ledger
}
