# SPDX-License-Identifier: GPL-2.0-or-later
# The report as a file, and the program that must not notice.
#
# What is expected of the program is what it does under --tool=none.
load ../common
load tool
bats_require_minimum_version 1.5.0

witness=$programs/witness

# none ARGUMENTS...: under Valgrind without a tool, in the same environment.
none()
{
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes --tool=none "$@"
}

# same_program ARGUMENTS...: output, errors and end are the same under both.
same_program()
{
   local expected=0 status=0
   none --log-file=/dev/null "$@" >none.out 2>none.err || expected=$?
   profmem_valgrind --log-file=log --profmem-out-file=report.xml "$@" >profmem.out 2>profmem.err ||
      status=$?
   [ $status -eq $expected ] || fail "its status is $status, not $expected"
   cmp none.out profmem.out
   cmp <(without_shell none.err) <(without_shell profmem.err)
   complete report.xml
}

# What the shell of the test says of a program killed by a signal.
without_shell()
{
   grep -v "line [0-9]*: *[0-9]* [A-Z]" "$1" || :
}

complete()
{
   "$PROFMEM" validate "$1"
}

# No temporaries of the tool, nothing but what is named.
only_files()
{
   [ "$(ls -A | sort)" = "$(printf '%s\n' "$@" | sort)" ] || fail "there is also: $(ls -A)"
}

end_of()
{
   xmllint --xpath 'string(/profmem/run/end/@kind)' "$1"
}

# ---- Determinism

operations=$(sized 3000 300)
export operations

# The same environment whatever starts it.
run_to()
{
   env -i PATH="$PATH" VALGRIND_LIB="$PROFMEM_VALGRIND_LIB" "$VALGRIND" --command-line-only=yes \
      --tool=profmem -q --profmem-out-file="$1" "$programs/ledger-cxx" "$operations" 1 1 locked
}

# same_bytes COMMAND...: the report of a run started by that command is the same as
# that of one started plainly. The command runs its argument in a shell.
same_bytes()
{
   run_to first.xml >first
   export -f run_to
   export programs
   "$@" 'run_to second.xml; :' >second
   cmp first second
   cmp first.xml second.xml
   rm first.xml second.xml
}

@test "two runs write the same bytes, at another time too" {
   same_bytes bash -c
   later()
   {
      sleep 1.1
      eval "$1"
   }
   same_bytes later
}

@test "the same bytes on one processor" {
   same_bytes taskset -c 0 bash -c
}

# Numbers of one or two digits, and of five.
@test "the same bytes whatever the process number" {
   unshare --pid --fork --mount-proc true 2>/dev/null ||
      skip 'no namespaces of process numbers here: only root makes them'
   same_bytes unshare --pid --fork --mount-proc bash -c
   far_in_namespace()
   {
      unshare --pid --fork --mount-proc bash -c 'echo 20000 >/proc/sys/kernel/ns_last_pid && '"$1"
   }
   same_bytes far_in_namespace
}

# ---- The program is not disturbed

@test "the program's output, status and descriptors: exit" {
   same_program "$witness" exit 0
   same_program "$witness" exit 7
   [ "$(end_of report.xml)" = exit ]
}

@test "the program's output, status and descriptors: death by signal" {
   same_program "$witness" signal 6
   [ "$(end_of report.xml)" = signal ]
   same_program "$witness" signal 15
   same_program "$programs/freestanding/die_segv"
   [ "$(end_of report.xml)" = signal ]
}

@test "a program killed by a signal dies by that signal" {
   local status=0
   perl -e 'my $s = system @ARGV; exit(($s & 127) == 6 ? 42 : 1)' "$VALGRIND" \
      --command-line-only=yes --tool=none -q "$witness" signal 6 >none.out || status=$?
   [ $status -eq 42 ]
   status=0
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB perl -e 'my $s = system @ARGV; exit(($s & 127) == 6 ? 42 : 1)' \
      "$VALGRIND" --command-line-only=yes --tool=profmem -q --profmem-out-file=report.xml \
      "$witness" signal 6 >profmem.out || status=$?
   [ $status -eq 42 ]
}

@test "a program that closes every descriptor" {
   same_program "$witness" close 3
   grep -q . log
}

@test "a program that was given no standard descriptors" {
   local status=0
   profmem_valgrind -q --profmem-out-file=report.xml "$witness" exit 5 <&- >&- 2>&- || status=$?
   [ $status -eq 5 ]
   complete report.xml
}

@test "a relative path means the folder at the start" {
   same_program "$witness" chdir 0
}

# ---- The log

@test "a summary at the end, none with -q" {
   profmem_valgrind --profmem-out-file=report.xml "$programs/ledger" 500 1 1 locked >out 2>log
   grep -qi peak log
   grep -qE '[0-9],[0-9]{3}' log
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/ledger" 500 1 1 locked >out 2>log
   [ ! -s log ] || fail "$(cat log)"
}

# ---- Where the report goes

@test "by default profmem.out, process number, .xml, and nothing else" {
   profmem_valgrind -q "$witness" exit 0 >/dev/null 2>&1
   [[ $(ls -A) =~ ^profmem\.out\.[0-9]+\.xml$ ]]
   complete profmem.out.*.xml
}

@test "an older report is replaced" {
   echo old >report.xml
   profmem_valgrind -q --profmem-out-file=report.xml true
   complete report.xml
   only_files report.xml
}

@test "killed from outside: the older report stays" {
   echo old >report.xml
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes --tool=profmem -q \
      --profmem-out-file=report.xml perl -e 'open F, ">runs"; close F; sleep 60' &
   local process=$! tries
   for ((tries = 0; tries < 300; tries++)); do
      [ ! -e runs ] || break
      sleep 0.1
   done
   [ -e runs ]
   kill -KILL $process
   wait $process || :
   [ "$(cat report.xml)" = old ]
}

@test "nobody else's file is written to on the way" {
   echo mine >victim
   # Names that the temporary file could have, each a link to another file.
   perl -e 'for $pid ($$ .. $$ + 300) { symlink "victim", ".profmem.$pid.1.tmp" or die }'
   profmem_valgrind -q --profmem-out-file=report.xml perl -e 'print $$' >number
   [ -L ".profmem.$(cat number).1.tmp" ]
   [ "$(cat victim)" = mine ]
   complete report.xml
}

@test "a symbolic link leads to the report" {
   echo old >target.xml
   ln -s target.xml link.xml
   profmem_valgrind -q --profmem-out-file=link.xml true
   complete link.xml
   ln -s not-there-yet.xml dangling.xml
   profmem_valgrind -q --profmem-out-file=dangling.xml true
   complete dangling.xml
}

@test "a FIFO is written, and stays" {
   mkfifo pipe
   cat pipe >report.xml &
   local reader=$!
   profmem_valgrind -q --profmem-out-file=pipe true
   wait $reader
   [ -p pipe ]
   complete report.xml
   only_files pipe report.xml
}

# The link is the test's own, as /dev/stdout is: a mistake must not harm the machine.
@test "standard output by its name in /dev" {
   ln -s /proc/self/fd/1 stdout
   profmem_valgrind -q --profmem-out-file=stdout true | cat >report.xml
   complete report.xml
   profmem_valgrind -q --profmem-out-file=stdout true >report.xml
   complete report.xml
   [ "$(readlink stdout)" = /proc/self/fd/1 ]
   only_files report.xml stdout
}

# ---- Trouble

# refused OPTIONS...: status 1, a message, and the program did not run.
refused()
{
   local status=0
   profmem_valgrind "$@" touch ran 2>errors || status=$?
   [ $status -eq 1 ] || fail "status $status"
   [ ! -e ran ]
   grep -q . errors
   cat errors
}

@test "a path that cannot be written: said before the program runs" {
   refused --profmem-out-file=absent/report.xml | grep absent/report.xml
   refused --profmem-out-file=/proc/report.xml | grep /proc/report.xml
   mkdir folder
   refused --profmem-out-file=folder | grep folder
   refused -q --profmem-out-file=absent/report.xml | grep absent/report.xml
   only_files folder errors
}

@test "an unknown option or value" {
   refused --profmem-nonsense=1 | grep profmem-nonsense
   refused --functions=perhaps | grep functions
   refused --report-children=some | grep report-children
   only_files errors
}

@test "a program that is not there leaves no report" {
   run -127 profmem_valgrind --profmem-out-file=report.xml ./absent
   only_files
}

@test "a full device: said on the log, the program's status unchanged" {
   local status=0
   profmem_valgrind --log-file=log --profmem-out-file=/dev/full "$witness" exit 7 >out 2>&1 || status=$?
   [ $status -eq 7 ]
   grep /dev/full log
   [ -c /dev/full ]
   profmem_valgrind -q --log-file=log --profmem-out-file=/dev/full "$witness" exit 0 >out 2>&1
   grep /dev/full log
}

@test "a full disk: no half report" {
   mkdir disk
   unshare --mount mount -t tmpfs none disk 2>/dev/null ||
      skip 'no small disk can be mounted here: only root does it'
   export -f profmem_valgrind
   export witness
   unshare --mount bash -c '
      mount -t tmpfs -o size=4k none disk && head -c 4096 /dev/zero >disk/filler
      profmem_valgrind --log-file=log --profmem-out-file=disk/report.xml "$witness" exit 7 >out 2>&1
      echo $? >status
      ls -A disk >files'
   [ "$(cat status)" -eq 7 ] || fail "its status is $(cat status)"
   [ "$(cat files)" = filler ] || fail "left on the disk: $(cat files)"
   grep -q report.xml log
}

# ---- More than one process

@test "a child's report does not replace its parent's" {
   profmem_valgrind -q --profmem-out-file=report.xml \
      perl -e 'my $x = "p" x 100; if (my $p = fork) { waitpid $p, 0; exit 4 } exit 5' || [ $? -eq 4 ]
   complete report.xml
   complete report.xml.1
   [ "$(xmllint --xpath 'string(//end/@status)' report.xml)" = 4 ]
   [ "$(xmllint --xpath 'string(//end/@status)' report.xml.1)" = 5 ]
   only_files report.xml report.xml.1
}

# The expected numbers are the program's own.
@test "parent and child have a heap each" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/fork" child parent || [ $? -eq 4 ]
   agree parent report.xml
   agree child report.xml.1
}

@test "a program that ends in exec is reported before" {
   profmem_valgrind -q --profmem-out-file=report.xml sh -c 'exec true'
   complete report.xml
   [ "$(end_of report.xml)" = exec ]
}

@test "an exec that fails ends nothing" {
   profmem_valgrind -q --profmem-out-file=report.xml \
      perl -e 'no warnings; exec "./absent"; exit 6' || [ $? -eq 6 ]
   complete report.xml
   [ "$(end_of report.xml)" = exit ]
}

@test "a command found along PATH is named in full" {
   local git
   git=$(of_root "$(command -v git)")
   profmem_valgrind -q --profmem-out-file=report.xml git --version >out
   [ "$(xmllint --xpath 'string(//executable/@path)' report.xml)" = "$(readlink -f "$git")" ]
   [ "$(xmllint --xpath 'string(//executable/@size)' report.xml)" = "$(stat -Lc %s "$git")" ]
   [ "$(xmllint --xpath 'string(//command/arg[1])' report.xml)" = git ]
}
