# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's packages, built from the release: what lintian says of them, that they hold what is
# installed, on which Valgrind they depend, and what is left of them on a machine.
# packaging/clean-root.sh does the same in roots that hold nothing else.
load ../common
load packages

setup_file()
{
   make_release "$BATS_FILE_TMPDIR"
   export debs=$BATS_FILE_TMPDIR/deb
   # The tests that a build of the package runs are these.
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS=nocheck \
      "$abs_top_srcdir/packaging/debian-packages.sh" "$release" "$debs" \
      >"$BATS_FILE_TMPDIR/log" 2>&1 || fail "$(tail -n 50 "$BATS_FILE_TMPDIR/log")"
}

# The source, unpacked, with what the build left there.
source_folder()
{
   echo "$debs"/profmem-*/
}

# field PACKAGE NAME: of a binary package
field()
{
   dpkg-deb --field "$debs/$1"_*.deb "$2"
}

# What is in the packages, those with debug information excepted; once for each package.
packed_paths()
{
   local deb
   for deb in "$debs"/*.deb; do
      [[ $deb == *-dbgsym_* ]] || dpkg-deb --fsys-tarfile "$deb" | tar -t | grep -v '/$'
   done | sed 's,^\.,,' | sort
}

@test "the source builds without a warning" {
   # Its link, as those of Valgrind's own tools, leaves out what debug information is found by.
   grep -v 'Could not find the BuildID in .*/valgrind/profmem-' "$BATS_FILE_TMPDIR/log" >log
   [ -s log ]
   if grep -i 'warning:' log; then fail 'something warns'; fi
   # It is a package of Debian's own kind: its version is the release's.
   [ -f "$debs/profmem_$(made_with PACKAGE_VERSION).dsc" ]
}

@test "lintian has no error and no warning, and what it is not to say has a reason" {
   lintian --fail-on=none --show-overrides "$debs"/profmem_*.changes >said
   cat said
   # It has looked at them.
   grep -q '^O: profmem: statically-linked-binary' said
   if grep '^[EW]:' said; then fail 'lintian objects'; fi
   local file
   for file in "$abs_top_srcdir"/debian/*lintian-overrides; do
      awk '/^#/ { reason = 1; next } { if (!reason) { print; bad = 1 } reason = 0 }
           END { exit bad }' "$file"
   done
}

@test "what make install installs is in the packages, each file in one of them" {
   packed_paths >packed
   uniq -d packed >twice
   # A changelog of the same name has another folder in each package.
   [ ! -s twice ] || fail "$(cat twice)"
   # What is there to be copied is an example.
   (cd "$(source_folder)" && find docs/ci examples/*/ -type f) |
      sed -E 's,^(docs|examples)/,/usr/share/doc/profmem/examples/,' | sort >copied
   grep -q /Jenkinsfile copied
   comm -23 copied packed >missing
   [ ! -s missing ] || fail "not packed: $(cat missing)"

   # Compressed, moved and left out as Debian has it; added by it: copyright and its like.
   entries_below "$(source_folder)/debian/tmp" |
      sed -e 's,^/usr/share/profmem/python/,/usr/lib/python3/dist-packages/,' \
         -e '\,^/usr/share/profmem/rust/LICENSE$,d' | sort >installed
   grep -qx '/usr/bin/profmem' installed
   grep -qx "/usr/libexec/valgrind/profmem-$PROFMEM_PLATFORM" installed
   sed 's,\.gz$,,' packed | grep -v -e '^/usr/share/lintian/' -e '/\(copyright\|changelog[^/]*\)$' \
      -e '^/usr/share/doc/[^/]*/examples/' -e '^/usr/share/doc/profmem/README\.md$' |
      sort | diff installed -
   # And that is what the build tree installs.
   quiet_make install DESTDIR="$PWD/stage" prefix=/usr libdir=/usr/lib/$(dpkg-architecture \
      -qDEB_HOST_MULTIARCH) install_in_valgrind=only profmemtoolsdir=/usr/libexec/valgrind >&2
   entries_below stage | diff - <(entries_below "$(source_folder)/debian/tmp")
}

@test "the tool depends on the Valgrind that it was built for, of any revision" {
   field profmem Depends | tr ',' '\n' | sed -n 's/^ *valgrind (\(.*\))$/\1/p' >relations
   [ "$(wc -l <relations)" -eq 2 ]
   # satisfied VERSION
   satisfied()
   {
      local relation version
      while read -r relation version; do
         dpkg --compare-versions "$1" "$relation" "$version" || return 1
      done <relations
   }
   local installed upstream
   installed=$(dpkg-query -W -f '${Version}' valgrind)
   upstream=${installed%-*}
   satisfied "$installed"
   satisfied "$upstream-99+b1"
   satisfied "$upstream-0+deb12u7"
   local major=${upstream%%.*} minor=${upstream#*.}
   minor=${minor%%.*}
   for other in "$upstream~rc1-1" "${upstream%.*}.1-1" "${upstream%.*}.1~rc1-1" \
      "$major.$((minor + 1)).0-1" "$major.$((minor - 1)).0-1" 0:99-1; do
      if satisfied "$other"; then fail "$other satisfies $(cat relations)"; fi
   done
   [ "$(field profmem Built-Using)" = "valgrind (= $(dpkg-query -W -f '${source:Version}' valgrind))" ]
}

@test "the program and the library are hardened" {
   local deb file
   for deb in profmem libprofmem-client0; do
      dpkg-deb -x "$debs/$deb"_*.deb root
   done
   for file in root/usr/bin/profmem root/usr/lib/*/libprofmem-client.so.0; do
      readelf -hldW "$file" >headers
      grep -q 'Type: *DYN' headers
      grep -q 'GNU_RELRO' headers
      grep -q 'BIND_NOW' headers
      grep -q 'GNU_STACK .* RW ' headers
   done
   nm -D root/usr/bin/profmem >symbols
   grep -q __stack_chk_fail symbols
   grep -q '__[a-z]*printf_chk' symbols
}

# As root, in a mount namespace where the machine's folders take writes that vanish with it.
@test "they are installed, used, and purged, and nothing is left" {
   [ "$(id -u)" -eq 0 ] || skip "needs root"
   unshare -m true || skip "no mount namespace can be made here"
   cat >as_root.sh <<'END'
set -eu
mkdir writes
mount -t tmpfs tmpfs writes
for folder in /usr /var /etc; do
   mkdir -p "writes$folder/upper" "writes$folder/work"
   mount -t overlay overlay \
      -o "lowerdir=$folder,upperdir=writes$folder/upper,workdir=writes$folder/work" "$folder"
done
packages='profmem libprofmem-client0 libprofmem-client-dev python3-profmem'
files=
for package in $packages; do
   files="$files $(echo "$debs/$package"_*.deb)"
done
dpkg -i $files
dpkg --verify $packages >changed
test ! -s changed
cd "$debs"/profmem-*/
for test in program phases; do
   env -i PATH=/usr/bin:/bin HOME=/ "debian/tests/$test"
done
cd "$OLDPWD"
# A package that goes takes its files along, and leaves those of Valgrind's package.
dpkg --verify valgrind >changed
test ! -s changed
dpkg --purge $packages
# dpkg's own books, logs and caches are no files of a package.
find writes/*/upper ! -type d ! -type c | grep -v -e '^writes/var/upper/lib/dpkg/' \
   -e '^writes/var/upper/\(log\|cache\)/' -e '^writes/etc/upper/ld\.so\.cache$' >left || :
find writes -name '*profmem*' ! -type c | grep -v '/lib/dpkg/' >>left || :
cat left >&2
test ! -s left
grep -q '^Package: valgrind$' /var/lib/dpkg/status
if grep '^Package: .*profmem' /var/lib/dpkg/status; then exit 1; fi
END
   unshare -m sh as_root.sh >log 2>&1 || fail "$(tail -n 40 log)"
}
