# SPDX-License-Identifier: GPL-2.0-or-later
# The heap of statically linked programs, where tools that replace malloc see
# nothing, against the program's own ledger.
load ../common
load tool
load ledger

# each_way PROGRAM
each_way()
{
   ledger_agrees "$1" 60000 1 1 locked
   ledger_agrees "$1" 60000 2 8 locked
   ledger_agrees "$1" 60000 3 8 free
}

@test "glibc, C" {
   each_way ledger-static
}

@test "glibc, C++" {
   each_way ledger-cxx-static
}

@test "musl, C" {
   each_way ledger-musl
}
