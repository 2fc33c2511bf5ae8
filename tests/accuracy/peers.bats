# SPDX-License-Identifier: GPL-2.0-or-later
# What other tools say of programs whose numbers are known, and what profmem says.
#
# docs/accuracy.md has the table: a row for each @test and peer, with the peer's answer and
# the true one. The true one is what the program says of itself (peer_cases.c), or what
# follows from its source (peer_*.S) and the stepping referee has to agree with. profmem
# must say the same; the peer must say what the table says, if it is of the version that
# the table is about.
load ../common
load ../tool/tool

table=$abs_top_srcdir/docs/accuracy.md
accuracy=$abs_top_builddir/tests/accuracy

# cell ROW PEER N: the N-th cell of a row of the table, without marks and separators.
cell()
{
   awk -F' *[|] *' -v row="$1" -v peer="$2" -v n="$3" '
      $2 == row && $3 == peer { gsub(/[`,]/, "", $(n + 1)); print $(n + 1) }' "$table"
}

# is_version NAME VERSION: whether the table is about it.
is_version()
{
   grep -qF "$1 ${2:?no version of $1}" "$table"
}

# said PEER ANSWER TRUE: both are what the row of this test has, or row $row.
said()
{
   local row=${row-$BATS_TEST_DESCRIPTION}
   [ -n "$(cell "$row" "$1" 2)" ] || fail "no row '$row' of $1 in $table" || return
   [ "$(cell "$row" "$1" 5)" = "$3" ] ||
      fail "true is $3, the table says $(cell "$row" "$1" 5)" || return
   [ "$(cell "$row" "$1" 4)" = "$2" ] ||
      fail "$1 says $2, the table says $(cell "$row" "$1" 4)"
}

# For what follows in a test: the rest is skipped if the peer is not of the table's version.
valgrind_peers()
{
   local version
   version=$("$VALGRIND" --version)
   is_version Valgrind "${version#valgrind-}" || skip "the table is not about $version"
}

heaptrack_peer()
{
   local version
   version=$(heaptrack --version)
   is_version heaptrack "${version#heaptrack }" || skip "the table is not about $version"
}

# ---- What profmem says

# true_of CASE [OPTION...]: profmem says of a case what that says of itself, in `truth`.
true_of()
{
   local name=$1
   shift
   profmem_valgrind -q --profmem-out-file=report.xml "$@" "$accuracy/peer_cases" "$name" >truth
   agree truth report.xml
}

# true_static CASE: the same by a program without shared libraries; nothing is compared.
true_static()
{
   profmem_valgrind -q --profmem-out-file=report.xml "$accuracy/peer_cases-static" "$1" >truth
}

# true_code NAME: profmem counts the instructions that the referee does, into `truth`.
true_code()
{
   [ -x "$accuracy/peer_$1" ] || skip "written for amd64"
   profmem_valgrind -q --profmem-out-file=report.xml "$accuracy/peer_$1"
   steps "$accuracy/peer_$1" >truth
   agree truth report.xml instructions.total
}

# ---- What peers say

# peer TOOL OPTION... PROGRAM ARGUMENT...: a tool of Valgrind's; its log is in TOOL.log.
peer()
{
   local tool=$1
   shift
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes \
      --log-file="$tool.log" --tool="$tool" "$@"
}

# dhat CASE, then dhat_says LINE N: the N-th number of its line.
dhat()
{
   peer dhat --dhat-out-file=dhat.json "$accuracy/peer_cases" "$1" >dhat.out
   cmp truth dhat.out
}

dhat_says()
{
   sed -n "s/,//g; s/.*$1: *\([0-9]*\) bytes in \([0-9]*\) blocks.*/\\$2/p" "${3-dhat.log}"
}

# dhat_site FUNCTION FIELD: of its file, summed over the sites in whose chain that function is.
dhat_site()
{
   python3 -c 'if True:
      import json, sys
      data = json.load(open("dhat.json"))
      of = [p for p in data["pps"] if any(sys.argv[1] in data["ftbl"][f] for f in p["fs"])]
      print(sum(p[sys.argv[2]] for p in of) if of else "no such site")' "$1" "$2"
}

# massif CASE, then massif_peak: heap bytes of the snapshot that it calls the peak;
# massif_most: the most in any snapshot; massif_last: in the last one.
massif()
{
   peer massif --massif-out-file=massif.out "$accuracy/peer_cases" "$1" >massif.cases
   cmp truth massif.cases
}

massif_numbers()
{
   sed -n 's/^mem_heap_B=//p' "${1-massif.out}"
}

massif_peak()
{
   awk -F= '/^mem_heap_B=/ { bytes = $2 } /^heap_tree=peak/ { print bytes }' "${1-massif.out}"
}

# heaptrack_of CASE, then heaptrack_says LINE: what its report says.
heaptrack_of()
{
   heaptrack -o heaptrack "$accuracy/peer_cases" "$1" >heaptrack.out 2>&1
   heaptrack_print -f heaptrack.zst >heaptrack.txt 2>heaptrack.err
}

heaptrack_says()
{
   sed -n "s/^$1: \([^ ]*\).*/\1/p" heaptrack.txt
}

# count TOOL PROGRAM: instructions of the process.
count()
{
   case $1 in
   cachegrind) peer cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$2" ;;
   callgrind) peer callgrind --callgrind-out-file=callgrind.out "$2" ;;
   dhat) peer dhat --dhat-out-file=dhat.json "$2" ;;
   lackey) peer lackey "$2" ;;
   esac
   case $1 in
   cachegrind) sed -n 's/,//g; s/.*I *refs: *//p' cachegrind.log ;;
   callgrind) sed -n 's/^summary: //p' callgrind.out ;;
   dhat) sed -n 's/^,"te":\([0-9]*\)$/\1/p' dhat.json ;;
   lackey) sed -n 's/,//g; s/.*guest instrs: *\([0-9]*\)$/\1/p' lackey.log ;;
   esac
}

# ---- Instructions

@test "conditions that both have to hold" {
   true_code speculated
   valgrind_peers
   said Cachegrind "$(count cachegrind "$accuracy/peer_speculated")" 5254
   said Lackey "$(count lackey "$accuracy/peer_speculated")" 5254
   said DHAT "$(count dhat "$accuracy/peer_speculated")" 5254
   said Callgrind "$(count callgrind "$accuracy/peer_speculated")" 5254
}

@test "one repeated string instruction" {
   true_code repeated
   [ "$(metric report.xml instructions.rep-iterations)" -eq 10000 ]
   valgrind_peers
   said Cachegrind "$(count cachegrind "$accuracy/peer_repeated")" 7
   said Callgrind "$(count callgrind "$accuracy/peer_repeated")" 7
}

@test "client requests, of five instructions each" {
   true_code requests
   [ "$(metric report.xml instructions.client-requests)" -eq 1000 ]
   valgrind_peers
   said Cachegrind "$(count cachegrind "$accuracy/peer_requests")" 10004
   said Callgrind "$(count callgrind "$accuracy/peer_requests")" 10004
}

# ---- The heap

@test "blocks of 0 bytes" {
   true_of zero
   valgrind_peers
   dhat zero
   said DHAT "$(dhat_says Total 1)" "$(value truth traffic.bytes)"
}

@test "a program that allocates nothing else" {
   true_of zero
   heaptrack_peer
   heaptrack_of zero
   said heaptrack "$(heaptrack_says 'peak heap memory consumption')" \
      "$(value truth heap.peak)"
}

@test "a heap that only grows" {
   true_of grows
   valgrind_peers
   massif grows
   [ -z "$(massif_peak)" ]
   said Massif "$(massif_numbers | sort -n | tail -n 1)" "$(value truth heap.peak)"
}

@test "many small blocks, then a larger one" {
   true_of small
   valgrind_peers
   massif small
   said Massif "$(massif_peak)" "$(value truth heap.peak)"
}

@test "a second peak, half a percent higher" {
   true_of higher
   valgrind_peers
   massif higher
   said Massif "$(massif_peak)" "$(value truth heap.peak)"
}

@test "resizes that fail" {
   true_of refused
   valgrind_peers
   massif refused
   said Massif "$(massif_numbers | tail -n 1)" "$(value truth heap.exit)"
}

@test "resizes to 0 that give the block back" {
   true_of emptied
   heaptrack_peer
   heaptrack_of emptied
   said heaptrack "$(heaptrack_says 'total memory leaked')" "$(value truth heap.exit)"
}

@test "aligned blocks" {
   true_of aligned
   heaptrack_peer
   heaptrack_of aligned
   # One of the calls is its own.
   said heaptrack "$(($(heaptrack_says 'calls to allocation functions') - 1))" \
      "$(value truth allocations.count)"
}

@test "a block of whole pages" {
   true_of page
   valgrind_peers
   local tool
   for tool in dhat massif; do
      peer $tool --$tool-out-file=/dev/null "$accuracy/peer_cases" page >out 2>err || true
      [ ! -s out ]
      grep -qF 'Program aborting because of call to pvalloc' err $tool.log
   done
   said DHAT 'ends the program' "$(value truth allocations.count)"
   said Massif 'ends the program' "$(value truth allocations.count)"
}

@test "announced blocks" {
   true_of announced
   valgrind_peers
   dhat announced
   said DHAT "$(dhat_says Total 2)" "$(value truth allocations.count)"
}

@test "the most that a site has had" {
   true_of later
   local largest
   largest=$(xmllint --xpath 'string(/profmem/sites/site[frame[1]/@function="second_site"]
      /@largest-bytes)' report.xml)
   valgrind_peers
   dhat later
   said DHAT "$(dhat_site second_site mb)" "$largest"
   [ "$largest" -eq $(($(value truth heap.peak) / 2)) ]
}

@test "who asked for more" {
   true_of grown
   local traffic
   traffic=$(xmllint --xpath 'string(//phase[@name="program"]/sites/site[@id =
      /profmem/sites/site[frame[1]/@function="second_site"]/@id]/@traffic-bytes)' report.xml)
   valgrind_peers
   dhat grown
   said DHAT "$(dhat_site second_site tb)" "$traffic"
   [ "$traffic" -eq $(($(value truth traffic.bytes) - 16)) ]
}

@test "a forked child" {
   profmem_valgrind -q --profmem-out-file=report.xml "$accuracy/peer_cases" child >truth
   agree truth report.xml.1
   valgrind_peers
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes \
      --log-file=log.%p --tool=dhat --dhat-out-file=/dev/null "$accuracy/peer_cases" child >out
   local child
   child=$(grep -lE 'Total: .* in 2 blocks' log.*)
   said DHAT "$(dhat_says Total 1 "$child")" "$(value truth traffic.bytes)"
   peer massif --massif-out-file=massif.%p "$accuracy/peer_cases" child >out
   # Parent and child.
   [ "$(find . -name 'massif.[0-9]*' | wc -l)" -eq 2 ]
   local file peaks=
   for file in massif.[0-9]*; do
      peaks+=" $(massif_peak "$file")"
   done
   [ "$peaks" = ' 1000000 1000000' ]
   said Massif "${peaks##* }" "$(value truth heap.peak)"
}

@test "an image that ends in an exec" {
   true_of image
   heaptrack_peer
   heaptrack_of image
   said heaptrack "$(heaptrack_says 'calls to allocation functions')" \
      "$(value truth allocations.count)"
   valgrind_peers
   peer dhat --dhat-out-file=dhat.json "$accuracy/peer_cases" image >out
   [ -z "$(dhat_says Total 1)" ]
   [ ! -e dhat.json ]
   said DHAT 'no report' "$(value truth allocations.count)"
   peer massif --massif-out-file=massif.out "$accuracy/peer_cases" image >out
   [ ! -e massif.out ]
   said Massif 'no report' "$(value truth allocations.count)"
}

@test "a static program" {
   # The C library's own start allocates, too; that stays.
   true_static nothing
   local own
   own=$(metric report.xml heap.peak)
   true_static large
   [ "$(metric report.xml heap.peak)" -eq $((own + $(value truth heap.peak))) ]
   [ "$(metric report.xml heap.exit)" -eq "$own" ]
   valgrind_peers
   peer dhat --dhat-out-file=/dev/null "$accuracy/peer_cases-static" large >out
   said DHAT "$(dhat_says 'At t-gmax' 1)" "$(value truth heap.peak)"
   peer massif --massif-out-file=massif.out "$accuracy/peer_cases-static" large >out
   said Massif "$(massif_numbers | sort -n | tail -n 1)" "$(value truth heap.peak)"
}

@test "a static program, preloaded" {
   heaptrack_peer
   # It waits for a library that never comes; with its data and helpers it is ended.
   local status=0
   timeout -k 5 10 heaptrack -o static "$accuracy/peer_cases-static" large >out 2>&1 ||
      status=$?
   [ $status -ge 124 ]
   said heaptrack 'does not end' 1000000
}

# ---- The table

@test "each row of the table is shown here" {
   sed -n '/^| case |/,/^$/s/^| *\([^|]*[^| ]\) *|.*/\1/p' "$table" | sed '1,2d' | sort -u >rows
   sed -n 's/^@test "\(.*\)" {$/\1/p' "$BATS_TEST_FILENAME" |
      grep -v '^each row\|^another' | sort -u >tests
   [ "$(wc -l <rows)" -ge 15 ]
   diff rows tests
}

@test "another answer than the table's is seen" {
   row='blocks of 0 bytes'
   said DHAT 100 0
   ! said DHAT 101 0 || fail "another answer of the peer's"
   ! said DHAT 100 1 || fail "another truth"
   ! said Massif 100 0 || fail "no row"
}
