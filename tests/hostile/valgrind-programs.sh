#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind-programs.sh: Valgrind's own test programs under profmem, beside --tool=none.
#
#   VALGRIND=... PROFMEM=... PROFMEM_VALGRIND_LIB=... valgrind-programs.sh FOLDER OUTPUT.md
#
# Fetches the source package of the installed Valgrind by name into FOLDER (a private apt
# with the machine's own archives and keys), builds the test programs there, not Valgrind,
# and runs them; valgrind_programs.py says how. `make valgrind-programs` calls it.
# It is not part of every check: it takes about a quarter of an hour.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
output=$2
folders='none/tests none/tests/linux none/tests/amd64 none/tests/amd64-linux memcheck/tests
   massif/tests dhat/tests'

mkdir -p "$folder"
cd "$folder"

# The machine's own Debian archives, for sources.
sources()
{
   for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
      [ ! -f "$file" ] || sed -n 's/^deb \(.*debian.*\)/deb-src \1/p' "$file"
   done >sources.list
   mkdir -p parts
   for file in /etc/apt/sources.list.d/*.sources; do
      [ -f "$file" ] && grep -q '^URIs:.*debian' "$file" || continue
      sed 's/^Types:.*/Types: deb-src/' "$file" >"parts/${file##*/}"
   done
}

if [ ! -d src ]; then
   sources
   mkdir -p apt/lists/partial apt/cache/archives/partial
   apt="-q -o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=$PWD/parts
      -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache
      -o APT::Sandbox::User= -o APT::Get::AllowUnauthenticated=false"
   # shellcheck disable=SC2086
   apt-get $apt update >apt.log 2>&1 && apt-get $apt source valgrind >>apt.log 2>&1 || {
      cat apt.log >&2
      exit 2
   }
   mv valgrind-*.*/ src
fi
if [ ! -f src/built ]; then
   (cd src && { [ -x configure ] || ./autogen.sh; } && ./configure --enable-only64bit) \
      >configure.log 2>&1 || { tail configure.log >&2; exit 2; }
   for tests in $folders; do
      # Some programs want what this machine lacks; those are counted as not built.
      make -k -C "src/$tests" check TESTS= >"make-$(echo "$tests" | tr / -).log" 2>&1 || :
   done
   touch src/built
fi
mkdir -p work
cd work
python3 "$here/valgrind_programs.py" ../src "$output"
