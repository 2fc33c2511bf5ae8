/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_listed.c: the programs of a list. See run_listed.h.
 *
 * A mistake is told with its place, and reading goes on with the next line, so that one use
 * names them all; nobody sees programs of a list that has any.
 */
#include "run_listed.h"

#include <stdlib.h>
#include <string.h>

#include "pr_limits_phase.h"
#include "pr_lines.h"

struct parser {
   struct run_listing *listing;
   struct pr_diagnostics *diagnostics;
   const char *file;
   struct pr_lines lines;
   const char *at; /* where reading is in the line */
   bool ok;
};

void run_listing_init(struct run_listing *listing)
{
   *listing = (struct run_listing){.count = 0};
   pr_arena_init(&listing->arena);
}

void run_listing_release(struct run_listing *listing)
{
   pr_arena_release(&listing->arena);
   run_listing_init(listing);
}

/* False, for the caller to return. */
static bool mistake(struct parser *parser, const char *at, const char *reason)
{
   bool is_kept = !pr_diagnostics_is_full(parser->diagnostics);
   pr_diagnostics_add_at(parser->diagnostics, parser->file, parser->lines.number,
                         is_kept ? pr_lines_column(parser->lines.start, at) : 0, "%s", reason);
   parser->ok = false;
   return false;
}

static bool exhausted(struct parser *parser)
{
   pr_diagnostics_add(parser->diagnostics, parser->file, 0, "no memory left");
   parser->ok = false;
   return false;
}

/* Move to the next word. False: there is none in this line. */
static bool has_word(struct parser *parser)
{
   while (parser->at < parser->lines.end && (*parser->at == ' ' || *parser->at == '\t'))
      parser->at++;
   return parser->at < parser->lines.end && *parser->at != '#';
}

/* NULL: it is none, which was said. A shell's quotes would be taken for parts of words, and the
   program would run, with other arguments. */
static char *parse_word(struct parser *parser)
{
   const char *word;
   bool has_wildcard;
   if (*parser->at == '\'') {
      mistake(parser, parser->at,
              "expected double quotes: a single one stands for itself, in double quotes");
      return NULL;
   }
   const char *wrong = pr_limits_phase_parse(&parser->at, parser->lines.end,
                                             &parser->listing->arena, &word, &has_wildcard);
   if (wrong && !wrong[0]) {
      exhausted(parser);
      return NULL;
   }
   if (wrong) {
      mistake(parser, parser->at, wrong);
      return NULL;
   }
   char *text = (char *)word; /* it is the arena's, and nobody else has it */
   for (char *at = text; has_wildcard && *at; at++) {
      if ((unsigned char)*at == PR_PATTERN_ANY)
         *at = '*';
      else if ((unsigned char)*at == PR_PATTERN_ONE)
         *at = '?';
   }
   return text;
}

/* Escapes can stand for any. */
static bool has_control(const char *name)
{
   while ((unsigned char)*name >= 0x20 && *name != 0x7F)
      name++;
   return *name;
}

/* Is the word that began there a name for a file? Whether it is another's is seen when all
   are known. */
static bool check_name(struct parser *parser, const char *at, const char *name)
{
   if (!name[0])
      return mistake(parser, at, "expected a name, not an empty one");
   if (name[0] == '.')
      return mistake(parser, at, "expected a name that does not begin with a dot: reports are "
                                 "named by it");
   if (strchr(name, '/'))
      return mistake(parser, at, "expected a name without a slash: reports are named by it");
   if (has_control(name))
      return mistake(parser, at, "expected a name without control characters");
   return strlen(name) <= RUN_LISTED_NAME_MAX
          || mistake(parser, at, "expected a name of at most 200 bytes");
}

static bool add_argument(struct parser *parser, struct run_listed *listed, char *argument)
{
   char **added = pr_arena_append(&parser->listing->arena, &listed->command, &listed->count,
                                  sizeof *added);
   if (!added)
      return exhausted(parser);
   *added = argument;
   return true;
}

static bool parse_command(struct parser *parser, struct run_listed *listed)
{
   if (!has_word(parser))
      return mistake(parser, parser->at, "expected a program behind the name");
   const char *program = parser->at;
   while (has_word(parser)) {
      char *argument = parse_word(parser);
      if (!argument || !add_argument(parser, listed, argument))
         return false;
   }
   if (!listed->command[0][0])
      return mistake(parser, program, "expected a program, not an empty name");
   if (!add_argument(parser, listed, NULL))
      return false;
   listed->count--;
   return true;
}

static bool parse_line(struct parser *parser)
{
   char reason[PR_LINES_REASON_BYTES];
   const char *wrong = pr_lines_wrong(parser->lines.start, parser->lines.end, reason);
   if (wrong)
      return mistake(parser, wrong, reason);
   parser->at = parser->lines.start;
   if (!has_word(parser))
      return true;
   struct run_listed listed = {.line = parser->lines.number};
   const char *start = parser->at;
   listed.name = parse_word(parser);
   if (!listed.name || !check_name(parser, start, listed.name)
       || !parse_command(parser, &listed))
      return false;
   struct run_listed *added = pr_arena_append(&parser->listing->arena, &parser->listing->items,
                                              &parser->listing->count, sizeof *added);
   if (!added)
      return exhausted(parser);
   *added = listed;
   return true;
}

static int by_name(const void *a, const void *b)
{
   const struct run_listed *const *first = a, *const *other = b;
   int order = strcmp((*first)->name, (*other)->name);
   return order ? order : ((*first)->line > (*other)->line) - ((*first)->line < (*other)->line);
}

static bool check_names_differ(struct parser *parser)
{
   const struct run_listing *listing = parser->listing;
   const struct run_listed **sorted = malloc((listing->count + 1) * sizeof *sorted);
   if (!sorted)
      return exhausted(parser);
   for (size_t i = 0; i < listing->count; i++)
      sorted[i] = &listing->items[i];
   qsort(sorted, listing->count, sizeof *sorted, by_name);
   for (size_t i = 1; i < listing->count; i++) {
      if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
         continue;
      pr_diagnostics_add_at(parser->diagnostics, parser->file, sorted[i]->line, 1,
                            "expected another name: '%s' is that of line %lu",
                            sorted[i]->name, sorted[i - 1]->line);
      parser->ok = false;
   }
   free(sorted);
   return parser->ok;
}

bool run_listing_parse(struct run_listing *listing, const char *text, size_t bytes,
                       const char *file, struct pr_diagnostics *diagnostics)
{
   struct parser parser = {
      .listing = listing, .diagnostics = diagnostics, .file = file, .ok = true};
   pr_lines_init(&parser.lines, text, bytes, 1);
   while (pr_lines_next(&parser.lines))
      parse_line(&parser);
   if (!parser.ok || !check_names_differ(&parser))
      return false;
   if (listing->count > 0)
      return true;
   pr_diagnostics_add(diagnostics, file, 0, "has no programs");
   return false;
}

bool run_listing_read(struct run_listing *listing, FILE *in, const char *file,
                      struct pr_diagnostics *diagnostics)
{
   const char *reason;
   size_t bytes;
   char *text = pr_lines_read(in, &bytes, &reason);
   if (!text) {
      pr_diagnostics_add(diagnostics, file, 0, "cannot be read: %s", reason);
      return false;
   }
   bool ok = run_listing_parse(listing, text, bytes, file, diagnostics);
   free(text);
   return ok;
}
