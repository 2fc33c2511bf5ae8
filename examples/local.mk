# SPDX-License-Identifier: GPL-2.0-or-later
# examples/local.mk: small programs to look at with profmem.

noinst_PROGRAMS += %D%/hello-heap
%C%_hello_heap_SOURCES = %D%/hello-heap.c
