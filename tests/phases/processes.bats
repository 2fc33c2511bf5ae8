# SPDX-License-Identifier: GPL-2.0-or-later
# Phases over fork and exec. What is expected of each report is the program's own
# account of what it does (processes.c).
load ../common
load phases

@test "a fork: phases that are open go on in the child, as begun there" {
   profmem_valgrind -q --profmem-out-file=report.xml --phase-fn=forks \
      "$phases/processes" fork child >parent
   expect report.xml parent
   expect report.xml.1 child
}

@test "a fork by one of two threads: the other's phases" {
   profmem_valgrind -q --profmem-out-file=report.xml --phase-fn=waits \
      "$phases/processes" threads-fork child >parent
   expect report.xml parent
   expect report.xml.1 child
}

@test "an exec with phases open: reported as cut short, without an error" {
   profmem_valgrind -q --trace-children=yes --profmem-out-file=report.xml --phase-fn=becomes \
      "$phases/processes" exec >parent
   expect report.xml parent
   [ "$(xmllint --xpath 'string(//end/@kind)' report.xml)" = exec ]
   printf '%s\t%s\t%s\n' 'in the image' allocations.bytes 33 \
      becomes @instances 0 becomes '!phase-never-entered' 1 >image
   expect report.xml.1 image
}
