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

   aarch64-linux-gnu-gcc -O1 -g -static -o "$PLATFORM/smoke-static" "$abs_top_srcdir/tests/platforms/smoke.c"
   aarch64-linux-gnu-gcc -O1 -g -o "$PLATFORM/smoke-dynamic" "$abs_top_srcdir/tests/platforms/smoke.c"
}

# No launcher: it would be an arm64 program that execs another, and qemu emulates
# one program. The tool is told what the launcher tells it.
valgrind_arm64()
{
   VALGRIND_LIB=$PLATFORM/build/valgrind-tool/lib VALGRIND_LAUNCHER=/usr/bin/valgrind.bin \
      qemu-aarch64 -L /usr/aarch64-linux-gnu \
      "$PLATFORM/build/valgrind-tool/lib/$1-arm64-linux" --tool="$1" --command-line-only=yes "${@:2}"
}

smoke_is_measured()
{
   run valgrind_arm64 profmem --profmem-out-file=report.xml "$PLATFORM/smoke-$1"
   [ "$status" -eq 3 ] || fail "$output"
   [[ $output == *smoke* ]]
   smoke_report_is_right report.xml
}

@test "arm64: the tool is an arm64 program without interpreter" {
   readelf -hl "$PLATFORM/build/valgrind-tool/profmem-arm64-linux" >headers
   grep -q 'Machine: *AArch64' headers
   ! grep INTERP headers
}

@test "arm64: a static program's heap is measured exactly" {
   smoke_is_measured static
}

@test "arm64: a dynamic program's heap is measured exactly" {
   smoke_is_measured dynamic
}

@test "arm64: two runs give the same report" {
   valgrind_arm64 profmem -q --profmem-out-file=one.xml "$PLATFORM/smoke-static" || [ $? -eq 3 ]
   valgrind_arm64 profmem -q --profmem-out-file=two.xml "$PLATFORM/smoke-static" || [ $? -eq 3 ]
   cmp one.xml two.xml
}

# Callgrind, of the same package and as emulated, is right but for the end of the
# process, whose last two or three instructions it does not see.
@test "arm64: the instructions are Callgrind's" {
   valgrind_arm64 profmem -q --profmem-out-file=report.xml "$PLATFORM/smoke-static" || [ $? -eq 3 ]
   valgrind_arm64 callgrind -q --callgrind-out-file=callgrind.out "$PLATFORM/smoke-static" || [ $? -eq 3 ]
   local difference
   difference=$(($(metric instructions.total report.xml) - $(sed -n 's/^totals: //p' callgrind.out)))
   [ "$difference" -ge 0 ] && [ "$difference" -le 3 ] || fail "difference $difference"
}
