# SPDX-License-Identifier: GPL-2.0-or-later
# platforms.bash: other Valgrinds than the installed one, fetched and built against.
#
# What is fetched and built stays in the build tree and is taken up again by the
# next run; make clean removes it.

PLATFORMS_FOLDER=$abs_top_builddir/tests/platforms/work

# get_valgrind FOLDER OPTIONS...: Debian's package, unpacked to FOLDER/root. Where
# no archive can be reached the file's tests are skipped, except where everything
# must run.
get_valgrind()
{
   local folder=$1
   mkdir -p "$folder"
   if ! "$abs_top_srcdir/tests/platforms/unpack_package.sh" "${@:2}" valgrind "$folder" \
      >"$folder/apt.log" 2>&1; then
      cat "$folder/apt.log" >&2
      [ -z "${CI-}" ] || return 1
      export PLATFORM_MISSING="apt could not fetch the package valgrind (${*:2})"
   fi
}

# build_for FOLDER CONFIGURE-OPTIONS...: a second build tree, FOLDER/build.
build_for()
{
   local folder=$1
   [ -z "${PLATFORM_MISSING-}" ] || return 0
   mkdir -p "$folder/build"
   if ! (
      cd "$folder/build" || exit
      unset MAKEFLAGS MFLAGS MAKELEVEL VALGRIND VALGRIND_TOOLS_DIR
      [ -f Makefile ] || "$abs_top_srcdir/configure" --with-valgrind="$folder/root" "${@:2}"
      make all
   ) >"$folder/build.log" 2>&1; then
      cat "$folder/build.log" >&2
      return 1
   fi
}

setup()
{
   [ -z "${PLATFORM_MISSING-}" ] || skip "$PLATFORM_MISSING"
   cd "$BATS_TEST_TMPDIR" || return
}

# metric NAME REPORT: of the whole process
metric()
{
   "$PROFMEM" show --phase program --metric "$1" "$2"
}

# smoke_report_is_right REPORT IDLE-REPORT: what smoke.c says, on top of what the
# same program reports when it obtains nothing.
smoke_report_is_right()
{
   "$PROFMEM" validate "$1" "$2"
   local name more expected
   while read -r name more; do
      case $name in
      heap.peak | heap.peak-blocks) expected=$(($(metric "${name/peak/exit}" "$2") + more)) ;;
      *) expected=$(($(metric "$name" "$2") + more)) ;;
      esac
      [ "$(metric "$name" "$1")" -eq "$expected" ] ||
         fail "$name is $(metric "$name" "$1"), not $expected"
   done <<'END'
heap.entry 0
heap.peak 10000
heap.peak-blocks 5
heap.exit 2800
heap.exit-blocks 5
allocations.count 11
allocations.bytes 5500
allocations.zero-size 1
reallocations.count 1
reallocations.bytes 7200
reallocations.net-bytes 7000
deallocations.count 6
deallocations.unmatched 0
END
}
