#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# corpus.bash: between a corpus as text (see replay.c) and libFuzzer's folders of files.
#
#    corpus.bash unpack CORPUS FOLDER    a file for each input
#    corpus.bash pack FOLDER             a line for each file, on stdout, in order of size
set -euo pipefail

unpack() {
   local name hex
   mkdir -p "$2"
   while read -r name hex; do
      case $name in
      '' | '#'*) ;;
      # shellcheck disable=SC2059 # the format is the content
      *) printf "$(sed 's/../\\x&/g' <<<"$hex")" >"$2/$name" ;;
      esac
   done <"$1"
}

pack() {
   local size file
   find "$1" -type f -printf '%s %p\n' | LC_ALL=C sort -n | while read -r size file; do
      printf '%s %s\n' "${file##*/}" "$(od -An -v -tx1 "$file" | tr -d ' \n')"
   done
}

case ${1-} in
unpack) unpack "$2" "$3" ;;
pack) pack "$2" ;;
*) sed -n 's/^#    /usage: /p' "$0" >&2; exit 2 ;;
esac
