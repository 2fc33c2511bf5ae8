# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind-tool/client/local.mk: what programs use to declare phases: the header, a
# shared library for languages that cannot include it, and bindings on top.

include_HEADERS = %D%/profmem.h %D%/profmem-client.h

# ---- The shared library. One file, one platform: a plain link, and the link for
# the linker; libtool would add nothing. It is a "program" for automake.

clientlibdir = $(libdir)
clientlib_PROGRAMS = %D%/libprofmem-client.so.0
%C%_libprofmem_client_so_0_SOURCES = %D%/profmem-client.c %D%/profmem-client.h
%C%_libprofmem_client_so_0_CFLAGS = $(AM_CFLAGS) -fPIC
%C%_libprofmem_client_so_0_LDFLAGS = -shared -Wl,-soname,libprofmem-client.so.0 -Wl,-z,defs \
	-Wl,--version-script='$(srcdir)/%D%/profmem-client.map'
%C%_libprofmem_client_so_0_DEPENDENCIES = %D%/profmem-client.map

# Programs are installed after this: the link may point to nothing yet.
install-exec-local:
	$(MKDIR_P) '$(DESTDIR)$(clientlibdir)'
	cd '$(DESTDIR)$(clientlibdir)' && \
	rm -f libprofmem-client.so && $(LN_S) libprofmem-client.so.0 libprofmem-client.so
uninstall-local:
	rm -f '$(DESTDIR)$(clientlibdir)/libprofmem-client.so'

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/profmem-client.pc

# ---- Python: one file, to be copied or put into PYTHONPATH.

clientpythondir = $(pkgdatadir)/python
dist_clientpython_DATA = %D%/python/profmem.py

# ---- Rust: a crate without dependencies, for `profmem = { path = ... }`.

clientrustdir = $(pkgdatadir)/rust
dist_clientrust_DATA = %D%/rust/Cargo.toml %D%/LICENSE
clientrustsrcdir = $(clientrustdir)/src
dist_clientrustsrc_DATA = %D%/rust/src/lib.rs %D%/rust/src/request.rs

# Its Cargo.toml comes first.
pm_crate = \
	%D%/rust/Cargo.toml \
	%D%/rust/Cargo.lock \
	%D%/rust/examples/scratch.rs \
	%D%/rust/src/lib.rs \
	%D%/rust/src/request.rs \
	%D%/rust/tests/requests.rs

EXTRA_DIST += $(pm_crate) %D%/profmem-client.map
