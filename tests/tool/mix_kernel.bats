# SPDX-License-Identifier: GPL-2.0-or-later
# One loop, compiled as vector code, as scalar code, and into a call for each element: the row
# of exactly that function shows it, in the numbers that follow from its disassembly and the
# number of elements.
load ../common
load tool

code=$abs_top_srcdir/tests/tool/code
elements=4096 # mix_kernel.h
runs=3

# number FUNCTION NAME: of its row, as rows has it; 0 if it is not there.
number()
{
   awk -v name="$1" -v key="$2=" '$1 == name { for (i = 2; i <= NF; i++) if (index($i, key) == 1)
      value = substr($i, length(key) + 1) } END { print value + 0 }' rows
}

# kernel BUILD ELEMENTS: so many are computed in one pass. Makes rows.
kernel()
{
   local program=$programs/code/mix_kernel-$1
   natively "$program"
   profmem_valgrind -q --profmem-out-file=report.xml "$program"
   python3 -B "$code/kernel_referee.py" "$program" kernel $((elements / $2)) $runs \
      report.xml >rows || return
   grep -v '^kernel \|^one_element ' rows >"others-$1"
}

@test "vector code: four elements at a time" {
   kernel sse 4
   [ "$(number kernel vector)" -eq $((runs * (4 * elements / 4 + 1))) ]
   [ "$(number kernel scalar-float)" -eq 0 ]
   [ "$(number kernel call)" -eq 0 ]
}

@test "vector code: AVX2 and FMA, eight elements at a time" {
   requires avx
   grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo ||
      skip 'this processor has no AVX2 and FMA'
   kernel avx 8
   [ "$(number kernel vector)" -eq $((runs * (3 * elements / 8 + 1))) ]
   [ "$(number kernel scalar-float)" -eq 0 ]
}

@test "not vectorised: scalar floating point, element by element" {
   kernel scalar 1
   [ "$(number kernel vector)" -eq 0 ]
   [ "$(number kernel scalar-float)" -eq $((runs * 4 * elements)) ]
   [ "$(number kernel call)" -eq 0 ]
}

@test "a call for each element" {
   kernel calls 1
   [ "$(number kernel vector)" -eq 0 ]
   [ "$(number kernel call)" -eq $((runs * elements)) ]
   [ "$(number one_element calls)" -eq $((runs * elements)) ]
   python3 -B "$code/kernel_referee.py" "$programs/code/mix_kernel-calls" one_element 0 \
      $((runs * elements)) report.xml >rows
}

@test "nothing else changes between the builds" {
   kernel sse 4
   kernel scalar 1
   kernel calls 1
   [ "$(wc -l <others-sse)" -ge 4 ]
   diff others-sse others-scalar
   diff others-sse others-calls
}

@test "another number of passes is refused" {
   run kernel sse 2
   [[ $status -eq 1 && $output == *'kernel: reported'* ]]
   run kernel scalar 4
   [[ $status -eq 1 && $output == *'kernel: reported'* ]]
}
