#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# outputs.bats: files that check, export and html write with -o: complete or as they were, and never
# over what the command reads.

load cli

# Formats and what writes them to a file, a line each.
writers()
{
   for format in text markdown junit github; do
      echo "check -L program*heap.peak*<=2M $fixtures/limits/new.xml -o $format="
   done
   for format in json csv openmetrics bencher benchmark-action; do
      echo "export -f $format $fixtures/good/good-lists.xml --output="
   done
   echo "html $fixtures/good/good-lists.xml --output="
}

# write WRITER FILE: blanks in an argument stand as asterisks.
write()
{
   local arguments
   read -ra arguments <<<"$1$2"
   arguments=("${arguments[@]//\*/ }")
   status=0
   "$PROFMEM" "${arguments[@]}" >out 2>err || status=$?
}

@test "a disk that is full leaves the old file, and nothing beside it" {
   mkdir folder
   count=0
   while read -r writer; do
      write "$writer" folder/file
      check_status 0
      bytes=$(stat -c %s folder/file)
      [ "$bytes" -gt 16 ]
      echo old >folder/file
      # A file that may not grow is the full disk that needs no root.
      python3 - "$PROFMEM" "$writer" <<'END'
import resource, signal, subprocess, sys
def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
words = [word.replace('*', ' ') for word in sys.argv[2].split()]
words[-1] += 'folder/file'
run = subprocess.run([sys.argv[1], *words], preexec_fn=limit, stdout=subprocess.PIPE,
                     stderr=subprocess.PIPE, restore_signals=False)
assert run.returncode == 2, run
assert run.stderr == b'profmem: error: folder/file: cannot be written: File too large\n', run
END
      [ "$(cat folder/file)" = old ] || fail "$writer: $(cat folder/file)"
      [ "$(ls folder)" = file ]
      count=$((count + 1))
   done < <(writers)
   [ "$count" -eq 10 ]
}

@test "links and permissions stay; pipes and devices are written to" {
   while read -r writer; do
      rm -f file link pipe
      echo old >file
      chmod 640 file
      ln -s file link
      write "$writer" link
      check_status 0
      [ -L link ]
      [ "$(stat -c %a file)" = 640 ]
      ! grep -qx old file || fail "$writer: the file is the old one"
      mkfifo pipe
      cat pipe >read &
      write "$writer" pipe
      check_status 0
      wait $!
      cmp file read
      [ -p pipe ]
   done < <(writers)
}

@test "root leaves a file to its owner; no right to run as another comes of a new one" {
   [ "$(id -u)" -eq 0 ] || skip "only root gives files away"
   echo 'program heap.peak <= 2M' >limits
   while read -r writer; do
      rm -f file
      echo old >file
      chown 65534:65533 file
      chmod 640 file
      write "$writer" file
      check_status 0
      [ "$(stat -c %u:%g:%a file)" = 65534:65533:640 ] || fail "$writer: $(stat -c %u:%g:%a file)"
   done < <(writers)
   chown 65534:65533 limits
   "$PROFMEM" check -t -l limits "$fixtures/limits/new.xml" 2>err
   check_err "limits: 1 number tightened"
   [ "$(stat -c %u:%g limits)" = 65534:65533 ]
   # Who may not give it away, in a folder of all.
   mkdir folder
   chmod 777 folder
   echo old >folder/file
   chmod 6666 folder/file
   chmod a+rx . .. ../.. 2>/dev/null || true
   setpriv --reuid=65534 --regid=65534 --clear-groups \
      "$PROFMEM" export -f csv -o folder/file - <"$fixtures/good/good-small.xml"
   [ "$(stat -c %u:%a folder/file)" = 65534:666 ] || fail "$(stat -c %u:%a folder/file)"
}

@test "a link to a file that is not there yet makes the file" {
   mkdir away
   ln -s away/file one
   ln -s ../two away/link
   ln -s away/link other
   while read -r writer; do
      rm -f away/file two
      write "$writer" one
      check_status 0
      write "$writer" other
      check_status 0
      [ -L one ]
      [ -L other ]
      [ -L away/link ]
      cmp away/file two
   done < <(writers)
   ln -s loop loop
   ln -s nowhere/file missing
   writer=$(writers | tail -n 1)
   write "$writer" loop
   check_status 2
   check_err "profmem: error: loop: cannot be written: Too many levels of symbolic links"
   write "$writer" missing
   check_status 2
   check_err "profmem: error: missing: cannot be written: No such file or directory"
   [ "$(ls)" = "away
err
loop
missing
one
other
out
two" ]
}

@test "standard output by its name gets what follows there" {
   for format in markdown junit; do
      "$PROFMEM" check -L 'program heap.peak <= 2M' "$fixtures/limits/new.xml" >text
      "$PROFMEM" check -L 'program heap.peak <= 2M' "$fixtures/limits/new.xml" -f $format >other
      "$PROFMEM" check -L 'program heap.peak <= 2M' "$fixtures/limits/new.xml" \
         -o $format=/dev/stdout >both
      cat text other | cmp - both
      echo before >log
      "$PROFMEM" check -L 'program heap.peak <= 2M' "$fixtures/limits/new.xml" \
         -o $format=/dev/stderr >out 2>>log
      { echo before; cat other; } | cmp - log
   done
}

# refused WORDS ARGS...: wrong usage that costs nothing.
refused()
{
   local words=$1
   shift
   status=0
   "$PROFMEM" "$@" >out 2>err || status=$?
   check_status 2
   [ "$(head -n 1 err)" = "profmem: error: --output: $words" ] || fail "stderr is: $(cat err)"
   [ ! -s out ]
   cmp "$fixtures/limits/new.xml" new.xml
   cmp "$fixtures/limits/old.xml" base/new.xml
   grep -qx 'program heap.peak +1M' limits.txt
}

@test "nothing that is read is replaced, under whatever name, and no output by another" {
   mkdir base
   cp "$fixtures/limits/new.xml" .
   cp "$fixtures/limits/old.xml" base/new.xml
   echo 'program heap.peak +1M' >limits.txt
   ln -s limits.txt link
   ln new.xml hard
   refused "'./new.xml' is the report" export -o ./new.xml new.xml
   refused "'hard' is the report" export -o hard new.xml
   refused "'new.xml' is a report" check -l limits.txt -b base -o junit=new.xml new.xml
   refused "'link' is a file of limits" check -l limits.txt -b base -o junit=link new.xml
   refused "'base/new.xml' is a baseline" check -l limits.txt -b base/new.xml \
      -o junit=base/new.xml new.xml
   refused "'base/new.xml' is a baseline" check -l limits.txt -b base -o junit=base/new.xml new.xml
   refused "'a.xml' is given twice" check -l limits.txt -b base -o junit=a.xml \
      -o markdown=a.xml new.xml
   [ ! -e a.xml ]
   # What comes of it otherwise.
   "$PROFMEM" check -l limits.txt -b base -o junit=a.xml -o markdown=b.md new.xml >out
   "$PROFMEM" check -l limits.txt -b base -o junit=/dev/null -o markdown=/dev/null new.xml >out
}

@test "a file in a folder that takes no others is written all the same" {
   [ "$(id -u)" -ne 0 ] || command -v setpriv >/dev/null || skip "root writes everywhere"
   mkdir folder
   echo old >folder/file
   chmod 666 folder/file
   chmod 555 folder
   as=()
   if [ "$(id -u)" -eq 0 ]; then
      # The test's own folders are root's alone.
      chmod a+rx . .. ../.. 2>/dev/null || true
      as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
      "${as[@]}" test -r "$PROFMEM" -a -w folder/file || skip "another user sees no file here"
   fi
   "${as[@]}" "$PROFMEM" export -f csv -o folder/file - <"$fixtures/good/good-small.xml"
   "$PROFMEM" export -f csv "$fixtures/good/good-small.xml" | cmp - folder/file
}
