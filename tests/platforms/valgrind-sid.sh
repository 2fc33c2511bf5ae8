# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind-sid.sh: the tests of the tool with the Valgrind of Debian's newest suite.
suite=sid
. "$abs_top_srcdir/tests/platforms/valgrind_of.bash"
