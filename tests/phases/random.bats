# SPDX-License-Identifier: GPL-2.0-or-later
# Random phases around random allocations, against the program's own ledger of each
# instance (random_phases.c): every heap metric, over the instances and singly,
# parents, overlapping, errors, and the numbers that it reads back meanwhile.
load ../common
load phases

# random OPERATIONS SEED THREADS [OPTION...]
random()
{
   local operations seed=$2 threads=$3
   operations=$(sized "$1" 3000)
   shift 3
   measured --phase-instances=20 "$@" "$phases/random_phases" "$operations" "$seed" "$threads" 20
   [ "$(grep -c '' expected)" -gt 5000 ]
   [ "$(python3 "$abs_top_srcdir/tests/phases/spans.py" report.xml)" -gt 50 ]
}

@test "one thread" {
   random 60000 1 1
   random 60000 2 1
   random 60000 3 1
}

@test "four threads" {
   random 60000 4 4
   random 60000 5 4
}

@test "eight threads" {
   random 60000 6 8
}

@test "four hundred thousand operations, thousands of combinations of phases" {
   random 400000 7 3
}

@test "without a profile of functions" {
   random 60000 8 2 --functions=no
}
