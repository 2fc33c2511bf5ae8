# SPDX-License-Identifier: GPL-2.0-or-later
# run.bash: what the tests of `profmem run` share.
#
#   load run

load ../common
bats_require_minimum_version 1.5.0

probe=$abs_top_builddir/tests/run/run_probe

# As whoever runs the tests must not decide them.
unset VALGRIND_LIB VALGRIND_OPTS

# runs STATUS ARGS...: profmem run ends with this status; leaves out and err.
runs()
{
   local wanted=$1 status=0
   shift
   "$PROFMEM" run "$@" >out 2>err || status=$?
   [ "$status" -eq "$wanted" ] || fail "status $status, not $wanted: $(cat err)"
}

# says TEXT: the error message is this one.
says()
{
   grep -q -F -- "profmem: error: $1" err || fail "not said: $1; but: $(cat err)"
}

# fix REPORT NAME: at what the report says it was held.
fix()
{
   sed -n "s,^ *<fix name=\"$2\" value=\"\(.*\)\"/>$,\1,p" "$1"
}

# The report without what <run> says of paths.
without_paths()
{
   sed -e '/^ *<arg>/d' -e 's/\(<executable\) path="[^"]*"/\1/' "$1"
}

# metric REPORT NAME: its number for the whole process.
metric()
{
   "$PROFMEM" show --metric "$2" "$1"
}

# Where private folders are made.
export TMPDIR=$BATS_TEST_TMPDIR/temporary
mkdir -p "$TMPDIR"

# No private folder or file is left behind.
nothing_left()
{
   [ -z "$(find . "$TMPDIR" -name '.profmem-*')" ] ||
      fail "left: $(find . "$TMPDIR" -name '.profmem-*')"
}

# Root without any of its rights: what a container that refuses them looks like.
without_rights()
{
   setpriv --bounding-set=-all --inh-caps=-all "$@"
}

has_rights()
{
   [ "$(id -u)" -eq 0 ] && unshare -m -p -f true 2>/dev/null && chrt -f 1 true 2>/dev/null
}
