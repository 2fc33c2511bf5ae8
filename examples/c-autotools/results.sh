#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# results.sh: what csvstat says of a small table.
set -eu
printf 'name,"a, b",c\r\n"x ""y""",3,\r\nz,1,4\r\n,2,text\r\n' >results.csv
[ "$(./csvstat results.csv)" = 'a, b: 3 numbers, 1 to 3, median 2
c: 1 numbers, 4 to 4, median 4' ]
