# SPDX-License-Identifier: GPL-2.0-or-later
# Phases of a server that runs on and on, from outside, with plain vgdb.
#
# The server does what it is told on its standard input (server.c), so that what
# happens between two commands is known.
load ../common
load phases

# Nothing here may wait for ever: a second is much, a minute is a failure.
vgdb()
{
   timeout 60 "$(dirname "$VALGRIND")/vgdb" --vgdb-prefix="$PWD/gate" --pid="$server" --wait=30 \
      --cmd-time-out=30 "$@" 2>vgdb.err || fail "vgdb $*: $? $(cat vgdb.err)"
}

start_server()
{
   mkfifo requests answers
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes --tool=profmem \
      --vgdb-prefix="$PWD/gate" --log-file=log --profmem-out-file=report.xml "$@" \
      "$phases/server" <requests >answers 3>&- &
   server=$!
   exec 8>requests 9<answers
}

# tell WORDS: the server has done it.
tell()
{
   local answer
   echo "$*" >&8
   read -r -t 60 answer <&9 || fail "no answer to $*"
   [ "$answer" = "$*: done" ] || fail "the answer to $* is $answer"
}

stop_server()
{
   echo quit >&8
   exec 8>&-
   wait "$server" || fail "the server ended with $?"
   server=
}

setup()
{
   requires vgdb
   cd "$BATS_TEST_TMPDIR" || return
}

teardown()
{
   [ -z "${server-}" ] || kill -KILL "$server" 2>/dev/null || :
   exec 8>&- 9<&-
}

@test "a phase begun and ended from outside" {
   start_server
   tell keep 1000
   vgdb phase begin load | grep -F "phase 'load' has begun"
   tell keep 200
   tell keep 30
   tell drop
   vgdb phase end load | grep -F "phase 'load' has ended"
   tell keep 4
   stop_server

   # What the commands themselves do inside Valgrind is no part of the program.
   cat >expected <<'END_OF_LIST'
load	@kind	monitor
load	@instances	1
load	@complete	yes
load	@parent	program
load	heap.entry	1000
load	heap.peak	1230
load	heap.exit	1200
load	heap.growth	230
load	heap.scratch-peak	230
load	allocations.count	2
load	allocations.bytes	230
load	deallocations.count	1
load	instructions.own-thread	unavailable
load	instructions.client-requests	0
program	heap.exit	1204
program	@complete	yes
END_OF_LIST
   expect report.xml expected
   xmllint --xpath 'string(//phase[@name="load"]/metric[@name="instructions.own-thread"]/@unavailable)' \
      report.xml | grep 'monitor command'
   [ "$(of_phase load instructions.total)" -gt 100 ]
   [ "$(of_phase load syscalls.count)" -gt 10 ]
}

@test "repeated, with blanks and umlauts in the name, and beside a request's" {
   start_server
   local i
   for i in 1 2 3; do
      vgdb phase begin heiße Phase | grep "'heiße Phase' has begun"
      tell keep $i
      vgdb phase end 'heiße Phase' | grep ended
   done
   # The monitor is nobody's thread: it can end the only open instance.
   tell phase of the server
   vgdb phases >list
   grep -Fx 'of the server: 1 open, 0 ended' list
   grep -Fx 'heiße Phase: 0 open, 3 ended' list
   grep -Fx 'program: 1 open, 0 ended' list
   vgdb phase end of the server | grep ended
   vgdb phase begin of the server | grep begun
   vgdb phase end of the server | grep ended
   stop_server
   [ "$(xmllint --xpath 'string(//phase[@name="of the server"]/@instances)' report.xml)" = 2 ]
   [ "$(xmllint --xpath 'string(//phase[@name="of the server"]/@kind)' report.xml)" = request ]
   [ "$(xmllint --xpath 'count(//diagnostic[@code="phase-ended-by-other-thread"])' report.xml)" = 1 ]
   "$PROFMEM" validate report.xml
}

@test "a snapshot is a report so far, and says that it is none of the end" {
   start_server
   tell keep 1000
   vgdb phase begin open
   tell keep 50
   vgdb snapshot first.xml | grep -F "report so far in 'first.xml'"
   tell keep 7
   vgdb phase end open
   vgdb snapshot "$PWD/with a blank.xml" | grep so
   vgdb snapshot first.xml.again
   tell keep 1
   stop_server

   "$PROFMEM" validate first.xml 'with a blank.xml' first.xml.again report.xml
   [ "$(xmllint --xpath 'string(//end/@kind)' first.xml)" = unknown ]
   xmllint --xpath 'string(//end/@reason)' first.xml | grep snapshot
   [ "$(xmllint --xpath 'string(//end/@kind)' report.xml)" = exit ]
   # The phase as if it had ended then; nothing of the snapshot is left in what follows.
   [ "$(xmllint --xpath 'string(//phase[@name="open"]/@complete)' first.xml)" = no ]
   [ "$(of_phase open allocations.bytes first.xml)" = 50 ]
   [ "$(of_phase program allocations.bytes first.xml)" = 1050 ]
   [ "$(of_phase open allocations.bytes 'with a blank.xml')" = 57 ]
   [ "$(xmllint --xpath 'string(//phase[@name="open"]/@complete)' report.xml)" = yes ]
   [ "$(of_phase open allocations.bytes)" = 57 ]
   [ "$(of_phase program allocations.bytes)" = 1058 ]
   [ "$(xmllint --xpath 'count(//diagnostic[@severity!="note"])' report.xml)" = 0 ]
   [ "$(of_phase program allocations.bytes first.xml.again)" = 1057 ]
}

@test "help, and commands that cannot be meant" {
   start_server
   vgdb help >help
   grep -A1 'profmem monitor commands' help
   local word
   for word in 'phase begin NAME' 'phase end NAME' phases 'snapshot FILE'; do
      grep -F "$word" help
   done
   grep 'general valgrind monitor commands' help # the core's own are there too

   vgdb phase begin | grep 'phase begin needs NAME'
   vgdb phase end | grep 'phase end needs NAME'
   vgdb snapshot | grep 'snapshot needs FILE'
   vgdb phase end nothing | grep "'nothing' is not open"
   vgdb phase begin twice | grep begun
   vgdb phase begin twice | grep 'open already'
   vgdb phase begin program | grep 'open already'
   vgdb phase end program | grep 'not open'
   vgdb phase begin "$(printf 'n%.0s' {1..256})" | grep 'at most 255 bytes'
   vgdb phase begin $'\xff' | grep 'at most 255 bytes of UTF-8'
   vgdb phases all | grep 'phases needs nothing'
   vgdb snapshot absent/file.xml >said
   grep "cannot write .*/absent/file.xml': No such file" said
   grep "no report in 'absent/file.xml'" said
   vgdb snapshot /dev/full | grep 'No space left'
   vgdb phase | grep 'not recognised'
   vgdb phasesx | grep 'not recognised'
   vgdb phase beginning x | grep 'not recognised'
   vgdb v.info location 0 >core # a command of Valgrind's core still works
   tell keep 1
   vgdb phase end twice | grep ended
   stop_server
   cat >expected <<'END_OF_LIST'
twice	@instances	1
twice	allocations.bytes	1
twice	!phase-begun-twice	1
program	!phase-begun-twice	1
program	!phase-ended-without-begin	1
-	!phase-name-too-long	1
-	!phase-name-not-utf8	1
END_OF_LIST
   expect report.xml expected
}

@test "a phase of the monitor that is open at the end" {
   start_server
   vgdb phase begin open
   tell keep 5
   stop_server
   printf 'open\t%s\t%s\n' @instances 1 @complete no '!phase-open-at-end' 1 allocations.bytes 5 >expected
   expect report.xml expected
}

# Valgrind calls from the middle of translated code then, where the total is in a register; the
# first time that it stops somewhere it has just translated that.
@test "phases begun and ended at breakpoints" {
   local program=$phases/breakpoints entries
   entries=$(nm "$program" | sed -En 's/^0*([0-9a-f]+) T (first|second)$/\1/p' | paste -sd,)
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes --tool=profmem \
      --vgdb-prefix="$PWD/gate" --vgdb-error=0 --log-file=log --profmem-out-file=report.xml \
      "$program" 3>&- &
   server=$!
   timeout 60 python3 "$abs_top_srcdir/tests/phases/debugger.py" \
      "$(dirname "$VALGRIND")/vgdb" "$PWD/gate" "$server" \
      "$entries" '' '' 'phase begin one' 'phase end one;phase begin two' 'phase end two' ''
   wait "$server"
   server=
   "$PROFMEM" validate report.xml

   local own one two
   own=$(xmllint --xpath 'string(//phase[@name="program"]//function[@id = //function[@name="first"]/@id]/@instructions)' report.xml)
   one=$(of_phase one instructions.total)
   two=$(of_phase two instructions.total)
   [ "$own" -gt 100000 ]
   own=$((own / 3)) # of one call; the rest is the call of the next function
   [ "$one" -gt "$own" ] && [ "$one" -lt $((own + 10)) ] || fail "$one, of which first has $own"
   [ "$two" -gt "$own" ] && [ "$two" -lt $((own + 10)) ] || fail "$two, of which second has $own"
}
