# SPDX-License-Identifier: GPL-2.0-or-later
# Trouble around the program: folders that vanish, disks and descriptors and memory that
# run out, kills, and others who write the same report. The program is not disturbed, and
# there is a complete report under its name or none, never a half one.
load ../common
load against_none
load reports_left

trouble=$hostile/trouble

# whole_or_none: what has a report's name is one.
whole_or_none()
{
   [ ! -e report.xml ] || "$PROFMEM" validate report.xml
}

# measured ARGUMENTS...: the tool alone. Output, errors and log are out, err and log.
measured()
{
   profmem_valgrind --log-file=log --profmem-out-file="$report" "$@" >out 2>err
}

# ---- Folders

@test "the report's folder is removed while the program runs" {
   local status=0 report=reports/report.xml
   mkdir reports
   measured -q sh -c 'rm -r reports; echo gone; exit 3' || status=$?
   [ $status -eq 3 ]
   echo gone | diff - out
   [ ! -s err ]
   grep -q "cannot write the report '.*reports/report.xml': its folder.* is gone; there is no report" log
   # Another one of the same name serves as well.
   mkdir reports
   measured -q sh -c 'rm -r reports; mkdir reports; (exit 4); echo "child $?"'
   echo 'child 4' | diff - out
   [ ! -s err ] && [ ! -s log ] || fail "$(cat err log)"
   [ "$(ls -A reports)" = $'report.xml\nreport.xml.3' ] # and its third child's
   "$PROFMEM" validate reports/report.xml reports/report.xml.3
}

@test "whoever tidies the report's folder up" {
   local report=reports/report.xml
   mkdir reports
   echo old >reports/report.xml
   measured -q sh -c 'rm -r reports/* reports/.[!.]*; ls -A reports; (exit 4); exit 5' || [ $? -eq 5 ]
   [ ! -s out ] && [ ! -s err ] && [ ! -s log ] || fail "$(cat out err log)"
   "$PROFMEM" validate reports/report.xml
   # Before an exec, too.
   measured -q sh -c 'rm -r reports/* reports/.[!.]*; exec echo here'
   echo here | diff - out
   [ ! -s err ] && [ ! -s log ] || fail "$(cat err log)"
   [ "$(ls -A reports)" = report.xml ]
   [ "$(xmllint --xpath 'string(//run/end/@kind)' reports/report.xml)" = exec ]
}

@test "the report's folder gets another name" {
   local report=reports/report.xml
   mkdir reports
   measured -q sh -c 'mv reports elsewhere'
   grep -q "it is complete in '.*reports/.profmem.*.tmp'" log
   "$PROFMEM" validate elsewhere/.profmem.*.tmp
}

@test "the folder is gone before an exec, or is none any more" {
   local report=reports/report.xml
   mkdir reports
   measured -q sh -c 'rm -r reports; exec echo here'
   echo here | diff - out
   grep -q 'is gone' log
   mkdir reports
   measured -q sh -c 'rm -r reports; echo x >reports; exec echo here'
   echo here | diff - out
   [ "$(cat reports)" = x ]
}

@test "the folder that the program was started in is removed; the report lies above" {
   local report status
   for report in ../report.xml ./.././report.xml ../../there/report.xml ../../report.xml; do
      mkdir -p there/here
      status=0
      (cd there/here && profmem_valgrind -q --profmem-out-file="$report" \
         sh -c 'rm -r "$PWD"; exit 3') 2>err || status=$?
      [ $status -eq 3 ]
      [ ! -s err ] || fail "$report: $(cat err)"
      [ ! -e there/here ]
      mkdir there/here # the name leads through it
      "$PROFMEM" validate "there/here/$report"
      rm "there/here/$report"
   done
}

@test "an image in another folder, and its children: all reports where the first one is" {
   local absolute
   mkdir elsewhere
   for absolute in '' "$PWD/" "$PWD/elsewhere/"; do
      profmem_valgrind -q --trace-children=yes --profmem-out-file="${absolute}r.%p.xml" \
         sh -c 'cd elsewhere; exec sh -c "(exit 3); (exit 4); exit 5"' || [ $? -eq 5 ]
      # Of the first image, the second, and its two children.
      [ "$(printf '%s\n' "${absolute:-./}"r.*.xml* | wc -l)" -eq 4 ] || fail "$(find . -name 'r.*')"
      "$PROFMEM" validate "${absolute:-./}"r.*
      rm "${absolute:-./}"r.*
      [ -z "$(find . -name 'r.*')" ] || fail "elsewhere: $(find . -name 'r.*')"
   done
}

@test "a folder takes the report's name" {
   local report=report.xml
   measured -q sh -c 'mkdir report.xml'
   grep -q "cannot give the report its name '.*report.xml'" log
   [ -d report.xml ]
   [ -z "$(ls -A report.xml)" ]
   "$PROFMEM" validate .profmem.*.tmp
}

# ---- Disks

@test "a disk that is full in the middle of a report, with a child's beside it" {
   mkdir disk
   unshare --mount mount -t tmpfs none disk 2>/dev/null ||
      skip 'no small disk can be mounted here: only root does it'
   export -f profmem_valgrind measured
   export trouble
   unshare --mount bash -c '
      mount -t tmpfs -o size=256k none disk
      report=disk/report.xml measured -q --phase-instances=1000 "$trouble" phases 300
      echo "status $?" >status
      ls -A disk >files
      report=disk/report.xml measured -q sh -c "(exit 3); head -c 1M /dev/zero >disk/rest; (exit 4); exit 5"
      echo "status $?" >>status
      cp disk/report.xml.1 first-child.xml
      ls -A disk >>files'
   printf 'status 0\nstatus 5\n' | diff - status
   echo '300 phases' >expected
   # The second run's first child has reported before the disk was full, and nobody after.
   printf 'report.xml.1\nrest\n' | diff - files
   "$PROFMEM" validate first-child.xml
   [ "$(end_of first-child.xml)" = 'exit 3' ]
   grep -q 'No space left on device; there is no report' log
}

@test "a program that limits the size of files" {
   as_under_none -- "$trouble" file-limit 1000
   only_reports report.xml report.xml.1
   "$PROFMEM" validate report.xml report.xml.1
   # For ever: none, and no signal, also where the report is a file that is written directly.
   local report
   for report in report.xml /dev/stdout; do
      rm -f report.xml*
      measured -q "$trouble" file-limits 1000
      [ ! -s err ]
      grep -q 'File too large; there is no report' log
      head -n 1 out | diff <(echo 1000) -
      only_reports
   done
}

# ---- Descriptors

@test "a program that leaves itself hardly any descriptors" {
   local limit
   for limit in 0 3 4 5; do
      as_under_none -- "$trouble" limit $limit
      only_reports report.xml report.xml.1
      "$PROFMEM" validate report.xml report.xml.1
      [ "$(end_of report.xml.1)" = 'exit 5' ]
   done
}

# Without the launcher, which is a shell script that needs some itself.
limited()
(
   local descriptors=$1 tool=$2
   shift 2
   ulimit -n "$descriptors"
   export VALGRIND_LAUNCHER=$VALGRIND VALGRIND_LIB=$PROFMEM_VALGRIND_LIB
   exec "$VALGRIND_LIB/$tool-$PROFMEM_PLATFORM" --command-line-only=yes -q --tool="$tool" "$@"
)

@test "hardly any descriptors for Valgrind itself" {
   local descriptors none status worked=0
   echo old >report.xml
   for descriptors in 3 4 5 6 7 8 9 10 12 14 16 20 24; do
      none=0 status=0
      limited $descriptors none "$trouble" phases 3 >none.out 2>none.err || none=$?
      limited $descriptors profmem --profmem-out-file=report.xml "$trouble" phases 3 \
         >ours.out 2>ours.err || status=$?
      # Where Valgrind works at all, with the one more that the report needs.
      if [ $none -eq 0 ] && grep -q phases none.out && [ $status -eq 0 ]; then
         diff none.out ours.out
         "$PROFMEM" validate report.xml
         worked=$((worked + 1))
         echo old >report.xml
      else
         [ "$(cat report.xml)" = old ] || "$PROFMEM" validate report.xml
      fi
   done
   [ $worked -gt 0 ] || fail 'it never works'
   [ $worked -lt 13 ] || fail 'it always works'
}

# ---- Memory

# blocks_below KIB [OPTION...]: with so much address space at most. The program behaves as
# with more; what is reported is right, or unavailable for want of memory.
blocks_below()
{
   local limit=$1 status=0 reason
   shift
   rm -f report.xml
   (
      ulimit -v "$limit"
      VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes -q --tool=profmem \
         --profmem-out-file=report.xml --alloc-fn=malloc:take --alloc-fn=free:put "$@" \
         "$trouble" blocks "$blocks" >out 2>err
   ) || status=$?
   if [ $status -ne 0 ]; then # not before it runs
      grep -qE 'out of memory for the tables at the start|no address space for the profile' err ||
         fail "$limit: $(cat err)"
      [ ! -s out ]
      [ ! -e report.xml ]
      refused=$((refused + 1))
      return
   fi
   echo "$blocks blocks" | diff - out
   [ ! -s err ] || fail "$(cat err)"
   "$PROFMEM" validate report.xml
   [ "$(of_phase afterwards instructions.total)" = "$afterwards" ]
   reason=$(xmllint --xpath "string(//phase[@name='blocks']/metric[@name='heap.growth']/@unavailable)" \
      report.xml)
   if [ -n "$reason" ]; then
      [[ $reason == 'out of memory'* ]] || fail "$reason"
      unavailable=$((unavailable + 1))
   else
      [ "$(of_phase blocks heap.growth)" = $((16 * blocks)) ]
      [ "$(of_phase afterwards allocations.count)" = 1000 ]
      known=$((known + 1))
   fi
}

@test "no memory for the tool's tables: the heap is unavailable, and the program goes on" {
   local limit blocks unavailable=0 known=0 refused=0 afterwards
   blocks=1000000 # fewer would not fill what there is
   profmem_valgrind -q --profmem-out-file=report.xml --alloc-fn=malloc:take --alloc-fn=free:put \
      "$trouble" blocks "$blocks" >out
   afterwards=$(of_phase afterwards instructions.total)
   for limit in 600000 150000 130000 60000; do
      blocks_below $limit --functions=no
   done
   for limit in 600000 280000 60000; do
      blocks_below $limit
   done
   [ $known -gt 1 ] && [ $unavailable -gt 1 ] && [ $refused -gt 1 ] ||
      fail "known $known, unavailable $unavailable, refused $refused"
}

@test "Valgrind itself runs out of memory: no half report" {
   local limit
   for limit in 600000 300000 150000 100000; do
      (
         ulimit -v $limit
         profmem_valgrind -q --functions=no --profmem-out-file=report.xml "$trouble" grow >out 2>err
      ) || :
      whole_or_none
      [ -z "$(ls -A | grep tmp)" ] || fail "left: $(ls -A)"
      rm -f report.xml
   done
}

# ---- Kills

# Half of them while the report is written, which takes a while: it has many phases.
@test "killed at any time: no half report" {
   local delay process whole=0
   for delay in 0.2 0.4 0.6 0.8 1 1.3 1.8; do
      VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes --tool=profmem -q \
         --profmem-out-file=report.xml "$trouble" phases "$(sized 1500)" >out &
      process=$!
      sleep $delay
      kill -KILL $process 2>/dev/null || whole=$((whole + 1))
      wait $process || :
      whole_or_none
      rm -f report.xml
   done
   echo "$whole of 7 ended before"
}

# ---- Company

# Each run's number of phases is its own; a report tells by its command whose it is. They
# are written at about the same time.
@test "the same report by several runs at once: one is there, and whole" {
   local run processes=()
   for run in 401 402 403 404; do
      profmem_valgrind -q --profmem-out-file=report.xml "$trouble" phases $run >/dev/null &
      processes+=($!)
   done
   for run in "${processes[@]}"; do
      wait "$run"
   done
   only_reports report.xml
   "$PROFMEM" validate report.xml
   run=$(xmllint --xpath 'string(//command/arg[3])' report.xml)
   [ "$(xmllint --xpath "count(//phase[starts-with(@name, 'phase ')])" report.xml)" = "$run" ]
}

@test "the same report by a long run with little in it: it is the last one" {
   profmem_valgrind -q --profmem-out-file=report.xml \
      sh -c 'echo >runs; until [ -e over ]; do sleep 0.1; done' &
   local long=$! tries
   for ((tries = 0; tries < 300; tries++)); do
      [ ! -e runs ] || break
      sleep 0.1
   done
   profmem_valgrind -q --profmem-out-file=report.xml "$trouble" phases 200 >/dev/null
   "$PROFMEM" validate report.xml
   [ "$(xmllint --xpath 'string(//command/arg[2])' report.xml)" = phases ]
   echo >over
   wait $long
   only_reports report.xml
   "$PROFMEM" validate report.xml
   [ "$(xmllint --xpath 'string(//command/arg[2])' report.xml)" = -c ]
}
