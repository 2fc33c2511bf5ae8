/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_plumbing.c: which frames of a call chain are a standard library's. See the header. */
#include "pr_plumbing.h"

#include <string.h>

/* Where the qualified name begins: behind the type that instances of templates return, as in
   "void std::vector<int>::push(int)". */
static const char *qualified_name(const char *function)
{
   const char *start = function;
   int depth = 0;
   for (const char *at = function; *at && (*at != '(' || depth > 0); at++) {
      depth += *at == '<' || *at == '(';
      depth -= *at == '>' || *at == ')';
      if (*at == ' ' && depth == 0 && strncmp(start, "operator", 8) != 0)
         start = at + 1;
   }
   return start;
}

/* Nearly every name differs from these in its first character. */
static bool is_among(const char *name, const char *const *names, size_t count)
{
   for (size_t n = 0; n < count; n++)
      if (name[0] == names[n][0] && strcmp(name, names[n]) == 0)
         return true;
   return false;
}

static bool begins_with(const char *name, const char *prefix)
{
   while (*prefix && *name == *prefix) {
      name++;
      prefix++;
   }
   return !*prefix;
}

/* Is it a standard library's, by its namespace or by a file that nobody else's code is in? */
static bool is_of_library(const struct pr_frame *frame)
{
   static const char *const prefixes[] = {
      "std::", "<std::", "__gnu_cxx::", "operator new", "alloc::", "<alloc::", "core::", "<core::",
      "hashbrown::", "<hashbrown::", "__rust_", "__rdl_"};
   static const char *const headers[] = {
      "alloc_traits.h", "allocate_at_least.h", "allocated_ptr.h", "allocator.h",
      "allocator_traits.h", "basic_string.h", "basic_string.tcc", "deque.tcc", "forward_list.h",
      "forward_list.tcc", "hashtable.h", "hashtable_policy.h", "list.tcc", "new_allocator.h",
      "shared_ptr.h", "shared_ptr_base.h", "std_function.h", "stl_algobase.h",
      "stl_construct.h", "stl_deque.h", "stl_function.h", "stl_list.h", "stl_map.h",
      "stl_multimap.h", "stl_multiset.h", "stl_pair.h", "stl_queue.h", "stl_set.h",
      "stl_stack.h", "stl_tempbuf.h", "stl_tree.h", "stl_uninitialized.h", "stl_vector.h",
      "unique_ptr.h", "unordered_map.h", "unordered_set.h", "vector.tcc", "__hash_table",
      "__split_buffer", "__tree"};
   const char *function = qualified_name(frame->function);
   for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
      if (begins_with(function, prefixes[i]))
         return true;
   return frame->file && is_among(frame->file, headers, sizeof headers / sizeof headers[0]);
}

/* Files of Rust's libraries, whose names a program's own may have as well: what is inlined
   from there is told as the function that it is inlined into. */
static bool is_of_rust(const struct pr_frame *frame)
{
   static const char *const files[] = {
      "alloc.rs", "borrow.rs", "boxed.rs", "clone.rs", "cmp.rs", "entry.rs", "extend.rs",
      "function.rs", "in_place_collect.rs", "iterator.rs", "map.rs", "mod.rs", "option.rs",
      "panic.rs", "panicking.rs", "raw_vec.rs", "rc.rs", "result.rs", "set.rs", "slice.rs",
      "spec_extend.rs", "spec_from_elem.rs", "spec_from_iter.rs", "spec_from_iter_nested.rs",
      "str.rs", "string.rs", "sync.rs", "vec.rs"};
   return frame->is_inlined && frame->file
          && is_among(frame->file, files, sizeof files / sizeof files[0]);
}

/* Inlined frames do not have the library's namespace in their names: they are what the function
   is that they are inlined into. */
bool pr_is_plumbing(const struct pr_site *site, size_t at)
{
   size_t around = at;
   while (around + 1 < site->frame_count && site->frames[around].is_inlined)
      around++;
   return is_of_library(&site->frames[around]) || is_of_library(&site->frames[at])
          || is_of_rust(&site->frames[at]);
}

size_t pr_first_own_frame(const struct pr_site *site)
{
   size_t at = 0;
   while (at < site->frame_count && pr_is_plumbing(site, at))
      at++;
   return at;
}
