/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_complete.c: what may stand next on a command line. See cmd_complete.h. */
#include "cmd_complete.h"

#include <ctype.h>
#include <string.h>

#include "cmd_verdict.h"
#include "pr_arena.h"
#include "pr_export.h"
#include "pr_metric.h"
#include "pr_render_text.h"

/* The command line --------------------------------------------------------- */

/* An argument, of one word or of several that bash has split at = and :. */
struct argument {
   char *text;
   size_t first_word;       /* its number, from 1 */
   size_t last_word_offset; /* where in the text its last word begins; behind a lone = or : */
};

struct line {
   struct argument *arguments; /* the last one is to be completed */
   size_t count;
};

static bool is_break(const char *word)
{
   return word[0] && word[strspn(word, "=:")] == '\0';
}

/* False: no memory. */
static bool glue_word(struct pr_arena *arena, struct argument *argument, const char *word)
{
   size_t before = strlen(argument->text), length = strlen(word);
   char *text = pr_arena_alloc(arena, before + length + 1);
   if (!text)
      return false;
   memcpy(text, argument->text, before);
   memcpy(text + before, word, length);
   argument->text = text;
   argument->last_word_offset = is_break(word) ? before + length : before;
   return true;
}

/* What bash has split is one argument again. False: no memory. */
static bool read_line(struct pr_arena *arena, const char *const *words, struct line *line)
{
   bool goes_on = false;
   for (size_t w = 0; words[w]; w++) {
      bool breaks = is_break(words[w]);
      if (line->count && (goes_on || breaks)) {
         if (!glue_word(arena, &line->arguments[line->count - 1], words[w]))
            return false;
      } else {
         struct argument *argument =
            pr_arena_append(arena, &line->arguments, &line->count, sizeof *argument);
         if (!argument || !(argument->text = pr_arena_string(arena, words[w], strlen(words[w]))))
            return false;
         argument->first_word = w + 1;
      }
      goes_on = breaks;
   }
   return true;
}

/* What may stand there ------------------------------------------------------ */

struct completion {
   const struct argument *last;
   size_t kept; /* of its text: what stands before the part that is completed */
   FILE *out;
};

/* One candidate: what is kept, the word, and what follows it. Printed is what bash replaces its
   last word by, if it begins like that. */
static void offer(const struct completion *completion, const char *word, const char *behind)
{
   const struct argument *last = completion->last;
   const char *typed = last->text + completion->kept;
   if (strncmp(word, typed, strlen(typed)) != 0)
      return;
   size_t replaced = last->last_word_offset, skipped = 0;
   if (replaced <= completion->kept)
      fprintf(completion->out, "%.*s", (int)(completion->kept - replaced), last->text + replaced);
   else
      skipped = replaced - completion->kept;
   fprintf(completion->out, "%s%s\n", word + skipped, behind);
}

static void offer_commands(const struct completion *completion, const char *behind)
{
   for (const struct cmd_command *command = cmd_table; command->name; command++)
      offer(completion, command->name, behind);
}

static void offer_exporters(const struct completion *completion, const char *behind)
{
   for (const struct pr_exporter *exporter = pr_exporters; exporter->name; exporter++)
      offer(completion, exporter->name, behind);
}

static void offer_kinds(const struct completion *completion, const char *behind)
{
   static const char *const kinds[] = {
#define PM_ALLOCKIND(kind, name, does, old, count, size, out) name,
#include "pm_allockinds.def"
#undef PM_ALLOCKIND
   };
   for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
      offer(completion, kinds[k], behind);
}

static void offer_metrics(const struct completion *completion, const char *behind)
{
   for (int id = 0; id < PR_METRIC_COUNT; id++)
      offer(completion, pr_metrics[id].name, behind);
}

static void offer_site_orders(const struct completion *completion, const char *behind)
{
   for (int order = 0; order < PR_SITE_ORDERS; order++)
      offer(completion, pr_site_order_names[order], behind);
}

static void offer_verdict_formats(const struct completion *completion, const char *behind)
{
   for (const struct cmd_verdict_format *format = cmd_verdict_formats; format->name; format++)
      offer(completion, format->name, behind);
}

/* What words in capitals in the usage stand for. */
static const struct placeholder {
   const char *name;
   const char *command; /* NULL: of every one */
   const char *files;   /* the answer for names of files; NULL: offer() has words */
   void (*offer)(const struct completion *completion, const char *behind);
} placeholders[] = {
   {"BASELINE", NULL, "files", NULL},
   {"COMMAND", NULL, NULL, offer_commands},
   {"FILE", NULL, "files", NULL},
   {"FOLDER", NULL, "folders", NULL},
   {"FORMAT", "check", NULL, offer_verdict_formats},
   {"FORMAT", "export", NULL, offer_exporters},
   {"KIND", NULL, NULL, offer_kinds},
   {"METRIC", NULL, NULL, offer_metrics},
   {"NEW", NULL, "files", NULL},
   {"OLD", NULL, "files", NULL},
   {"REPORT", NULL, "files", NULL},
   {"WHAT", "show", NULL, offer_site_orders},
};

enum { PLACEHOLDERS = sizeof placeholders / sizeof placeholders[0] };

/* NULL: it can be anything. */
static const struct placeholder *find_placeholder(const struct cmd_command *command,
                                                  const char *name, size_t bytes)
{
   for (size_t p = 0; p < PLACEHOLDERS; p++) {
      const struct placeholder *placeholder = &placeholders[p];
      if (strlen(placeholder->name) == bytes && memcmp(placeholder->name, name, bytes) == 0
          && (!placeholder->command || strcmp(placeholder->command, command->name) == 0))
         return placeholder;
   }
   return NULL;
}

/* One of `bytes` bytes: "yes|no|SEED"; `behind` follows a word that is one of them. */
static void complete_alternatives(const struct completion *completion,
                                  const struct cmd_command *command, const char *alternatives,
                                  size_t bytes, const char *behind)
{
   const char *end = alternatives + bytes, *next;
   for (const char *one = alternatives; one < end; one = next + 1) {
      next = memchr(one, '|', (size_t)(end - one));
      next = next ? next : end;
      const struct placeholder *placeholder =
         find_placeholder(command, one, (size_t)(next - one));
      if (placeholder && placeholder->files) {
         fprintf(completion->out, "%s\n", placeholder->files);
         return;
      }
   }
   fputs("words\n", completion->out);
   for (const char *one = alternatives; one < end; one = next + 1) {
      next = memchr(one, '|', (size_t)(end - one));
      next = next ? next : end;
      char word[32];
      const struct placeholder *placeholder =
         find_placeholder(command, one, (size_t)(next - one));
      if (placeholder) {
         placeholder->offer(completion, behind);
      } else if (islower((unsigned char)*one)) {
         snprintf(word, sizeof word, "%.*s", (int)(next - one), one);
         offer(completion, word, behind);
      }
   }
}

/* The argument of an option, the text of which begins at `start`: of two parts perhaps, as
   FORMAT=FILE and KIND:NAME have. */
static void complete_value(struct completion *completion, const struct cmd_command *command,
                           const char *description, size_t start)
{
   const char *separator = description[0] == '[' ? NULL : strpbrk(description, "=:");
   completion->kept = start;
   if (!separator) {
      complete_alternatives(completion, command, description, strlen(description), "");
      return;
   }
   const char *typed = completion->last->text + start;
   const char *second = strchr(typed, *separator);
   if (second) {
      completion->kept = start + (size_t)(second + 1 - typed);
      complete_alternatives(completion, command, separator + 1, strlen(separator + 1), "");
   } else {
      const char behind[] = {*separator, '\0'};
      complete_alternatives(completion, command, description, (size_t)(separator - description),
                            behind);
   }
}

static void complete_options(const struct completion *completion, const struct poptOption *options)
{
   fputs("words\n", completion->out);
   for (const struct poptOption *option = options; option->longName; option++) {
      if (option->argInfo & POPT_ARGFLAG_DOC_HIDDEN)
         continue;
      char name[64];
      snprintf(name, sizeof name, "--%s", option->longName);
      int argument = option->argInfo & POPT_ARG_MASK;
      if (argument == POPT_ARG_NONE || option->argInfo & POPT_ARGFLAG_OPTIONAL)
         offer(completion, name, "");
      if (argument != POPT_ARG_NONE)
         offer(completion, name, "=");
   }
}

/* The argument number `index`, from 0, of a command: "[COMMAND|metrics]", "REPORT...". */
static void complete_argument(const struct completion *completion,
                              const struct cmd_command *command, size_t index)
{
   const char *words = command->arguments;
   for (; index > 0; index--) {
      const char *blank = strchr(words, ' ');
      bool repeats = !blank && strstr(words, "...");
      if (!blank && !repeats) {
         fputs("words\n", completion->out);
         return;
      }
      if (blank)
         words = blank + 1;
   }
   words += words[0] == '[';
   complete_alternatives(completion, command, words, strcspn(words, " ]."), "");
}

/* Where in it one stands ----------------------------------------------------- */

/* The option that an argument is. *has_value: its argument is in it, from *value on. NULL: there
   is no such option. */
static const struct poptOption *find_option(const struct poptOption *options, const char *text,
                                            bool *has_value, size_t *value)
{
   *has_value = false;
   if (text[1] == '-') {
      size_t bytes = strcspn(text, "=");
      *has_value = text[bytes] == '=';
      *value = bytes + 1;
      for (const struct poptOption *option = options; option->longName; option++)
         if (strlen(option->longName) == bytes - 2
             && memcmp(option->longName, text + 2, bytes - 2) == 0)
            return option;
      return NULL;
   }
   /* Several short ones, of which the last one may have an argument. */
   const struct poptOption *last = NULL;
   for (size_t letter = 1; text[letter]; letter++) {
      for (last = options; last->longName && last->shortName != text[letter]; last++)
         continue;
      if (!last->longName)
         return NULL;
      if ((last->argInfo & POPT_ARG_MASK) != POPT_ARG_NONE) {
         *has_value = text[letter + 1] != '\0';
         *value = letter + 1;
         return last;
      }
   }
   return last;
}

static bool wants_value(const struct poptOption *option)
{
   return (option->argInfo & POPT_ARG_MASK) != POPT_ARG_NONE
          && !(option->argInfo & POPT_ARGFLAG_OPTIONAL);
}

static bool is_option(const char *text)
{
   return text[0] == '-' && text[1] != '\0';
}

/* Behind a command: its options and arguments. first: the argument behind its name. */
static void complete_command(struct completion *completion, const struct cmd_command *command,
                             const struct line *line, size_t first)
{
   const struct poptOption *waiting = NULL; /* for its argument */
   bool has_value, options_end = false;
   size_t value, index = 0;
   for (size_t a = first; a + 1 < line->count; a++) {
      const char *text = line->arguments[a].text;
      if (waiting) {
         waiting = NULL;
      } else if (!options_end && strcmp(text, "--") == 0) {
         options_end = true;
      } else if (!options_end && is_option(text)) {
         waiting = find_option(command->options, text, &has_value, &value);
         if (waiting && (has_value || !wants_value(waiting)))
            waiting = NULL;
      } else if (command->stops_at_argument) {
         fprintf(completion->out, "program %zu\n", line->arguments[a].first_word);
         return;
      } else {
         index++;
      }
   }

   const char *text = completion->last->text;
   if (waiting) {
      complete_value(completion, command, waiting->argDescrip, 0);
      return;
   }
   if (!options_end && text[0] == '-') {
      const struct poptOption *option = find_option(command->options, text, &has_value, &value);
      if (option && has_value && option->argDescrip)
         complete_value(completion, command, option->argDescrip, value);
      else
         complete_options(completion, command->options);
      return;
   }
   if (command->stops_at_argument)
      fprintf(completion->out, "program %zu\n", completion->last->first_word);
   else
      complete_argument(completion, command, index);
}

static void complete(struct completion *completion, const struct poptOption *program_options,
                     const struct line *line)
{
   size_t first = 0;
   while (first + 1 < line->count && is_option(line->arguments[first].text))
      first++;
   if (first + 1 < line->count) {
      const struct cmd_command *command = cmd_find(line->arguments[first].text);
      if (command)
         complete_command(completion, command, line, first + 1);
      else
         fputs("words\n", completion->out);
   } else if (completion->last->text[0] == '-') {
      complete_options(completion, program_options);
   } else {
      fputs("words\n", completion->out);
      offer_commands(completion, "");
   }
}

enum cmd_status cmd_complete(const char *const *words, const struct poptOption *program_options,
                             const struct cmd_streams *streams)
{
   struct pr_arena arena;
   struct line line = {.count = 0};
   enum cmd_status status = CMD_YES;
   pr_arena_init(&arena);
   if (!read_line(&arena, words, &line)) {
      status = cmd_trouble(streams->err, "no memory left");
   } else if (line.count) {
      struct completion completion = {.last = &line.arguments[line.count - 1],
                                      .out = streams->out};
      complete(&completion, program_options, &line);
   }
   pr_arena_release(&arena);
   return status;
}
