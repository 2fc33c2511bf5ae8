// SPDX-License-Identifier: BSD-2-Clause
// cache_test.cc: the cache has what it should; under profmem, its phases are what
// cache.limits speaks of. Status 1 with a message if the cache is wrong.
#include "lru_cache.h"

#include <cstdlib>
#include <iostream>

#ifdef HAVE_PROFMEM
#include <profmem.h>
#else
namespace profmem {
struct phase {
   explicit phase(const char *) {}
   ~phase() {}
};
} // namespace profmem
#endif

namespace {

const int most_entries = 256;
const std::size_t value_bytes = 1000;

void check(bool holds, const char *what)
{
   if (!holds) {
      std::cerr << "cache_test: " << what << '\n';
      std::exit(1);
   }
}

std::string key_of(int number)
{
   return "key " + std::to_string(number);
}

char letter_of(int number)
{
   return static_cast<char>('a' + number % 26);
}

std::string value_of(int number)
{
   return std::string(value_bytes, letter_of(number));
}

void fill(lru_cache &cache)
{
   profmem::phase filling("fill");
   for (int i = 0; i < most_entries; i++)
      cache.put(key_of(i), value_of(i));
}

// Finds the first half, so that the second is what will be forgotten first.
void hit(lru_cache &cache)
{
   profmem::phase hitting("hits");
   for (int round = 0; round < 10; round++)
      for (int i = 0; i < most_entries / 2; i++) {
         const auto found = cache.get(key_of(i));
         check(found && found->size() == value_bytes && found->back() == letter_of(i),
               "a value is not found");
      }
}

void miss(lru_cache &cache)
{
   profmem::phase missing("misses");
   for (int i = most_entries; i < 10 * most_entries; i++)
      cache.put(key_of(i), value_of(i));
}

} // namespace

int main()
{
   profmem::phase all("cache");
   lru_cache cache(most_entries);
   fill(cache);
   hit(cache);
   cache.put(key_of(-1), value_of(0));
   check(cache.get(key_of(0)) && !cache.get(key_of(most_entries / 2)),
         "what was used is forgotten before what was not");
   cache.put(key_of(0), "new");
   check(*cache.get(key_of(0)) == "new", "a new value is not found");
   miss(cache);
   check(cache.size() == most_entries, "the cache is not full");
   check(!cache.get(key_of(0)), "what is old is not forgotten");
}
