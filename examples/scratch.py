# SPDX-License-Identifier: BSD-2-Clause
"""scratch.py: a program that knows what one of its phases needs, and checks it.

It keeps 4 KiB, and needs 64 KiB more for a while. Under profmem it prints, from what it
read back,

    entry=E peak=P exit=X scratch-peak=S

E and X are large: the interpreter's own memory is part of the heap. S is 65,569: the
array, and the 33 bytes that CPython puts around it. Elsewhere it prints "unavailable".

    PYTHONPATH=PREFIX/share/profmem/python valgrind --tool=profmem python3 scratch.py
"""

import profmem

kept = bytes([3]) * 4096

with profmem.phase("scratch"):
    ones = bytes([1]) * 65536
    del ones

numbers = profmem.read("scratch")
if numbers.heap_entry is None:
    print("unavailable")
else:
    print(
        f"entry={numbers.heap_entry} peak={numbers.heap_peak} exit={numbers.heap_exit}"
        f" scratch-peak={numbers.heap_scratch_peak}"
    )
    assert numbers.heap_scratch_peak <= 65536 + 4096
