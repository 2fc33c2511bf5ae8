#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# comparison.bats: the table in README.md beside other tools. Numbers of docs/accuracy.md and
# docs/cost.md stand there as they do here, and are seen again by tests/accuracy and make bench;
# what is in no other document is seen here.

load ../common

# cell WORDS TOOL: what README.md says of that tool in the one row that has these words.
cell()
{
   awk -F' *[|] *' -v words="$1" -v tool="$2" '
      /^[|] [|] profmem / { for (n = 2; n < NF; n++) column[$n] = n }
      index($0, words) && /^[|]/ && length(column) { rows++; said = $column[tool] }
      END { if (rows != 1) exit 1; print said }' "$abs_top_srcdir/README.md" ||
      fail "README.md has not one row with '$1'"
}

# rows OF: the tool and its answer, one a line, of a case of docs/accuracy.md, in words that begin
# its first cell; profmem's is the true one.
rows()
{
   awk -F' *[|] *' -v words="$1" '
      index($2, words) == 1 { print $3 "|" $5; truth = $6 }
      END { print "profmem|" truth }' "$abs_top_srcdir/docs/accuracy.md" | tr -d '`'
}

@test "what other programs show stands in docs/accuracy.md" {
   local words tool answer count=0
   sed -n 's/^| .*(docs\/accuracy.md): \(.*\) |$/\1/p' "$abs_top_srcdir/README.md" >cases
   [ "$(wc -l <cases)" -ge 5 ]
   while read -r words; do
      rows "$words" >rows
      [ "$(wc -l <rows)" -ge 2 ] || fail "docs/accuracy.md has no $words"
      for tool in profmem Callgrind Cachegrind DHAT Massif heaptrack; do
         answer=$(sed -n "s/^$tool|//p" rows)
         [ "$(cell ": $words |" "$tool")" = "${answer:--}" ] ||
            fail "$words, $tool: ${answer:-nothing}, README.md says $(cell ": $words |" "$tool")"
         count=$((count + 1))
      done
   done <cases
   [ "$count" -ge 30 ]
}

# The table of docs/cost.md with all tools, its row of means; its columns are named as the tools.
@test "what the tools cost stands in docs/cost.md" {
   local tool number
   for tool in profmem Callgrind Cachegrind DHAT Massif heaptrack; do
      number=$(awk -F' *[|] *' -v tool="$(echo "$tool" | tr '[:upper:]' '[:lower:]')" '
         / heaptrack / {
            for (n = 2; n < NF; n++)
               column[$n] = n
            column["profmem"] = column["profmem full"]
         }
         /geometric mean of the distribution/ && length(column) { print $column[tool]; exit }' \
         "$abs_top_srcdir/docs/cost.md")
      [ -n "$number" ]
      [ "$(cell '[cost](docs/cost.md)' "$tool")" = "$number" ] || fail "$tool: $number"
   done
}

# A tool of Valgrind's, which are in one folder with profmem: its help, or of the program ./probe
# its file, TOOL.out.
valgrind_tool()
{
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes --tool="$1" "${@:2}"
}

peer()
{
   valgrind_tool "$1" "--$1-out-file=$1.out" --log-file="$1.log" "${@:2}" ./probe
}

the_probe()
{
   cat >probe.c <<'END'
#include <stdlib.h>
#include <string.h>

static void *volatile seen;

void part(void)
{
   seen = memset(malloc(1000), 1, 1000);
   free(seen);
}

int main(void)
{
   void *kept = seen = malloc(100);

   part();
   free(kept);
   return 0;
}
END
   cc -g -o probe probe.c
}

# instructions TOOL: of its last run of ./probe.
instructions()
{
   case $1 in
   callgrind) sed -n 's/^summary: //p' callgrind.out ;;
   cachegrind) sed -n 's/^summary: \([0-9]*\).*/\1/p' cachegrind.out ;;
   dhat) sed -n 's/^,"te":\([0-9]*\).*/\1/p' dhat.out ;;
   esac
}

@test "instructions with 50 more environment variables" {
   local tool n before after
   the_probe
   "$PROFMEM" run -q -o before.xml ./probe
   for tool in callgrind cachegrind dhat; do
      peer $tool
      instructions $tool >$tool.before
   done
   for n in $(seq 50); do
      export "MORE_$n=of what differs between machines"
   done
   "$PROFMEM" run -q -o after.xml ./probe
   cmp before.xml after.xml
   [ "$(cell '50 more environment variables' profmem)" = 'the same' ]
   for tool in Callgrind Cachegrind DHAT; do
      peer "${tool,,}"
      before=$(cat "${tool,,}.before") after=$(instructions "${tool,,}")
      [ "$after" -gt "$before" ] || fail "$tool: $before, then $after"
      [ "$(cell '50 more environment variables' $tool)" = more ]
   done
}

# Callgrind can be told to count in a function only; the others have no option that takes one.
@test "what one function needs, by its name" {
   local tool row='what one function needs'
   the_probe
   profmem_valgrind -q --phase-fn=part --profmem-out-file=part.xml ./probe
   [ "$("$PROFMEM" show --phase part --metric heap.scratch-peak part.xml)" -eq 1000 ]
   "$PROFMEM" show --phase part --metric instructions.total part.xml >counted
   [ "$(cell "$row" profmem)" = 'heap and instructions' ]

   peer callgrind --toggle-collect=part
   # Nothing else is counted: there is no number of bytes.
   [ "$(sed -n 's/^events: //p' callgrind.out)" = Ir ]
   [ "$(instructions callgrind)" -eq "$(cat counted)" ]
   [ "$(cell "$row" Callgrind)" = instructions ]

   for tool in Cachegrind DHAT Massif heaptrack; do
      if [ $tool = heaptrack ]; then
         heaptrack --help >help 2>&1
      else
         valgrind_tool "${tool,,}" --help |
            sed -n "/user options for /,/^  [a-z]* options for /p" >help
      fi
      [ "$(wc -l <help)" -ge 5 ]
      # Massif's are allocation functions, and functions to leave out.
      if grep -v -e '--alloc-fn=' -e '--ignore-fn=' help |
         grep -E -- '--[a-z-]*=<?(fn|func|name)'; then
         fail "$tool has an option for functions"
      fi
      [ "$(cell "$row" $tool)" = no ]
   done
}

@test "the same file from two runs" {
   local tool run same row='the same file from two runs'
   the_probe
   for tool in profmem Callgrind Cachegrind DHAT Massif heaptrack; do
      for run in 1 2; do
         case $tool in
         profmem) profmem_valgrind -q --profmem-out-file=profmem.out ./probe ;;
         heaptrack)
            heaptrack -o heaptrack ./probe >heaptrack.log 2>&1
            mv heaptrack.[gz]* heaptrack.out
            ;;
         *) peer "${tool,,}" ;;
         esac
         mv "${tool,,}.out" "$tool.$run"
      done
      if cmp -s "$tool.1" "$tool.2"; then same=yes; else same=no; fi
      [ "$(cell "$row" $tool)" = $same ] || fail "$tool: $same"
   done
}
