# SPDX-License-Identifier: BSD-2-Clause
# Copyright (C) 2026 the profmem authors
"""Declare phases of a Python program to profmem, and read their numbers.

    import profmem

    with profmem.phase("parse"):
        ...

    numbers = profmem.read("parse")
    if numbers.heap_scratch_peak is not None:
        assert numbers.heap_scratch_peak <= 1 << 20

A phase begins with the last thing that __enter__ does and ends with the first thing
that __exit__ does. Phases may nest, overlap and repeat, on any thread; begin() and
end() declare one without a block. A name has at most 255 bytes as UTF-8.

No call raises an exception or prints because profmem watches, or does not: a program
does under profmem what it does without. Mistakes (a phase begun twice, an end without
a begin) are results of these calls, and errors in the report.

The numbers are those of the process, the interpreter's own memory included. Python
obtains small objects from arenas of its own, which it takes from the system in large
pieces; with PYTHONMALLOC=malloc in the environment each object is a block of the heap.

This file calls libprofmem-client.so.0, which it looks for where the dynamic loader
does and in the lib folder of the prefix that this file is installed under. Without the
library everything here does nothing, `library` is None, and importing this file in a
program that runs under Valgrind gives a RuntimeWarning.
"""

import collections
import ctypes
import enum
import os
import warnings

__all__ = ["Numbers", "Result", "begin", "end", "library", "phase", "read", "watching"]


class Result(enum.IntEnum):
    """What a call has done."""

    NOT_WATCHING = 0  # the program does not run under profmem
    DONE = 1
    BEGUN_TWICE = 2  # the phase is open on this thread: ignored
    NOT_OPEN = 3  # there is nothing to end, or nothing to read yet
    AMBIGUOUS = 4  # open on several other threads: none was ended
    NAME_TOO_LONG = 5  # more than 255 bytes
    NAME_NOT_UTF8 = 6  # it has a surrogate or a zero in it
    NAME_UNREADABLE = 7  # cannot happen here
    NO_MEMORY = 8  # in profmem

    @classmethod
    def _missing_(cls, value):
        """A result that a newer profmem has."""
        unknown = int.__new__(cls, value)
        unknown._name_ = "UNKNOWN_%d" % value
        unknown._value_ = value
        return unknown


# The members of struct profmem_numbers in profmem.h, in their order.
_MEMBERS = (
    "heap_entry",  # bytes
    "heap_entry_blocks",
    "heap_peak",  # bytes
    "heap_peak_blocks",
    "heap_exit",  # bytes
    "heap_exit_blocks",
    "heap_growth",  # bytes
    "heap_scratch_peak",  # bytes
    "heap_retained",  # bytes
    "heap_released",  # bytes
    "heap_resized",  # bytes, may be negative
    "allocations_count",
    "allocations_bytes",
    "allocations_failed",
    "allocations_temporary",
    "reallocations_count",
    "reallocations_bytes",
    "deallocations_count",
    "deallocations_bytes",
    "deallocations_unmatched",
    "traffic_blocks",
    "traffic_bytes",
    "mapped_peak",  # bytes
    "allocator_mapped_peak",  # bytes
    "instructions_total",
    "instructions_allocator",
    "instructions_program",
    "instructions_own_thread",
    "syscalls_count",
)
_SIGNED = frozenset({"heap_resized"})

Numbers = collections.namedtuple("Numbers", ("result",) + _MEMBERS)
Numbers.__doc__ = """What read() found: result, a Result, and an int for each number, or
None where it is unavailable."""


class _Value(ctypes.Structure):
    _fields_ = [("value", ctypes.c_uint64), ("available", ctypes.c_uint64)]


def _functions_of(path):
    """The library's functions by name."""
    # Its calls are quick: the interpreter's lock is kept.
    loaded = ctypes.PyDLL(path)
    name = (ctypes.c_char_p, ctypes.c_size_t)
    functions = {}
    for function, arguments in (
        ("watching", ()),
        ("begin", name),
        ("end", name),
        ("read", name + (ctypes.c_void_p, ctypes.c_size_t)),
    ):
        functions[function] = getattr(loaded, "profmem_client_" + function)
        functions[function].argtypes = arguments
    return functions


def _load():
    """The library's path and its functions; without it None, and functions that return 0."""
    soname = "libprofmem-client.so.0"
    prefix = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3)
    for path in (soname, *(os.path.join(prefix, lib, soname) for lib in ("lib", "lib64"))):
        try:
            return path, _functions_of(path)
        except OSError:
            pass
    if "vgpreload_core" in os.environ.get("LD_PRELOAD", ""):
        warnings.warn(
            "profmem: %s was not found; no phase is declared" % soname,
            RuntimeWarning,
            stacklevel=3,
        )
    return None, collections.defaultdict(lambda: lambda *arguments: 0)


library, _call = _load()
_begin = _call["begin"]
_end = _call["end"]


def _bytes_of(name):
    """A name as profmem takes it. What is not UTF-8 gets there, to be refused."""
    return name.encode("utf-8", "surrogatepass")


def watching():
    """True if the program runs under profmem, and the library was found."""
    return _call["watching"]() == 1


def begin(name):
    """Begin a phase; a Result."""
    name_bytes = _bytes_of(name)
    return Result(_begin(name_bytes, len(name_bytes)))


def end(name):
    """End a phase; a Result."""
    name_bytes = _bytes_of(name)
    return Result(_end(name_bytes, len(name_bytes)))


def read(name):
    """The Numbers of a phase's instance that is open, on this thread before others,
    or else of the one that ended last."""
    name_bytes = _bytes_of(name)
    values = (_Value * len(_MEMBERS))()
    result = _call["read"](name_bytes, len(name_bytes), values, ctypes.sizeof(values))
    return Numbers(Result(result), *map(_number, _MEMBERS, values))


def _number(member, value):
    if not value.available:
        return None
    return ctypes.c_int64(value.value).value if member in _SIGNED else value.value


class phase:
    """A phase as a context manager, which may be used again. What could not be begun is
    not ended either."""

    def __init__(self, name):
        self.name = name
        self._name = _bytes_of(name)
        self._name_bytes = len(self._name)
        self._begun = self._ended = None

    def __enter__(self):
        self._ended = None
        self._begun = _begin(self._name, self._name_bytes)
        return self

    def __exit__(self, *_exception):
        if self._begun == 1:
            self._ended = _end(self._name, self._name_bytes)

    @property
    def begun(self):
        """What the begin has done, a Result; None before."""
        return None if self._begun is None else Result(self._begun)

    @property
    def ended(self):
        """What the end has done, a Result; None before, and when there was none."""
        return None if self._ended is None else Result(self._ended)
