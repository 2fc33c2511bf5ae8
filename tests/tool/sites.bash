# SPDX-License-Identifier: GPL-2.0-or-later
# sites.bash: run a program that keeps an account of its sites, and compare.
#
#    load ../common
#    load tool
#    load sites

sites=$abs_top_builddir/tests/tool/sites

# sites_agree [OPTION...] PROGRAM ARGUMENTS...: the sites of its report.xml are those of
# its account. others: a pattern of sites that are none of the program's.
# releases: who gave blocks back, too. sources: the folder of the program's.
sites_agree()
{
   sites_measured "$@"
   sites_compared
}

sites_measured()
{
   profmem_valgrind -q --report-limit=1000000 --profmem-out-file=report.xml "$@" >account ||
      fail "$* ended with $?"
   "$PROFMEM" validate report.xml
}

sites_compared()
{
   python3 -B "$abs_top_srcdir/tests/tool/sites/compare_sites.py" report.xml account \
      --sources="$abs_top_srcdir/${sources-tests/tool/sites}" ${others:+"--others=$others"} \
      ${releases:+--releases}
}

# frames REPORT FUNCTION: the frames of each site that has a frame of this function.
frames()
{
   xmllint --xpath "/profmem/sites/site[frame/@function='$2']/frame" "$1"
}
