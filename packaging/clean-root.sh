#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# clean-root.sh: Debian's packages of a release, built, used and removed where nothing else is.
#
#   clean-root.sh RELEASE FOLDER >PAGE
#
# RELEASE is what make dist makes. In FOLDER, which must not exist, mmdebstrap makes a minimal root
# of the machine's own Debian, from the archives that its apt is set up for. In one copy of it,
# which gets what Build-Depends names and no more, the packages are built, by a user without
# rights, twice: in two folders, with the same bytes. In another one they are installed by apt and
# used by a user, as debian/tests has it; then they are purged, and no file is more or less than
# before. PAGE is docs/clean-root.md. Standard error has what was done; the first thing that does
# not hold ends it.
#
# It needs root, mmdebstrap, unshare, and the right to mount a proc in a mount namespace: Valgrind
# reads /proc of the program that it runs.

set -eu

release=$(realpath "$1")
mkdir "$2"
work=$(realpath "$2")
name=$(basename "$release" .tar.xz)
version=${name#profmem-}
packages='profmem libprofmem-client0 libprofmem-client-dev python3-profmem'

step()
{
   printf '\n==== %s\n' "$*" >&2
}

stop()
{
   echo "clean-root.sh: $*" >&2
   exit 1
}

# Nothing of the commands' goes into the page.
exec 3>&1 >&2

# ---- Roots

# as USER ROOT COMMAND...: in ROOT, with a /proc of its own; USER is root or nobody.
as()
{
   user=$1
   root=$2
   shift 2
   # shellcheck disable=SC2016
   unshare --mount --pid --fork --kill-child sh -c '
      mount -t proc proc "$1/proc" || exit 1
      user=$2 root=$1
      shift 2
      exec chroot --userspec="$user" "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ \
         LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' - "$root" "$user" "$@"
}

# apt_in ROOT ARGUMENTS...
apt_in()
{
   root=$1
   shift
   as root "$root" apt-get -q -y --no-install-recommends "$@"
}

# files_of ROOT: every file, with its type, rights and size; without the books, logs and caches of
# dpkg, apt and ldconfig.
files_of()
{
   find "$1" -mindepth 1 \( -path "$1/proc" -o -path "$1/tmp" -o -path "$1/var/lib/dpkg" \
      -o -path "$1/var/lib/apt" -o -path "$1/var/cache" -o -path "$1/var/log" \
      -o -path "$1/etc/ld.so.cache" \) -prune -o \( -type d -printf '%P/ %M %u %g\n' \
      -o -printf '%P %M %u %g %s\n' \) | LC_ALL=C sort
}

# The machine's archives of its own suite and of what belongs to it, bookworm-updates say.
own_archives()
{
   eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
   # shellcheck disable=SC2154
   for file in "$list" "$parts"/*.list; do
      [ ! -f "$file" ] || awk -v own="$suite" '$1 == "deb" {
         field = 2
         if ($2 ~ /^\[/)
            while (field < NF && $(field++) !~ /\]$/)
               continue
         if ($(field + 1) == own || index($(field + 1), own "-") == 1) print
      }' "$file"
   done >"$work/archives.list"
   for file in "$parts"/*.sources; do
      [ ! -f "$file" ] || awk -v own="$suite" 'BEGIN { RS = ""; FS = "\n"; ORS = "\n\n" }
      {
         ours = 0
         for (i = 1; i <= NF; i++)
            if ($i ~ /^Suites:/ && split($i, word, /[ \t]+/) > 1)
               ours = word[2] == own || index(word[2], own "-") == 1
         if (ours) print
      }' "$file"
   done >"$work/archives.sources"
   apt-config dump | grep '^Acquire::[a-z]*::Proxy ' >"$work/apt.conf" || :
}

[ "$(id -u)" -eq 0 ] || stop 'needs root'
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

step "a minimal root of $suite"
own_archives
set --
for file in "$work/archives.list" "$work/archives.sources"; do
   [ ! -s "$file" ] || set -- "$@" "$file"
done
[ $# -gt 0 ] || stop "apt has no archive of $suite"
mkdir "$work/base"
mmdebstrap --quiet --mode=root --variant=minbase --aptopt="$work/apt.conf" "$suite" "$work/base" "$@"
# How names of hosts are found is the machine's.
for file in /etc/resolv.conf /etc/hosts; do
   [ ! -f "$file" ] || cp -L "$file" "$work/base/etc"
done
as root "$work/base" true || stop 'no proc can be mounted, or chroot is refused'

# ---- The build

step 'the source package'
mkdir "$work/source"
tar -xf "$release" -C "$work/source"
(cd "$work/source" && dpkg-source -b "$name")

step 'what Build-Depends names'
cp -a "$work/base" "$work/build"
apt_in "$work/build" update
apt_in "$work/build" install build-essential
mkdir -m 755 "$work/build/source" "$work/build/one" "$work/build/two"
cp "$work/source/profmem_$version".* "$work/build/source"
apt_in "$work/build" build-dep "/source/profmem_$version.dsc"
chown 65534:65534 "$work/build/one" "$work/build/two"

# build_in FOLDER OPTIONS: of DEB_BUILD_OPTIONS
build_in()
{
   as 65534:65534 "$work/build" sh -ec "cd /$1
      dpkg-source -x /source/profmem_$version.dsc source
      cd source
      DEB_BUILD_OPTIONS='$2' dpkg-buildpackage --no-sign" >"$work/$1.log" 2>&1 ||
      { tail -n 60 "$work/$1.log" >&2; stop "the build in /$1 failed"; }
}

step 'the packages, with their tests'
build_in one ''
tests=$(sed -n 's/^# PASS: *//p' "$work/one.log" | head -n 1)
[ "${tests:-0}" -gt 0 ] || stop 'the build ran no test'

step 'the packages once more, in another folder'
build_in two nocheck
(cd "$work/build/one" && sha256sum ./*.deb) >"$work/sums"
(cd "$work/build/two" && sha256sum --check "$work/sums")

# ---- Their use

mkdir "$work/packages"
cp "$work"/build/one/*.deb "$work/packages"

# use_in ROOT TEST: one of debian/tests, by a user without rights
use_in()
{
   as 65534:65534 "$1" sh -c "cd /source && debian/tests/$2"
}

# same_files BEFORE AFTER
same_files()
{
   diff "$1" "$2" >&2 || stop 'files are left, missing or changed'
}

# paths_of PACKAGE...: as apt takes files
paths_of()
{
   for package; do
      (cd "$work/packages" && ls "$package"_*.deb) | sed 's,^,/packages/,'
   done
}

step 'a newcomer: profmem alone'
cp -a "$work/base" "$work/use"
cp -a "$work/packages" "$work/use/packages"
cp -a "$work/source/$name" "$work/use/source"
apt_in "$work/use" update
files_of "$work/use" >"$work/before"
count=$(as root "$work/use" dpkg-query -W | wc -l)
# shellcheck disable=SC2046
apt_in "$work/use" install $(paths_of profmem)
more=$(($(as root "$work/use" dpkg-query -W | wc -l) - count - 1))
# shellcheck disable=SC2016
valgrind=$(as root "$work/use" dpkg-query -W -f '${Version}' valgrind)
as root "$work/use" dpkg --verify profmem valgrind
use_in "$work/use" program
pages=0
for page in "$work/use"/usr/share/man/man[15]/*profmem*.gz; do
   gzip -dc "$page" | grep -q '^\.TH '
   pages=$((pages + 1))
done
as 65534:65534 "$work/use" bash -ec '
   . /usr/share/bash-completion/completions/profmem
   complete -p profmem'
apt_in "$work/use" purge --auto-remove profmem
files_of "$work/use" >"$work/after"
same_files "$work/before" "$work/after"

step 'a newcomer: programs that declare phases'
others=$(sed -n '/^Tests: phases$/,/^$/s/^Depends: //p' "$work/source/$name/debian/tests/control" |
   tr -d ' ' | tr ',' '\n' | grep -v profmem)
# shellcheck disable=SC2086
apt_in "$work/use" install $others
files_of "$work/use" >"$work/before"
# shellcheck disable=SC2046,SC2086
apt_in "$work/use" install $(paths_of $packages)
use_in "$work/use" phases
# shellcheck disable=SC2086
apt_in "$work/use" purge --auto-remove $packages
files_of "$work/use" >"$work/after"
same_files "$work/before" "$work/after"

# ---- The page

cat >&3 <<END
# The packages in a clean Debian

The last result of \`make deb-clean-root\`: Debian's packages of profmem $version, built,
installed, used and removed in minimal roots of Debian $(cat "$work/base/etc/debian_version") on $(dpkg --print-architecture),
with Valgrind $valgrind. \`packaging/clean-root.sh\` says what it does in detail.

| step | result |
| --- | --- |
| a root with build-essential and what Build-Depends names | $(as root "$work/build" dpkg-query -W | wc -l) packages |
| dpkg-buildpackage, as a user without rights | builds; $tests tests passed, $(sed -n 's/^# FAIL: *//p' "$work/one.log" | head -n 1) failed |
| the same in another folder | the same bytes |
| apt-get install profmem, in a root with nothing else | $more packages came with it |
| debian/tests/program, as a user: run, validate, show, check, diff, html, export | passed |
| manual pages | $pages |
| completion for bash | is loaded |
| apt-get purge --auto-remove profmem | every file as before |
| apt-get install of all packages, with gcc, pkg-config and Python | installed |
| debian/tests/phases, as a user: phases of programs in C and Python | passed |
| apt-get purge --auto-remove of all of them | every file as before |

| package | bytes | installed, KiB |
| --- | ---: | ---: |
$(for package in $packages; do
   file=$(echo "$work/packages/$package"_*.deb)
   echo "| $package | $(stat -c %s "$file") | $(dpkg-deb --field "$file" Installed-Size) |"
done)
END
step 'done'
