#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# report.bats: the report that `profmem run` makes of the tool's.

load run

# The same program natively under the tool, its environment that of --host.
by_tool()
{
   VALGRIND_LIB=$(realpath "$PROFMEM_VALGRIND_LIB") valgrind.bin -q --command-line-only=yes \
      --tool=profmem --profmem-out-file="$@"
}

@test "what the tool wrote stays as it is, byte by byte" {
   command -v valgrind.bin || skip "the launcher has another name"
   local hostile=$'a\tb\nc\rd<"&>\x27\\x41' bad=$'\xff\x01'
   by_tool tool.xml "$probe" nothing "$hostile" "$bad" '   ' '' 'é€😀' || [ $? -eq 2 ]
   runs 2 -q --host -o r.xml -- "$probe" nothing "$hostile" "$bad" '   ' '' 'é€😀'
   # Up to the first number, and all lines behind it, whose order depends on numbers.
   sed '/<environment/,$d' tool.xml >expected
   sed -e '/<environment/,$d' -e 's/ sha256="[0-9a-f]*"//' -e '/<loader-cache/d' r.xml |
      cmp expected -
   sed 's/"[0-9]*"/""/g' tool.xml | sed '1,/<environment/d' | sort >expected
   sed 's/"[0-9]*"/""/g' r.xml | sed '1,/<environment/d' | sort | diff expected -
}

@test "digests are those of sha256sum" {
   head -c 100000 /dev/urandom >data
   echo text >text
   runs 0 -q -o r.xml --input data --input ./text -- "$probe" environment <text
   local sum
   sum=$(sha256sum <"$probe")
   grep -q "<executable .* sha256=\"${sum%% *}\"/>" r.xml
   sum=$(sha256sum <data)
   grep -q "<input name=\"data\" size=\"100000\" sha256=\"${sum%% *}\"/>" r.xml
   sum=$(sha256sum <text)
   grep -q "<input name=\"./text\" size=\"5\" sha256=\"${sum%% *}\"/>" r.xml
   grep -q "<input name=\"standard input\" size=\"5\" sha256=\"${sum%% *}\"/>" r.xml
   if [ -e /etc/ld.so.cache ]; then
      sum=$(sha256sum </etc/ld.so.cache)
      grep -q "<loader-cache sha256=\"${sum%% *}\"/>" r.xml
   fi
   "$PROFMEM" validate r.xml
}

@test "objects have digests, those of sha256sum, and no paths" {
   runs 0 -q -o r.xml -- "$probe" environment
   local name path sum objects=0
   while read -r name path; do
      sum=$(sha256sum <"$path")
      grep -q "<object name=\"$name\" .*sha256=\"${sum%% *}\"/>" r.xml || fail "$name: $path"
      objects=$((objects + 1))
   done < <(ldd "$probe" | sed -n 's,^\t\([^ /]*\) => \(/[^ ]*\) .*,\1 \2,p')
   [ $objects -ge 1 ]
   [ "$(grep -c '<object ' r.xml)" -eq "$(grep -c '<object .*sha256=' r.xml)" ]
   ! grep '<object .*path=' r.xml || fail "a path of this machine"
   "$PROFMEM" validate r.xml
}

@test "children's environments have the same digest wherever program and tool are" {
   local long
   long=$PWD/$(head -c 100 /dev/zero | tr '\0' d)
   mkdir "$long"
   cp -L "$(command -v dash || command -v sh)" sh
   cp sh "$long"
   runs 0 -q -o r.xml --report-children=all -- ./sh -c '(exit 1); true'
   runs 0 -q -o s.xml --report-children=all -- "$long/sh" -c '(exit 1); true'
   [ "$(grep '<environment' r.xml.1)" = "$(grep '<environment' s.xml.1)" ]
}

@test "inputs are read before the program changes them" {
   echo before >data
   local sum
   sum=$(sha256sum <data)
   runs 0 -q -o r.xml --input data -- sh -c 'echo after >data'
   grep -q "sha256=\"${sum%% *}\"" r.xml
}

@test "any name of an input, escaped as in the tool's reports" {
   local name=$'a\xff\x01\\x41"<\t\xc3\xa9'
   echo text >"$name"
   runs 0 -q -o r.xml --input "$name" -- true
   grep -q '<input name="a\\xff\\x01\\x5cx41&quot;&lt;&#9;é"' r.xml
   "$PROFMEM" validate r.xml
}

@test "children's reports stand beside it, with what was fixed" {
   runs 0 -q -o r.xml --trace-children=yes --report-children=all -- \
      sh -c 'sh -c "exit 0"; (exit 1); /bin/true'
   [ "$(ls r.xml*)" = "$(printf '%s\n' r.xml r.xml.1 r.xml.1.1 r.xml.2 r.xml.3 r.xml.3.1)" ] ||
      fail "there are: $(ls r.xml*)"
   "$PROFMEM" validate r.xml*
   [ "$(grep -l '<fix name="TZ"' r.xml* | wc -l)" -eq 6 ]
   nothing_left
}

@test "a program that gives up its rights, or its root, has a report" {
   [ "$(id -u)" -eq 0 ] || skip "needs root, to have something to give up"
   runs 3 -o r.xml -- perl -MPOSIX -e 'setgid(65534); setuid(65534); exit 3'
   "$PROFMEM" validate r.xml
   mkdir jail
   runs 4 -o s.xml -- perl -e 'chroot "jail"; chdir "/"; exit 4'
   "$PROFMEM" validate s.xml
   nothing_left
}

@test "an older report is replaced, through links, and is whole or as before" {
   mkdir folder
   echo old >folder/r.xml
   ln -s folder/r.xml link.xml
   runs 0 -q -o link.xml -- true
   [ -L link.xml ]
   "$PROFMEM" validate folder/r.xml
   ln -s link.xml second.xml
   rm folder/r.xml
   runs 0 -q -o second.xml -- true
   [ -L second.xml ]
   [ -L link.xml ]
   "$PROFMEM" validate folder/r.xml
   echo old >r.xml
   runs 125 -q -o r.xml --phase-instances=x -- true
   [ "$(cat r.xml)" = old ]
   nothing_left
}

@test "an older report's owner and permissions stay; a new one has those of any file" {
   umask 027
   runs 0 -q -o report.xml -- true
   [ "$(stat -c %a report.xml)" = 640 ]
   chmod 606 report.xml
   [ "$(id -u)" -ne 0 ] || chown 65534:65533 report.xml
   stat -c %u:%g:%a:%i report.xml >before
   runs 0 -q -o report.xml -- true
   stat -c %u:%g:%a:%i report.xml >after
   [ "$(cut -d: -f1-3 before)" = "$(cut -d: -f1-3 after)" ]
   ! cmp -s before after # it was replaced
}

@test "pipes and what is open already are written to, not replaced" {
   mkfifo pipe
   cat pipe >from_pipe &
   runs 0 -q -o pipe -- echo out
   wait $!
   "$PROFMEM" validate from_pipe
   [ -p pipe ]
   runs 0 -q -o /dev/fd/5 -- echo out 5>five
   "$PROFMEM" validate five
   runs 0 -q -o /dev/null -- true
   [ -c /dev/null ]
   runs 0 -q -o /dev/stdout -- echo first
   [ "$(head -n 1 out)" = first ]
   sed 1d out | "$PROFMEM" validate -
}

@test "names of reports may hold a percent sign, blanks, or nothing but a name" {
   mkdir 'a %p b'
   runs 0 -q -o 'a %p b/%q{HOME} r.xml' -- true
   "$PROFMEM" validate 'a %p b/%q{HOME} r.xml'
   cd /
   runs() { "$PROFMEM" run "${@:2}"; }
   runs 0 -q -o "$BATS_TEST_TMPDIR/r.xml" -- true
   "$PROFMEM" validate "$BATS_TEST_TMPDIR/r.xml"
}

@test "warnings of the report are said, unless -q" {
   runs 0 -o r.xml --phase-fn=no_such_function -- true
   [ "$(cat err)" = "profmem: warning: phase 'no_such_function': $(sed -n \
      's,.*phase="no_such_function"[^>]*>\(.*\)</diagnostic>,\1,p' r.xml)" ]
   runs 0 -q -o r.xml --phase-fn=no_such_function -- true
   [ ! -s err ]
   runs 0 -v -o r.xml -- true
   grep -q 'heap at peak' err
}

@test "every option of the tool is handed on, and every one handed on is an option" {
   env -i VALGRIND_LIB="$PROFMEM_VALGRIND_LIB" "$VALGRIND" --tool=profmem --help >all
   sed -n '/user options for profmem/,$s/^    --\([a-z-]*\)=.*/\1/p' all | grep -v profmem-out-file |
      sort >tool
   [ "$(wc -l <tool)" -ge 13 ]
   sed -n 's/^HANDED_ON([A-Z_]*, "\([a-z-]*\)".*/\1/p' \
      "$abs_top_srcdir/reports/cmd/cmd_run_options.def" | sort >handed_on
   [ -z "$(comm -23 tool handed_on)" ] || fail "not handed on: $(comm -23 tool handed_on)"
   local option
   for option in $(comm -13 tool handed_on); do
      grep -q -E "^ +--$option=" all || fail "no option of Valgrind's: $option"
   done
}

@test "options reach the tool, the later of two, also over the defaults" {
   runs 0 -q -o r.xml --phase-fn=x=main --report-limit 7 --report-limit=9 \
      --fixed-random=5 --cpu=host --num-callers=3 -- "$probe" environment
   grep -q '<option name="--report-limit" value="9"/>' r.xml
   grep -q '<option name="--cpu" value="host"/>' r.xml
   grep -q '<option name="--fixed-random" value="5"/>' r.xml
   grep -q '<phase name="x"' r.xml
}

@test "the installed program finds the installed tool" {
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$abs_top_builddir" install \
      prefix="$PWD/prefix" >log
   (PATH=$PWD/prefix/bin:$PATH && profmem run -v -o r.xml -- "$probe" environment >variables 2>err)
   grep -q "^VALGRIND_LIB=/*$PWD/prefix/libexec/profmem\$" variables
   mv prefix moved
   moved/bin/profmem run -q -o r.xml -- "$probe" environment | grep -q \
      "^VALGRIND_LIB=/*$PWD/moved/libexec/profmem\$"
   "$PROFMEM" run -q -o r.xml -- "$probe" environment | grep -q \
      "^VALGRIND_LIB=/*$(realpath "$PROFMEM_VALGRIND_LIB")\$"
}
