# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes of docs/reading-reports.md: each block of commands prints the block below it.
load cli

@test "every recipe prints what the page says" {
   cat >report.xml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<profmem format="1">
  <producer name="profmem" version="0.1.0" valgrind="3.19.0" platform="amd64-linux"/>
  <run>
    <command>
      <arg>./parse</arg>
    </command>
    <executable path="./parse" size="4096"/>
    <objects/>
    <options/>
    <environment variables="1" digest="fnv1a64:00ab34cd12ef5678"/>
    <fixed/>
    <end kind="exit" status="0"/>
  </run>
  <coverage>
    <allocation-functions/>
    <not-measured/>
  </coverage>
  <phases>
    <phase name="program" kind="process" instances="1" complete="yes">
      <metric name="heap.peak" unit="bytes" value="6000"/>
    </phase>
    <phase name="parse" kind="request" instances="1" complete="yes" parent="program">
      <metric name="heap.peak" unit="bytes" value="4096"/>
      <metric name="heap.exit" unit="bytes" unavailable="the ledger was lost"/>
      <sites>
        <site id="1" peak-bytes="4096" peak-blocks="1" traffic-bytes="4096" traffic-blocks="1" temporary-blocks="0" retained-bytes="0" retained-blocks="0"/>
      </sites>
    </phase>
  </phases>
  <sites>
    <site id="1" largest-bytes="4096">
      <frame function="read_all" file="parse.c" line="12" object="parse"/>
      <frame function="main" file="parse.c" line="40" object="parse"/>
    </site>
  </sites>
</profmem>
END
   "$PROFMEM" validate report.xml
   mkdir bin
   ln -s "$PROFMEM" bin/profmem
   # Blocks of sh into 1.sh, 2.sh, ..., those of text into 1.text, 2.text, ...
   awk '/^```sh$/ { name = ++commands ".sh"; next }
        /^```text$/ { name = ++texts ".text"; next }
        /^```$/ { name = ""; next }
        name { print >name }
        END { exit !(commands > 0 && commands == texts) }' "$abs_top_srcdir/docs/reading-reports.md"
   local block
   for block in *.sh; do
      PATH=$PWD/bin:$PATH sh -e "$block" >printed 2>said || fail "$block: $(cat said)"
      diff "${block%.sh}.text" printed || fail "$block: $(cat "$block")"
   done
   [ "$(ls ./*.sh | wc -l)" -ge 7 ]
}
