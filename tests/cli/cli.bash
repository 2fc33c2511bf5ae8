# SPDX-License-Identifier: GPL-2.0-or-later
# cli.bash: what the tests of the report program share.
#
#   load cli
#
# Expected output is in golden/. PROFMEM_UPDATE_GOLDEN=1 make check rewrites it;
# then git diff shows what changed.

load ../common
bats_require_minimum_version 1.5.0

# Of whoever runs the tests.
unset COLUMNS NO_COLOR

fixtures=$abs_top_srcdir/tests/fixtures
golden=$abs_top_srcdir/tests/cli/golden

# profmem ARGS...: the built program, in the folder of the fixtures, so that file
# names in its output are the same everywhere. Leaves $status, and the files out
# and err in the test's own folder.
profmem()
{
   status=0
   (cd "$fixtures" && exec "$PROFMEM" "$@") >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" ||
      status=$?
}

# What the last command left: its status, and whether it wrote to each stream.
check_status()
{
   [ "$status" -eq "$1" ] || fail "status $status, not $1; $(cat out err)"
}

check_out()
{
   [ "$(cat out)" = "$1" ] || fail "stdout is: $(cat out)"
}

check_err()
{
   [ "$(cat err)" = "$1" ] || fail "stderr is: $(cat err)"
}

# on_terminal WIDTH ARGS...: stdout is a terminal of so many columns, 0: it does not say.
on_terminal()
{
   status=0
   (cd "$fixtures" && python3 - "$PROFMEM" "$@" <<'END') >"$BATS_TEST_TMPDIR/out" || status=$?
import fcntl, os, pty, struct, subprocess, sys, termios
program, width, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24 if width else 0, width, 0, 0))
child = subprocess.Popen([program] + arguments, stdout=slave)
os.close(slave)
seen = b''
try:
    while piece := os.read(master, 65536):
        seen += piece
except OSError: # what Linux says when the last writer has gone
    pass
sys.stdout.buffer.write(seen.replace(b'\r\n', b'\n'))
sys.exit(child.wait())
END
}

# check_golden NAME: stdout is golden/NAME, byte by byte.
check_golden()
{
   if [ -n "${PROFMEM_UPDATE_GOLDEN-}" ]; then
      cp out "$golden/$1"
   fi
   diff -u "$golden/$1" out >&2 || fail "stdout differs from golden/$1"
}
