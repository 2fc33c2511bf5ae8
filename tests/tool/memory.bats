# SPDX-License-Identifier: GPL-2.0-or-later
# What live blocks cost the tool.
#
# The expected numbers of blocks are the program's; the bars are 64 bytes of the
# tool's memory for each live block, the growth of its tables included, and a
# cost per event that does not grow with their number. Caches miss more in
# larger tables, and the machine has other work: a factor of 3 between halves is
# no growth, where a search or a copy per event would make it hundreds.
load ../common
load tool

@test "ten million live blocks: at most 64 bytes each, and no dearer events" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/many" "$(sized 10000000 100000)" >printed
   cat printed
   agree printed report.xml
   requires own-memory native-speed
   [ "$(value printed tool-bytes-per-block)" -gt 0 ]
   [ "$(value printed tool-bytes-per-block)" -le 64 ]
   [ "$(value printed second-half-ns-per-call)" -le \
      $((3 * $(value printed first-half-ns-per-call))) ]
   [ "$(value printed free-ns-per-call)" -le $((3 * $(value printed first-half-ns-per-call))) ]
}
