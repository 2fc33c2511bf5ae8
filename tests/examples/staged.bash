# SPDX-License-Identifier: GPL-2.0-or-later
# staged.bash: what the tests of projects that use an installed profmem share.
#
#   load ../common
#   load staged

bats_require_minimum_version 1.5.0

# stage: an installation below this file's own folder, found as one in /usr would be.
stage()
{
   export PREFIX=$BATS_FILE_TMPDIR/prefix
   outside make -s -C "$abs_top_builddir" install prefix="$PREFIX" >&2
   # As of a package that was configured for this prefix.
   sed -i "s|^prefix=.*|prefix=$PREFIX|" "$PREFIX/lib/pkgconfig/profmem-client.pc"
   # Without it, to see what a project does then.
   path_without_profmem=$PATH
   export path_without_profmem
   export PATH=$PREFIX/bin:$PATH
   export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
   export CARGO_NET_OFFLINE=true
   export PYTHONDONTWRITEBYTECODE=1
}

# outside COMMAND...: as somebody calls it who is not in the middle of make check.
outside()
{
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u VALGRIND_LIB -u VALGRIND_OPTS "$@"
}
