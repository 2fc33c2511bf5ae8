#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# environment.bats: what the program finds in its environment.

load run

# What profmem and Valgrind put there for their own sake.
own='^(PROFMEM_PADDING_[12]|VALGRIND_LIB|LD_PRELOAD)='

seen()
{
   "$PROFMEM" run -q -o r.xml "$@" -- "$probe" environment | grep -v -E "$own"
}

@test "nothing comes in but the fixed variables, which help and report list" {
   local setting
   SECRET=1 TZ=Asia/Tokyo LD_BIND_NOW= seen >variables
   "$PROFMEM" help run >help
   [ "$(wc -l <variables)" -eq 8 ]
   while read -r setting; do
      grep -q -F -- "$setting" help || fail "help does not list $setting"
      [ "$(fix r.xml "${setting%%=*}")" = "${setting#*=}" ] || fail "not in <fixed>: $setting"
   done <variables
   [ "$(fix r.xml environment)" = cleared ]
   grep -q -x TZ=UTC0 variables
}

@test "variables of the command line come in, the last of a name" {
   A=outer B=outer C=outer seen --env A=1 --env A=2 --pass-env B --pass-env NONE --env TZ=CET \
      --env EMPTY= >variables
   grep -q -x A=2 variables
   grep -q -x B=outer variables
   grep -q -x EMPTY= variables
   grep -q -x TZ=CET variables
   [ "$(grep -c -E '^(A|TZ)=' variables)" -eq 2 ]
   ! grep -E '^(C|NONE)=' variables || fail "more was passed on"
   [ -z "$(fix r.xml TZ)" ]
}

@test "the whole environment comes in with --inherit-env, and what steadies is added" {
   env -i A=1 PATH="$PATH" OMP_NUM_THREADS=7 LANG=de_DE.UTF-8 "$PROFMEM" run -q -o r.xml \
      --inherit-env -- "$probe" environment | grep -v -E "$own" >variables
   printf '%s\n' A=1 "PATH=$PATH" OMP_NUM_THREADS=7 LANG=de_DE.UTF-8 LD_BIND_NOW=1 \
      GLIBC_TUNABLES=glibc.malloc.arena_max=8 OMP_WAIT_POLICY=passive | diff - variables
   [ "$(fix r.xml environment)" = "no: inherited" ]
}

@test "--host changes nothing, and nothing is said to be fixed" {
   env -i A=1 PATH="$PATH" "$PROFMEM" run -q -o r.xml --host -- "$probe" environment >all
   printf '%s\n' A=1 "PATH=$PATH" | diff - <(grep -v -E "$own" all)
   ! grep PROFMEM all || fail "something was added"
   grep -q '<fixed/>' r.xml
   grep -q '<option name="--fixed-random" value="no"/>' r.xml
   grep -q '<option name="--cpu" value="host"/>' r.xml
}

@test "the program's own preload and the tool's stand side by side" {
   local library
   library=$(ldd "$probe" | sed -n 's,.*=> \(/[^ ]*libc.so.6\).*,\1,p')
   LD_PRELOAD=$library "$PROFMEM" run -q -o r.xml --pass-env LD_PRELOAD -- "$probe" environment >all
   grep -q "^LD_PRELOAD=.*/vgpreload_core-.*:$library\$" all
   [ "$(grep -c ^LD_PRELOAD= all)" -eq 1 ]
}

@test "the program is the one that a shell finds, under the name it was called by" {
   mkdir own
   printf '#!/bin/sh\necho "own $0"\n' >own/true
   printf '#!/bin/sh\necho "$0"\n' >own/profmem-test-only
   chmod +x own/*
   PATH=$PWD/own:$PATH runs 0 -q -o r.xml -- true
   [ "$(cat out)" = "own $PWD/own/true" ]
   PATH=own:$PATH runs 0 -q -o r.xml -- profmem-test-only
   [ "$(cat out)" = "$PWD/own/profmem-test-only" ]
   runs 0 -q -o r.xml -- sh -c 'echo $0'
   [ "$(cat out)" = sh ]
   runs 0 -q -o r.xml -- ./own/profmem-test-only
   [ "$(cat out)" = ./own/profmem-test-only ]
}

@test "the digest of the environment is of what the program was given" {
   "$PROFMEM" run -q -o a.xml -- true
   "$PROFMEM" run -q -o b.xml --env A=1 -- true
   printf '%s\0' 'A=1' >settings
   "$PROFMEM" run -q -o r.xml -- "$probe" environment | grep -v -E "$own" | tr '\n' '\0' >>settings
   local digest
   digest=$(sha256sum <settings)
   grep -q "<environment variables=\"9\" digest=\"sha256:${digest%% *}\"/>" b.xml
   ! grep -q "${digest%% *}" a.xml
}
