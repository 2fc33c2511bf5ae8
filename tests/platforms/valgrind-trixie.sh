# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind-trixie.sh: the tests of the tool with the Valgrind of the Debian after this one.
suite=trixie
. "$abs_top_srcdir/tests/platforms/valgrind_of.bash"
