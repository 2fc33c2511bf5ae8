# SPDX-License-Identifier: GPL-2.0-or-later
# The example in each language prints what it is known to print, and the report has the
# numbers that it read back; outside profmem it prints that nothing is available.
load ../common
load client

known='entry=4096 peak=69632 exit=4096 scratch-peak=65536'

is_right_outside()
{
   [ "$("$@")" = unavailable ]
   [ "$(under_tool none "$@")" = unavailable ]
   [ "$(under_tool memcheck --error-exitcode=9 "$@")" = unavailable ]
}

# The report's numbers of the phase, as the example prints them, all but those of heap
# that was live before the example's first block.
is_right_under_profmem()
{
   local runtime
   [ "$(profmem_valgrind -q --profmem-out-file=report.xml "$@")" = "$known" ]
   runtime=$(metric report.xml now heap.exit)
   [ "entry=$(($(metric report.xml scratch heap.entry) - runtime)) \
peak=$(($(metric report.xml scratch heap.peak) - runtime)) \
exit=$(($(metric report.xml scratch heap.exit) - runtime)) \
scratch-peak=$(metric report.xml scratch heap.scratch-peak)" = "$known" ]
   [ "$(metric report.xml scratch allocations.count)" -eq 1 ]
   [ "$(metric report.xml scratch deallocations.count)" -eq 1 ]
   "$PROFMEM" validate report.xml
}

@test "the example in C" {
   is_right_outside "$abs_top_builddir/examples/scratch"
   is_right_under_profmem "$abs_top_builddir/examples/scratch"
}

@test "the example in C++" {
   is_right_outside "$programs/scratch_cxx"
   is_right_under_profmem "$programs/scratch_cxx"
}

@test "the example in Rust" {
   is_right_outside "$programs/cargo/release/examples/scratch"
   is_right_under_profmem "$programs/cargo/release/examples/scratch"
}

@test "the examples in C and C++ with every optimisation, static and for arm64" {
   local level
   for level in -O0 -O3; do
      gcc $level -I"$client" -o scratch "$abs_top_srcdir/examples/scratch.c"
      is_right_under_profmem ./scratch
      clang++ $level -I"$client" -o scratch "$abs_top_srcdir/examples/scratch.cc"
      is_right_under_profmem ./scratch
   done
   gcc -O2 -static -I"$client" -o scratch "$abs_top_srcdir/examples/scratch.c"
   is_right_under_profmem ./scratch
   aarch64-linux-gnu-gcc -static -O2 -I"$client" -o scratch "$abs_top_srcdir/examples/scratch.c"
   [ "$(qemu-aarch64 ./scratch)" = unavailable ]
}

# The interpreter, without what finds it.
@test "the example in Python" {
   local python example=$abs_top_srcdir/examples/scratch.py
   python=$(python3 -c 'import sys; print(sys.executable)')
   export PYTHONPATH=$client/python PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH=$library
   [ "$("$python" "$example")" = unavailable ]
   [ "$(under_tool none "$python" "$example")" = unavailable ]

   profmem_valgrind -q --profmem-out-file=report.xml "$python" "$example" >said
   [ "$(cat said)" = "entry=$(metric report.xml scratch heap.entry) \
peak=$(metric report.xml scratch heap.peak) \
exit=$(metric report.xml scratch heap.exit) \
scratch-peak=$(metric report.xml scratch heap.scratch-peak)" ]
   # The array, and what CPython puts around a bytes object.
   [ "$(metric report.xml scratch heap.scratch-peak)" -eq \
      "$("$python" -c 'import sys; print(sys.getsizeof(bytes(65536)))')" ]
   "$PROFMEM" validate report.xml
}
