// SPDX-License-Identifier: BSD-2-Clause
// lru_cache.h: a cache of strings that forgets what has not been used for longest.
//
// Entries lie in a list, the one used last first. The index finds them by their key, whose
// characters are those of the entry: each key is there once.
#ifndef LRU_CACHE_H
#define LRU_CACHE_H

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

class lru_cache {
public:
   explicit lru_cache(std::size_t most_entries) : most_entries_(most_entries)
   {
      index_.reserve(most_entries + 1);
   }
   lru_cache(const lru_cache &) = delete;
   lru_cache &operator=(const lru_cache &) = delete;

   // The value, until the next put(); nullptr if it is not there.
   const std::string *get(std::string_view key)
   {
      const auto found = index_.find(key);
      if (found == index_.end())
         return nullptr;
      entries_.splice(entries_.begin(), entries_, found->second);
      return &found->second->value;
   }

   void put(std::string_view key, std::string value)
   {
      if (get(key)) {
         entries_.front().value = std::move(value);
         return;
      }
      entries_.push_front({std::string(key), std::move(value)});
      index_.emplace(entries_.front().key, entries_.begin());
      if (entries_.size() > most_entries_) {
         index_.erase(entries_.back().key);
         entries_.pop_back();
      }
   }

   std::size_t size() const { return entries_.size(); }

private:
   struct entry {
      std::string key, value;
   };

   std::size_t most_entries_;
   std::list<entry> entries_;
   std::unordered_map<std::string_view, std::list<entry>::iterator> index_;
};

#endif
