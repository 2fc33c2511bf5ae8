# SPDX-License-Identifier: GPL-2.0-or-later
# profmem.py: each call, under profmem and elsewhere, with the library and without.
# client_python.py makes the calls and knows what they say.
load ../common
load client

# The interpreter itself, without what may stand before it in PATH.
setup()
{
   cd "$BATS_TEST_TMPDIR" || return
   python=$(python3 -c 'import sys; print(sys.executable)')
   calls=$abs_top_srcdir/tests/client/client_python.py
   export PYTHONPATH=$client/python PYTHONDONTWRITEBYTECODE=1
   # Warnings, but that one, are errors of these tests.
   export PYTHONWARNINGS=error,default::RuntimeWarning
}

@test "every call under profmem" {
   LD_LIBRARY_PATH=$library profmem_valgrind -q --profmem-out-file=report.xml \
      "$python" "$calls" watched >said
   [ "$(cat said)" = done ]
   "$PROFMEM" validate report.xml
   xmllint --xpath "//phase[@name='again' and @instances='2' and @complete='yes']" report.xml
   xmllint --xpath "//diagnostic[@code='phase-begun-twice' and @phase='with' and @count='1']" report.xml
}

@test "every call outside profmem" {
   [ "$(LD_LIBRARY_PATH=$library "$python" "$calls" unwatched 2>&1)" = done ]
   [ "$(LD_LIBRARY_PATH=$library under_tool none "$python" "$calls" unwatched 2>&1)" = done ]
}

@test "without the library nothing happens, quietly" {
   [ "$("$python" "$calls" unwatched 2>&1)" = done ]
   [ "$("$python" -c 'import profmem; print(profmem.library)')" = None ]
   [ "$(LD_LIBRARY_PATH=$library "$python" -c 'import profmem; print(profmem.library)')" = \
      libprofmem-client.so.0 ]
}

@test "without the library under Valgrind there is a warning, where the import is" {
   profmem_valgrind -q --profmem-out-file=report.xml "$python" "$calls" unwatched >said 2>warned
   [ "$(cat said)" = done ]
   grep -q "^$calls:.*RuntimeWarning: profmem: libprofmem-client.so.0 was not found" warned
   [ "$(xmllint --xpath 'count(//phase)' report.xml)" -eq 1 ]
}
