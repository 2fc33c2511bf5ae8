# SPDX-License-Identifier: GPL-2.0-or-later
# arm64: the tool builds against Debian's arm64 package of Valgrind, and measures
# an arm64 program right, under qemu's user emulation.
load ../common
load platforms

setup_file()
{
   export PLATFORM=$PLATFORMS_FOLDER/arm64
   get_valgrind "$PLATFORM" --architecture=arm64
   build_for "$PLATFORM" --host=aarch64-linux-gnu --disable-reports

   local smoke=$abs_top_srcdir/tests/platforms/smoke.c
   aarch64-linux-gnu-gcc -O1 -g -static -o "$PLATFORM/smoke-static" "$smoke"
   aarch64-linux-gnu-gcc -O1 -g -o "$PLATFORM/smoke-dynamic" "$smoke"
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

# measure REPORT VARIANT: the smoke program, whose exit status is 3.
measure()
{
   local status=0
   valgrind_arm64 profmem --profmem-out-file="$1" "$PLATFORM/smoke-$2" >output || status=$?
   [ $status -eq 3 ]
   [ "$(cat output)" = smoke ]
}

@test "arm64: the tool is an arm64 program without interpreter" {
   readelf -hl "$PLATFORM/build/valgrind-tool/profmem-arm64-linux" >headers
   grep -q 'Machine: *AArch64' headers
   ! grep INTERP headers
}

@test "arm64: a static program's heap is measured exactly" {
   measure report.xml static
   smoke_report_is_right report.xml
}

@test "arm64: a dynamic program's heap is measured exactly" {
   measure report.xml dynamic
   smoke_report_is_right report.xml
}

@test "arm64: two runs give the same report" {
   measure one.xml static
   measure two.xml static
   cmp one.xml two.xml
}

# Callgrind, of the same package and emulated alike, does not see the process's
# last two or three instructions.
@test "arm64: the instructions are Callgrind's" {
   measure report.xml static
   valgrind_arm64 callgrind --callgrind-out-file=callgrind.out "$PLATFORM/smoke-static" ||
      [ $? -eq 3 ]
   local ours theirs
   ours=$(metric instructions.total report.xml)
   theirs=$(sed -n 's/^totals: //p' callgrind.out)
   [ $((ours - theirs)) -ge 0 ] && [ $((ours - theirs)) -le 3 ] || fail "$ours and $theirs"
}
