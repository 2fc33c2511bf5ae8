#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# show.sh: docs/pictures/show.svg, of what the README's own example looks like, to standard
# output. profmem and cc are those in PATH; files are made in the folder that it runs in.
#
#    show.sh TOP-OF-THE-SOURCES >show.svg
set -eu
python3 "$1/tests/docs/follow_document.py" --files "$1/README.md" .
cc -g -o sum sum.c
seq 5000 >numbers
profmem run -q --phase-fn=split -o before.xml ./sum <numbers >sum.out
python3 "$1/docs/pictures/terminal.py" 120 profmem show --phase split before.xml
