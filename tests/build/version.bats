# SPDX-License-Identifier: GPL-2.0-or-later
# The version has one place, configure.ac. What is made from it says it; what cannot be made from
# it (the changelogs and the crate, which cargo reads as it is) is compared here.
load ../common
load packages

setup()
{
   cd "$BATS_TEST_TMPDIR"
   version=$(sed -n 's/^AC_INIT(\[profmem\], \[\([0-9.]*\)\].*/\1/p' "$abs_top_srcdir/configure.ac")
   [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
}

# says WHAT VERSION
says()
{
   [ "$2" = "$version" ] || fail "$1 says '$2', configure.ac $version"
}

@test "the program, the tool and its reports" {
   says configure "$("$abs_top_srcdir/configure" --version | sed -n '1s/^profmem configure //p')"
   says 'profmem --version' "$("$PROFMEM" --version | sed -n '1s/^profmem //p')"
   profmem_valgrind --profmem-out-file=report.xml --log-file=log true
   says 'the tool' "$(sed -n 's/^==[0-9]*== profmem-\([^,]*\),.*/\1/p' log)"
   says 'the report' "$(xmllint --xpath 'string(/profmem/producer/@version)' report.xml)"
}

@test "what other programs read: pkg-config's file, the manual pages" {
   says profmem-client.pc "$(PKG_CONFIG_PATH=$abs_top_builddir/valgrind-tool/client \
      pkg-config --modversion profmem-client)"
   # A release has them beside their sources.
   local page pages=0
   for page in "$abs_top_builddir"/docs/man/*.[15] "$abs_top_srcdir"/docs/man/*.[15]; do
      [ -f "$page" ] || continue
      says "$page" "$(sed -n 's/^\.TH .*"profmem \([0-9.]*\)".*/\1/p' "$page")"
      pages=$((pages + 1))
   done
   [ $pages -gt 0 ]
}

@test "packages: Debian's changelog, the RPM specification, the crate, NEWS" {
   says debian/changelog "$(dpkg-parsechangelog -l "$abs_top_srcdir/debian/changelog" -S Version)"
   rpmspec -q --qf '%{VERSION} %{CHANGELOGTEXT}\n' "$abs_top_builddir/packaging/profmem.spec" >spec
   while read -r its _; do
      says profmem.spec "$its"
   done <spec
   [ -s spec ]
   says 'the changelog of profmem.spec' "$(rpmspec -q --srpm --qf '%{CHANGELOGNAME}\n' \
      "$abs_top_builddir/packaging/profmem.spec" | sed -n '1s/.* - \([0-9.]*\)-[0-9]*$/\1/p')"
   says Cargo.toml "$(cd "$abs_top_srcdir/valgrind-tool/client/rust" &&
      CARGO_NET_OFFLINE=true cargo metadata --no-deps --format-version 1 |
      python3 -c 'import json, sys; print(json.load(sys.stdin)["packages"][0]["version"])')"
   says Cargo.lock "$(awk '/^name = "profmem"$/ { getline; gsub(/.* = |"/, ""); print }' \
      "$abs_top_srcdir/valgrind-tool/client/rust/Cargo.lock")"
   says NEWS "$(sed -n '1s/^profmem \([0-9.]*\).*/\1/p' "$abs_top_srcdir/NEWS")"
}

@test "no other file of the packaging, the build and the sources names it" {
   # Data of tests and records of measurements are of the version that they were made with.
   (cd "$abs_top_srcdir" && find ./* -name build -prune -o -type f -print) | sed 's,^\./,,' |
      grep -E '^(debian|packaging|m4|reports|valgrind-tool|bench|examples|[^/]*$)' |
      grep -v -e '^configure$' -e '^configure~$' -e '^Makefile\.in$' -e '^aclocal\.m4$' \
         -e '^profmem-config\.h\.in' -e '/target/' |
      sort >files
   grep -qx configure.ac files
   (cd "$abs_top_srcdir" && xargs -d '\n' grep -lwF -e "$version" <"$OLDPWD/files") >naming || :
   grep -v -x -e NEWS -e configure.ac -e debian/changelog -e debian/libprofmem-client0.symbols \
      -e packaging/profmem.spec -e packaging/profmem.spec.in \
      -e valgrind-tool/client/rust/Cargo.lock -e valgrind-tool/client/rust/Cargo.toml naming >others || :
   [ ! -s others ] || fail "$(cat others)"
}
