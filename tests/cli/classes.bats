#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# classes.bats: what is said of the classes of instructions, and what the tool decides.

load cli

page=$abs_top_srcdir/docs/instruction-classes.md
decode=$abs_top_builddir/tests/unit/mix_decode

needs()
{
   local command
   for command; do
      command -v "$command" >/dev/null || skip "there is no $command"
   done
}

# Oracle: the header's comment, by Python.
@test "help classes prints the definitions of pm_mix.h" {
   profmem help classes
   check_status 0
   check_err ""
   python3 - "$abs_top_srcdir/valgrind-tool/core/pm_mix.h" >expected <<'END'
import sys
comment = open(sys.argv[1], encoding='utf-8').read().split('*/')[1]
lines = [line.removeprefix(' *').removeprefix(' ') for line in comment.splitlines()]
start = next(i for i, line in enumerate(lines) if line.startswith('Classes overlap'))
print('\n'.join(lines[start:]).rstrip())
END
   diff expected out
   for class in load store branch call syscall scalar-float vector; do
      grep -E "^   $class +[a-z]" out
   done
   [ "$(wc -l <out)" -gt 60 ]
}

@test "every metric of the mix is a class that help explains" {
   "$PROFMEM" help metrics | sed -n 's/^instructions\.\(vector\|scalar-float\|load\|store\|branch\|call\) .*/\1/p' >classes
   [ "$(wc -l <classes)" -eq 6 ]
   profmem help classes
   while read -r class; do
      grep -E "^   $class +" out
   done <classes
}

@test "the page has the definitions that help prints" {
   profmem help classes
   sed -n '/^```text$/,/^```$/p' "$page" | sed '1d;$d' >definitions
   diff out definitions
}

@test "the page is the one that the tool's tables give" {
   needs python3 objdump
   python3 "$abs_top_srcdir/docs/instruction-classes.py" "$abs_top_srcdir" "$decode" >made
   diff -u "$page" made || fail "docs/instruction-classes.md: make update-instruction-classes"
}

compare()
{
   python3 "$abs_top_srcdir/tests/cli/instruction_classes.py" "$1" "$decode"
}

@test "every row of the page is what the tool decides, and no opcode is missing" {
   needs python3
   compare "$page" >verdict || fail "$(cat verdict)"
   echo "# $(cat verdict)" >&3
}

# wrong EXPRESSION CODE: the page so changed is found wrong at an instruction.
wrong()
{
   sed "$1" "$page" >other.md
   if cmp -s "$page" other.md; then
      fail "$1 changes nothing"
   fi
   run compare other.md
   [ "$status" -eq 1 ] || fail "$1: $output"
   [[ $output == *"$2"* ]] || fail "$1: $output"
}

@test "a row that is wrong, missing or too much is found" {
   needs python3
   wrong '/^| `0F 58` | none 66 |/s/vector/scalar-float/' ' 0f 58 '
   wrong '/^| `38-3B` |/s/load/load, store/' ' 38 00 00'
   wrong '/^| `0F 57` /s/; of one register: none//' ' 0f 57 '
   wrong '/^| `FF \/6` /d' ' ff 30 '
   wrong 's/^| `8E` /| `8D-8E` /' ' 8d 00 '
   wrong 's/^| `0F 38 F2-F3` | none /| `0F 38 F2-F3` | none 66 /' ' 66 0f 38 f2 '
   wrong '/^| `D9 D0,F6-F7` /s/none |$/scalar-float |/' ' d9 d0 '
   wrong '/^And `CD 80`/s/80`/80-81`/' ' cd 81'
   wrong '/| bl |/s/branch, call/branch/' 'arm64 9'
   wrong '/| ldr q |/d' 'arm64 9c'
   run compare /dev/null
   [ "$status" -eq 2 ]
}
