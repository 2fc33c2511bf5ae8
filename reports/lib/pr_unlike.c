/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_unlike.c: what differs in the runs of two reports. See pr_unlike.h.
 *
 * Lists (options, inputs, objects) are compared by name: both are sorted, so that a hostile
 * report costs no more than an honest one of its size. Of a name that stands there several
 * times, values that both have are set aside; the others are paired in their order.
 */
#include "pr_unlike.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_table.h"

static bool is_same(const char *a, const char *b)
{
   return a == b || (a && b && strcmp(a, b) == 0);
}

/* False: no memory left. */
static bool add(struct pr_unlike *unlike, struct pr_difference difference)
{
   struct pr_difference *item =
      pr_arena_append(&unlike->arena, &unlike->items, &unlike->count, sizeof *item);
   if (item)
      *item = difference;
   return item;
}

static bool compare_texts(struct pr_unlike *unlike, const char *subject, const char *old_value,
                          const char *new_value, bool is_unlike)
{
   return is_same(old_value, new_value)
          || add(unlike, (struct pr_difference){subject, NULL, old_value, new_value, is_unlike});
}

/* Single facts ------------------------------------------------------------ */

static const char *base_name(const char *path)
{
   const char *slash = path ? strrchr(path, '/') : NULL;
   return slash ? slash + 1 : path;
}

static const char *argument(const struct pr_run *run, size_t at)
{
   return at < run->argument_count ? run->arguments[at] : NULL;
}

static bool compare_commands(struct pr_unlike *unlike, const struct pr_run *old_run,
                             const struct pr_run *new_run)
{
   if (!compare_texts(unlike, "program", base_name(argument(old_run, 0)),
                      base_name(argument(new_run, 0)), true))
      return false;
   for (size_t i = 1; i < old_run->argument_count || i < new_run->argument_count; i++) {
      char number[32];
      if (is_same(argument(old_run, i), argument(new_run, i)))
         continue;
      snprintf(number, sizeof number, "%zu", i);
      const char *name = pr_arena_string(&unlike->arena, number, strlen(number));
      if (!name || !add(unlike, (struct pr_difference){"argument", name, argument(old_run, i),
                                                       argument(new_run, i), true}))
         return false;
   }
   return true;
}

/* What says best which file it was; the size, if nothing else does. */
static const char *identity(struct pr_arena *arena, const struct pr_run *run, bool by_digest,
                            bool by_build_id)
{
   char size[64];
   if (by_digest)
      return run->executable_sha256;
   if (by_build_id)
      return run->executable_build_id;
   snprintf(size, sizeof size, "%" PRIu64 " bytes", run->executable_bytes);
   return pr_arena_string(arena, size, strlen(size));
}

static bool compare_executables(struct pr_unlike *unlike, const struct pr_run *old_run,
                                const struct pr_run *new_run)
{
   bool by_digest = old_run->executable_sha256 && new_run->executable_sha256;
   bool by_build_id = old_run->executable_build_id && new_run->executable_build_id;
   const char *old_value = identity(&unlike->arena, old_run, by_digest, by_build_id);
   const char *new_value = identity(&unlike->arena, new_run, by_digest, by_build_id);
   const char *subject = by_digest     ? "executable's sha256"
                         : by_build_id ? "executable's build-id"
                                       : "executable's size";
   return !unlike->arena.exhausted && compare_texts(unlike, subject, old_value, new_value, false)
          && compare_texts(unlike, "executable's path", old_run->executable_path,
                           new_run->executable_path, false);
}

const char *pr_end_text(struct pr_arena *arena, const struct pr_end *end)
{
   char *text = NULL;
   int bytes = 0;
   switch (end->kind) {
   case PR_END_ABSENT: bytes = asprintf(&text, "not recorded"); break;
   case PR_END_EXIT: bytes = asprintf(&text, "exit status %" PRIu64, end->status); break;
   case PR_END_SIGNAL:
      bytes = asprintf(&text, "signal %" PRIu64 " (%s)", end->signal,
                       end->signal_name ? end->signal_name : "not named");
      break;
   case PR_END_EXEC:
      bytes = asprintf(&text, "exec of %s", end->path ? end->path : "a program not recorded");
      break;
   case PR_END_UNKNOWN:
      bytes = asprintf(&text, "unknown: %s", end->reason ? end->reason : "no reason recorded");
      break;
   }
   if (bytes < 0)
      return NULL;
   const char *copy = pr_arena_string(arena, text, (size_t)bytes);
   free(text);
   return copy;
}

static bool compare_ends(struct pr_unlike *unlike, const struct pr_report *old_report,
                         const struct pr_report *new_report)
{
   const char *old_text = pr_end_text(&unlike->arena, &old_report->end);
   const char *new_text = pr_end_text(&unlike->arena, &new_report->end);
   return old_text && new_text && compare_texts(unlike, "end", old_text, new_text, false);
}

/* Lists ------------------------------------------------------------------- */

/* Objects whose build is the libc's: glibc, under its older name too, and musl, whose
   loader is the libc. */
static bool is_libc(const char *object)
{
   static const char *const prefixes[] = {"libc.so", "libc-2.", "libc.musl-", "ld-musl-"};
   for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
      if (strncmp(object, prefixes[i], strlen(prefixes[i])) == 0)
         return true;
   return false;
}

static bool is_always(const char *name)
{
   (void)name;
   return true;
}

static bool is_processor(const char *fix)
{
   return strcmp(fix, "cpu") == 0;
}

struct list_kind {
   const char *subject;
   const char *subject_unlike;          /* of one that makes the runs unlike */
   const char *without_value;           /* what stands for a value that an item does not have */
   bool (*is_unlike)(const char *name); /* would another value make the runs unlike? */
   struct pr_pair *(*items)(const struct pr_run *run, size_t *count);
};

static struct pr_pair *inputs_of(const struct pr_run *run, size_t *count)
{
   *count = run->input_count;
   return run->inputs;
}

static struct pr_pair *options_of(const struct pr_run *run, size_t *count)
{
   *count = run->option_count;
   return run->options;
}

static struct pr_pair *fixes_of(const struct pr_run *run, size_t *count)
{
   *count = run->fix_count;
   return run->fixes;
}

static struct pr_pair *objects_of(const struct pr_run *run, size_t *count)
{
   *count = run->object_count;
   return run->objects;
}

static const struct list_kind list_kinds[] = {
   {"input", "input", "no digest", is_always, inputs_of},
   {"option", "option", "no value", is_always, options_of},
   {"fixed", "fixed", "no value", is_processor, fixes_of},
   {"object", "libc", "no build-id", is_libc, objects_of},
};

enum { LIST_KINDS = sizeof list_kinds / sizeof list_kinds[0] };

/* A list in the order of names, those of one name in the order of the report. */
struct sorted {
   const struct pr_pair **items; /* NULL: set aside */
   size_t count;
};

/* They lie in one array, so their addresses are in order. */
static int by_name_then_place(const void *left, const void *right)
{
   const struct pr_pair *a = *(const struct pr_pair *const *)left;
   const struct pr_pair *b = *(const struct pr_pair *const *)right;
   int order = strcmp(a->name, b->name);
   return order ? order : (a > b) - (a < b);
}

static int by_value(const void *left, const void *right)
{
   const struct pr_pair *a = *(const struct pr_pair *const *)left;
   const struct pr_pair *b = *(const struct pr_pair *const *)right;
   int order = (a->value != NULL) - (b->value != NULL);
   if (order == 0 && a->value)
      order = strcmp(a->value, b->value);
   return order ? order : (a > b) - (a < b);
}

/* The executable stands among the objects; what is said of it is said elsewhere. */
static bool is_executable(const struct pr_run *run, const struct list_kind *kind,
                          const struct pr_pair *item)
{
   return kind->items == objects_of && run->executable_path
          && strcmp(item->name, base_name(run->executable_path)) == 0;
}

static bool has_digests(const struct list_kind *kind, const struct pr_run *run)
{
   size_t count;
   const struct pr_pair *items = kind->items(run, &count);
   for (size_t i = 0; i < count; i++)
      if (items[i].digest)
         return true;
   return false;
}

/* An object without a build-id, as musl's, is known by its digest, if those were taken in
   both runs: `by_digest`. */
static bool sort_list(struct pr_arena *arena, const struct list_kind *kind,
                      const struct pr_run *run, bool by_digest, struct sorted *sorted)
{
   size_t count;
   const struct pr_pair *items = kind->items(run, &count);
   struct pr_pair *known = pr_arena_alloc(arena, (count + 1) * sizeof *known);
   sorted->count = 0;
   sorted->items = pr_arena_alloc(arena, (count + 1) * sizeof *sorted->items);
   if (!known || !sorted->items)
      return false;
   for (size_t i = 0; i < count; i++) {
      known[i] = items[i];
      if (by_digest && !known[i].value)
         known[i].value = known[i].digest;
      if (!is_executable(run, kind, &items[i]))
         sorted->items[sorted->count++] = &known[i];
   }
   qsort(sorted->items, sorted->count, sizeof *sorted->items, by_name_then_place);
   return true;
}

/* How many, from `at` on, have the name. */
static size_t run_of_name(const struct sorted *sorted, size_t at, const char *name)
{
   size_t count = 0;
   while (at + count < sorted->count && strcmp(sorted->items[at + count]->name, name) == 0)
      count++;
   return count;
}

/* Of the items of one name keep, in their order, those whose value the other list has not;
   the larger number of both. */
static size_t drop_common(const struct pr_pair **olds, size_t *old_count,
                          const struct pr_pair **news, size_t *new_count)
{
   size_t o = 0, n = 0, old_kept = 0, new_kept = 0;
   qsort(olds, *old_count, sizeof *olds, by_value);
   qsort(news, *new_count, sizeof *news, by_value);
   while (o < *old_count || n < *new_count) {
      int order;
      if (o == *old_count || n == *new_count)
         order = o == *old_count ? 1 : -1;
      else if (!olds[o]->value || !news[n]->value)
         order = (olds[o]->value != NULL) - (news[n]->value != NULL);
      else
         order = strcmp(olds[o]->value, news[n]->value);
      if (order < 0)
         olds[old_kept++] = olds[o++];
      else if (order > 0)
         news[new_kept++] = news[n++];
      else {
         o++;
         n++;
      }
   }
   *old_count = old_kept;
   *new_count = new_kept;
   qsort(olds, old_kept, sizeof *olds, by_name_then_place);
   qsort(news, new_kept, sizeof *news, by_name_then_place);
   return old_kept > new_kept ? old_kept : new_kept;
}

static const char *value_of(const struct list_kind *kind, const struct pr_pair *item)
{
   if (!item)
      return NULL;
   return item->value ? item->value : kind->without_value;
}

static bool compare_sorted(struct pr_unlike *unlike, const struct list_kind *kind,
                           struct sorted olds, struct sorted news)
{
   for (size_t o = 0, n = 0; o < olds.count || n < news.count;) {
      const char *name = o == olds.count   ? news.items[n]->name
                         : n == news.count ? olds.items[o]->name
                         : strcmp(olds.items[o]->name, news.items[n]->name) <= 0
                            ? olds.items[o]->name
                            : news.items[n]->name;
      size_t old_run_count = run_of_name(&olds, o, name), old_count = old_run_count;
      size_t new_run_count = run_of_name(&news, n, name), new_count = new_run_count;
      size_t most = drop_common(olds.items + o, &old_count, news.items + n, &new_count);
      bool is_unlike = kind->is_unlike(name);
      for (size_t i = 0; i < most; i++) {
         const struct pr_pair *old_item = i < old_count ? olds.items[o + i] : NULL;
         const struct pr_pair *new_item = i < new_count ? news.items[n + i] : NULL;
         if (!add(unlike, (struct pr_difference){is_unlike ? kind->subject_unlike : kind->subject,
                                                 name, value_of(kind, old_item),
                                                 value_of(kind, new_item), is_unlike}))
            return false;
      }
      o += old_run_count;
      n += new_run_count;
   }
   return true;
}

static bool compare_lists(struct pr_unlike *unlike, const struct list_kind *kind,
                          const struct pr_run *old_run, const struct pr_run *new_run)
{
   struct sorted olds, news;
   bool by_digest = has_digests(kind, old_run) && has_digests(kind, new_run);
   return sort_list(&unlike->arena, kind, old_run, by_digest, &olds)
          && sort_list(&unlike->arena, kind, new_run, by_digest, &news)
          && compare_sorted(unlike, kind, olds, news);
}

/* What the reports tell of ------------------------------------------------ */

static bool is_never(const char *name)
{
   (void)name;
   return false;
}

/* Numbers after an error are those of another measurement. The subject is the severity. */
static const struct list_kind told_kinds[] = {
   {.subject = "error", .is_unlike = is_never},
   {.subject = "warning", .is_unlike = is_never},
};

enum { TOLD_KINDS = sizeof told_kinds / sizeof told_kinds[0] };

/* "phase-open-at-end of parse". NULL: no memory left. */
static const char *told_name(struct pr_arena *arena, const struct pr_run_diagnostic *diagnostic)
{
   char *text = NULL;
   if (!diagnostic->phase)
      return diagnostic->code;
   int bytes = asprintf(&text, "%s of %s", diagnostic->code, diagnostic->phase);
   const char *copy = bytes < 0 ? NULL : pr_arena_string(arena, text, (size_t)bytes);
   if (bytes >= 0)
      free(text);
   return copy;
}

/* Those of the severity, each with how often it was. */
static bool sort_told(struct pr_arena *arena, const struct pr_report *report,
                      const char *severity, struct sorted *sorted)
{
   size_t count = report->diagnostic_count;
   struct pr_pair *pairs = pr_arena_alloc(arena, (count + 1) * sizeof *pairs);
   sorted->count = 0;
   sorted->items = pr_arena_alloc(arena, (count + 1) * sizeof *sorted->items);
   if (!pairs || !sorted->items)
      return false;
   for (size_t d = 0; d < count; d++) {
      const struct pr_run_diagnostic *diagnostic = &report->diagnostics[d];
      char number[32];
      if (strcmp(diagnostic->severity, severity) != 0)
         continue;
      snprintf(number, sizeof number, "%" PRIu64, diagnostic->count);
      struct pr_pair *pair = &pairs[sorted->count];
      *pair = (struct pr_pair){.name = told_name(arena, diagnostic),
                               .value = pr_arena_string(arena, number, strlen(number))};
      if (!pair->name || !pair->value)
         return false;
      sorted->items[sorted->count++] = pair;
   }
   qsort(sorted->items, sorted->count, sizeof *sorted->items, by_name_then_place);
   return true;
}

static bool compare_told(struct pr_unlike *unlike, const struct list_kind *kind,
                         const struct pr_report *old_report, const struct pr_report *new_report)
{
   struct sorted olds, news;
   return sort_told(&unlike->arena, old_report, kind->subject, &olds)
          && sort_told(&unlike->arena, new_report, kind->subject, &news)
          && compare_sorted(unlike, kind, olds, news);
}

/* Put together ------------------------------------------------------------ */

/* Those that make the runs unlike to the front; the order stays otherwise. */
static bool sort_by_weight(struct pr_unlike *unlike)
{
   struct pr_difference *sorted =
      pr_arena_alloc(&unlike->arena, (unlike->count + 1) * sizeof *sorted);
   size_t count = 0;
   if (!sorted)
      return false;
   for (size_t i = 0; i < unlike->count; i++)
      if (unlike->items[i].is_unlike)
         sorted[count++] = unlike->items[i];
   unlike->unlike_count = count;
   for (size_t i = 0; i < unlike->count; i++)
      if (!unlike->items[i].is_unlike)
         sorted[count++] = unlike->items[i];
   unlike->items = sorted;
   return true;
}

bool pr_unlike_compare(const struct pr_report *old_report, const struct pr_report *new_report,
                       struct pr_unlike *unlike)
{
   const struct pr_run *old_run = &old_report->run, *new_run = &new_report->run;
   *unlike = (struct pr_unlike){.count = 0};
   pr_arena_init(&unlike->arena);
   bool ok =
      compare_commands(unlike, old_run, new_run)
      && compare_texts(unlike, "platform", old_report->producer_platform,
                       new_report->producer_platform, true)
      && compare_texts(unlike, "Valgrind", old_report->producer_valgrind,
                       new_report->producer_valgrind, true)
      && compare_ends(unlike, old_report, new_report)
      && compare_texts(unlike, "tool's version", old_report->producer_version,
                       new_report->producer_version, false)
      && compare_executables(unlike, old_run, new_run)
      && compare_texts(unlike, "environment", old_run->environment_digest,
                       new_run->environment_digest, false)
      && compare_texts(unlike, "loader's cache", old_run->loader_cache_sha256,
                       new_run->loader_cache_sha256, false);
   for (size_t k = 0; ok && k < LIST_KINDS; k++)
      ok = compare_lists(unlike, &list_kinds[k], old_run, new_run);
   for (size_t k = 0; ok && k < TOLD_KINDS; k++)
      ok = compare_told(unlike, &told_kinds[k], old_report, new_report);
   return ok && sort_by_weight(unlike);
}

void pr_unlike_release(struct pr_unlike *unlike)
{
   pr_arena_release(&unlike->arena);
}

bool pr_unlike_print(const struct pr_unlike *unlike, size_t count, size_t indent,
                     const struct pr_style *style, FILE *out)
{
   /* Values are digests and paths, which terminals wrap where they stand. */
   const struct pr_style as_wide_as_needed = {0, style->has_color};
   struct pr_table table;
   pr_table_init(&table, "llll");
   for (size_t i = 0; i < count; i++) {
      const struct pr_difference *difference = &unlike->items[i];
      if (difference->name)
         pr_table_addf(&table, "%s %s", difference->subject, difference->name);
      else
         pr_table_add(&table, difference->subject);
      pr_table_add(&table, difference->old_value ? difference->old_value : "none");
      pr_table_add(&table, "->");
      pr_table_add(&table, difference->new_value ? difference->new_value : "none");
   }
   bool ok = !table.exhausted;
   if (ok)
      pr_table_print(&table, indent, &as_wide_as_needed, out);
   pr_table_release(&table);
   return ok;
}
