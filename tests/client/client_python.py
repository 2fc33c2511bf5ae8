# SPDX-License-Identifier: GPL-2.0-or-later
"""Every call of profmem.py, right and wrong. Under profmem or not: the one argument says
which is expected, "watched" or "unwatched"."""

import sys
import threading

import profmem
from profmem import Result

watched = sys.argv[1] == "watched"
assert profmem.watching() is watched


def expect(result, expected):
    """A Result: what it is under profmem, or that nobody is watching."""
    assert isinstance(result, Result), result
    assert result == (expected if watched else Result.NOT_WATCHING), (result, expected)


with profmem.phase("with") as opened:
    expect(opened.begun, Result.DONE)
    assert opened.ended is None
    expect(profmem.begin("with"), Result.BEGUN_TWICE)
expect(opened.ended or Result.NOT_WATCHING, Result.DONE)
expect(profmem.end("with"), Result.NOT_OPEN)

try:
    with profmem.phase("left"):
        raise LookupError
except LookupError:
    pass
expect(profmem.end("left"), Result.NOT_OPEN)

expect(profmem.begin("é" * 127 + "x"), Result.DONE)
expect(profmem.end("é" * 127 + "x"), Result.DONE)
expect(profmem.begin("é" * 128), Result.NAME_TOO_LONG)
expect(profmem.begin("\udc80"), Result.NAME_NOT_UTF8)
expect(profmem.begin("a\0b"), Result.NAME_NOT_UTF8)
expect(profmem.begin(""), Result.DONE)
expect(profmem.end(""), Result.DONE)
expect(profmem.read("never heard of").result, Result.NOT_OPEN)

begun = threading.Barrier(3)
ended = threading.Barrier(3)


def hold():
    """A phase on a thread of its own while another thread tries to end it."""
    with profmem.phase("elsewhere"):
        begun.wait()
        ended.wait()


threads = [threading.Thread(target=hold) for _ in range(2)]
for thread in threads:
    thread.start()
begun.wait()
expect(profmem.end("elsewhere"), Result.AMBIGUOUS)
ended.wait()
for thread in threads:
    thread.join()

# The same object again, nested in another, read while it is open.
older = bytearray(200_000)
again = profmem.phase("again")
with again:
    pass
with profmem.phase("around"), again:
    block = bytearray(100_000)
    still_open = profmem.read("again")
    del block
    del older[1000:]
numbers = profmem.read("again")
expect(numbers.result, Result.DONE)
if watched:
    assert still_open.heap_retained >= 100_000
    assert numbers.heap_scratch_peak >= 100_000
    assert numbers.heap_resized < -100_000
    assert numbers.instructions_total > still_open.instructions_total
    assert None not in numbers
else:
    assert still_open == numbers == (Result.NOT_WATCHING,) + (None,) * (len(numbers) - 1)

assert Result(77) == 77 and Result(77).name == "UNKNOWN_77"
print("done")
