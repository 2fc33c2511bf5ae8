# SPDX-License-Identifier: GPL-2.0-or-later
# tests/client/local.mk: what programs declare phases with: the header, the shared
# library, the bindings, and the examples of each.

pm_bats_tests += \
	%D%/client_header.bats \
	%D%/client_requests.bats

EXTRA_DIST += %D%/client.bash

check_PROGRAMS += %D%/client_requests %D%/client_requests_library
%C%_client_requests_SOURCES = %D%/client_requests.c
%C%_client_requests_CPPFLAGS = -I$(srcdir)/valgrind-tool/client
%C%_client_requests_LDADD = -lpthread
%C%_client_requests_library_SOURCES = %D%/client_requests.c
%C%_client_requests_library_CPPFLAGS = -I$(srcdir)/valgrind-tool/client -DVIA_LIBRARY
%C%_client_requests_library_LDADD = valgrind-tool/client/libprofmem-client.so.0 -lpthread
%C%_client_requests_library_LDFLAGS = -Wl,-rpath,$(abs_builddir)/valgrind-tool/client
