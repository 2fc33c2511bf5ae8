# SPDX-License-Identifier: GPL-2.0-or-later
# packages.bash: what the tests of packages share.
#
#   load ../common
#   load packages

quiet_make()
{
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$abs_top_builddir" "$@"
}

# The value of a variable in the configured Makefile.
made_with()
{
   sed -n "s/^$1 = //p" "$abs_top_builddir/Makefile"
}

# make_release FOLDER: as make dist makes it, but in FOLDER and quickly compressed. Sets release.
make_release()
{
   local name
   name=profmem-$(made_with PACKAGE_VERSION)
   quiet_make distdir distdir="$1/$name" >&2
   release=$1/$name.tar.xz
   tar -C "$1" -c "$name" | xz -0 >"$release"
   chmod -R u+w "$1/$name"
   rm -r "${1:?}/$name"
}

# Everything below a folder that is no folder, as paths from there: files and links.
entries_below()
{
   (cd "$1" && find . ! -type d) | sed 's,^\.,,' | sort
}
