#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# diff_programs.bats: real programs, built twice with one thing changed: `profmem diff` names
# it in the first line of its explanation.

load ../common
bats_require_minimum_version 1.5.0

unset COLUMNS NO_COLOR
sources=$abs_top_srcdir/tests/diff
client=$abs_top_srcdir/valgrind-tool/client

# build SIDE NAME [FLAG...]: SIDE/NAME from the source of that name; the new one changed.
build()
{
   local side=$1 name=$2 define=()
   shift 2
   [ "$side" = old ] || define=(-DREGRESSION)
   mkdir -p "$side"
   gcc -std=gnu11 -g -O1 "${define[@]}" -I"$client" -o "$side/$name" "$sources/$name.c" "$@"
}

# measured SIDE PROGRAM [OPTION...]: the report SIDE.xml, of the environment of every test.
measured()
{
   local side=$1 program=$2
   shift 2
   profmem_valgrind -q "$@" --profmem-out-file="$side.xml" "$program"
   "$PROFMEM" validate "$side.xml"
}

# both NAME [FLAG...]: the program built and measured twice.
both()
{
   for side in old new; do
      build "$side" "$@"
      measured "$side" "$side/$1"
   done
}

# differ [OPTION...]: what diff says, in out; there are differences.
differ()
{
   local status=0
   "$PROFMEM" diff "$@" old.xml new.xml >out || status=$?
   [ "$status" -eq 1 ] || fail "status $status"
   cat out >&2
}

# The first line of the explanation, blanks made single.
first()
{
   grep -m 1 -E '^    +[+-][0-9]' out | tr -s ' '
}

# starts TEXT: with which the first line of the explanation begins.
starts()
{
   case $(first) in
   "$1"*) ;;
   *) fail "the first line is: $(first)" ;;
   esac
}

# has TEXT: a line of the output, blanks made single, begins so.
has()
{
   tr -s ' ' <out | grep -q -F -- "$1" || fail "not said: $1"
}

@test "one more allocation for each item" {
   both items
   differ
   starts " +1,000 site copy_text <- add_item <- main (items.c:"
   has " traffic.blocks +1,000 +50.0% 2,000 -> 3,000 blocks"
   has "from 1 place -> 2"
}

@test "a vector loop turned scalar" {
   both sums
   differ
   starts " +20,472 function sum_all in sums "
   # Four numbers are one instruction no longer.
   differ --metric=instructions.vector
   starts " -1,027 function sum_all in sums 1,027 -> 0"
   differ --metric=instructions.scalar-float
   starts " +12,286 function sum_all in sums 3 -> 12,289"
}

@test "a transient buffer doubled" {
   both buffers
   differ
   # The phase it is in comes first, and the metric that shows it best.
   [ "$(grep -m 1 '^phase ' out)" = "phase turn" ] || fail "$(grep -m 1 '^phase ' out)"
   [ "$(grep -m 1 -o -E '^  heap\.[a-z-]+' out)" = "  heap.scratch-peak" ]
   starts " +65,536 site make_buffer <- turn <- main (buffers.c:"
   has " heap.scratch-peak +65,536 +100% 65,536 -> 131,072 bytes (+64.00 KiB)"
   # The whole run's peak is elsewhere: it does not differ.
   differ --phase=program
   if grep -q 'heap\.peak' out; then
      fail "the peak of the run did not change"
   fi
}

@test "of several places in a function, the one that is new, gone, or changed most" {
   local line
   line=$(grep -n '/\* here \*/' "$sources/places.c" | cut -d: -f1)
   both places
   for metric in traffic.bytes traffic.blocks allocations.temporary; do
      differ -p program -m $metric
      first | grep -q -E "^ \+[0-9,]+ site work <- main \(places.c:$line in places\) .* from 2 places -> 3" ||
         fail "$metric: $(first)"
   done
   mv old.xml other.xml
   mv new.xml old.xml
   mv other.xml new.xml
   differ -p program -m traffic.bytes
   first | grep -q -E "^ -100,000 site work <- main \(places.c:$line in places\) .* from 3 places -> 2"
   # With lines that moved besides: a line in front of all.
   mv old.xml other.xml
   mv new.xml old.xml
   { echo; cat "$sources/places.c"; } >places.c
   gcc -g -O1 -DREGRESSION -o new/places places.c
   measured new new/places
   differ -p program -m traffic.bytes
   first | grep -q -F " +100,000 site work <- main (places.c:$((line + 1)) in places)" || fail "$(first)"
}

# Inlined or not, what a standard library does for the program is told as the program's.
@test "a vector that grows step by step, at any level of optimization" {
   local level line
   line=$(grep -n push_back "$sources/growing.cc" | cut -d: -f1)
   for level in -O0 -O1 -O2 -O3; do
      for side in old new; do
         mkdir -p $side
         local define=()
         [ $side = old ] || define=(-DREGRESSION)
         g++ -g $level "${define[@]}" -o $side/growing "$sources/growing.cc"
         measured $side $side/growing
      done
      differ -p program -m traffic.bytes
      first | grep -q -E "^ \+[0-9,]+ site collect(\(\))? <- main \(growing.cc:$line in growing\) new" ||
         fail "$level: $(first)"
      # In full, nothing is left out.
      differ -p program -m traffic.bytes --all
      grep -q 'vector' out
   done
}

@test "the same in Rust" {
   local level line
   line=$(grep -n names.push "$sources/growing_rust.rs" | cut -d: -f1)
   for level in 0 1 2 3; do
      for side in old new; do
         mkdir -p $side
         local define=()
         [ $side = old ] || define=(--cfg regression)
         rustc -A unexpected_cfgs -g -C opt-level=$level "${define[@]}" \
            -o $side/growing_rust "$sources/growing_rust.rs"
         measured $side $side/growing_rust
      done
      differ -p program -m traffic.bytes
      first | grep -q -E "^ \+[0-9,]+ site growing_rust::collect <- growing_rust::main <- .* \(growing_rust.rs:$line in growing_rust\) new" ||
         fail "$level: $(first)"
      differ -p program -m traffic.bytes --all
      grep -q 'alloc::raw_vec::' out
   done
}

@test "lines that moved are the same lines" {
   for side in old new; do
      mkdir $side
      cp "$sources/items.c" $side/items.c
   done
   # A line in front of all, and work in the middle of a function.
   sed -i -e '1i /* more */' -e 's/^   struct item \*list = NULL;/&\n   list = add_item(list, name);/' \
      new/items.c
   for side in old new; do
      gcc -std=gnu11 -g -O1 -o $side/items $side/items.c
      measured $side $side/items --lines=yes --report-limit=100000
   done
   differ --all --metric=instructions.total
   # Of main, the new line is new; of the others, which only moved, none is new or gone.
   added=$(grep -n 'add_item(list, name);' new/items.c | head -n 1 | cut -d : -f 1)
   [ "$(grep -c ' line .*in main .*new$' out)" -eq 1 ]
   grep -E " line +items\\.c:$added in main +new\$" out
   if grep -E ' line .* in (add_item|copy_text|free_items) .*(new|gone)$' out; then
      fail "lines that only moved"
   fi
   grep -E ' line +~ +items\.c:[0-9]+ in add_item .*, was line [0-9]+ in add_item$' out
}

# work_library SIDE FILE: the library, of that name.
work_library()
{
   local define=()
   [ "$1" = old ] || define=(-DREGRESSION)
   mkdir -p "$1"
   gcc -std=gnu11 -g -O1 "${define[@]}" -Wl,--build-id -shared -fPIC -o "$1/$2" \
      "$sources/library.c"
}

@test "a library swapped for another build" {
   work_library old libwork.so
   work_library new libwork.so
   gcc -std=gnu11 -g -O1 -o program "$sources/library_user.c" -Lold -lwork
   for side in old new; do
      LD_LIBRARY_PATH=$PWD/$side measured "$side" ./program
   done
   differ
   starts " +41,000 object libwork.so 10,056 -> 51,056, another build"
   has " +41,000 function library_mix in libwork.so 3,000 -> 44,000"
   has " object libwork.so "
}

@test "a library of another version" {
   work_library old libwork.so.1.2
   work_library new libwork.so.1.3
   for side in old new; do
      gcc -std=gnu11 -g -O1 -o $side/program "$sources/library_user.c" $side/libwork.so.1.[23]
      LD_LIBRARY_PATH=$PWD measured $side $side/program
   done
   differ
   starts " +41,000 object ~ libwork.so.1.3 10,056 -> 51,056, was libwork.so.1.2"
   has " +41,000 function ~ library_mix in libwork.so.1.3 3,000 -> 44,000, was in libwork.so.1.2"
}

@test "a library under another name" {
   work_library old libwork.so
   work_library new libother.so
   for side in old new; do
      gcc -std=gnu11 -g -O1 -o $side/program "$sources/library_user.c" $side/lib*.so
      LD_LIBRARY_PATH=$PWD measured $side $side/program
   done
   differ
   starts " +41,000 object ~ libother.so 10,056 -> 51,056, was libwork.so"
}

@test "a function inlined into its caller, and back" {
   both inlined
   differ
   starts " -3,006 function ~ walk in inlined 16,013 -> 13,007, with look_up, now inlined"
   mv old.xml kept.xml
   mv new.xml old.xml
   mv kept.xml new.xml
   differ
   starts " +3,006 function ~ walk in inlined 13,007 -> 16,013, with look_up, no longer inlined"
}

@test "a report and itself: nothing" {
   build old items
   measured old old/items
   mkdir twice
   cp old/items twice/items
   [ -z "$("$PROFMEM" diff old.xml old.xml)" ]
   # A second run differs in nothing that matters.
   measured new old/items
   "$PROFMEM" diff old.xml new.xml
}

@test "unlike runs are refused, whatever makes them so" {
   build old items
   cp old/items other
   measured old old/items
   # unlike SAYS COMMAND...: the new report comes of the command.
   unlike()
   {
      local says=$1 status=0
      shift
      "$@"
      "$PROFMEM" diff old.xml new.xml >out 2>err || status=$?
      [ "$status" -eq 2 ] || fail "$says: status $status"
      [ ! -s out ]
      tr -s ' ' <err | grep -q -F -- " $says" || fail "not said: $says; but: $(cat err)"
      status=0
      "$PROFMEM" diff --allow-unlike old.xml new.xml >out 2>err || status=$?
      [ "$status" -le 1 ]
      [ "$(head -n 1 out)" = "the runs are unlike" ]
   }
   unlike "program items -> other" measured new ./other
   unlike "option --cpu host -> baseline" measured new old/items --cpu=baseline
   unlike "option --stacks yes -> no" measured new old/items --stacks=no
   with_argument()
   {
      profmem_valgrind -q --profmem-out-file=new.xml old/items 'two words'
   }
   unlike "argument 1 none -> two words" with_argument
}

@test "what differs in the inputs that run was told of" {
   echo one >input
   "$PROFMEM" run -q --input=input -o old.xml cat input
   "$PROFMEM" run -q --input=input -o new.xml cat input
   "$PROFMEM" diff old.xml new.xml
   echo two >input
   "$PROFMEM" run -q --input=input -o new.xml cat input
   run -2 --separate-stderr "$PROFMEM" diff old.xml new.xml
   tr -s ' ' <<<"$stderr" | grep -q -F " input input $(printf 'one\n' | sha256sum | cut -d ' ' -f 1) -> "
}

@test "random pairs of reports: the parts add up, and swapped they are the opposite" {
   python3 "$sources/random_reports.py" --profmem "$PROFMEM" --pairs 150
}

@test "a function that many others call asks for more: it comes before its call chains" {
   both callers
   differ --metric=traffic.bytes
   # 10 times the sum of 11 to 18.
   starts " +1,160 function buffer in callers 1,160 -> 2,320 in 8 sites"
   [ "$(grep -c ' site ' out)" -eq 6 ]
   tr -s ' ' <out | grep -q -F ' +360 site 3 more that changed'
   differ --metric=traffic.bytes --top=1
   tr -s ' ' <out | grep -q -F ' +180 site buffer <- caller_8 <- main '
}

@test "of many that changed the largest come first, in order, however few are shown" {
   both many
   local n top
   # What each place asks for more, the largest first.
   for n in $(seq 0 199); do
      echo $((n * 67 % 199)) "place_$(printf %03d "$n")"
   done | sort -k1,1nr | awk '$1 { printf " +%d site %s\n", $1, $2 }' >largest
   [ "$(wc -l <largest)" -eq 198 ]
   for top in 1 2 3 4 100 1000; do
      differ --metric=traffic.bytes --top=$top
      tr -s ' ' <out | grep -o '^ +[0-9]* site place_[0-9]*' >shown || true
      diff <(head -n $top largest) shown
   done
   differ --metric=traffic.bytes --top=2
   # 0 to 198 add up to 19,701, without 198 and 197:
   tr -s ' ' <out | grep -q -F " +19,306 site 196 more that changed"
}
