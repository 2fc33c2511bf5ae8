# SPDX-License-Identifier: GPL-2.0-or-later
# The core includes nothing from Valgrind or libc: the compiler refuses it with
# the flags that the tool's copy of the core is really compiled with.
load ../common

# Compiles one line of C the way the core is compiled.
compile_in_core()
{
   printf '%s\n' "$1" >probe.c
   (cd "$abs_top_builddir" && $PM_CORE_COMPILE -Werror -c "$BATS_TEST_TMPDIR/probe.c" \
      -o "$BATS_TEST_TMPDIR/probe.o")
}

@test "the core's own headers and the compiler's compile" {
   compile_in_core '#include "pm_host.h"'
   compile_in_core '#include <stdarg.h>'
}

@test "a header of Valgrind does not compile in the core" {
   run compile_in_core '#include "pub_tool_basics.h"'
   [ "$status" -ne 0 ]
   [[ $output == *"pub_tool_basics.h: No such file"* ]]
   run compile_in_core '#include <valgrind/valgrind.h>'
   [ "$status" -ne 0 ]
   [[ $output == *"valgrind.h: No such file"* ]]
}

@test "a header of libc does not compile in the core" {
   for header in stdio.h stdlib.h string.h errno.h unistd.h; do
      run compile_in_core "#include <$header>"
      [ "$status" -ne 0 ]
      [[ $output == *"$header: No such file"* ]] || fail "$header: $output"
   done
}

@test "every source of the core is compiled with these flags" {
   local sources=() changed=() source
   for source in "$abs_top_srcdir"/valgrind-tool/core/*.c; do
      sources+=("${source##*/}")
      changed+=(-W "valgrind-tool/core/${source##*/}")
   done

   # -o: bats has changed PATH, nothing may be configured anew here.
   unset MAKEFLAGS MFLAGS MAKELEVEL
   make -C "$abs_top_builddir" -n -o Makefile V=1 "${changed[@]}" \
      valgrind-tool/libpmcore.a >commands
   grep -e ' -c -o valgrind-tool/core/' commands >compiles
   for source in "${sources[@]}"; do
      grep -q "/$source\$" compiles || fail "$source is not in pm_core_sources"
   done
   if grep -v -e ' -ffreestanding -nostdinc ' compiles; then fail 'a core file has other flags'; fi
   ! grep -e 'include/valgrind' compiles
}
