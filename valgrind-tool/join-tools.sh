#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# join-tools.sh: make a folder that serves as VALGRIND_LIB without copying Valgrind.
#
#   join-tools.sh TOOLS FOLDER        link every file of TOOLS into FOLDER
#   join-tools.sh --undo TOOLS FOLDER remove those links
#
# Valgrind takes its tools, its preloaded libraries and the files it shows to
# gdb from one folder. A tool of another package therefore needs a folder that
# holds it and all the rest. Files of FOLDER that are no links are kept: they
# are ours, and win over a file of that name in TOOLS. A link that leads into
# TOOLS to a file that is gone (Valgrind was replaced) is removed.

set -eu

undo=no
if [ "$1" = --undo ]; then
   undo=yes
   shift
fi
tools=$1
folder=$2

[ -d "$folder" ] || [ $undo = yes ] || mkdir -p "$folder"
[ -d "$folder" ] || exit 0

for link in "$folder"/*; do
   [ -L "$link" ] || continue
   case $(readlink "$link") in
   "$tools"/*) rm -f "$link" ;;
   esac
done
[ $undo = no ] || exit 0

for file in "$tools"/*; do
   link=$folder/${file##*/}
   if [ ! -e "$link" ]; then
      ln -s "$file" "$link"
   fi
done
