# SPDX-License-Identifier: GPL-2.0-or-later
# x86.sh: the tool on x86, 32 bits wide, under qemu's user emulation.
#
# Of the tests those whose programs need nothing of one machine's own.

set -u
there=x86
. "$abs_top_srcdir/tests/platforms/emulated.bash"
platform=$PLATFORMS_FOLDER/x86
qemu=$PLATFORMS_FOLDER/qemu-x86
export PM_SIZE_PERCENT=${PM_SIZE_PERCENT-2}
# Nothing may wait for ever.
export BATS_TEST_TIMEOUT=${BATS_TEST_TIMEOUT-300}

begin_there get_emulator "$qemu"
begin_there get_there "$platform" --architecture=i386 --with-needs "${root_packages[@]}"
begin_there start_by "$platform" x86-linux "$qemu/root/usr/bin/qemu-i386"
begin_there build_emulated "$platform" i686-linux-gnu i386-linux-gnu
tests_there "$platform/build" check-tool "tests/tool/smoke.bats tests/tool/ledger_static.bats
   tests/tool/ledger_dynamic.bats tests/tool/callgrind.bats tests/tool/dhat.bats"
