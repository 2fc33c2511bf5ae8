/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_listed.c: any bytes as a list of programs.
 *
 * Besides what the sanitizers see: a list is refused if and only if something is said, with a
 * place in it, unless it has no programs; names of one that is not are names of files and
 * differ; and its words, quoted anew as its description says, are read as what they were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "printable.h"
#include "run_listed.h"

static void require_places(const struct pr_diagnostics *diagnostics)
{
   for (size_t d = 0; d < diagnostics->count; d++) {
      const struct pr_diagnostic *item = &diagnostics->items[d];
      require(item->reason[0], "a mistake has a reason");
      if (strcmp(item->reason, "has no programs") != 0)
         require(item->line > 0 && item->column > 0, "a mistake has a place");
   }
}

static void require_sound(const struct run_listing *listing)
{
   require(listing->count > 0, "an accepted list has programs");
   for (size_t i = 0; i < listing->count; i++) {
      const struct run_listed *listed = &listing->items[i];
      require(listed->name[0] && listed->name[0] != '.' && !strchr(listed->name, '/')
                 && strlen(listed->name) <= RUN_LISTED_NAME_MAX,
              "a name is one of a file");
      for (const char *at = listed->name; *at; at++)
         require((unsigned char)*at >= 0x20 && *at != 0x7F, "a name has no control characters");
      require(listed->count > 0 && listed->command[0][0], "there is a program");
      require(!listed->command[listed->count], "a NULL is behind the arguments");
      for (size_t a = 0; a < listed->count; a++)
         require(listed->command[a], "no NULL is among the arguments");
      for (size_t other = 0; other < i && i < 100; other++)
         require(strcmp(listing->items[other].name, listed->name) != 0, "names differ");
   }
}

/* All in quotes, and nothing as it could be bare. */
static void put_quoted(const char *word, FILE *out)
{
   putc('"', out);
   for (; *word; word++) {
      if (*word == '"' || *word == '\\')
         fprintf(out, "\\%c", *word);
      else if (*word == '\n' || *word == '\t' || *word == '\r')
         fprintf(out, "\\%c", *word == '\n' ? 'n' : *word == '\t' ? 't' : 'r');
      else if ((unsigned char)*word < 0x20 || *word == 0x7F)
         fprintf(out, "\\u{%x}", (unsigned)*word);
      else
         putc(*word, out);
   }
   putc('"', out);
}

static void require_same(const struct run_listing *listing, const struct run_listing *again)
{
   require(again->count == listing->count, "as many programs");
   for (size_t i = 0; i < listing->count; i++) {
      const struct run_listed *one = &listing->items[i], *other = &again->items[i];
      require(strcmp(one->name, other->name) == 0, "the same name");
      require(one->count == other->count, "as many arguments");
      for (size_t a = 0; a < one->count; a++)
         require(strcmp(one->command[a], other->command[a]) == 0, "the same argument");
   }
}

static void require_read_again(const struct run_listing *listing)
{
   char *text = NULL;
   size_t bytes = 0;
   FILE *out = open_memstream(&text, &bytes);
   require(out, "memory opens");
   for (size_t i = 0; i < listing->count; i++) {
      const struct run_listed *listed = &listing->items[i];
      put_quoted(listed->name, out);
      for (size_t a = 0; a < listed->count; a++) {
         putc(' ', out);
         put_quoted(listed->command[a], out);
      }
      putc('\n', out);
   }
   fclose(out);
   struct run_listing again;
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   run_listing_init(&again);
   require(run_listing_parse(&again, text, bytes, "again", &diagnostics),
           "what was quoted is accepted");
   require_same(listing, &again);
   run_listing_release(&again);
   pr_diagnostics_release(&diagnostics);
   free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
   struct run_listing listing;
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   run_listing_init(&listing);
   bool ok = run_listing_parse(&listing, (const char *)bytes, count, "list", &diagnostics);
   require(ok == (diagnostics.count == 0), "a refusal has a reason");
   require_places(&diagnostics);
   if (ok) {
      require_sound(&listing);
      require_read_again(&listing);
   }
   run_listing_release(&listing);
   pr_diagnostics_release(&diagnostics);
   return 0;
}
