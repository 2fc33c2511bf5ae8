# SPDX-License-Identifier: GPL-2.0-or-later
# The page that profmem html writes, opened from the disk in headless Chromium.
load html

@test "numbers, axes, pairs and trees, without a browser" {
   command -v node >/dev/null || skip "no node"
   checks model.js
}

@test "every number of every view is the report's" {
   the_driver
   profmem_valgrind -q --phase-fn=setlocale --profmem-out-file=real.xml /bin/ls / >/dev/null
   made_up >made.xml
   made_up --huge --seed 2 >huge.xml
   for name in real made huge; do a_page "$name"; done
   checks page_numbers.js
}

@test "pointing, clicking, keys, search and choices" {
   the_driver
   made_up >made.xml
   made_up --phases 60 --sites 100 >many.xml
   for name in made many; do a_page "$name"; done
   checks page_use.js
}

@test "wide and narrow, light and dark, on paper, without scripts" {
   the_driver
   made_up >made.xml
   a_page made
   checks page_looks.js
}

@test "names stay text, and nothing leaves the page" {
   the_driver
   {
      printf '%s\n' '<script>window.hit = 1</script>' '</script><img src=x onerror=hit()>' \
         '"quotes" and '\''others'\''' '<i>&lt;&amp;' '<!--' ']]>' '__proto__' 'constructor' \
         'javascript:hit()' $'\u202eright to left\u202c' $'\u05d0\u05d1\u05d2 <b>' '${1}' 'a\nb' \
         '%s'
      printf '%010000d\n' 7
   } >names.txt
   made_up --names names.txt --phases 16 --sites 120 >hostile.xml
   a_page hostile
   cp "$abs_top_srcdir/tests/fixtures/good/good-hostile-names.xml" fixture.xml
   "$PROFMEM" html -o "$PWD/fixture.html" fixture.xml
   checks page_names.js
}

@test "10,000 call chains and 1,000 phases" {
   the_driver
   made_up --sites 10000 --phases 1000 >large.xml
   a_page large
   checks page_large.js
}

@test "beside a baseline: old, new and change" {
   the_driver
   made_up >before.xml
   made_up --changed 1 >after.xml
   made_up --changed 1 --renamed >renamed.xml
   a_page after before
   a_page renamed before
   cp "$abs_top_srcdir/tests/fixtures/good/good-small.xml" bare.xml
   a_page bare before
   checks page_baseline.js
}

@test "phases where they were, or that it is not known" {
   the_driver
   made_up >made.xml
   a_page made
   checks page_places.js
}
