# SPDX-License-Identifier: GPL-2.0-or-later
# The core calls itself and the functions that pm_host.h declares, nothing else: also
# not what a compiler adds by itself (a loop recognised as strlen, a division helper).
load ../common

# The names that the members of an archive need from outside.
needed()
{
   nm -u "$1" | awk '$1 == "U" { print $2 }' | sort -u
}

foreign()
{
   needed "$1" | grep -v -x -e 'pm_.*' -e memcpy -e memmove -e memset || true
}

@test "the core calls nothing foreign" {
   core=$abs_top_builddir/valgrind-tool/libpmcore.a
   needed "$core" | grep -q -x pm_strlen # or nm has told nothing
   [ -z "$(foreign "$core")" ] || fail "the core calls: $(foreign "$core")"
}

@test "a foreign call would be seen" {
   printf '%s\n' 'int strcoll(const char *a, const char *b);' \
      'int pm_probe(const char *a) { return strcoll(a, a); }' >probe.c
   (cd "$abs_top_builddir" && $PM_CORE_COMPILE -Wno-missing-prototypes -c \
      "$BATS_TEST_TMPDIR/probe.c" -o "$BATS_TEST_TMPDIR/probe.o")
   [ "$(foreign probe.o)" = strcoll ]
}
