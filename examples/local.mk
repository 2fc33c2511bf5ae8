# SPDX-License-Identifier: GPL-2.0-or-later
# examples/local.mk: small programs to look at with profmem. tests/client/local.mk
# compiles those in other languages; the one in Rust is an example of the crate.

noinst_PROGRAMS += %D%/hello-heap %D%/scratch
%C%_hello_heap_SOURCES = %D%/hello-heap.c
%C%_scratch_SOURCES = %D%/scratch.c
%C%_scratch_CPPFLAGS = -I$(srcdir)/valgrind-tool/client

EXTRA_DIST += %D%/scratch.cc %D%/scratch.py
