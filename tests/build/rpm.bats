# SPDX-License-Identifier: GPL-2.0-or-later
# RPM packages, built from the release by Debian's rpm, and where nothing that the release holds
# made can be made again: what rpmlint says of them, that they hold what is installed, on which
# Valgrind they depend.
load ../common
load packages

# stub FOLDER NAME LINES...: a command that comes before the real one, where FOLDER is in PATH.
stub()
{
   mkdir -p "$1"
   printf '%s\n' '#!/bin/sh' "${@:3}" >"$1/$2"
   chmod +x "$1/$2"
}

setup_file()
{
   cd "$BATS_FILE_TMPDIR"
   make_release "$PWD"
   local command
   for command in aclocal autoconf autoheader autom4te automake autoreconf; do
      stub stubs $command "touch '$PWD/generated'; exit 1"
   done
   stub stubs lowdown 'exit 1'
   # Debian's rpm knows nothing of Debian's packages: no dependency of the build is looked for.
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL PATH="$PWD/stubs:$PATH" CFLAGS=-O1 \
      rpmbuild -tb --nodeps --nocheck --define "_topdir $PWD/rpm" "$release" >log 2>&1 ||
      fail "$(tail -n 50 log)"
   cp "$abs_top_builddir/packaging/profmem.spec" .
}

rpms()
{
   find "$BATS_FILE_TMPDIR/rpm/RPMS" -name '*.rpm' | sort
}

@test "a release is built, and its pages are installed, without autoconf, automake and lowdown" {
   [ ! -e "$BATS_FILE_TMPDIR/generated" ]
   rpms | xargs rpm -qpl | grep -q '/man1/profmem\.1'
}

@test "rpmlint has nothing to say, of the specification and of the packages" {
   # shellcheck disable=SC2046
   rpmlint -c "$abs_top_srcdir/packaging/rpmlint.toml" "$BATS_FILE_TMPDIR/profmem.spec" $(rpms) >said ||
      fail "$(cat said)"
   cat said
   grep -q ' 3 packages and 1 specfiles checked; 0 errors, 0 warnings' said
}

@test "what make install installs is in the packages, each file in one of them" {
   # Without what rpm adds: licences, other documents, what debuggers find programs by.
   local version
   version=$(made_with PACKAGE_VERSION)
   rpms | xargs rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' | sed -n 's/^[^d][^ ]* //p' |
      grep -v -e '/\.build-id/' -e '^/usr/share/licenses/' -e "^/usr/share/doc/profmem-$version/" |
      sed 's,\(/man[15]/.*\)\.gz$,\1,' | sort >packed
   uniq -d packed >twice
   [ ! -s twice ] || fail "$(cat twice)"
   local libdir
   libdir=$(rpm --eval '%{_libdir}')
   quiet_make install DESTDIR="$PWD/stage" prefix=/usr libdir="$libdir" \
      install_in_valgrind=only profmemtoolsdir=/usr/libexec/valgrind >&2
   entries_below stage >installed
   grep -qx '/usr/bin/profmem' installed
   diff installed packed
}

@test "the tool depends on the Valgrind that it was built for, of any release" {
   stub . rpm 'case "$*" in *EPOCHNUM*" valgrind") echo 1:3.27.1 ;; *) exit 1 ;; esac'
   PATH=$PWD:$PATH rpmspec -q --requires "$BATS_FILE_TMPDIR/profmem.spec" >requires
   grep -qx 'valgrind = 1:3.27.1' requires
   # What rpm says of a package that is not installed does not get there.
   stub . rpm 'echo "package valgrind is not installed"; exit 1'
   PATH=$PWD:$PATH rpmspec -q --requires "$BATS_FILE_TMPDIR/profmem.spec" >requires
   grep -qx 'valgrind = 0' requires
}
