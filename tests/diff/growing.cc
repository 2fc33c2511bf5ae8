// SPDX-License-Identifier: GPL-2.0-or-later
// growing.cc: names in a vector, for tests of `profmem diff`.
//
// -DREGRESSION: room for them is not made at once, so that the vector grows step by step.
#include <string>
#include <vector>

enum { NAMES = 1000 };

__attribute__((noinline)) static std::vector<std::string> collect()
{
   std::vector<std::string> names;
#ifndef REGRESSION
   names.reserve(NAMES);
#endif
   for (int number = 0; number < NAMES; number++)
      names.push_back("a name that is too long to be inside of " + std::to_string(number));
   return names;
}

int main()
{
   return collect().size() == NAMES ? 0 : 1;
}
