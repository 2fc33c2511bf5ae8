#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# unpack_package.sh: Debian packages of another architecture or suite, unpacked, not installed.
#
#   unpack_package.sh [--architecture=ARCH] [--suite=SUITE] [--with-needs] PACKAGE... FOLDER
#
# Finds each PACKAGE by name in the archives this machine's own apt is set up for
# (with --suite, in SUITE of those that carry the machine's own suite), checks
# it with the machine's own keys and unpacks it to FOLDER/root; --with-needs: and what it
# depends on, so that its programs can run with that root. Lists, cache and
# status are private, below FOLDER/apt: the machine's apt sees no other
# architecture and no other suite, and no right of root is needed. Scripts of the packages
# do not run.
#
# FOLDER/root exists only when it is complete; then nothing is done.

set -eu

architecture=$(dpkg --print-architecture)
suite=
get=download
packages=
while [ $# -gt 1 ]; do
   case $1 in
   --architecture=*) architecture=${1#*=} ;;
   --suite=*) suite=${1#*=} ;;
   --with-needs) get='install --download-only --yes --no-install-recommends' ;;
   *) packages="$packages $1" ;;
   esac
   shift
done
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[ ! -d "$folder/root" ] || exit 0

apt=$folder/apt
rm -rf "$apt" "$folder/unpacked"
mkdir -p "$apt/sources.list.d" "$apt/state/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
: >"$apt/sources.list"

# Hands the machine's sources on, for another suite only those of its own suite.
# One-line format: deb [OPTIONS] URI SUITE COMPONENTS
one_line_sources()
{
   awk -v own="$own_suite" -v wanted="$suite" '
      $1 != "deb" { next }
      wanted == "" { print; next }
      {
         field = 2
         if ($2 ~ /^\[/)
            while (field < NF && $field !~ /\]$/)
               field++
         else
            field = 1
         field += 2
         if ($field == own) {
            $field = wanted
            print
         }
      }' "$1"
}

# deb822 format: paragraphs with a field Suites: of one or more words
deb822_sources()
{
   awk -v own="$own_suite" -v wanted="$suite" '
      BEGIN { RS = ""; FS = "\n"; ORS = "\n\n" }
      wanted == "" { print; next }
      {
         paragraph = ""
         carries = 0
         for (i = 1; i <= NF; i++) {
            line = $i
            if (line ~ /^Suites:/) {
               words = split(line, word, /[ \t]+/)
               for (w = 2; w <= words; w++)
                  if (word[w] == own)
                     carries = 1
               line = "Suites: " wanted
            }
            paragraph = paragraph (i > 1 ? "\n" : "") line
         }
         if (carries)
            print paragraph
      }' "$1"
}

own_suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
if [ -f "$list" ]; then
   one_line_sources "$list" >"$apt/sources.list"
fi
for file in "$parts"/*.list "$parts"/*.sources; do
   [ -f "$file" ] || continue
   case $file in
   *.list) one_line_sources "$file" >"$apt/sources.list.d/${file##*/}" ;;
   *.sources) deb822_sources "$file" >"$apt/sources.list.d/${file##*/}" ;;
   esac
done

private_apt()
{
   apt-get -q \
      -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/sources.list.d" \
      -o Dir::State="$apt/state" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
      -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
      -o APT::Sandbox::User= -o APT::Update::Post-Invoke-Success= -o APT::Update::Post-Invoke= \
      "$@"
}

# An archive of the machine's that lacks the architecture or suite fails here and
# does not matter, as long as the package is found.
private_apt update >&2 || :
# shellcheck disable=SC2086
(cd "$apt/cache/archives" && private_apt $get $packages >&2)

# /bin and its like are part of /usr, and packages may have files in either.
for name in bin sbin lib lib32 lib64; do
   mkdir -p "$folder/unpacked/usr/$name"
   ln -s "usr/$name" "$folder/unpacked/$name"
done
for package in "$apt"/cache/archives/*.deb; do
   dpkg-deb --fsys-tarfile "$package" |
      tar -x --keep-directory-symlink --no-same-owner -C "$folder/unpacked"
done
rm -rf "$apt"
mv "$folder/unpacked" "$folder/root"
