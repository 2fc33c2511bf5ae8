# SPDX-License-Identifier: GPL-2.0-or-later
# profmem export for programs that draw: the viewers' own readers find the report's numbers.
load cli

# shows FORMAT REPORT...: each metric of each phase; PHASE METRIC... behind one report: these.
# What was exported last is in the file export.
shows()
{
   /usr/bin/python3 "$abs_top_srcdir/tests/cli/export_viewers.py" "$@" || fail "$*"
}

# a_real_report: of the tool, with call chains, lines and all else, and a phase beside program.
a_real_report()
{
   profmem_valgrind -q --lines=yes --free-stacks=yes --phase-fn=setlocale --report-limit=20 \
      --profmem-out-file=report.xml /bin/ls / >/dev/null
}

# the_schema: the one that speedscope publishes, in $SPEEDSCOPE_SCHEMA.
the_schema()
{
   local folder=$abs_top_builddir/tests/cli/speedscope
   export SPEEDSCOPE_SCHEMA=$folder/package/dist/release/file-format-schema.json
   [ ! -s "$SPEEDSCOPE_SCHEMA" ] || return 0
   command -v npm >/dev/null || skip 'no npm, which has the schema of speedscope'
   npm pack --silent --pack-destination="$PWD" speedscope@1.25.0 >/dev/null 2>npm.log ||
      skip "npm does not give the schema of speedscope: $(head -n 3 npm.log)"
   mkdir -p "$folder.new"
   tar -xzf speedscope-1.25.0.tgz -C "$folder.new"
   rm -rf "$folder"
   mv "$folder.new" "$folder"
}

@test "folded: every stack and number, or the reason" {
   a_real_report
   shows folded report.xml "$fixtures"/good/*.xml
   shows folded report.xml program heap.peak
   # What a program that draws makes of it: everything below the root.
   shows folded report.xml program instructions.total
   [ "$(awk '{ sum += $NF } END { printf "%.0f\n", sum }' export)" = \
      "$("$PROFMEM" show --metric instructions.total report.xml)" ]
}

@test "folded: names that look like stacks, numbers and lines stay names" {
   sed -e 's/<frame function="grow"/<frame function="a;b 7\&#10;main;c 9"/' \
      "$fixtures/good/good-lists.xml" >names.xml
   shows folded names.xml program heap.peak
   [ "$(cat export)" = 'main;a\x3bb 7\nmain\x3bc 9 40
main 24' ]
}

@test "a picture is heap.peak of program, and of one phase and metric where it has room for one" {
   profmem export -f folded good/good-lists.xml
   check_status 0
   check_out 'main;grow 40
main 24'
   profmem export -f folded --phase program --phase other good/good-lists.xml
   check_status 2
   grep -qx 'profmem: error: --phase: folded is of one phase' err
   profmem export -f folded -m heap.peak -m traffic.bytes good/good-lists.xml
   check_status 2
   grep -qx 'profmem: error: --metric: folded is of one metric' err
}

@test "a picture that would be empty for lack of numbers is refused, with the reason" {
   profmem export -f folded -o "$PWD/file" good/good-stripped.xml
   check_status 1
   grep -q "^no heap.peak of phase 'program': no allocation function found" err
   [ ! -e file ]
   profmem export -f folded -m heap.exit good/good-lists.xml
   check_status 1
   check_err "no heap.exit of phase 'program': it is not split by call chains or functions"
   profmem export -f folded -m traffic.bytes good/good-small.xml
   check_status 1
   check_err "no traffic.bytes of phase 'program': the report does not have it"
   profmem export -f folded good/good-small.xml
   check_status 1
   check_err "no heap.peak of phase 'program': the report does not split it by call chains or functions"
}

@test "speedscope: every stack and number, or the reason" {
   a_real_report
   shows speedscope report.xml "$fixtures"/good/*.xml
}

@test "speedscope: what it publishes as the schema takes it, with several profiles" {
   the_schema
   a_real_report
   shows speedscope report.xml "$fixtures"/good/*.xml
   shows speedscope report.xml program heap.peak instructions.total traffic.blocks
   # Two phases: a profile each.
   "$PROFMEM" export -f speedscope --phase setlocale --phase program report.xml >export
   [ "$(/usr/bin/python3 -c 'import json
print([profile["name"] for profile in json.load(open("export"))["profiles"]])')" = \
      "['program heap.peak', 'setlocale heap.peak']" ]
}

@test "callgrind: every line or function and number, also as callgrind_annotate reads them" {
   a_real_report
   shows callgrind report.xml "$fixtures"/good/*.xml
   shows callgrind report.xml program instructions.call instructions.total
   sed '/<lines>/,/<\/lines>/d' report.xml >functions.xml
   "$PROFMEM" export -f callgrind functions.xml >export
   grep -q '^fn=([0-9]*) (others)$' export
   shows callgrind functions.xml
}

@test "callgrind: every instruction, also as callgrind_annotate reads them" {
   profmem_valgrind -q --instr=yes --phase-fn=setlocale --profmem-out-file=report.xml /bin/ls / \
      >/dev/null
   shows callgrind report.xml
   shows callgrind report.xml setlocale instructions.total
   grep -qx 'positions: instr line' export
   profmem_valgrind -q --instr=yes --instr-limit=100 --profmem-out-file=short.xml /bin/ls / \
      >/dev/null
   shows callgrind short.xml
   "$PROFMEM" export -f callgrind short.xml | grep -q '^fn=([0-9]*) (others)$'
}

@test "callgrind: instructions by object's path, function and file, in the order of addresses" {
   "$PROFMEM" export -f callgrind -m instructions.total "$fixtures/good/good-instructions.xml" |
      sed -n '/^ob/,/^$/p' >export
   [ "$(cat export)" = 'ob=(1) /home/user/small
fl=(2) ???
fn=(3) grow
0x0 0 35
0x401fff 0 1

ob=(4) /home/user/small
fl=(5) small.c
fn=(6) main
0x401000 5 3
0x401004 7 893
fi=(7) list.h
0x40100b 12 4

ob=(8) /opt/<other>/small
fl=(9) list.h
fn=(10) grow
0x0 3 64' ]
}

@test "callgrind: names that look like numbers, keys and lines stay names" {
   sed -e 's/<function id="1" name="main"/<function id="1" name="(2)"/' \
      -e 's/<function id="2" name="grow"/<function id="2" name="  \&#10;7 9999\&#10;fn=(1)"/' \
      "$fixtures/good/good-lists.xml" >names.xml
   shows callgrind names.xml
   sed -e 's/<function id="1" name="main"/<function id="1" name=" "/' \
      -e 's/<function id="2" name="grow" object="small"/<function id="2" name="" object=""/' \
      "$fixtures/good/good-lists.xml" >names.xml
   shows callgrind names.xml
}

@test "callgrind: the lines of a function in other files are its own" {
   {
      sed '/<functions>/,/<\/functions>/d; /<\/phase>/,$d' "$fixtures/good/good-lists.xml"
      echo '<lines><line id="1" instructions="700" calls="0" call="4"/>
<line id="2" instructions="200" calls="3" rep-iterations="64" vector="64"/>
<line id="3" instructions="100" calls="0"/></lines></phase></phases>
<sites><site id="1" largest-bytes="40"><frame function="f" object="o"/></site>
<site id="2" largest-bytes="40"><frame function="g" object="o"/></site></sites>
<lines><line id="1" function="main" object="small" file="b.h" line="3"/>
<line id="2" function="main" object="small" file="c.c" line="9"/>
<line id="3" function="main" object="small"/></lines></profmem>'
   } >lines.xml
   shows callgrind lines.xml
   "$PROFMEM" export -f callgrind -m instructions.total lines.xml | sed -n '/^ob/,/^$/p' >export
   [ "$(cat export)" = 'ob=(1) small
fl=(2) c.c
fn=(3) main
9 200
fi=(4) ???
0 100
fi=(5) b.h
3 700' ]
}

@test "massif: the timeline and the tree of the peak, also as ms_print reads them" {
   a_real_report
   shows massif report.xml "$fixtures"/good/*.xml
   # More chains, and none.
   profmem_valgrind -q --profmem-out-file=all.xml "$abs_top_builddir/examples/hello-heap" >/dev/null
   sed '/<sites>/,/<\/sites>/d; /<resizes>/,/<\/resizes>/d' all.xml >none.xml
   shows massif all.xml none.xml
   grep -qx 'n0: [0-9]* (what the program requested)' export
   profmem export -f massif -m heap.peak good/good-shape.xml
   check_status 2
   grep -qx 'profmem: error: --metric: massif has its own' err
   profmem export -f massif --phase setlocale "$PWD/report.xml"
   check_status 1
   check_err "no phase 'setlocale': the timeline is that of the phase program"
}

# with_chains SITES: good-lists.xml with these two sites, and a timeline.
with_chains()
{
   sed '/<\/phases>/,$d' "$fixtures/good/good-lists.xml"
   printf '</phases><timeline interval-instructions="500"><point most-bytes="64" last-bytes="16"/>'
   printf '</timeline><sites>%s</sites><functions><function id="1" name="main" object="o"/>' "$1"
   printf '<function id="2" name="f" object="o"/></functions></profmem>\n'
}

@test "massif: chains that go on from others, comments in names" {
   with_chains '<site id="1" largest-bytes="40"><frame function="a#1" object="o#"/></site>
<site id="2" largest-bytes="24"><frame function="a#1" object="o#"/>
<frame function="n1: 9 b&#10;#" file="c #.c" line="7" object="o"/></site>' >chains.xml
   shows massif chains.xml
   [ "$(sed -n '/^n/,/^#/p' export | sed '$d')" = 'n1: 64 (what the program requested)
 n2: 64 a\x231 (in o\x23)
  n0: 40 (no caller known)
  n0: 24 n1: 9 b\n\x23 (c \x23.c:7)' ]
   # One chain twice.
   with_chains '<site id="1" largest-bytes="40"><frame function="a" object="o"/></site>
<site id="2" largest-bytes="24"><frame function="a" object="o"/></site>' >chains.xml
   shows massif chains.xml
}

@test "dhat: every chain and number, also as DHAT's viewer loads them" {
   DH_VIEW=$(sed -n 's/^VALGRIND_TOOLS_DIR = //p' "$abs_top_builddir/Makefile")/dh_view.js
   export DH_VIEW
   a_real_report
   shows dhat report.xml "$fixtures"/good/*.xml
}

@test "dhat: sites of one chain are one point, and chains go on from others" {
   DH_VIEW=$(sed -n 's/^VALGRIND_TOOLS_DIR = //p' "$abs_top_builddir/Makefile")/dh_view.js
   export DH_VIEW
   with_chains '<site id="1" largest-bytes="40"><frame function="&lt;i&gt;a&quot;" object="o"/></site>
<site id="2" largest-bytes="24"><frame function="&lt;i&gt;a&quot;" object="o"/></site>' >chains.xml
   shows dhat chains.xml
   grep -q '"tb": 104' export
   with_chains '<site id="1" largest-bytes="40"><frame function="a" object="o"/></site>
<site id="2" largest-bytes="24"><frame function="a" object="o"/><frame function="b" object="o"/>
</site>' >chains.xml
   shows dhat chains.xml
}

# the_message: the one that pprof publishes, in $PROFILE_PROTO.
the_message()
{
   export PROFILE_PROTO=/usr/share/gocode/src/github.com/google/pprof/proto/profile.proto
   [ -r "$PROFILE_PROTO" ] || skip "no $PROFILE_PROTO (Debian: golang-github-google-pprof-dev)"
}

@test "pprof: every stack and number, read by the message that pprof publishes" {
   the_message
   a_real_report
   shows pprof report.xml "$fixtures"/good/*.xml
   shows pprof report.xml program heap.peak instructions.total traffic.blocks
   # The same report gives the same bytes.
   cp export before
   shows pprof report.xml program heap.peak instructions.total traffic.blocks
   cmp before export
}

@test "pprof: numbers around those that take another byte" {
   the_message
   local number
   for number in 127 128 129 16383 16384 2097151 2097152 4294967295 4294967296; do
      sed "s/heap.peak\" unit=\"bytes\" value=\"64\"/heap.peak\" unit=\"bytes\" value=\"$((number + 24))\"/
           s/peak-bytes=\"40\"/peak-bytes=\"$number\"/" "$fixtures/good/good-lists.xml" >number.xml
      shows pprof number.xml program heap.peak
   done
}

@test "pprof: numbers beyond 2^63 - 1 are refused, up to there exact" {
   the_message
   sed 's/heap.peak" unit="bytes" value="64"/heap.peak" unit="bytes" value="9223372036854775807"/
        s/peak-bytes="40"/peak-bytes="9223372036854775783"/' "$fixtures/good/good-lists.xml" >most.xml
   shows pprof most.xml program heap.peak
   sed 's/value="9223372036854775807"/value="9223372036854775808"/
        s/peak-bytes="9223372036854775783"/peak-bytes="9223372036854775784"/' most.xml >more.xml
   profmem export -f pprof "$PWD/more.xml"
   check_status 1
   check_err "no heap.peak of phase 'program': the format ends at 2^63 - 1"
}

# in_browser FILE: the page of DHAT's viewer in Chromium, after it has loaded the file, in page,
# and what it shows, in text.
# The page is the viewer's own, with a script that chooses the file in place of a hand.
in_browser()
{
   command -v chromium >/dev/null || skip 'no chromium'
   local viewer
   viewer=$(sed -n 's/^VALGRIND_TOOLS_DIR = //p' "$abs_top_builddir/Makefile")
   cp "$viewer"/dh_view.{html,js,css} .
   python3 - "$1" <<'PYTHON'
import base64, sys
data = base64.b64encode(open(sys.argv[1], 'rb').read()).decode()
page = open('dh_view.html', encoding='utf-8').read()
page = page.replace('onload="onLoad()"', 'onload="onLoad(); choose()"').replace('</head>', f'''
<script>
function choose() {{
   const bytes = Uint8Array.from(atob('{data}'), one => one.codePointAt(0));
   const chosen = new DataTransfer();
   chosen.items.add(new File([bytes], 'export.json'));
   gInput.files = chosen.files;
   gInput.dispatchEvent(new Event('change'));
}}
</script></head>''')
open('dh_view.html', 'w', encoding='utf-8').write(page)
PYTHON
   HOME=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/user" \
      --virtual-time-budget=20000 --dump-dom "file://$PWD/dh_view.html" >page 2>browser.log ||
      fail "$(tail browser.log)"
   sed 's/<[^>]*>//g' page >text
}

# with_commas METRIC: of the phase program in report.xml.
with_commas()
{
   "$PROFMEM" show --metric "$1" report.xml | sed ':more; s/\B[0-9]\{3\}\>/,&/; t more'
}

@test "dhat: the viewer's page loads it in Chromium, and names stay text" {
   a_real_report
   "$PROFMEM" export -f dhat report.xml >export
   in_browser export
   grep -qF "Total:     $(with_commas traffic.bytes) bytes (100%" text
   grep -qF "At t-gmax: $(with_commas heap.peak) bytes (100%" text
   grep -qF "At t-end:  $(with_commas heap.retained) bytes (100%" text
   grep -qF '#1: (others)' text
   with_chains '<site id="1" largest-bytes="40">
<frame function="&lt;img src=x onerror=alert(1)&gt;" object="o"/></site>
<site id="2" largest-bytes="24"><frame function="&lt;/script&gt;&#x202e;&quot;" object="o"/></site>' >names.xml
   "$PROFMEM" export -f dhat names.xml >export
   in_browser export
   grep -qF '#1: &lt;img src=x onerror=alert(1)&gt; (in o)' text
   grep -qF '#1: &lt;/script&gt;' text
   run ! grep -qE '<img|class="error' page
}
