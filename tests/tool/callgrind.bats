# SPDX-License-Identifier: GPL-2.0-or-later
# Instruction totals of real programs against Callgrind's.
#
# Callgrind counts n + 1 for a rep that makes n passes (n, if its condition ended
# it), 1 for a client request, and loses the last two or three instructions of the
# process. So the expected number is: total + rep-iterations -
# rep-ended-by-condition - 4 * client-requests - Ir is 0 to 3.
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
   iterations=$(metric report.xml instructions.rep-iterations)
   by_condition=$(metric report.xml instructions.rep-ended-by-condition)
   requests=$(metric report.xml instructions.client-requests)
   ir=$(sed -n 's/^summary: //p' counts)
   local rest=$((total + iterations - by_condition - 4 * requests - ir))
   echo "total $total, rep-iterations $iterations, rep-ended-by-condition $by_condition," \
      "client-requests $requests, Ir $ir: rest $rest"
   [ "$total" -gt 100000 ] && [ $rest -ge 0 ] && [ $rest -le 3 ]
}

@test "git" {
   relation git
}

@test "xmllint" {
   relation xmllint
}

@test "perl" {
   relation perl
}

@test "python3" {
   relation python3
}

@test "gcc's cc1" {
   relation cc1
}

@test "sqlite3" {
   relation sqlite3
}

@test "lua" {
   relation lua
}

@test "gold, a C++ program" {
   relation gold
}

@test "a Rust program" {
   relation rust
}

@test "bzip2" {
   relation bzip2
}

@test "C++ with exceptions" {
   relation ledger
}
