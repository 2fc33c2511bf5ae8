# SPDX-License-Identifier: GPL-2.0-or-later
# The heap of a dynamically linked program against the program's own ledger.
load ../common
load tool
load ledger

@test "C: several seeds" {
   local seed
   for seed in $(seq 1 "$(sized 3)"); do
      ledger_agrees ledger 60000 $seed 1 locked
   done
}

@test "C: a million operations" {
   ledger_agrees ledger 1000000 4 1 locked
}

@test "C: eight threads, one call at a time" {
   ledger_agrees ledger 1000000 5 8 locked
   ledger_agrees ledger 100000 6 8 locked
}

@test "C: eight threads, calls inside each other" {
   ledger_agrees ledger 1000000 7 8 free
   ledger_agrees ledger 100000 8 8 free
}

@test "C++: several seeds" {
   local seed
   for seed in $(seq 1 "$(sized 3)"); do
      ledger_agrees ledger-cxx 60000 $seed 1 locked
   done
}

@test "C++: a million operations" {
   ledger_agrees ledger-cxx 1000000 4 1 locked
}

@test "C++: eight threads, one call at a time" {
   ledger_agrees ledger-cxx 1000000 5 8 locked
}

@test "C++: eight threads, calls inside each other" {
   ledger_agrees ledger-cxx 1000000 6 8 free
}
