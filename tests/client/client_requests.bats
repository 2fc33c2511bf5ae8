# SPDX-License-Identifier: GPL-2.0-or-later
# What each call says, right and wrong: under profmem, under other tools, without any;
# by profmem.h and by libprofmem-client. client_requests.c makes the calls.
load ../common
load client

# The results that are the same by header and by library, in the order of the calls.
expected()
{
   cat <<'END'
read before begin: not open
begin: done
read open: done
end: done
read: done
read later: done
end never begun: not open
read never begun: not open
read never heard of: not open
begin: done
begin twice: begun twice
end: done
end twice: not open
begin the process: begun twice
end the process: not open
read the process: done
255 bytes: done
the same in another place: done
256 bytes: name too long
end of 256 bytes: name too long
read of 256 bytes: name too long
just readable: done
end: done
a byte too far: unreadable
too long, and not there: name too long
read of that: name too long
nothing there: unreadable
null: unreadable
end of null: unreadable
read of null: unreadable
empty: done
end of empty: done
byte ff: name not UTF-8
cut off: name not UTF-8
overlong: name not UTF-8
surrogate: name not UTF-8
beyond Unicode: name not UTF-8
read of byte ff: name not UTF-8
zero inside: name not UTF-8
hostile: done
end of hostile: done
held by one other: done
held by two others: ambiguous
older: done
half a member: done
newer: done
no bytes: done
null: unreadable
END
}

# Those that only the header's calls can bring about.
only_header='header, no end in sight: unreadable
header, no end in 255 bytes: name too long
header, null without a length: unreadable
header, read-only: unreadable
header, around the end: unreadable'

results='not watching\|done\|begun twice\|not open\|ambiguous\|name too long\|name not UTF-8\|unreadable\|no memory'

# The lines of results that a program printed, all but the header's own.
results_of()
{
   grep ": \($results\)$" "$1" | grep -v '^header, '
}

# Those of the numbers that it read back.
numbers_of()
{
   grep '^[a-z.-]*=' "$1"
}

for_both_ways()
{
   "$1" client_requests
   "$1" client_requests_library
}

says_what_is_expected()
{
   profmem_valgrind -q --profmem-out-file="$1.xml" "$programs/$1" >"$1"
   grep -qx 'watching: yes' "$1"
   results_of "$1" | diff <(expected) - >&2
}

@test "under profmem each call says what it did" {
   for_both_ways says_what_is_expected
   [ "$(grep '^header, ' client_requests)" = "$only_header" ]
}

# nothing_happens WITH... PROGRAM: each result is that nobody is watching, no number
# is available, and nothing is written where it cannot be.
nothing_happens()
{
   "$@" >said
   grep -qx 'watching: no' said
   results_of said | diff <(expected | sed 's/: [^:]*$/: not watching/') - >&2
   [ "$(numbers_of said | wc -l)" -eq "$(members_of_header | wc -l)" ]
   [ "$(numbers_of said | grep -c '=unavailable$')" -eq "$(members_of_header | wc -l)" ]
}

nothing_happens_elsewhere()
{
   nothing_happens "$programs/$1"
   nothing_happens under_tool none "$programs/$1"
   nothing_happens under_tool memcheck --error-exitcode=9 --leak-check=full "$programs/$1"
}

@test "elsewhere no call does anything, and Memcheck has no complaint" {
   for_both_ways nothing_happens_elsewhere
}

reads_back_what_the_report_says()
{
   local name value
   profmem_valgrind -q --profmem-out-file="$1.xml" "$programs/$1" >"$1"
   [ "$(numbers_of "$1" | wc -l)" -eq "$(members_of_header | wc -l)" ]
   while IFS='=' read -r name value; do
      [ "$(metric "$1.xml" numbers "$name")" = "$value" ] ||
         fail "$name: read back $value, reported $(metric "$1.xml" numbers "$name")"
   done < <(numbers_of "$1")
}

@test "what is read back is what the report says, and what the program did" {
   for_both_ways reads_back_what_the_report_says
   local known
   for known in heap.entry=3500 heap.entry-blocks=2 heap.peak=13500 heap.peak-blocks=3 \
      heap.exit=1000 heap.exit-blocks=1 heap.growth=10000 heap.scratch-peak=10000 \
      heap.retained=0 heap.released=500 heap.resized=-2000 allocations.count=1 \
      allocations.bytes=10000 allocations.failed=0 allocations.temporary=1 \
      reallocations.count=1 reallocations.bytes=1000 deallocations.count=2 \
      deallocations.bytes=10500 deallocations.unmatched=0 traffic.blocks=2 \
      traffic.bytes=11000 'open retained=10000' 'still exit=1000'; do
      grep -qx -e "$known" client_requests || fail "not $known: $(grep "^${known%=*}" client_requests)"
      grep -qx -e "$known" client_requests_library
   done
}

@test "the structs of older and newer headers are filled as far as both know them" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/client_requests" >by_header
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/client_requests_library" >by_library
   local said line
   for said in by_header by_library; do
      for line in 'older struct filled, nothing beyond: yes' 'half a member left alone: yes' \
         'newer struct filled, the rest unavailable: yes'; do
         grep -qx "$line" "$said" || fail "$said: $(grep "^${line%%:*}" "$said")"
      done
   done
}

# diagnosed CODE COUNT [PHASE]
diagnosed()
{
   local all="sum(//diagnostic[@code='$1'${3+ and @phase='$3'}]/@count)"
   [ "$(xmllint --xpath "$all" report.xml)" = "$2" ] || fail "$1 $3: not $2 in $(cat report.xml)"
}

@test "mistakes stand in the report, which stays valid whatever a name is" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/client_requests" >said
   "$PROFMEM" validate report.xml
   diagnosed phase-begun-twice 1 twice
   diagnosed phase-ended-without-begin 1 twice
   diagnosed phase-ended-without-begin 1 'never begun'
   diagnosed phase-begun-twice 1 program
   diagnosed phase-ended-ambiguously 1 'held by two others'
   diagnosed phase-ended-by-other-thread 1 'held by one other'
   diagnosed phase-open-at-end 0
   # By begin and by end; a read is no mistake.
   diagnosed phase-name-too-long "$(grep -v '^read' said | grep -c ': name too long$')"
   diagnosed phase-name-not-utf8 "$(grep -v '^read' said | grep -c ': name not UTF-8$')"
   [ "$(xmllint --xpath "count(//phase[@name='' or starts-with(@name, '<a b=\"&\">')])" report.xml)" = 2 ]
}
