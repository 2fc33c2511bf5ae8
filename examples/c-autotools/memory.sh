#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# memory.sh: the memory that csvstat needs is within csvstat.limits.
if [ -z "$PROFMEM" ]; then
   echo 'skipped: configure did not find profmem'
   exit 77
fi
awk 'BEGIN {
   print "station,\"height, m\",rain,note"
   for (i = 0; i < 500; i++)
      printf "station %d,%d,%.1f,\"no \"\"%d\"\"\"\n", i, i * 7919 % 2000, i * 31 % 997 / 10, i
}' >memory.csv || exit 99
exec "$PROFMEM" run --limits "$srcdir/csvstat.limits" -o memory.xml ./csvstat memory.csv
