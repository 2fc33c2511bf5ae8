# SPDX-License-Identifier: GPL-2.0-or-later
# ledger.bash: run the ledger program and compare. The method is in ledger.c.
#
# PROFMEM_LEDGER_OPERATIONS in the environment is the number of operations;
# without it each test has its own, smaller for what is slow, sized.

ledger_sums=(heap.exit heap.exit-blocks allocations.count allocations.bytes allocations.zero-size
   allocations.failed allocations.temporary reallocations.count reallocations.bytes
   reallocations.net-bytes reallocations.moved reallocations.failed deallocations.count
   deallocations.bytes traffic.blocks traffic.bytes)
ledger_peaks=(heap.peak heap.peak-blocks heap.move-peak)

# ledger_agrees PROGRAM OPERATIONS SEED THREADS locked|free [FORMS...]
# All that differs is listed. PRELOAD: libraries for the program, not for Valgrind.
ledger_agrees()
{
   local program=$programs/$1 wrong=0 name
   local operations=${PROFMEM_LEDGER_OPERATIONS:-$(sized "$2" 1000)}
   local seed=$3 threads=$4 mode=$5
   shift 5
   run_ledger baseline "$program" 0 "$seed" "$threads" "$mode" "$@"
   run_ledger run "$program" "$operations" "$seed" "$threads" "$mode" "$@"

   local base base_bytes base_blocks
   base_bytes=$(metric baseline.xml heap.exit)
   base_blocks=$(metric baseline.xml heap.exit-blocks)
   for name in "${ledger_sums[@]}"; do
      base=$(metric baseline.xml "$name")
      same "$name" $((base + $(value run.out "$name"))) "$(metric run.xml "$name")"
   done
   if [ "$mode" = locked ]; then
      [ "$(metric baseline.xml heap.peak)" -lt $((base_bytes + $(value run.out heap.peak))) ] ||
         fail 'the peak is not inside the operations'
      same heap.peak $((base_bytes + $(value run.out heap.peak))) "$(metric run.xml heap.peak)"
      same heap.peak-blocks $((base_blocks + $(value run.out heap.peak-blocks))) \
         "$(metric run.xml heap.peak-blocks)"
      same heap.move-peak $((base_bytes + $(value run.out heap.move-peak))) \
         "$(metric run.xml heap.move-peak)"
   fi
   same deallocations.unmatched 0 "$(metric run.xml deallocations.unmatched)"
   same deallocations.unseen 0 "$(metric run.xml deallocations.unseen)"
   same heap.growth "$(metric run.xml heap.peak)" "$(metric run.xml heap.growth)"
   same heap.scratch-peak "$(metric run.xml heap.peak)" "$(metric run.xml heap.scratch-peak)"
   same heap.retained "$(metric run.xml heap.exit)" "$(metric run.xml heap.retained)"
   "$PROFMEM" validate run.xml || wrong=1
   [ $wrong -eq 0 ]
}

# same NAME EXPECTED REPORTED
same()
{
   [ "$2" = "$3" ] && return
   echo "$1: expected $2, reported $3" >&2
   wrong=1
}

# run_ledger NAME PROGRAM ARGUMENTS...: NAME.xml, NAME.out
run_ledger()
{
   local name=$1
   shift
   LD_PRELOAD=${PRELOAD-} TCMALLOC_LARGE_ALLOC_REPORT_THRESHOLD=18446744073709551615 \
      profmem_valgrind -q --profmem-out-file="$name.xml" "$@" >"$name.out" ||
      fail "$* ended with $?"
}
