# SPDX-License-Identifier: GPL-2.0-or-later
# examples/local.mk: small programs to look at with profmem. tests/client/local.mk
# compiles those in other languages; the one in Rust is an example of the crate.

noinst_PROGRAMS += %D%/hello-heap %D%/scratch
%C%_hello_heap_SOURCES = %D%/hello-heap.c
%C%_scratch_SOURCES = %D%/scratch.c
%C%_scratch_CPPFLAGS = -I$(srcdir)/valgrind-tool/client

EXTRA_DIST += %D%/scratch.cc %D%/scratch.py

# ---- Projects that hold themselves to limits in their own tests, with an installed profmem;
# tests/examples runs them.

EXTRA_DIST += \
	%D%/c-autotools/Makefile.am \
	%D%/c-autotools/README.md \
	%D%/c-autotools/configure.ac \
	%D%/c-autotools/csvstat.c \
	%D%/c-autotools/csvstat.limits \
	%D%/c-autotools/memory.sh \
	%D%/c-autotools/regressions/copy.patch \
	%D%/c-autotools/regressions/leak.patch \
	%D%/c-autotools/results.sh \
	%D%/cpp-cmake/CMakeLists.txt \
	%D%/cpp-cmake/README.md \
	%D%/cpp-cmake/cache.limits \
	%D%/cpp-cmake/cache_test.cc \
	%D%/cpp-cmake/lru_cache.h \
	%D%/cpp-cmake/regressions/copy.patch \
	%D%/cpp-cmake/regressions/growth.patch \
	%D%/python/README.md \
	%D%/python/regressions/cache.patch \
	%D%/python/regressions/list.patch \
	%D%/python/sales_report.limits \
	%D%/python/sales_report.py \
	%D%/python/test_sales_report.py \
	%D%/rust-cargo/Cargo.toml \
	%D%/rust-cargo/README.md \
	%D%/rust-cargo/build.rs \
	%D%/rust-cargo/regressions/copy.patch \
	%D%/rust-cargo/regressions/keys.patch \
	%D%/rust-cargo/src/main.rs \
	%D%/rust-cargo/tests/memory.rs \
	%D%/rust-cargo/wordcount.limits
