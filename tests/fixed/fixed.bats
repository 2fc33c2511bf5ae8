# SPDX-License-Identifier: GPL-2.0-or-later
# What --fixed-clock, --fixed-random and --cpu make the same in every run, and what stays.
load ../common

programs=$abs_top_builddir/tests/fixed

# twice NAME OPTIONS... -- COMMAND...: two runs print the same and report the same, as
# NAME.1.out, NAME.1.xml and so on.
twice()
{
   local name=$1 options=() run
   shift
   while [ "$1" != -- ]; do
      options+=("$1")
      shift
   done
   shift
   for run in 1 2; do
      profmem_valgrind -q --profmem-out-file="$name.xml" "${options[@]}" "$@" >"$name.$run.out"
      mv "$name.xml" "$name.$run.xml"
   done
   cmp "$name.1.out" "$name.2.out"
   cmp "$name.1.xml" "$name.2.xml"
}

# fix NAME: what a report says of it.
fix()
{
   xmllint --xpath "string(/profmem/run/fixed/fix[@name='$2']/@value)" "$1"
}

@test "clock: every wait comes to its end, natively and fixed" {
   local epoch
   "$programs/fixed_clock"
   for epoch in yes 100 4000000000; do
      profmem_valgrind -q --profmem-out-file=report.xml --fixed-clock=$epoch "$programs/fixed_clock"
   done
   [ "$(fix report.xml clock)" = 4000000000 ]
}

@test "clock: the same readings in every run" {
   twice clock --fixed-clock=yes -- "$programs/fixed_clock" print
   grep -q '^clock 0: 2000000000' clock.1.out
   [ "$(fix clock.1.xml clock)" = 2000000000 ]
   # And they are not the system's: without it, two runs differ.
   profmem_valgrind -q --profmem-out-file=free.xml "$programs/fixed_clock" print >free.out
   ! cmp -s free.out clock.1.out
}

@test "clock: an image goes on where the one before it was" {
   profmem_valgrind -q --profmem-out-file=report.xml --trace-children=yes --fixed-clock=yes \
      /bin/sh -c '/bin/date +%s.%N; sleep 1; exec /bin/date +%s.%N' >times
   [ "$(wc -l <times)" -eq 2 ]
   awk 'NR == 1 { first = $1 } NR == 2 { exit !($1 > first && $1 < first + 3) }' times
   grep -q '^2000000000' times
}

@test "clock: make finds nothing from the future, and what is to be made" {
   printf 'all: out\nout: in\n\tcp in out\n' >Makefile
   echo 1 >in
   make >expected 2>&1
   make >>expected 2>&1
   rm out
   local run
   for run in 1 2; do
      profmem_valgrind -q --profmem-out-file=report.xml --trace-children=yes --fixed-clock=yes \
         "$(command -v make)" >>said 2>&1
   done
   diff expected said
}

@test "clock: a program that sets it sets its own" {
   # Seconds between the start of the system and 1970; they change when its clock is set.
   started() { awk -v now="$(date +%s.%N)" '{ printf "%d", now - $1 }' /proc/uptime; }
   local before after
   before=$(started)
   profmem_valgrind -q --profmem-out-file=report.xml --fixed-clock=yes "$programs/fixed_clock" set
   after=$(started)
   [ $((after - before)) -le 1 ]
   [ $((before - after)) -le 1 ]
}

@test "clock: a system that has been asleep" {
   # As if it had been, in a namespace: CLOCK_BOOTTIME is a day ahead of CLOCK_MONOTONIC.
   local asleep=(unshare -T --boottime 86400)
   "${asleep[@]}" true 2>err || skip "no time namespace: $(cat err)"
   "${asleep[@]}" "$programs/fixed_clock" boottime
   export VALGRIND_LIB=$PROFMEM_VALGRIND_LIB
   "${asleep[@]}" "$VALGRIND" --command-line-only=yes --tool=profmem -q --fixed-clock=yes \
      --profmem-out-file=report.xml "$programs/fixed_clock" boottime
}

@test "clock: without the option it is the system's" {
   profmem_valgrind -q --profmem-out-file=report.xml /bin/date +%s >shown
   [ "$(cat shown)" -ge "$(($(date +%s) - 60))" ]
   [ -z "$(fix report.xml clock)" ]
}

@test "random: the same in every run, however it is asked for" {
   "$programs/fixed_random" >/dev/null
   twice random --fixed-random=yes -- "$programs/fixed_random"
   [ "$(fix random.1.xml random)" = 1 ]
   # No two draws are the same.
   [ -z "$(cut -d: -f2 random.1.out | sort | uniq -d)" ]
   twice seeded --fixed-random=77 -- "$programs/fixed_random"
   [ "$(fix seeded.1.xml random)" = 77 ]
   [ -z "$(sort random.1.out seeded.1.out | uniq -d)" ]
   profmem_valgrind -q --profmem-out-file=free.xml "$programs/fixed_random" >free.out
   [ -z "$(sort random.1.out free.out | uniq -d)" ]
}

@test "random: programs that seed their hashes with it" {
   local set='print({str(i) for i in range(20)})'
   twice python --fixed-random=yes -- /usr/bin/python3 -I -S -B -c "$set"
   twice perl --fixed-random=yes -- /usr/bin/perl -e 'my %h = map { $_ => 1 } 1 .. 50; print keys %h'
}

@test "random: images that an exec has started draw other numbers" {
   profmem_valgrind -q --profmem-out-file=report.xml --trace-children=yes --fixed-random=yes \
      /bin/sh -c 'mktemp -u x.XXXXXX; mktemp -u x.XXXXXX' >first
   [ "$(sort -u first | wc -l)" -eq 2 ]
   profmem_valgrind -q --profmem-out-file=other-name.xml --trace-children=yes --fixed-random=yes \
      /bin/sh -c 'mktemp -u x.XXXXXX; mktemp -u x.XXXXXX' >second
   cmp first second
}

# sees CLASS NAME=VALUE...
sees()
{
   local class=$1 fact
   shift
   profmem_valgrind -q --profmem-out-file=report.xml --cpu="$class" "$programs/fixed_cpu" >facts
   for fact in "$@" hwcap-is-edx=1 hwcap2=0 rdrand=0 rdseed=0 avx512f=0; do
      grep -qx "$fact" facts || fail "$class: not $fact: $(tr '\n' ' ' <facts)"
   done
   [ "$(fix report.xml cpu)" = "$class" ]
}

# The classes that this machine can stand in for, as its kernel says.
served()
{
   echo baseline
   grep -qw ssse3 /proc/cpuinfo && grep -qw cx16 /proc/cpuinfo && echo sse42
   grep -qw avx /proc/cpuinfo && echo avx
   grep -qw avx2 /proc/cpuinfo && grep -qw f16c /proc/cpuinfo && echo avx2
   true
}

@test "cpu: each class is one processor" {
   local class
   for class in $(served); do
      case $class in
      baseline) sees $class sse3=0 ssse3=0 sse42=0 popcnt=0 avx=0 avx2=0 ;;
      sse42) sees $class sse3=1 ssse3=1 sse42=1 popcnt=1 avx=0 avx2=0 f16c=0 ;;
      avx) sees $class sse42=1 avx=1 avx2=0 f16c=0 fma=0 bmi2=0 ;;
      avx2) sees $class avx=1 avx2=1 f16c=1 bmi2=1 ;;
      esac
      sed -n 's/^brand=//p' facts >>brands
   done
   [ "$(sort -u brands | wc -l)" -eq "$(served | wc -l)" ]
}

@test "cpu: the vectors that the system saves are those of the class" {
   grep -qw avx /proc/cpuinfo || skip "the processor has no AVX"
   local pair
   for pair in baseline=3 sse42=3 avx=7; do
      profmem_valgrind -q --profmem-out-file=report.xml --cpu=${pair%=*} "$programs/fixed_cpu" \
         state >facts
      grep -qx "state=${pair#*=}" facts || fail "$pair"
   done
}

@test "cpu: the C library chooses by it" {
   local class
   for class in $(served); do
      profmem_valgrind -q --profmem-out-file=report.xml --cpu="$class" \
         /lib64/ld-linux-x86-64.so.2 --help >help
      [ "$(grep -c 'x86-64-v2 (supported' help)" -eq "$([ $class = baseline ] && echo 0 || echo 1)" ]
      [ "$(grep -c 'x86-64-v3 (supported' help)" -eq "$([ $class = avx2 ] && echo 1 || echo 0)" ]
   done
}

@test "options that are wrong are said before the program starts" {
   local option
   for option in --cpu=486 --cpu= --fixed-random=maybe --fixed-random=-1 --fixed-clock=tomorrow \
      --fixed-clock=99999999999; do
      run profmem_valgrind --profmem-out-file=report.xml "$option" /bin/echo started
      [ "$status" -eq 1 ]
      [[ $output == *"$option"* && $output != *started* ]] || fail "$option: $output"
      [ ! -e report.xml ]
   done
}

# outside NAME: what a report says.
outside()
{
   "$PROFMEM" show --metric "outside.$1" --phase known report.xml
}

@test "what was taken in from outside is counted" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/fixed_outside" >expected
   local name
   for name in clock-reads random-reads pid-reads file-reads network-calls processes; do
      [ "$(outside $name)" = "$(sed -n "s/^$name=//p" expected)" ] ||
         fail "$name: $(outside $name), not $(sed -n "s/^$name=//p" expected)"
   done
   [ "$(outside thread-switches)" -ge 2 ]
}
