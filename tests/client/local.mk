# SPDX-License-Identifier: GPL-2.0-or-later
# tests/client/local.mk: what programs declare phases with: the header, the shared
# library, the bindings, and the examples of each.

pm_bats_tests += \
	%D%/client_header.bats \
	%D%/client_python.bats \
	%D%/client_rust.bats \
	%D%/client_installed.bats \
	%D%/client_examples.bats \
	%D%/client_requests.bats

EXTRA_DIST += %D%/client.bash %D%/client_python.py

check_PROGRAMS += %D%/client_requests %D%/client_requests_library
%C%_client_requests_SOURCES = %D%/client_requests.c
%C%_client_requests_CPPFLAGS = -I$(srcdir)/valgrind-tool/client
%C%_client_requests_LDADD = -lpthread
%C%_client_requests_library_SOURCES = %D%/client_requests.c
%C%_client_requests_library_CPPFLAGS = -I$(srcdir)/valgrind-tool/client -DVIA_LIBRARY
%C%_client_requests_library_LDADD = valgrind-tool/client/libprofmem-client.so.0 -lpthread
%C%_client_requests_library_LDFLAGS = -Wl,-rpath,$(abs_builddir)/valgrind-tool/client

# ---- The examples that make does not build.

pm_client_examples = %D%/scratch_cxx %D%/cargo/release/examples/scratch

%D%/scratch_cxx: $(srcdir)/examples/scratch.cc $(srcdir)/valgrind-tool/client/profmem.h
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_CXX) -std=c++11 -Wall -Wextra -O2 -g \
	-I$(srcdir)/valgrind-tool/client -o $@ $<

# cargo leaves a file alone that is new enough for it: touch.
%D%/cargo/release/examples/scratch: $(addprefix $(srcdir)/,$(pm_crate))
	$(AM_V_GEN)env -u MAKEFLAGS CARGO_TARGET_DIR='$(abs_builddir)/%D%/cargo' \
	cargo build -q --offline --locked --release --examples --manifest-path $< && touch $@

check_DATA += $(pm_client_examples)
CLEANFILES += %D%/scratch_cxx

pm_clean += clean-cargo
clean-cargo:
	rm -rf %D%/cargo
