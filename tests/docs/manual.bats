#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# manual.bats: who follows README.md and the manual line by line gets what they promise.
# follow_document.py says which blocks of a document are executed, and how.

load ../common

docs=$abs_top_srcdir/tests/docs
followed='README.md docs/manual.md docs/confirming-latency.md'

# as_a_reader COMMAND...: with nothing of whoever runs the tests but the programs in PATH.
as_a_reader()
{
   mkdir -p home temporary
   env -i HOME="$PWD/home" TMPDIR="$PWD/temporary" LC_ALL=C.UTF-8 \
      PATH="$(dirname "$VALGRIND"):/usr/bin:/bin:$PATH" \
      RUSTUP_HOME="${RUSTUP_HOME-$HOME/.rustup}" CARGO_NET_OFFLINE=true \
      PYTHONDONTWRITEBYTECODE=1 "$@"
}

follow_document()
{
   as_a_reader python3 "$docs/follow_document.py" "$@" >said 2>&1
}

# follows DOCUMENT LEAST: in a folder that looks like that of the sources, with build in it; it
# has so many commands at least.
follows()
{
   mkdir sources
   ln -s "$abs_top_srcdir"/* sources/
   rm -f sources/build
   ln -s "$abs_top_builddir" sources/build
   # Python leaves what it compiled beside what it imports.
   rm sources/valgrind-tool
   cp -R "$abs_top_srcdir/valgrind-tool" sources/
   chmod -R u+w sources/valgrind-tool
   follow_document "$abs_top_srcdir/$1" sources || fail "$(cat said)"
   local commands
   commands=$(grep -c '^\$ ' "$abs_top_srcdir/$1")
   [ "$commands" -ge "$2" ]
   [ "$(tail -n 1 said)" = "$commands commands, 0 differ" ]
}

@test "README.md: every command prints what stands below it" {
   follows README.md 15
}

@test "the manual: every command prints what stands below it" {
   follows docs/manual.md 90
}

@test "confirming latency: every command prints what stands below it" {
   follows docs/confirming-latency.md 9
}

# What is not run, and why: the two commands of ./setup are in tests/build/setup.bats, what
# installs in tests/build/install.bats; perf counts what a machine lets it count.
@test "commands that are not run are these" {
   cat >known <<'END'
./setup run     # build, and run an example under the tool; or ./setup run PROGRAM ARGUMENT...
./setup check   # build, and run all tests
autoreconf -fi                  # in a clone; a release has configure
mkdir build && cd build && ../configure && make
sudo make install               # make uninstall takes it out again
perf stat -r 20 -e instructions:u,cycles:u,cache-misses,branch-misses,page-faults ./a
perf stat -r 20 -e instructions:u,cycles:u,cache-misses,branch-misses,page-faults ./b
perf record --call-graph=dwarf ./a && perf report
END
   local document
   for document in $followed; do
      follow_document --not-run "$abs_top_srcdir/$document" || fail "$(cat said)"
      cat said >>not-run
   done
   diff known not-run
}

@test "the picture is what profmem shows today" {
   local command
   mkdir bin
   ln -s "$PROFMEM" bin/profmem
   as_a_reader env PATH="$PWD/bin:$(dirname "$VALGRIND"):/usr/bin:/bin:$PATH" \
      "$abs_top_srcdir/docs/pictures/show.sh" "$abs_top_srcdir" >today.svg
   xmllint --noout today.svg "$abs_top_srcdir/docs/pictures/show.svg"
   python3 "$docs/picture_text.py" "$abs_top_srcdir/docs/pictures/show.svg" >shown
   python3 "$docs/picture_text.py" today.svg >today
   diff shown today
   [ "$(wc -l <shown)" -ge 18 ]
   # The README says that it is of this command.
   command=$(sed -n '1s/^\$ //p' shown)
   [ -n "$command" ]
   grep -qF "\`$command\`" "$abs_top_srcdir/README.md"
}

@test "links lead somewhere, options are some program's" {
   local command
   {
      for command in $("$PROFMEM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
         "$PROFMEM" help "$command"
      done
      profmem_valgrind --help
      "$abs_top_srcdir/configure" --help | sed 's/--enable-\(install\)/&, --disable-\1/'
   } >options
   # shellcheck disable=SC2086
   python3 "$docs/document_links.py" "$abs_top_srcdir" options $followed
   # Links of all documents; some speak of options of other programs.
   cd "$abs_top_srcdir"
   set -- ./*.md docs/*.md docs/*/*.md examples/*/*.md tests/*.md
   [ $# -ge 15 ]
   python3 "$docs/document_links.py" "$PWD" - "$@"
}

@test "a link that leads nowhere and an option that no program has are seen" {
   mkdir top
   printf '%s\n' '--known' 'Usage: profmem run [OPTION...]' >options
   printf '%s\n' '# A `title`' '[a](#a-title) [b](b.md#in-c-1) `x --known=1` `profmem run x`' >top/a.md
   printf '%s\n' '# In C' '# In C++' >top/b.md
   python3 "$docs/document_links.py" top options a.md b.md
   printf '%s\n' '[a](#no) [b](b.md#in-c-2) [c](c.md) `x --unknown` `profmem sing`' >top/a.md
   run python3 "$docs/document_links.py" top options a.md
   [ "$status" -eq 1 ]
   [ "${#lines[@]}" -eq 5 ]
}

# Every code that the tool can write, with its severity, as its tables have them.
@test "troubleshooting has every diagnostic" {
   cat "$abs_top_srcdir/valgrind-tool/core/pm_report.c" \
      "$abs_top_srcdir/valgrind-tool/host/pmh_report.c" | tr '\n' ' ' |
      grep -oE 'PM_(NOTE|WARNING|ERROR), *"[a-z0-9-]+"' |
      sed 's/PM_\([A-Z]*\), *"\(.*\)"/\2 \1/' | tr '[:upper:]' '[:lower:]' | sort >codes
   sed -n 's/^| `\([a-z0-9-]*\)` | \(note\|warning\|error\) | ..*/\1 \2/p' \
      "$abs_top_srcdir/docs/manual.md" | sort >told
   [ "$(wc -l <codes)" -ge 19 ]
   # As many as have a place in the tables.
   [ "$(wc -l <codes)" -eq "$(cat "$abs_top_srcdir/valgrind-tool/core/pm_report.c" \
      "$abs_top_srcdir/valgrind-tool/host/pmh_report.c" |
      grep -cE 'PM_(NOTE|WARNING|ERROR), *("|$)')" ]
   diff codes told
}

# What makes reports, each file in one line, strings of several pieces as one.
strings()
{
   local file
   for file in "$abs_top_srcdir"/valgrind-tool/core/pm_report*.c \
      "$abs_top_srcdir"/valgrind-tool/host/pmh_report.c \
      "$abs_top_srcdir"/valgrind-tool/host/pmh_patterns.c; do
      tr '\n' ' ' <"$file" | sed 's/" *"//g'
      echo
   done
}

@test "every reason in troubleshooting is one of the tool's" {
   sed -n '/^| reason | what to do |/,/^$/p' "$abs_top_srcdir/docs/manual.md" |
      sed '1,2d; s/^| \(.*\) | .*/\1/' | grep -o '`[^`]*`' | tr -d '`' >reasons
   [ "$(wc -l <reasons)" -ge 10 ]
   strings >strings
   local reason
   while read -r reason; do
      grep -qF -- "\"$reason" strings || fail "the tool does not say: $reason"
   done <reasons
   # And those that memory and options are the reasons of are all there.
   grep -oE '"(out of memory [^"]*|[a-z ]+: --[a-z-]+=no)"' strings | tr -d '"' | sort -u >said
   [ "$(wc -l <said)" -ge 8 ]
   while read -r reason; do
      grep -qxF -- "$reason" reasons || fail "the manual does not say: $reason"
   done <said
}

# differs TEXT LINE...: a document with these lines is refused, and TEXT is said.
differs()
{
   printf '%s\n' "${@:2}" >document.md
   mkdir -p folder
   if follow_document document.md folder; then
      fail "it was not refused: $(cat document.md)"
   fi
   grep -qF -- "$1" said || fail "$1 is not said: $(cat said)"
}

@test "what a document promises and does not keep is seen" {
   differs '$ echo one' '```console' '$ echo one' 'two' '```'
   differs '$ echo one' '```console' '$ echo one' '```'
   differs '$ echo one' '```console' '$ echo one' 'one' 'two' '```'
   differs '$ seq 3' '```console' '$ seq 3' '...' '2' '```'
   differs 'status 3 of: (exit 3)' '```console' '$ (exit 3)' '```'
   differs 'status 3 of: (exit 3)' '```console' '$ (exit 3)' '$ echo' '' '```'
   differs 'the shell has ended' '```console' '$ exit 3' '```'
   differs 'not a part of a.c' '```c file=a.c' 'int a;' '```' '```c part=a.c' 'int b;' '```'
   differs 'no command before' '```console' 'one' '```'
   differs 'unknown kind' '```sh' 'echo' '```'
   differs 'an indented block' '    echo'
   differs 'without an end' '```console' '$ echo'
}

@test "what a document may elide, continue and create" {
   cat >document.md <<'END'
```console
$ export WORD=kept; cd /tmp; cd - >/dev/null
$ seq 5
1
...
5
$ echo $WORD of 1234 bytes; echo and on >&2
kept of ... bytes
and on
$ cat >here <<X
> two
>   lines
> X
$ false
$ echo $?
1
```
```c file=deep/a.c
int one;
   int two;
```
```c part=deep/a.c
int two;
```
```console
$ cat deep/a.c
int one;
   int two;
$ cat here
two
  lines
```
END
   mkdir folder
   follow_document document.md folder || fail "$(cat said)"
   [ "$(cat said)" = '8 commands, 0 differ' ]
   # --update puts in what is printed where it differs, and nothing else.
   sed 's/^two$/three/; s/^1$/7/; s/^5$/6/' document.md >changed.md
   follow_document --update changed.md folder || fail "$(cat said)"
   sed '4,6d; 3a 1\n2\n3\n4\n5' document.md >wanted.md
   diff wanted.md changed.md
}
