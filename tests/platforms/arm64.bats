# SPDX-License-Identifier: GPL-2.0-or-later
# arm64: the tool builds against Debian's arm64 package of Valgrind, and measures
# an arm64 program right, under qemu's user emulation.
load ../common
load platforms
load ../phases/phases

setup_file()
{
   export PLATFORM=$PLATFORMS_FOLDER/arm64
   get_valgrind "$PLATFORM" --architecture=arm64
   build_for "$PLATFORM" --host=aarch64-linux-gnu --disable-reports

   local smoke=$abs_top_srcdir/tests/platforms/smoke.c
   aarch64-linux-gnu-gcc -O1 -g -static -o "$PLATFORM/smoke-static" "$smoke"
   aarch64-linux-gnu-gcc -O1 -g -o "$PLATFORM/smoke-dynamic" "$smoke"
   local program
   for program in functions random_phases requests; do
      aarch64-linux-gnu-gcc -O2 -g -static -pthread -I"$abs_top_srcdir/tests/phases" \
         -I"$abs_top_srcdir/valgrind-tool/client" -o "$PLATFORM/$program" \
         "$abs_top_srcdir/tests/phases/$program.c"
   done
}

# No launcher: it would be an arm64 program that execs another, and qemu emulates
# one program. The tool is told what the launcher tells it.
valgrind_arm64()
{
   local tools=$PLATFORM/build/valgrind-tool/lib
   VALGRIND_LIB=$tools VALGRIND_LAUNCHER=/usr/bin/valgrind.bin \
      qemu-aarch64 -L /usr/aarch64-linux-gnu \
      "$tools/$1-arm64-linux" --tool="$1" --command-line-only=yes -q "${@:2}"
}

# measure REPORT VARIANT [idle]: the smoke program, whose exit status is 3.
measure()
{
   local status=0
   valgrind_arm64 profmem --profmem-out-file="$1" "$PLATFORM/smoke-$2" "${@:3}" >output || status=$?
   [ $status -eq 3 ]
   [ "${3-}" = idle ] || [ "$(cat output)" = smoke ]
}

@test "arm64: the tool is an arm64 program without interpreter" {
   readelf -hl "$PLATFORM/build/valgrind-tool/profmem-arm64-linux" >headers
   grep -q 'Machine: *AArch64' headers
   ! grep INTERP headers
}

@test "arm64: a static program's heap is measured exactly" {
   measure report.xml static
   measure idle.xml static idle
   smoke_report_is_right report.xml idle.xml
}

@test "arm64: a dynamic program's heap is measured exactly" {
   measure report.xml dynamic
   measure idle.xml dynamic idle
   smoke_report_is_right report.xml idle.xml
}

@test "arm64: two runs give the same report" {
   measure one.xml static
   measure two.xml static
   cmp one.xml two.xml
}

# Callgrind, of the same package and emulated alike, counts a block when it is left,
# and so not the one in which the process ends: the start of _exit up to its svc.
@test "arm64: the instructions are Callgrind's and those of the last block" {
   measure report.xml static
   valgrind_arm64 callgrind --callgrind-out-file=callgrind.out "$PLATFORM/smoke-static" ||
      [ $? -eq 3 ]
   local ours theirs last
   ours=$(metric instructions.total report.xml)
   theirs=$(sed -n 's/^totals: //p' callgrind.out)
   last=$(aarch64-linux-gnu-objdump -d --disassemble=_exit "$PLATFORM/smoke-static" |
      awk '/^[0-9a-f]+ <_exit>:/ { inside = 1; next }
           inside { n++ }
           inside && $3 == "svc" { print n; exit }')
   [ "$last" -gt 0 ]
   [ $((theirs + last)) -eq "$ours" ] || fail "$theirs + $last is not $ours"
}

# with_phases PROGRAM LESSON [NAME=]PATTERN...: what the program expects is there.
with_phases()
{
   valgrind_arm64 profmem --profmem-out-file=report.xml "${@:3}" "$PLATFORM/$1" $2 >expected
   expect report.xml expected
}

# On this machine a call does not push its return address.
@test "arm64: functions as phases: calls, recursion, tail calls, jumps, handlers, threads" {
   with_phases functions calls --phase-fn=work --phase-fn=counted --phase-fn=outer
   with_phases functions recursion --phase-fn=deep '--phase-fn=parity=parity_*'
   with_phases functions tail-calls --phase-fn=tail_out --phase-fn=tail_late \
      --phase-fn=tail_target --phase-fn=counted '--phase-fn=hop=hop_?' '--phase-fn=via=via_?' \
      --phase-fn=loop_to_start --phase-fn=library=tail_library --phase-fn=library=getpid
   with_phases functions jumps --phase-fn=level_1 --phase-fn=level_2 --phase-fn=lands_inside \
      --phase-fn=leaps
   local lesson
   for lesson in signals signals-alternate signals-mixed; do
      with_phases functions $lesson --phase-fn=in_handler --phase-fn=interrupted
   done
   with_phases functions threads --phase-fn=meets --phase-fn=ends_thread
}

@test "arm64: phases by request" {
   local lesson
   for lesson in nothing vector nested repeated overlapping wrong own-thread names reads; do
      with_phases requests $lesson
   done
   with_phases random_phases '20000 1 1' --phase-instances=20
}
