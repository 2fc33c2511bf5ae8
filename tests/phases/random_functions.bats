# SPDX-License-Identifier: GPL-2.0-or-later
# Functions as phases, entered and left at random in every way there is: recursion, tail
# calls, jumps, exceptions, handlers on two stacks, coroutines. Against the program's own
# ledger of each execution (random_functions.cc).
load ../common
load phases

# random ACTIONS SEED STACKS [OPTION...]
random()
{
   local actions seed=$2 stacks=$3
   actions=$(sized "$1" 2000)
   shift 3
   measured "$@" --phase-fn=plain_0 --phase-fn=plain_1 '--phase-fn=two=two_?' '--phase-fn=tail=tail_?' \
      "$phases/random_functions" "$actions" "$seed" "$stacks"
   local jumps
   jumps=$(sed -n 's/^jumps //p' expected)
   [ "$jumps" -gt $((actions / 250)) ] || fail "only $jumps executions were left by a jump"
}

@test "the tail calls are some" {
   "${PM_BINUTILS}objdump" -d --no-show-raw-insn "$phases/random_functions" | awk -v jump="$jump" '
      /^[0-9a-f]+ <_Z6tail_ai>:/ { inside = 1 }
      inside && /^$/ { exit }
      inside && $2 == jump { print $NF }' >jumps
   grep _Z6tail_bi jumps
   grep _Z4bodyi jumps
}

@test "stacks that are blocks" {
   local seed
   for seed in $(seq 1 "$(sized 4)"); do
      random 10000 $seed blocks
   done
}

@test "stacks that are mappings" {
   local seed
   for seed in $(seq 5 $((4 + $(sized 4)))); do
      random 10000 $seed mapped
   done
}

@test "without stacks and functions" {
   random 10000 9 blocks --functions=no --stacks=no
}

@test "three hundred thousand actions" {
   random 300000 10 mapped
}
