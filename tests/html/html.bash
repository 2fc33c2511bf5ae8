# SPDX-License-Identifier: GPL-2.0-or-later
# html.bash: what the tests of the page share: reports, their pages, and the driver of the browser.

load ../common
bats_require_minimum_version 1.5.0

# the_driver: puppeteer, where node finds it, fetched once into the build tree.
the_driver()
{
   local folder=$abs_top_builddir/tests/html/driver
   command -v node >/dev/null || skip 'no node'
   [ -x /usr/bin/chromium ] || skip 'no chromium'
   export NODE_PATH=$folder/node_modules
   [ ! -d "$NODE_PATH/puppeteer-core" ] || return 0
   rm -rf "$folder.new"
   mkdir -p "$folder.new"
   if ! npm install --silent --prefix "$folder.new" --ignore-scripts --no-audit --no-fund \
      puppeteer-core@24.43.1 >npm.log 2>&1; then
      [ -z "${CI-}" ] || fail "npm does not give puppeteer-core: $(cat npm.log)" || return
      skip "npm does not give puppeteer-core: $(head -n 3 npm.log)"
   fi
   rm -rf "$folder"
   mv "$folder.new" "$folder"
}

# made_up ARGUMENTS... >REPORT: by page_reports.py.
made_up()
{
   /usr/bin/python3 "$abs_top_srcdir/tests/html/page_reports.py" "$@"
}

# a_page NAME [BASELINE]: NAME.html of NAME.xml, which is valid.
a_page()
{
   "$PROFMEM" validate "$1.xml" >/dev/null
   "$PROFMEM" html ${2:+--allow-unlike} -o "$PWD/$1.html" "$1.xml" ${2:+"$2.xml"}
}

# checks FILE: its tests hold, by node's own test runner.
checks()
{
   HOME=$PWD node --test --test-reporter=spec "$abs_top_srcdir/tests/html/$1" >checks.log 2>&1 ||
      fail "$(tail -n 80 checks.log)"
}
