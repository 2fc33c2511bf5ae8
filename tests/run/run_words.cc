// SPDX-License-Identifier: GPL-2.0-or-later
// run_words.cc: short strings on the stack and in a map, compared often.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

int main()
{
   std::map<std::string, int> map;
   std::vector<std::string> words;
   for (int i = 0; i < 3000; i++) {
      std::string word = "w" + std::to_string(i * 7919 % 3001);
      map[word]++;
      words.push_back(word);
   }
   std::sort(words.begin(), words.end());
   std::cout << map.size() << ' ' << words[10] << '\n';
}
