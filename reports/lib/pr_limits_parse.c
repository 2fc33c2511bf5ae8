/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits_parse.c: the grammar of a limits file. See pr_limits.h.
 *
 *    limit    = PHASE METRIC word { word }
 *    word     = bound | "overlapping" | "warn"
 *    bound    = ( "<=" | ">=" ) ( number | "baseline" [ step ] )
 *             | "=" ( number | "baseline" )
 *             | "+" size
 *             | "max(" "+" size { "," "+" size } ")"
 *    step     = ( "+" | "-" ) size
 *    size     = amount | decimal "%"
 *    number   = [ "-" ] amount
 *    amount   = decimal [ unit ]
 *
 * A mistake is told with its column and what was expected there, and reading goes on with
 * the next word, so that one run names them all. A mistake makes the file as a whole
 * useless; nobody sees limits of one that has any.
 */
#include "pr_limits.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pr_limits_amount.h"
#include "pr_limits_phase.h"
#include "pr_lines.h"
#include "pr_nearest.h"

struct parser {
   struct pr_limits *limits;
   struct pr_diagnostics *diagnostics;
   const struct pr_limits_source *source;
   unsigned long line;
   const char *start, *at, *end; /* of the line; where reading is; behind the line */
   const char *unit;             /* of the line's metric; NULL: it is none */
   bool ok;
};

/* Mistakes --------------------------------------------------------------- */

static void mistake(struct parser *parser, const char *at, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

/* At a place of the line. */
static void mistake(struct parser *parser, const char *at, const char *format, ...)
{
   bool is_kept = !pr_diagnostics_is_full(parser->diagnostics);
   unsigned long column = is_kept ? pr_lines_column(parser->start, at) : 0;
   char *text = NULL;
   va_list arguments;
   va_start(arguments, format);
   if (vasprintf(&text, format, arguments) < 0)
      text = NULL;
   va_end(arguments);
   pr_diagnostics_add_at(parser->diagnostics, parser->source->name, parser->line, column, "%s",
                         text ? text : "no memory left");
   free(text);
   parser->ok = false;
}

static void exhausted(struct parser *parser)
{
   pr_diagnostics_add(parser->diagnostics, parser->source->name, 0, "no memory left");
   parser->ok = false;
}

/* Characters and words --------------------------------------------------- */

static bool is_blank(char c)
{
   return c == ' ' || c == '\t';
}

static void skip_blanks(struct parser *parser)
{
   while (parser->at < parser->end && is_blank(*parser->at))
      parser->at++;
}

static bool at_end(const struct parser *parser)
{
   return parser->at == parser->end || *parser->at == '#';
}

/* Length of the word at this place: up to the next blank. */
static size_t word_length(const struct parser *parser)
{
   const char *at = parser->at;
   while (at < parser->end && !is_blank(*at))
      at++;
   return (size_t)(at - parser->at);
}

enum { QUOTED_MAX = 40 };

/* "expected X, not 'word'", or "expected X" at the end of the line; false. */
static bool expected(struct parser *parser, const char *what)
{
   size_t length = word_length(parser);
   bool is_cut = length > QUOTED_MAX;
   if (is_cut) {
      length = QUOTED_MAX;
      while (length && ((unsigned char)parser->at[length] & 0xC0) == 0x80)
         length--;
   }
   if (length == 0)
      mistake(parser, parser->at, "%s", what);
   else
      mistake(parser, parser->at, "%s, not '%.*s%s'", what, (int)length, parser->at,
              is_cut ? "..." : "");
   return false;
}

/* Move past the text if it stands here. */
static bool take(struct parser *parser, const char *text)
{
   size_t length = strlen(text);
   if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, text, length) != 0)
      return false;
   parser->at += length;
   return true;
}

/* Numbers ---------------------------------------------------------------- */

/* The factor of the unit here; 0: it is none, which was said. */
static uint64_t parse_unit(struct parser *parser)
{
   const char *start = parser->at;
   while (parser->at < parser->end
          && ((*parser->at >= 'a' && *parser->at <= 'z')
              || (*parser->at >= 'A' && *parser->at <= 'Z')))
      parser->at++;
   size_t length = (size_t)(parser->at - start);
   if (length == 0)
      return 1;
   const struct pr_unit *unit = pr_unit_find(start, length);
   parser->at = start;
   if (!unit) {
      expected(parser, "expected KiB, MiB, GiB, kB, MB, GB, B, k, M, G or a blank");
      return 0;
   }
   if (unit->is_of_bytes && parser->unit && strcmp(parser->unit, "bytes") != 0) {
      mistake(parser, start, "expected k, M, G or a blank: '%s' is of bytes, the metric of %s",
              unit->name, parser->unit);
      return 0;
   }
   parser->at = start + length;
   return unit->factor;
}

static bool parse_decimal(struct parser *parser, struct pr_decimal *decimal)
{
   const char *wrong = pr_decimal_parse(&parser->at, parser->end, decimal);
   return wrong ? expected(parser, wrong) : true;
}

/* The amount of a decimal that was read, which began at `start`. */
static bool parse_scaled(struct parser *parser, const char *start,
                         const struct pr_decimal *decimal, uint64_t *amount)
{
   uint64_t factor = parse_unit(parser);
   if (factor == 0)
      return false;
   const char *wrong = pr_decimal_scale(decimal, factor, amount);
   if (!wrong)
      return true;
   parser->at = start;
   return expected(parser, wrong);
}

static bool parse_number(struct parser *parser, const struct pr_limit *limit,
                         struct pr_bound *bound)
{
   const char *start = parser->at;
   bool is_negative = take(parser, "-");
   struct pr_decimal decimal;
   uint64_t amount;
   if (!parse_decimal(parser, &decimal))
      return false;
   if (parser->at < parser->end && *parser->at == '%') {
      parser->at = start;
      return expected(parser, "expected a number; a percentage is of a baseline, as in +5% or "
                              "<= baseline-5%");
   }
   if (!parse_scaled(parser, start, &decimal, &amount))
      return false;
   bound->number = is_negative ? -(__int128)amount : (__int128)amount;
   bound->number_offset = (size_t)(start - parser->source->text);
   bound->number_bytes = (size_t)(parser->at - start);
   if (limit->metric == PR_METRIC_UNKNOWN)
      return true;
   const struct pr_metric_info *metric = &pr_metrics[limit->metric];
   bool is_signed = metric->sign == PR_SIGN_SIGNED, fits = true;
   if (is_signed)
      fits = bound->number >= INT64_MIN && bound->number <= INT64_MAX;
   else if (is_negative)
      mistake(parser, start, "expected a number from 0 on: %s is never negative", metric->name);
   if (!fits)
      mistake(parser, start, "expected a number that fits 64 bits, one of them for the sign");
   return fits && (is_signed || !is_negative);
}

/* An amount or a percentage, behind a sign. */
static bool parse_step(struct parser *parser, struct pr_step *step)
{
   const char *start = parser->at;
   struct pr_decimal decimal;
   if (!parse_decimal(parser, &decimal))
      return false;
   if (!take(parser, "%"))
      return parse_scaled(parser, start, &decimal, &step->amount);
   if (decimal.digits > (unsigned __int128)PR_PERCENTAGE_MAX * decimal.parts) {
      parser->at = start;
      return expected(parser, "expected a percentage up to 1000000000%");
   }
   step->is_share = true;
   step->amount = (uint64_t)decimal.digits;
   step->whole = decimal.parts * 100;
   return true;
}

/* Bounds ----------------------------------------------------------------- */

static bool add_step(struct parser *parser, struct pr_bound *bound, const struct pr_step *step)
{
   struct pr_step *steps = (struct pr_step *)bound->steps;
   struct pr_step *added =
      pr_arena_append(&parser->limits->arena, &steps, &bound->step_count, sizeof *steps);
   bound->steps = steps;
   if (!added) {
      exhausted(parser);
      return false;
   }
   *added = *step;
   return true;
}

/* Behind "+" or "-". */
static bool parse_signed_step(struct parser *parser, struct pr_bound *bound, bool is_negative)
{
   struct pr_step step = {.is_negative = is_negative};
   return parse_step(parser, &step) && add_step(parser, bound, &step);
}

/* Behind "max(". */
static bool parse_max(struct parser *parser, struct pr_bound *bound)
{
   do {
      skip_blanks(parser);
      if (!take(parser, "+"))
         return expected(parser, "expected '+'");
      if (!parse_signed_step(parser, bound, false))
         return false;
      skip_blanks(parser);
   } while (take(parser, ","));
   return take(parser, ")") || expected(parser, "expected ',' or ')'");
}

/* Behind a relation. */
static bool parse_right_side(struct parser *parser, const struct pr_limit *limit,
                             struct pr_bound *bound)
{
   skip_blanks(parser);
   if (!take(parser, "baseline"))
      return parse_number(parser, limit, bound);
   bound->of_baseline = true;
   bool has_step = parser->at < parser->end && (*parser->at == '+' || *parser->at == '-');
   if (has_step && bound->relation == PR_BOUND_EXACTLY)
      return expected(parser, "expected a blank: '=' takes the baseline alone");
   if (has_step) {
      bool is_negative = *parser->at++ == '-';
      return parse_signed_step(parser, bound, is_negative);
   }
   /* "<= baseline +5%" would be two bounds, of which the second says nothing. */
   const char *behind = parser->at;
   skip_blanks(parser);
   if (behind < parser->at && parser->at < parser->end
       && (*parser->at == '+' || *parser->at == '-'))
      return expected(parser, "expected no blank between 'baseline' and what is added to it");
   parser->at = behind;
   return true;
}

/* "MiB" alone, as behind "<= 1". */
static bool is_unit(const struct parser *parser)
{
   size_t length = word_length(parser);
   return pr_unit_find(parser->at, length) || (length == 1 && *parser->at == '%');
}

static bool parse_bound_of(struct parser *parser, const struct pr_limit *limit,
                           struct pr_bound *bound)
{
   static const struct {
      const char *text;
      enum pr_bound_relation relation;
   } relations[] = {
      {"<=", PR_BOUND_AT_MOST}, {">=", PR_BOUND_AT_LEAST}, {"=", PR_BOUND_EXACTLY},
   };
   for (size_t r = 0; r < sizeof relations / sizeof relations[0]; r++) {
      if (!take(parser, relations[r].text))
         continue;
      bound->relation = relations[r].relation;
      return parse_right_side(parser, limit, bound);
   }
   bound->relation = PR_BOUND_AT_MOST;
   bound->of_baseline = true;
   if (take(parser, "+"))
      return parse_signed_step(parser, bound, false);
   if (take(parser, "max("))
      return parse_max(parser, bound);
   if (limit->bound_count && is_unit(parser))
      return expected(parser, "expected no blank between a number and its unit");
   return expected(parser, "expected a limit (<= 1MiB, = 0, +0.5%, = baseline, "
                           "max(+1%, +64KiB)), 'overlapping' or 'warn'");
}

static bool parse_bound(struct parser *parser, struct pr_limit *limit)
{
   const char *start = parser->at;
   struct pr_bound bound = {.step_count = 0};
   if (!parse_bound_of(parser, limit, &bound))
      return false;
   if (parser->at < parser->end && !is_blank(*parser->at))
      return expected(parser, "expected a blank");
   bound.text =
      pr_arena_string(&parser->limits->arena, start, (size_t)(parser->at - start));
   struct pr_bound *added = pr_arena_append(&parser->limits->arena, &limit->bounds,
                                            &limit->bound_count, sizeof *limit->bounds);
   if (!bound.text || !added) {
      exhausted(parser);
      return false;
   }
   *added = bound;
   return true;
}

/* Lines ------------------------------------------------------------------ */

/* False: it is no such word. */
static bool parse_word(struct parser *parser, struct pr_limit *limit)
{
   const struct {
      const char *text;
      bool *is_set;
   } words[] = {
      {"overlapping", &limit->accepts_overlapping},
      {"warn", &limit->only_warns},
   };
   size_t length = word_length(parser);
   for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
      if (strlen(words[w].text) != length || memcmp(parser->at, words[w].text, length) != 0)
         continue;
      if (*words[w].is_set)
         mistake(parser, parser->at, "expected '%s' once", words[w].text);
      *words[w].is_set = true;
      parser->at += length;
      return true;
   }
   return false;
}

static void parse_metric(struct parser *parser, struct pr_limit *limit)
{
   size_t length = word_length(parser);
   limit->metric = pr_metric_find(parser->at, length);
   parser->unit = limit->metric == PR_METRIC_UNKNOWN ? NULL : pr_metrics[limit->metric].unit;
   if (limit->metric == PR_METRIC_UNKNOWN) {
      char *name = strndup(parser->at, length);
      struct pr_nearest nearest;
      pr_nearest_init(&nearest, name ? name : "");
      for (int m = 0; m < PR_METRIC_COUNT; m++)
         pr_nearest_offer(&nearest, pr_metrics[m].name);
      char *what = NULL;
      if (nearest.name && asprintf(&what, "expected a metric, such as '%s'", nearest.name) < 0)
         what = NULL;
      expected(parser, what ? what : "expected a metric");
      free(what);
      free(name);
   }
   parser->at += length;
}

/* After a mistake: behind the word it is in. */
static void skip_word(struct parser *parser)
{
   parser->at += word_length(parser);
}

static void parse_bounds(struct parser *parser, struct pr_limit *limit)
{
   for (skip_blanks(parser); !at_end(parser); skip_blanks(parser))
      if (!parse_word(parser, limit) && !parse_bound(parser, limit))
         skip_word(parser);
   if (parser->ok && limit->bound_count == 0)
      mistake(parser, parser->at, "expected a limit, as in <= 1MiB or +0.5%%");
}

static bool is_text(struct parser *parser)
{
   char reason[PR_LINES_REASON_BYTES];
   const char *wrong = pr_lines_wrong(parser->start, parser->end, reason);
   if (wrong)
      mistake(parser, wrong, "%s", reason);
   return !wrong;
}

static void parse_line(struct parser *parser)
{
   parser->at = parser->start;
   parser->unit = NULL;
   if (!is_text(parser))
      return;
   skip_blanks(parser);
   if (at_end(parser))
      return;
   struct pr_arena *arena = &parser->limits->arena;
   struct pr_limit limit = {
      .source = parser->limits->source_count - 1,
      .line = parser->line,
      .metric = PR_METRIC_UNKNOWN,
   };
   const char *start = parser->at;
   const char *wrong = pr_limits_phase_parse(&parser->at, parser->end, arena, &limit.pattern,
                                             &limit.has_wildcard);
   if (wrong) {
      /* Where a quoted part should end is unknown, so is what follows. */
      mistake(parser, parser->at, "%s", wrong[0] ? wrong : "no memory left");
      return;
   }
   limit.phase_text = pr_arena_string(arena, start, (size_t)(parser->at - start));
   skip_blanks(parser);
   if (at_end(parser)) {
      mistake(parser, parser->at, "expected a metric");
      return;
   }
   parse_metric(parser, &limit);
   parse_bounds(parser, &limit);
   if (!parser->ok)
      return;
   struct pr_limit *added =
      pr_arena_append(arena, &parser->limits->items, &parser->limits->count, sizeof limit);
   if (!added || !limit.phase_text)
      exhausted(parser);
   else
      *added = limit;
}

bool pr_limits_parse(struct pr_limits *limits, const char *text, size_t bytes, const char *name,
                     unsigned long first_line, struct pr_diagnostics *diagnostics)
{
   struct pr_arena *arena = &limits->arena;
   struct pr_limits_source *source =
      pr_arena_append(arena, &limits->sources, &limits->source_count, sizeof *source);
   char *copy = pr_arena_string(arena, text, bytes);
   char *name_copy = pr_arena_string(arena, name, strlen(name));
   if (!source || !copy || !name_copy) {
      pr_diagnostics_add(diagnostics, name, 0, "no memory left");
      return false;
   }
   *source = (struct pr_limits_source){.name = name_copy, .text = copy, .bytes = bytes};
   struct parser parser = {
      .limits = limits,
      .diagnostics = diagnostics,
      .source = source,
      .ok = true,
   };
   bool all_ok = true;
   struct pr_lines lines;
   pr_lines_init(&lines, copy, bytes, first_line);
   while (pr_lines_next(&lines)) {
      parser.line = lines.number;
      parser.start = lines.start;
      parser.end = lines.end;
      parser.ok = true;
      parse_line(&parser);
      all_ok = all_ok && parser.ok;
   }
   return all_ok;
}
