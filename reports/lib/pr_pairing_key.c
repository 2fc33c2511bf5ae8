/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_pairing_key.c: when two names are the same. See pr_pairing_key.h. */
#include "pr_pairing_key.h"

#include <ctype.h>
#include <string.h>

/* Parts of names ----------------------------------------------------------- */

/* The start of the suffix of a clone (".constprop.0", " [clone .part.1]"), or the end. */
static size_t without_clone(const char *function)
{
   static const char *const suffixes[] = {" [clone", ".constprop.", ".isra.", ".part.",
                                          ".cold",   ".lto_priv.",  ".llvm."};
   size_t bytes = strlen(function);
   for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
      const char *at = strstr(function, suffixes[i]);
      if (at && at > function && (size_t)(at - function) < bytes)
         bytes = (size_t)(at - function);
   }
   return bytes;
}

size_t pr_base_bytes(const char *function)
{
   size_t all = without_clone(function), bytes = all;
   /* "f(int) const" has its parameters before the last word. */
   while (bytes > 0 && function[bytes - 1] != ')')
      bytes--;
   if (bytes < all && function[bytes] != ' ')
      return all; /* what stands in parentheses is a part of the name */
   for (unsigned depth = 0; bytes > 0;) {
      bytes--;
      depth += function[bytes] == ')';
      depth -= function[bytes] == '(';
      if (depth == 0)
         break;
   }
   return bytes ? bytes : all;
}

/* "libfoo.so.1.2", "libfoo-1.2.so": both are libfoo. */
static size_t object_base_bytes(const char *object)
{
   const char *end = strstr(object, ".so");
   size_t all = strlen(object);
   if (!end || end == object || (end[3] != '\0' && end[3] != '.'))
      return all;
   size_t bytes = (size_t)(end - object), kept = bytes;
   while (kept > 0 && (isdigit((unsigned char)object[kept - 1]) || object[kept - 1] == '.'))
      kept--;
   return kept > 1 && kept < bytes && object[kept - 1] == '-' ? kept - 1 : bytes;
}

/* Comparing ---------------------------------------------------------------- */

static int compare_parts(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
   size_t least = a_bytes < b_bytes ? a_bytes : b_bytes;
   int order = memcmp(a, b, least);
   return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

/* Names that repeat are mostly one string: see pr_intern.h. */
static int compare_texts(const char *a, const char *b)
{
   return a == b ? 0 : strcmp(a, b);
}

static int compare_function(enum pr_strictness strictness, const char *a, const char *b)
{
   if (a == b || strictness != PR_SAME_BASE)
      return compare_texts(a, b);
   return compare_parts(a, pr_base_bytes(a), b, pr_base_bytes(b));
}

static int compare_sites(enum pr_strictness strictness, const struct pr_site *a,
                         const struct pr_site *b)
{
   int order = (a->frame_count > b->frame_count) - (a->frame_count < b->frame_count);
   for (size_t i = 0; order == 0 && i < a->frame_count; i++) {
      order = compare_function(strictness, a->frames[i].function, b->frames[i].function);
      if (order == 0 && strictness == PR_SAME)
         order = compare_texts(a->frames[i].object, b->frames[i].object);
   }
   return order;
}

static int compare_lines(const struct pr_source_line *a, const struct pr_source_line *b)
{
   int order = compare_texts(a->function, b->function);
   if (order == 0)
      order = compare_texts(a->object, b->object);
   if (order == 0)
      order = (a->file != NULL) - (b->file != NULL);
   if (order == 0 && a->file)
      order = compare_texts(a->file, b->file);
   return order ? order : (a->number > b->number) - (a->number < b->number);
}

int pr_key_compare(enum pr_unit_kind kind, enum pr_strictness strictness, const void *a,
                   const void *b)
{
   switch (kind) {
   case PR_UNIT_SITE:
      return compare_sites(strictness, a, b);
   case PR_UNIT_FUNCTION: {
      const struct pr_function *one = a, *other = b;
      int order = compare_function(strictness, one->name, other->name);
      return order || strictness != PR_SAME ? order : compare_texts(one->object, other->object);
   }
   case PR_UNIT_LINE:
      return compare_lines(a, b);
   case PR_UNIT_OBJECT:
      if (strictness == PR_SAME)
         return compare_texts(a, b);
      return compare_parts(a, object_base_bytes(a), b, object_base_bytes(b));
   case PR_UNIT_KINDS:
      break;
   }
   return 0;
}

/* Hashing ------------------------------------------------------------------ */

/* Eight bytes at a time, as FNV-1a does one; the length ends each text. */
static const uint64_t hash_start = 0xCBF29CE484222325, hash_factor = 0x9E3779B97F4A7C15;

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
   hash = (hash ^ word) * hash_factor;
   return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const char *text, size_t bytes)
{
   uint64_t word = 0;
   size_t at = 0;
   for (; bytes - at >= sizeof word; at += sizeof word) {
      memcpy(&word, text + at, sizeof word);
      hash = hash_word(hash, word);
   }
   word = 0;
   memcpy(&word, text + at, bytes - at);
   return hash_word(hash_word(hash, word), bytes);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
   return text ? hash_bytes(hash, text, strlen(text)) : hash;
}

static uint64_t hash_function(uint64_t hash, enum pr_strictness strictness, const char *function)
{
   return hash_bytes(hash, function,
                     strictness == PR_SAME_BASE ? pr_base_bytes(function) : strlen(function));
}

uint64_t pr_key_hash(enum pr_unit_kind kind, enum pr_strictness strictness, const void *name)
{
   uint64_t hash = hash_start;
   switch (kind) {
   case PR_UNIT_SITE: {
      const struct pr_site *site = name;
      for (size_t i = 0; i < site->frame_count; i++) {
         hash = hash_function(hash, strictness, site->frames[i].function);
         if (strictness == PR_SAME)
            hash = hash_text(hash, site->frames[i].object);
      }
      break;
   }
   case PR_UNIT_FUNCTION: {
      const struct pr_function *function = name;
      hash = hash_function(hash, strictness, function->name);
      if (strictness == PR_SAME)
         hash = hash_text(hash, function->object);
      break;
   }
   case PR_UNIT_LINE: {
      const struct pr_source_line *line = name;
      hash = hash_text(hash_text(hash, line->function), line->object);
      hash = hash_word(hash_text(hash, line->file), line->number);
      break;
   }
   case PR_UNIT_OBJECT:
      hash = hash_bytes(hash, name,
                        strictness == PR_SAME ? strlen(name) : object_base_bytes(name));
      break;
   case PR_UNIT_KINDS:
      break;
   }
   return hash;
}
