// SPDX-License-Identifier: GPL-2.0-or-later
// strings_cxx.cc: strings as keys and values, in measured().
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" __attribute__((noinline)) std::size_t measured(std::size_t count)
{
   std::unordered_map<std::string, std::string> by_hash;
   std::map<std::string, std::size_t> by_order;
   for (std::size_t n = 0; n < count; n++) {
      std::string key = "a key, and its number: " + std::to_string(n * 7919 % count);
      by_hash[key] += std::string(n % 97, 'v');
      by_order[key.substr(n % 5)] += key.find("number");
   }
   std::size_t sum = 0;
   for (const auto &entry : by_order)
      sum += entry.first.size() + entry.second;
   for (const auto &entry : by_hash)
      sum += entry.second.size();
   return sum;
}

int main()
{
   std::cout << measured(2000) << '\n';
}
