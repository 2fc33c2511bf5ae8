# SPDX-License-Identifier: GPL-2.0-or-later
# Where make install puts the tool, and that make uninstall takes all of it out.
load ../common

quiet_make()
{
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$abs_top_builddir" "$@"
}

# Everything below a folder that is no folder: files and links.
entries_below()
{
   find "$1" ! -type d | sort
}

valgrind_own_tools()
{
   sed -n 's/^VALGRIND_TOOLS_DIR = //p' "$abs_top_builddir/Makefile"
}

# The tool runs a program, given the folder that is VALGRIND_LIB.
tool_works_in()
{
   VALGRIND_LIB=$1 "$VALGRIND" -q --command-line-only=yes --tool=profmem \
      --profmem-out-file=installed.xml true
   [ -s installed.xml ]
   rm installed.xml
}

@test "with a prefix of its own nothing outside it is touched" {
   ls -l "$(valgrind_own_tools)" >before
   quiet_make install prefix="$PWD/prefix"
   ls -l "$(valgrind_own_tools)" >after
   cmp before after

   tool_works_in "$PWD/prefix/libexec/profmem"
   VALGRIND_LIB=$PWD/prefix/libexec/profmem "$VALGRIND" -q --command-line-only=yes --tool=none true
   [ "$("$PWD/prefix/bin/profmem" --version)" = "$("$PROFMEM" --version)" ]

   quiet_make uninstall prefix="$PWD/prefix"
   [ -z "$(entries_below prefix)" ]
   [ ! -e prefix/libexec/profmem ]
}

@test "a prefix with blanks works, and the loader says what the manual says it does" {
   quiet_make install prefix="$PWD/a prefix"
   "a prefix/bin/profmem" run -q -o blanks.xml true 2>said
   "$PROFMEM" validate blanks.xml
   # Of every tool of Valgrind's.
   VALGRIND_LIB="$PWD/a prefix/libexec/profmem" "$VALGRIND" -q --command-line-only=yes \
      --tool=none true 2>said-by-none
   local file
   for file in said said-by-none; do
      grep -q "^ERROR: ld.so: object '.*/a' from LD_PRELOAD cannot be preloaded" "$file" ||
         fail "$(cat "$file")"
   done
   grep -qF "**\`ERROR: ld.so: object ... from LD_PRELOAD cannot be preloaded\`.**" \
      "$abs_top_srcdir/docs/manual.md"
   quiet_make uninstall prefix="$PWD/a prefix"
   [ -z "$(entries_below 'a prefix')" ]
}

@test "a staged installation stays below DESTDIR and links to the installed Valgrind" {
   ls -l "$(valgrind_own_tools)" >before
   quiet_make install DESTDIR="$PWD/stage" prefix=/usr/local
   ls -l "$(valgrind_own_tools)" >after
   cmp before after
   if entries_below stage | grep -v "^stage/usr/local/"; then
      fail "something is not below the prefix"
   fi
   local folder=stage/usr/local/libexec/profmem
   [ ! -L "$folder/profmem-$PROFMEM_PLATFORM" ]
   [ "$(readlink "$folder/none-$PROFMEM_PLATFORM")" = \
      "$(valgrind_own_tools)/none-$PROFMEM_PLATFORM" ]
   tool_works_in "$PWD/$folder"

   quiet_make uninstall DESTDIR="$PWD/stage" prefix=/usr/local
   [ -z "$(entries_below stage)" ]
}

@test "a package can put the tool into Valgrind's own folder below DESTDIR" {
   quiet_make install install_in_valgrind=yes DESTDIR="$PWD/stage" prefix=/usr
   [ -x "stage$(valgrind_own_tools)/profmem-$PROFMEM_PLATFORM" ]
   quiet_make uninstall install_in_valgrind=yes DESTDIR="$PWD/stage" prefix=/usr
   [ -z "$(entries_below stage)" ]
}

@test "a package can have the tool there alone" {
   local only=(install_in_valgrind=only profmemtoolsdir="$(valgrind_own_tools)"
      DESTDIR="$PWD/stage" prefix=/usr)
   quiet_make install "${only[@]}"
   [ "$(find stage -name 'profmem-*-linux')" = \
      "stage$(valgrind_own_tools)/profmem-$PROFMEM_PLATFORM" ]
   [ "$(find "stage$(valgrind_own_tools)" ! -type d | wc -l)" -eq 1 ]
   [ ! -e stage/usr/libexec/profmem ]
   quiet_make uninstall "${only[@]}"
   [ -z "$(entries_below stage)" ]
}

@test "Valgrind's own folder is left alone when it cannot be written or is not wanted" {
   # valgrindtoolsdir stands in for a folder without the right to write.
   quiet_make install-exec-hook prefix=/usr/local profmemtoolsdir="$PWD/tools" \
      valgrindtoolsdir="$PWD/absent" >said
   grep -q "VALGRIND_LIB=$PWD/tools" said
   [ ! -e absent ]
   mkdir writable
   quiet_make install-exec-hook prefix=/usr/local profmemtoolsdir="$PWD/tools" \
      valgrindtoolsdir="$PWD/writable" install_in_valgrind=no
   [ -z "$(entries_below writable)" ]
}

@test "a second installation over the first, after Valgrind lost a file, leaves no dead link" {
   mkdir tools
   touch tools/old tools/kept
   "$abs_top_srcdir/valgrind-tool/join-tools.sh" "$PWD/tools" "$PWD/joined"
   [ "$(readlink joined/old)" = "$PWD/tools/old" ]
   rm tools/old
   touch joined/ours tools/ours
   "$abs_top_srcdir/valgrind-tool/join-tools.sh" "$PWD/tools" "$PWD/joined"
   [ ! -L joined/old ]
   [ -L joined/kept ]
   [ ! -L joined/ours ]
}

# For real and as root, in a mount namespace where /usr/local and Valgrind's folder
# take writes that vanish with it.
@test "with the default prefix plain valgrind --tool=profmem works, until make uninstall" {
   [ "$(id -u)" -eq 0 ] || skip "needs root"
   unshare -m true || skip "no mount namespace can be made here"

   cat >as_root.sh <<'END'
set -eu
mkdir writes
mount -t tmpfs tmpfs writes
for folder in "$valgrind_tools" /usr/local; do
   mine=writes/$(basename "$folder")
   mkdir -p "$mine/upper" "$mine/work"
   mount -t overlay overlay -o "lowerdir=$folder,upperdir=$mine/upper,workdir=$mine/work" "$folder"
done

make -s -C "$abs_top_builddir" install prefix=/usr/local
env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/ sh -c '
   valgrind -q --tool=profmem --profmem-out-file=installed.xml true && profmem --version'
test -s installed.xml
VALGRIND_LIB=/usr/local/libexec/profmem valgrind -q --tool=profmem --profmem-out-file=again.xml true
test -s again.xml

make -s -C "$abs_top_builddir" uninstall prefix=/usr/local
find writes/*/upper ! -type d ! -type c >left
cat left >&2
test ! -s left
test ! -e /usr/local/libexec/profmem
END
   valgrind_tools=$(valgrind_own_tools) env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
      unshare -m sh as_root.sh
}
