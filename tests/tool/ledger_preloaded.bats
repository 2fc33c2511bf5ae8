# SPDX-License-Identifier: GPL-2.0-or-later
# The heap of a program that runs on another allocator than its libc's, against
# the program's own ledger. Forms that an allocator lacks are left out.
load ../common
load tool
load ledger

# each_way LIBRARY [FORM...]
each_way()
{
   local program library=$1
   shift
   # Every library that the compiler of these programs could link with is one of theirs.
   PRELOAD=$(cd "${PM_ROOT:-/}" && find usr/lib/*-linux-gnu -name "$library" | head -n 1)
   [ -n "$PRELOAD" ] || fail "$library is not installed"
   PRELOAD=/$PRELOAD
   local way ways=('1 8 free' '2 1 locked' '3 8 locked')
   for program in ledger ledger-cxx; do
      for way in "${ways[@]::$(sized 3)}"; do
         # shellcheck disable=SC2086
         ledger_agrees $program 40000 $way "$@"
      done
   done
}

# Without a pvalloc of its own: libc's block would be none of its blocks.
@test "jemalloc" {
   each_way libjemalloc.so.2 pvalloc
}

# Debian's is compiled as C: an operator new that fails does not throw, it aborts.
@test "mimalloc" {
   each_way libmimalloc.so.2 new-fails new-handler-frees new-no-handler
}

@test "tcmalloc" {
   each_way libtcmalloc_minimal.so.4
}
