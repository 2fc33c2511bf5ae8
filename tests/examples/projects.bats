#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The projects in examples/ hold themselves to their limits in their own tests, as their
# README.md says: its commands are run, in a copy. Each change in regressions/ is found by the
# test command of the project, with the phase and the metric that README.md names, and what
# else the project tests passes. Without profmem that test is skipped, with the reason.
load ../common
load staged

setup_file()
{
   stage
   touch "$BATS_FILE_TMPDIR/begun"
}

# block N: the n-th indented block of README.md.
block()
{
   awk -v wanted="$1" '
      /^    / { blocks += !inside; inside = 1; if (blocks == wanted) print substr($0, 5); next }
      { inside = 0 }' README.md
}

# does STATUS FILE: a script of commands ends so; what it printed is in the file said.
does()
{
   local status=0
   outside bash -e "$2" >said 2>&1 </dev/null || status=$?
   if [ "$1" -eq 0 ]; then
      [ $status -eq 0 ] || fail "$2: status $status: $(cat said)"
   else
      [ $status -ne 0 ] || fail "$2: it passed: $(cat said)"
   fi
}

# says PATTERN: a line of what was printed has this.
says()
{
   grep -qE -- "$1" said || fail "not said: $1; but: $(cat said)"
}

# a_copy PROJECT: of its folder, in which the rest of the test goes on.
a_copy()
{
   cp -R "$abs_top_srcdir/examples/$1" "$1"
   chmod -R u+w "$1"
   cd "$1"
}

# bites PASSED: each change that README.md names makes the test command fail, with the phase
# and the metric it names, although what else is tested passes: a pattern.
bites()
{
   local patch found changes=0
   block 2 | grep -v '^patch ' >again
   while read -r patch found; do
      patch -s -p1 <"$patch"
      does 1 again
      says "FAIL +$found"
      says "$1"
      patch -s -R -p1 <"$patch"
      changes=$((changes + 1))
   done < <(block 2 | sed -n 's/^patch -p1 <\(regressions[^ ]*\) .*: \(.*\)/\1 \2/p')
   [ $changes -eq "$(find regressions -name '*.patch' | wc -l)" ]
   [ $changes -ge 2 ]
   # It was the change that failed.
   does 0 again
   says "$1"
}

# without_profmem COMMANDS: a file of them is run where profmem is not installed.
without_profmem()
{
   PATH=$path_without_profmem command -v profmem >/dev/null &&
      skip 'another profmem is installed here'
   PATH=$path_without_profmem PKG_CONFIG_PATH='' does 0 "$1"
}

@test "C with autotools" {
   a_copy c-autotools
   block 1 >commands
   does 0 commands
   says '^PASS: memory.sh'
   bites '^PASS: results.sh'
}

@test "C with autotools: the limits hold with musl, too" {
   a_copy c-autotools
   block 1 | sed 's|^\./configure.*|& CC=musl-gcc LDFLAGS=-static|' >commands
   does 0 commands
   says '^PASS: memory.sh'
   run ! grep -q INTERP <(readelf -lW csvstat)
}

@test "C with autotools: skipped without profmem" {
   a_copy c-autotools
   block 1 >commands
   without_profmem commands
   says '^SKIP: memory.sh'
   says '^PASS: results.sh'
   grep -qx 'skipped: configure did not find profmem' memory.sh.log
}

@test "C++ with CMake" {
   a_copy cpp-cmake
   block 1 >commands
   does 0 commands
   says 'memory \.+ +Passed'
   bites 'results \.+ +Passed'
}

@test "C++ with CMake: the limits hold with libc++, too" {
   a_copy cpp-cmake
   block 1 | sed 's|^cmake -S.*|& -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS="-stdlib=libc++ -gdwarf-4"|' \
      >commands
   does 0 commands
   says 'memory \.+ +Passed'
   grep -q 'libc++\.so' <(ldd build/cache_test)
}

@test "C++ with CMake: skipped without profmem" {
   a_copy cpp-cmake
   block 1 >commands
   without_profmem commands
   says 'memory \.+\*\*\*Skipped'
   says 'results \.+ +Passed'
   outside ctest --test-dir build -V >said
   says 'skipped: profmem is not installed'
}

@test "Rust with cargo, and skipped without profmem" {
   a_copy rust-cargo
   block 1 >commands
   does 0 commands
   says '^test memory_is_within_limits \.\.\. ok'
   bites '^test tests::words_are_counted_and_ranked \.\.\. ok'
   without_profmem again
   says '^test memory_is_within_limits \.\.\. ignored, profmem is not installed'
   says '^test tests::words_are_counted_and_ranked \.\.\. ok'
}

@test "Python with unittest" {
   a_copy python
   block 1 >commands
   does 0 commands
   says '^test_memory_is_within_limits .*ok$'
   export PYTHONPATH=$PREFIX/share/profmem/python
   bites '^FAILED \(failures=1\)|^OK'
}

@test "Python with unittest: skipped without profmem" {
   a_copy python
   block 1 >commands
   without_profmem commands
   says "^test_memory_is_within_limits .*skipped 'profmem is not installed'"
   says '^test_amounts_are_added_by_month_and_product .*ok$'
}

@test "nothing was made in the source tree" {
   [ -z "$(find "$abs_top_srcdir/examples" -newer "$BATS_FILE_TMPDIR/begun")" ] ||
      fail "$(find "$abs_top_srcdir/examples" -newer "$BATS_FILE_TMPDIR/begun")"
}
