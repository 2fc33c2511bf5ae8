# SPDX-License-Identifier: GPL-2.0-or-later
# client.bash: what the tests of what programs declare phases with share.
#
#   load ../common
#   load client

client=$abs_top_srcdir/valgrind-tool/client
programs=$abs_top_builddir/tests/client
# The folder of the built libprofmem-client.
library=$abs_top_builddir/valgrind-tool/client

# metric REPORT PHASE NAME
metric()
{
   "$PROFMEM" show --phase "$2" --metric "$3" "$1"
}

# A program under another of Valgrind's tools: under_tool TOOL ARGS...
under_tool()
{
   "$VALGRIND" -q --command-line-only=yes --tool="$1" "${@:2}"
}

# The members of struct profmem_numbers, one a line, in their order.
members_of_header()
{
   sed -n '/^struct profmem_numbers {/,/^};/s/^ *struct profmem_value \([a-z_]*\);.*/\1/p' \
      "$client/profmem.h"
}
