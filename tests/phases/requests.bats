# SPDX-License-Identifier: GPL-2.0-or-later
# Phases by request. What is expected of each report is the program's own account of
# what it does (requests.c).
load ../common
load phases

# lesson NAME [OPTION...]
lesson()
{
   local name=$1
   shift
   measured "$@" "$phases/requests" "$name"
}

# The instructions of around_nothing from behind its first request to the end of its
# second one, as objdump sees them. Nothing between them may jump.
instructions_around_nothing()
{
   "${PM_BINUTILS}objdump" -d --no-show-raw-insn "$phases/requests" | awk '
      /^[0-9a-f]+ <around_nothing>:/ { inside = 1; next }
      inside && /^$/ { exit }
      inside && requests == 1 {
         count++
         if ($2 ~ /^(j.*|call.*|ret.*|rep.*|loop.*|b|b\..*|bl|bl?r|[ct]bn?z)$/)
            print "jumps"
      }
      inside && $2 == "xchg" && $3 == "%rbx,%rbx" { requests++ }
      inside && $2 == "orr" && $3 $4 $5 == "x10,x10,x10" { requests++ }
      END { if (requests == 2) print count }'
}

@test "a phase around nothing: the instructions up to the end request, and no heap traffic" {
   lesson nothing
   local instructions
   instructions=$(instructions_around_nothing)
   [ "$instructions" -ge 5 ]
   [ "$(of_phase nothing instructions.total)" = "$instructions" ]
   [ "$(of_phase nothing instructions.own-thread)" = "$instructions" ]
   [ "$(of_phase nothing instructions.program)" = "$instructions" ]
   [ "$(of_phase nothing heap.entry)" = "$(of_phase nothing heap.exit)" ]
   [ "$(of_phase nothing heap.entry)" = "$(of_phase nothing heap.peak)" ]
   [ "$(of_phase nothing heap.move-peak)" = "$(of_phase nothing heap.peak)" ]
   [ "$(of_phase nothing heap.entry)" -ge 4321 ]
   # Where executions of functions are not counted, too.
   lesson nothing --functions=no
   [ "$(of_phase nothing instructions.total)" = "$instructions" ]
}

@test "a vector obtained before the phase grows inside" {
   lesson vector
}

@test "nested and crossing phases, and their parents" {
   lesson nested
}

@test "a phase five times: sums, minima, maxima, each instance" {
   lesson repeated
}

@test "--phase-instances: that many are listed, all are counted" {
   local listed
   for listed in 0 1 3 5 1000000; do
      profmem_valgrind -q --profmem-out-file=report.xml --phase-instances=$listed \
         "$phases/requests" repeated >all
      grep -vE '#|instances-listed' all >expected
      printf 'step\tinstances-listed\t%d\n' $((listed < 5 ? listed : 5)) >>expected
      # The first ones, in order.
      grep '#' all | awk -F'[#\t]' -v n=$listed '$3 <= n' >>expected
      expect report.xml expected
   done
}

@test "the same phase on two threads at once" {
   lesson overlapping
}

@test "ended by the wrong thread, begun twice, ended without a begin, ambiguous" {
   lesson wrong
}

@test "own-thread: what the thread that began the phase executed" {
   lesson own-thread
}

@test "begun and ended inside a signal handler: what comes after it is the phase's, too" {
   lesson handler
   "$PROFMEM" show --phase 'from a handler' report.xml | grep -w in_handler
}

@test "open when the process ends" {
   lesson open-at-exit
}

@test "program is the process: it is not begun or ended by requests" {
   lesson program
}

@test "names: the longest, too long, empty, not UTF-8, markup, escapes, no memory" {
   lesson names
   # As a person sees them.
   "$PROFMEM" show --metrics report.xml >shown
   "$PROFMEM" show report.xml >>shown
   grep -F "phase '<a href=\"x\">&amp;'\\''</a>]]>' (request" shown
   ! grep -q $'\x1b' shown || fail "an escape sequence"
   [ "$("$PROFMEM" show --metric heap.growth --phase $'tab\tline\nreturn\r' report.xml)" = 0 ]
}

@test "reading back" {
   lesson reads
}

@test "errors are said on the log, and not with -q" {
   profmem_valgrind --log-file=log --profmem-out-file=report.xml "$phases/requests" wrong >out
   grep "phase 'own': begun on a thread where it was open" log
   grep "phase 'never begun': ended when it was not open" log
   profmem_valgrind -q --log-file=log --profmem-out-file=report.xml "$phases/requests" wrong >out
   [ ! -s log ] || fail "$(cat log)"
}

# without TOOL: and that one says nothing of them.
without()
{
   "$VALGRIND" --command-line-only=yes --tool="$1" -q --log-file=log \
      "$phases/requests" unwatched | grep -x unwatched
   # Memcheck says that it does not know them, which is no error of the program.
   ! grep -E 'ERROR|Invalid|uninitialised' log
}

@test "requests do nothing without profmem" {
   natively "$phases/requests" unwatched | grep -x unwatched
   profmem_valgrind -q --profmem-out-file=report.xml "$phases/requests" watched | grep -x watched
   without none
   requires libc-names
   without memcheck
}
