# SPDX-License-Identifier: GPL-2.0-or-later
# The first thing that must work on a platform: a program whose heap is known from its source.
load ../common
load tool

# smoke VARIANT REPORT [idle]: the program, whose exit status is 3.
smoke()
{
   local status=0
   profmem_valgrind -q --profmem-out-file="$2" "$programs/smoke-$1" "${@:3}" >output || status=$?
   [ $status -eq 3 ] || fail "its status is $status"
   [ "${3-}" = idle ] || [ "$(cat output)" = smoke ]
}

# is_right VARIANT: what smoke.c says, on top of what the same program reports when it
# obtains nothing.
is_right()
{
   smoke "$1" report.xml
   smoke "$1" idle.xml idle
   "$PROFMEM" validate report.xml idle.xml
   local name more of_idle
   while read -r name more; do
      of_idle=${name/peak/exit}
      echo "$name=$(($(metric idle.xml "$of_idle") + more))"
   done >expected <<'END_OF_LIST'
heap.entry 0
heap.peak 10000
heap.peak-blocks 5
heap.exit 2800
heap.exit-blocks 5
allocations.count 11
allocations.bytes 5500
allocations.zero-size 1
reallocations.count 1
reallocations.bytes 7200
reallocations.net-bytes 7000
deallocations.count 6
deallocations.unmatched 0
END_OF_LIST
   agree expected report.xml
}

@test "the tool is a program without interpreter" {
   readelf -hl "$PROFMEM_VALGRIND_LIB/profmem-$PROFMEM_PLATFORM" >headers
   grep -q 'Machine: ' headers
   ! grep INTERP headers
}

@test "a static program's heap is measured exactly" {
   is_right static
}

@test "a dynamic program's heap is measured exactly" {
   is_right dynamic
}

@test "two runs give the same report" {
   smoke static one.xml
   smoke static two.xml
   cmp one.xml two.xml
}

@test "the platform that the report names" {
   smoke static report.xml
   [ "$(xmllint --xpath 'string(/profmem/producer/@platform)' report.xml)" = "$PROFMEM_PLATFORM" ]
}
