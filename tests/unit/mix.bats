# SPDX-License-Identifier: GPL-2.0-or-later
# The core's classes of instructions against those that objdump's text says, one by one
# (mix_referee.py): in programs and libraries of this machine, in the instructions that were
# written by hand, and in every opcode there is. Of x86 that is what the translator of the
# installed Valgrind executes (mix_executed). None may differ.
load ../common

unit=$abs_top_builddir/tests/unit
source=$abs_top_srcdir/tests/unit

# referee MINIMUM SYNTAX: judges stdin, objdump's lines with the core's classes before them.
# At least so many instructions must have been judged.
referee()
{
   local counts
   python3 "$source/mix_referee.py" "$2" >verdict || fail "$(cat verdict)"
   counts=$(tail -n 1 verdict)
   echo "# $counts" >&3
   [ "${counts%% *}" -ge "$1" ] || fail "too few: $counts"
}

needs()
{
   local command
   for command; do
      command -v "$command" >/dev/null || skip "there is no $command"
   done
}

# What Valgrind executes can be asked of the one that is here.
needs_x86_64()
{
   [ "$PROFMEM_PLATFORM" = amd64-linux ] || skip 'Valgrind here is not for amd64'
   needs python3 objdump objcopy
}

# compare_x86_64 MINIMUM: stdin, objdump's lines.
compare_x86_64()
{
   "$unit/mix_executed" | "$unit/mix_decode" x86-64 | referee "$1" x86
}

# by_hand MACHINE: the rows of mix_rows.h for it, as code alone.
by_hand()
{
   objcopy -O binary --only-section=".mix.$1" "$unit/test_pm_mix" by_hand.bin
}

# Where a program of this build finds the library NAME.
library()
{
   ldd "$unit/test_pm_mix" | awk -v name="$1" '$1 == name { print $3 }' | grep .
}

@test "x86-64: instructions written by hand" {
   needs_x86_64
   by_hand x86_64
   objdump -D -b binary -m i386:x86-64 -M intel -w by_hand.bin |
      "$unit/mix_decode" x86-64 | referee 500 x86
}

@test "x86-64: every opcode that Valgrind executes" {
   needs_x86_64
   python3 "$source/mix_opcodes.py" >opcodes.bin
   objdump -D -b binary -m i386:x86-64 -M intel -w opcodes.bin | grep '^ *[0-9a-f]*0:' |
      compare_x86_64 80000
}

@test "x86-64: bash" {
   needs_x86_64
   objdump -dw -M intel "$BASH" | compare_x86_64 50000
}

@test "x86-64: the C library" {
   needs_x86_64
   objdump -dw -M intel "$(library libc.so.6)" | compare_x86_64 50000
}

@test "x86-64: the mathematical library" {
   needs_x86_64
   objdump -dw -M intel "$(library libm.so.6)" | compare_x86_64 20000
}

@test "x86-32: instructions written by hand" {
   needs_x86_64
   by_hand i386
   objdump -D -b binary -m i386 -M intel -w by_hand.bin | "$unit/mix_decode" i386 | referee 35 x86
}

# In 64 bits, where Valgrind can be asked here, and in 32 these are of the same length.
@test "x86-32: every opcode that Valgrind executes in both modes" {
   needs_x86_64
   python3 "$source/mix_opcodes.py" >opcodes.bin
   objdump -D -b binary -m i386 -M intel -w opcodes.bin | grep '^ *[0-9a-f]*0:' |
      "$unit/mix_executed" | "$unit/mix_decode" i386 | referee 50000 x86
}

@test "arm64: instructions written by hand" {
   needs python3 objcopy aarch64-linux-gnu-objdump
   by_hand arm64
   aarch64-linux-gnu-objdump -D -b binary -m aarch64 -w by_hand.bin |
      "$unit/mix_decode" arm64 | referee 190 arm64
}

@test "arm64: the C and the mathematical library" {
   needs python3 aarch64-linux-gnu-objdump aarch64-linux-gnu-gcc
   for name in libc.so.6 libm.so.6; do
      aarch64-linux-gnu-objdump -dw "$(aarch64-linux-gnu-gcc -print-file-name=$name)" |
         "$unit/mix_decode" arm64 | referee 50000 arm64
   done
}

# The referee says no when there is a reason to.
judged()
{
   printf '%b' "$1" | python3 "$source/mix_referee.py" "${2-x86}"
}

@test "a wrong class is seen, and a form that nobody has thought of" {
   needs python3
   judged 'l\t8b 07 \tmov    eax,DWORD PTR [rdi]\n'
   run judged 's\t8b 07 \tmov    eax,DWORD PTR [rdi]\n'
   [ "$status" -eq 1 ]
   [[ $output == 'core s, referee l: '* ]]
   run judged 'ls\t01 07 \tadventure    DWORD PTR [rdi],eax\n'
   [ "$status" -eq 1 ]
   [[ $output == 'core ls, referee unknown: '* ]]
   run judged 'v\t1e622820\tfadd\td0, d1, d2\n' arm64
   [ "$status" -eq 1 ]
   run judged ''
   [ "$status" -eq 2 ]
}
