# SPDX-License-Identifier: GPL-2.0-or-later
# arm64.sh: the tests of the tool, and of its core, on arm64, under qemu's user emulation.
#
# PM_SIZE_PERCENT is how much of the tests' numbers of operations is run; without it, as much
# as suits a run of all tests. make arm64-full runs all of it.

set -u
there=arm64
. "$abs_top_srcdir/tests/platforms/emulated.bash"
platform=$PLATFORMS_FOLDER/arm64
qemu=$PLATFORMS_FOLDER/qemu-arm64
export PM_SIZE_PERCENT=${PM_SIZE_PERCENT-2}
# Nothing may wait for ever.
export BATS_TEST_TIMEOUT=${BATS_TEST_TIMEOUT-300}

begin_there get_emulator "$qemu"
begin_there get_there "$platform" --architecture=arm64 --with-needs "${root_packages[@]}"
# A processor whose lines of cache are as long as Valgrind wants them.
begin_there start_by "$platform" arm64-linux \
   "$qemu/root/usr/bin/qemu-aarch64" -cpu neoverse-n1
begin_there build_emulated "$platform" aarch64-linux-gnu aarch64-linux-gnu
tests_there "$platform/build" check "${PM_ARM64_TESTS-$PM_PLATFORM_TESTS $PM_CORE_TESTS}"
