/* SPDX-License-Identifier: BSD-2-Clause */
/* scratch.cc: a program that knows what one of its phases needs, and checks it.
 *
 * It keeps 4 KiB, and needs 64 KiB more for a while. Under profmem it prints
 *
 *    entry=4096 peak=69632 exit=4096 scratch-peak=65536
 *
 * from what it read back, without what was live before its first own block: the C++
 * library's own. Elsewhere it prints "unavailable".
 *
 *    c++ -I PREFIX/include -o scratch scratch.cc
 *    valgrind --tool=profmem ./scratch
 */
#include <cassert>
#include <cstdint>
#include <iostream>
#include <vector>

#include "profmem.h"

namespace {

/* Where the optimiser must expect that somebody looks: one that saw all of an
   array's life could do without it. */
const unsigned char *volatile seen;

std::vector<unsigned char> array_of(unsigned char byte, std::size_t bytes)
{
   std::vector<unsigned char> array(bytes, byte);
   seen = array.data();
   return array;
}

/* Bytes live now; 0 outside profmem. */
std::uint64_t live()
{
   {
      profmem::phase now("now");
   }
   profmem_numbers numbers;
   profmem_read("now", &numbers);
   return numbers.heap_exit.available ? numbers.heap_exit.value : 0;
}

} // namespace

int main()
{
   const std::uint64_t runtime = live();
   const std::vector<unsigned char> kept = array_of(3, 4096);
   {
      profmem::phase scratch("scratch");
      const std::vector<unsigned char> ones = array_of(1, 65536);
   } // gives back the array, then ends the phase

   profmem_numbers n;
   profmem_read("scratch", &n);
   if (n.heap_entry.available) {
      std::cout << "entry=" << n.heap_entry.value - runtime
                << " peak=" << n.heap_peak.value - runtime
                << " exit=" << n.heap_exit.value - runtime
                << " scratch-peak=" << n.heap_scratch_peak.value << '\n';
      assert(n.heap_peak.value - n.heap_entry.value <= 65536);
   } else {
      std::cout << "unavailable\n";
   }
}
