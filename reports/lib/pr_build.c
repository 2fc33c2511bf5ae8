/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build.c: a report put together from elements. See pr_build.h.
 *
 * How strict? Refused is what would make a reader say something wrong: a
 * number that is none or does not fit, a name that is missing or ambiguous.
 * Everything else that breaks the format (an order, a unit, an extra
 * attribute) is the schema's business, so that `validate` can tell it.
 */
#include "pr_build.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum element {
   DOCUMENT, /* what holds the root; no rule of its own */
   PROFMEM,
   PRODUCER,
   RUN,
   COMMAND,
   ARG,
   EXECUTABLE,
   OBJECTS,
   OBJECT,
   OPTIONS,
   OPTION,
   ENVIRONMENT,
   FIXED,
   FIX,
   END,
   COVERAGE,
   ALLOCATION_FUNCTIONS,
   ALLOCATION_FUNCTION,
   NOT_MEASURED,
   QUANTITY,
   PHASES,
   PHASE,
   METRIC,
   DIAGNOSTICS,
   DIAGNOSTIC,
};

struct pr_element_rule {
   enum element parent;
   const char *name;
   enum element self;
   bool has_text;
   bool (*start)(struct pr_builder *); /* NULL: nothing to do */
   bool (*end)(struct pr_builder *);
};

bool pr_builder_refuse(struct pr_builder *builder, const char *format, ...)
{
   if (!builder->refused) {
      va_list arguments;
      va_start(arguments, format);
      pr_diagnostics_vadd(builder->diagnostics, builder->report->file, builder->line, format,
                          arguments);
      va_end(arguments);
   }
   builder->refused = true;
   return false;
}

static bool refuse_memory(struct pr_builder *builder)
{
   return pr_builder_refuse(builder, "no memory left");
}

static const char *element_name(const struct pr_builder *builder);

/* Attributes ------------------------------------------------------------- */

/* NULL: the element has no such attribute. */
static const struct pr_attribute *find(const struct pr_builder *builder, const char *name)
{
   for (size_t i = 0; i < builder->attribute_count; i++) {
      const struct pr_attribute *attribute = &builder->attributes[i];
      if (!attribute->namespace_uri && strcmp(attribute->name, name) == 0)
         return attribute;
   }
   return NULL;
}

static bool equals(const struct pr_attribute *attribute, const char *value)
{
   size_t bytes = strlen(value);
   return attribute->value_bytes == bytes && memcmp(attribute->value, value, bytes) == 0;
}

static const struct pr_attribute *require(struct pr_builder *builder, const char *name)
{
   const struct pr_attribute *attribute = find(builder, name);
   if (!attribute)
      pr_builder_refuse(builder, "<%s> lacks its attribute '%s'", element_name(builder), name);
   return attribute;
}

static bool copy(struct pr_builder *builder, const struct pr_attribute *attribute,
                 const char **string)
{
   if (attribute->value_bytes > PR_BUILD_TEXT_BYTES_MAX)
      return pr_builder_refuse(builder, "attribute '%s' of <%s> is longer than %d bytes",
                               attribute->name, element_name(builder), PR_BUILD_TEXT_BYTES_MAX);
   *string = pr_arena_string(&builder->report->arena, attribute->value, attribute->value_bytes);
   return *string || refuse_memory(builder);
}

/* Leaves *string NULL if there is no such attribute. */
static bool take_string(struct pr_builder *builder, const char *name, const char **string)
{
   const struct pr_attribute *attribute = find(builder, name);
   return !attribute || copy(builder, attribute, string);
}

static bool require_string(struct pr_builder *builder, const char *name, const char **string)
{
   const struct pr_attribute *attribute = require(builder, name);
   return attribute && copy(builder, attribute, string);
}

static bool refuse_number(struct pr_builder *builder, const struct pr_attribute *attribute,
                          enum pr_number_result result)
{
   enum { SHOWN_BYTES = 40 };
   bool is_long = attribute->value_bytes > SHOWN_BYTES;
   return pr_builder_refuse(builder, "attribute '%s' of <%s> is %s: '%.*s%s'", attribute->name,
                            element_name(builder),
                            result == PR_NUMBER_OUT_OF_RANGE ? "out of the range of 64 bits"
                                                             : "not a number",
                            is_long ? SHOWN_BYTES : (int)attribute->value_bytes, attribute->value,
                            is_long ? "..." : "");
}

/* A number that is missing must not become 0, so it is always required. */
static bool require_number(struct pr_builder *builder, const char *name, uint64_t *number)
{
   const struct pr_attribute *attribute = require(builder, name);
   if (!attribute)
      return false;
   enum pr_number_result result =
      pr_number_parse_unsigned(attribute->value, attribute->value_bytes, number);
   return result == PR_NUMBER_OK || refuse_number(builder, attribute, result);
}

/* Leaves *answer as it is if there is no such attribute. */
static bool take_yes_no(struct pr_builder *builder, const char *name, bool *answer)
{
   const struct pr_attribute *attribute = find(builder, name);
   if (!attribute)
      return true;
   *answer = equals(attribute, "yes");
   return *answer || equals(attribute, "no")
          || pr_builder_refuse(builder, "attribute '%s' of <%s> is neither 'yes' nor 'no'", name,
                               element_name(builder));
}

/* A new element of an array of the report; a macro for the element's type. */
#define APPEND(builder, array, count)                                                              \
   ((typeof(array))pr_arena_append(&(builder)->report->arena, &(array), &(count), sizeof *(array)))

/* Head of the report ----------------------------------------------------- */

static bool start_profmem(struct pr_builder *builder)
{
   const struct pr_attribute *format = require(builder, "format");
   if (!format)
      return false;
   uint64_t number = 0;
   enum pr_number_result result =
      pr_number_parse_unsigned(format->value, format->value_bytes, &number);
   if (result == PR_NUMBER_MALFORMED || (result == PR_NUMBER_OK && number == 0))
      return refuse_number(builder, format, PR_NUMBER_MALFORMED);
   if (result == PR_NUMBER_OUT_OF_RANGE || number > 1)
      return pr_builder_refuse(builder,
                               "report format %.*s is unsupported: this profmem reads format 1",
                               (int)(format->value_bytes < 40 ? format->value_bytes : 40),
                               format->value);
   return true;
}

static bool start_producer(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   return take_string(builder, "name", &report->producer_name)
          && take_string(builder, "version", &report->producer_version)
          && take_string(builder, "valgrind", &report->producer_valgrind)
          && take_string(builder, "platform", &report->producer_platform);
}

static bool end_arg(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   const char **argument = APPEND(builder, run->arguments, run->argument_count);
   if (!argument)
      return refuse_memory(builder);
   *argument = pr_arena_string(&builder->report->arena, builder->text, builder->text_bytes);
   return *argument || refuse_memory(builder);
}

static bool start_executable(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return take_string(builder, "path", &run->executable_path)
          && require_number(builder, "size", &run->executable_bytes)
          && take_string(builder, "build-id", &run->executable_build_id)
          && take_string(builder, "sha256", &run->executable_sha256);
}

static bool fill_pair(struct pr_builder *builder, struct pr_pair *pair, const char *value_name)
{
   if (!pair)
      return refuse_memory(builder);
   return require_string(builder, "name", &pair->name)
          && take_string(builder, value_name, &pair->value);
}

static bool start_object(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return fill_pair(builder, APPEND(builder, run->objects, run->object_count), "build-id");
}

static bool start_option(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return fill_pair(builder, APPEND(builder, run->options, run->option_count), "value");
}

static bool start_fix(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return fill_pair(builder, APPEND(builder, run->fixes, run->fix_count), "value");
}

static bool start_environment(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return require_number(builder, "variables", &run->environment_variables)
          && take_string(builder, "digest", &run->environment_digest);
}

static bool start_end(struct pr_builder *builder)
{
   struct pr_end *end = &builder->report->end;
   const struct pr_attribute *kind = require(builder, "kind");
   if (!kind)
      return false;
   if (equals(kind, "exit")) {
      end->kind = PR_END_EXIT;
      return require_number(builder, "status", &end->status);
   }
   if (equals(kind, "signal")) {
      end->kind = PR_END_SIGNAL;
      return require_number(builder, "signal", &end->signal)
             && take_string(builder, "name", &end->signal_name);
   }
   if (equals(kind, "exec")) {
      end->kind = PR_END_EXEC;
      return take_string(builder, "path", &end->path);
   }
   /* A kind of a newer report is an end that this version cannot describe. */
   end->kind = PR_END_UNKNOWN;
   return equals(kind, "unknown") ? take_string(builder, "reason", &end->reason)
                                  : copy(builder, kind, &end->reason);
}

/* Coverage, diagnostics -------------------------------------------------- */

static bool start_allocation_functions(struct pr_builder *builder)
{
   builder->report->functions_listed = true;
   return true;
}

static bool start_allocation_function(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_allocation_function *function =
      APPEND(builder, report->functions, report->function_count);
   if (!function)
      return refuse_memory(builder);
   return take_string(builder, "object", &function->object)
          && require_string(builder, "name", &function->name)
          && take_string(builder, "kind", &function->kind)
          && require_number(builder, "calls", &function->calls);
}

static bool start_quantity(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_not_measured *quantity =
      APPEND(builder, report->not_measured, report->not_measured_count);
   if (!quantity)
      return refuse_memory(builder);
   return require_string(builder, "name", &quantity->name)
          && take_string(builder, "reason", &quantity->reason)
          && take_string(builder, "instead", &quantity->instead);
}

static bool start_diagnostic(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_run_diagnostic *diagnostic =
      APPEND(builder, report->diagnostics, report->diagnostic_count);
   if (!diagnostic)
      return refuse_memory(builder);
   return require_string(builder, "severity", &diagnostic->severity)
          && require_string(builder, "code", &diagnostic->code)
          && require_number(builder, "count", &diagnostic->count);
}

static bool end_diagnostic(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_run_diagnostic *diagnostic = &report->diagnostics[report->diagnostic_count - 1];
   diagnostic->text = pr_arena_string(&report->arena, builder->text, builder->text_bytes);
   return diagnostic->text || refuse_memory(builder);
}

/* Phases and metrics ----------------------------------------------------- */

static bool start_phase(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_phase *phase = APPEND(builder, report->phases, report->phase_count);
   if (!phase)
      return refuse_memory(builder);
   phase->line = (unsigned)builder->line;
   builder->metric_count = 0;
   builder->unknown_metric_count = 0;
   memset(builder->seen, 0, sizeof builder->seen);
   return require_string(builder, "name", &phase->name)
          && take_string(builder, "kind", &phase->kind)
          && require_number(builder, "instances", &phase->instances)
          && take_yes_no(builder, "complete", &phase->is_complete)
          && take_string(builder, "parent", &phase->parent)
          && take_yes_no(builder, "overlapping", &phase->is_overlapping);
}

/* The metrics are cut to measure: phases are many, and all have the same. */
static bool end_phase(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_phase *phase = &report->phases[report->phase_count - 1];
   size_t bytes = builder->metric_count * sizeof *phase->metrics;
   if (bytes == 0)
      return true;
   phase->metrics = pr_arena_alloc(&report->arena, bytes);
   if (!phase->metrics)
      return refuse_memory(builder);
   memcpy(phase->metrics, builder->metrics, bytes);
   phase->metric_count = builder->metric_count;
   return true;
}

static bool parse_value(struct pr_builder *builder, const struct pr_attribute *attribute,
                        enum pr_metric_id id, struct pr_value *value)
{
   /* The sign of a newer report's metric is not known; a minus tells. */
   bool is_signed = id == PR_METRIC_UNKNOWN
                       ? attribute->value_bytes > 0 && attribute->value[0] == '-'
                       : pr_metrics[id].sign == PR_SIGN_SIGNED;
   enum pr_number_result result;
   if (is_signed) {
      value->kind = PR_VALUE_SIGNED;
      result = pr_number_parse_signed(attribute->value, attribute->value_bytes, &value->as_signed);
   } else {
      value->kind = PR_VALUE_UNSIGNED;
      result =
         pr_number_parse_unsigned(attribute->value, attribute->value_bytes, &value->as_unsigned);
   }
   return result == PR_NUMBER_OK || refuse_number(builder, attribute, result);
}

static bool take_reason(struct pr_builder *builder, const struct pr_attribute *reason,
                        const char **string)
{
   if (builder->last_reason && equals(reason, builder->last_reason)) {
      *string = builder->last_reason;
      return true;
   }
   if (!copy(builder, reason, string))
      return false;
   builder->last_reason = *string;
   return true;
}

static bool take_value(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *value = find(builder, "value");
   const struct pr_attribute *reason = find(builder, "unavailable");
   if ((value != NULL) == (reason != NULL))
      return pr_builder_refuse(builder, "metric '%.80s' has %s 'value' %s 'unavailable'",
                               metric->name, value ? "both" : "neither", value ? "and" : "nor");
   if (value)
      return parse_value(builder, value, metric->id, &metric->value);
   metric->value.kind = PR_VALUE_UNAVAILABLE;
   return take_reason(builder, reason, &metric->value.reason);
}

static bool take_extra(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *min = find(builder, "min");
   const struct pr_attribute *max = find(builder, "max");
   const struct pr_attribute *stable = find(builder, "stable");
   if (!min && !max && !stable)
      return true;
   struct pr_metric_extra *extra = pr_arena_alloc(&builder->report->arena, sizeof *extra);
   if (!extra)
      return refuse_memory(builder);
   metric->extra = extra;
   if ((min != NULL) != (max != NULL))
      return pr_builder_refuse(builder, "metric '%.80s' has only one of 'min' and 'max'",
                               metric->name);
   extra->has_range = min != NULL;
   if (min
       && !(parse_value(builder, min, metric->id, &extra->min)
            && parse_value(builder, max, metric->id, &extra->max)))
      return false;
   bool is_stable = false;
   if (!stable)
      return true;
   if (!take_yes_no(builder, "stable", &is_stable))
      return false;
   extra->stability = is_stable ? PR_STABLE : PR_UNSTABLE;
   return is_stable || require_number(builder, "stable-difference", &extra->stable_difference);
}

/* Which metric is it? Reports list them in the table's order, so the guess
   that it is the one after the last is nearly always right. */
static bool identify(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *name = require(builder, "name");
   if (!name)
      return false;
   size_t guess = builder->metric_count;
   metric->id = guess < PR_METRIC_COUNT && equals(name, pr_metrics[guess].name)
                   ? (enum pr_metric_id)guess
                   : pr_metric_find(name->value, name->value_bytes);
   bool is_repeated = false;
   if (metric->id != PR_METRIC_UNKNOWN) {
      metric->name = pr_metrics[metric->id].name;
      is_repeated = builder->seen[metric->id];
      builder->seen[metric->id] = true;
   } else {
      if (++builder->unknown_metric_count > PR_BUILD_UNKNOWN_METRICS_MAX)
         return pr_builder_refuse(builder, "more than %d unknown metrics in a phase",
                                  PR_BUILD_UNKNOWN_METRICS_MAX);
      if (!copy(builder, name, &metric->name))
         return false;
      for (size_t i = 0; i < builder->metric_count && !is_repeated; i++)
         is_repeated = builder->metrics[i].id == PR_METRIC_UNKNOWN
                       && strcmp(builder->metrics[i].name, metric->name) == 0;
   }
   return !is_repeated
          || pr_builder_refuse(builder, "metric '%.80s' appears twice in a phase", metric->name);
}

static bool take_unit(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *unit = find(builder, "unit");
   if (unit && metric->id != PR_METRIC_UNKNOWN && equals(unit, pr_metrics[metric->id].unit)) {
      metric->unit = pr_metrics[metric->id].unit;
      return true;
   }
   return take_string(builder, "unit", &metric->unit);
}

static bool start_metric(struct pr_builder *builder)
{
   if (builder->metric_count == builder->metric_capacity) {
      size_t capacity = builder->metric_capacity ? builder->metric_capacity * 2 : 64;
      struct pr_metric *larger = realloc(builder->metrics, capacity * sizeof *larger);
      if (!larger)
         return refuse_memory(builder);
      builder->metrics = larger;
      builder->metric_capacity = capacity;
   }
   struct pr_metric metric = {.line = (unsigned)builder->line};
   if (!identify(builder, &metric) || !take_unit(builder, &metric) || !take_value(builder, &metric)
       || !take_extra(builder, &metric))
      return false;
   builder->metrics[builder->metric_count++] = metric;
   return true;
}

/* The format ------------------------------------------------------------- */

static const struct pr_element_rule rules[] = {
   {DOCUMENT, "profmem", PROFMEM, false, start_profmem, NULL},
   {PROFMEM, "producer", PRODUCER, false, start_producer, NULL},
   {PROFMEM, "run", RUN, false, NULL, NULL},
   {RUN, "command", COMMAND, false, NULL, NULL},
   {COMMAND, "arg", ARG, true, NULL, end_arg},
   {RUN, "executable", EXECUTABLE, false, start_executable, NULL},
   {RUN, "objects", OBJECTS, false, NULL, NULL},
   {OBJECTS, "object", OBJECT, false, start_object, NULL},
   {RUN, "options", OPTIONS, false, NULL, NULL},
   {OPTIONS, "option", OPTION, false, start_option, NULL},
   {RUN, "environment", ENVIRONMENT, false, start_environment, NULL},
   {RUN, "fixed", FIXED, false, NULL, NULL},
   {FIXED, "fix", FIX, false, start_fix, NULL},
   {RUN, "end", END, false, start_end, NULL},
   {PROFMEM, "coverage", COVERAGE, false, NULL, NULL},
   {COVERAGE, "allocation-functions", ALLOCATION_FUNCTIONS, false,
    start_allocation_functions, NULL},
   {ALLOCATION_FUNCTIONS, "allocation-function", ALLOCATION_FUNCTION, false,
    start_allocation_function, NULL},
   {COVERAGE, "not-measured", NOT_MEASURED, false, NULL, NULL},
   {NOT_MEASURED, "quantity", QUANTITY, false, start_quantity, NULL},
   {PROFMEM, "phases", PHASES, false, NULL, NULL},
   {PHASES, "phase", PHASE, false, start_phase, end_phase},
   {PHASE, "metric", METRIC, false, start_metric, NULL},
   {PROFMEM, "diagnostics", DIAGNOSTICS, false, NULL, NULL},
   {DIAGNOSTICS, "diagnostic", DIAGNOSTIC, true, start_diagnostic, end_diagnostic},
};

/* NULL: not an element that this version knows at this place. */
static const struct pr_element_rule *find_rule(enum element parent, const char *name,
                                               const char *namespace_uri)
{
   if (namespace_uri)
      return NULL;
   for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
      if (rules[i].parent == parent && strcmp(rules[i].name, name) == 0)
         return &rules[i];
   return NULL;
}

static const struct pr_element_rule *innermost(const struct pr_builder *builder)
{
   return builder->open_count ? builder->open[builder->open_count - 1] : NULL;
}

static const char *element_name(const struct pr_builder *builder)
{
   return innermost(builder)->name;
}

/* Events ----------------------------------------------------------------- */

static bool refuse_root(struct pr_builder *builder, const char *name, const char *namespace_uri)
{
   if (namespace_uri)
      return pr_builder_refuse(builder,
                               "not a profmem report: its root element is <%.80s> of the "
                               "namespace '%.80s'",
                               name, namespace_uri);
   return pr_builder_refuse(builder, "not a profmem report: its root element is <%.80s>", name);
}

bool pr_builder_start(struct pr_builder *builder, const char *name, const char *namespace_uri,
                      const struct pr_attribute *attributes, size_t count)
{
   if (builder->refused)
      return false;
   if (builder->open_count + builder->skipped_count == PR_BUILD_DEPTH_MAX)
      return pr_builder_refuse(builder, "elements are nested deeper than %d levels",
                               PR_BUILD_DEPTH_MAX);
   const struct pr_element_rule *rule = NULL;
   if (builder->skipped_count == 0) {
      const struct pr_element_rule *parent = innermost(builder);
      rule = find_rule(parent ? parent->self : DOCUMENT, name, namespace_uri);
      if (!rule && !parent)
         return refuse_root(builder, name, namespace_uri);
   }
   if (!rule) {
      builder->skipped_count++;
      return true;
   }
   builder->open[builder->open_count++] = rule;
   builder->attributes = attributes;
   builder->attribute_count = count;
   builder->text_bytes = 0;
   return !rule->start || rule->start(builder);
}

bool pr_builder_text(struct pr_builder *builder, const char *text, size_t bytes)
{
   if (builder->refused)
      return false;
   if (builder->skipped_count || !builder->open_count || !innermost(builder)->has_text)
      return true;
   if (bytes > PR_BUILD_TEXT_BYTES_MAX - builder->text_bytes)
      return pr_builder_refuse(builder, "the text of <%s> is longer than %d bytes",
                               element_name(builder), PR_BUILD_TEXT_BYTES_MAX);
   size_t needed = builder->text_bytes + bytes;
   if (needed > builder->text_capacity) {
      size_t capacity = needed * 2;
      char *larger = realloc(builder->text, capacity);
      if (!larger)
         return refuse_memory(builder);
      builder->text = larger;
      builder->text_capacity = capacity;
   }
   if (bytes)
      memcpy(builder->text + builder->text_bytes, text, bytes);
   builder->text_bytes = needed;
   return true;
}

bool pr_builder_end(struct pr_builder *builder)
{
   if (builder->refused)
      return false;
   if (builder->skipped_count) {
      builder->skipped_count--;
      return true;
   }
   const struct pr_element_rule *rule = innermost(builder);
   bool ok = !rule->end || rule->end(builder);
   builder->open_count--;
   return ok;
}

static int by_name_then_line(const void *left, const void *right)
{
   const struct pr_phase *a = *(const struct pr_phase *const *)left;
   const struct pr_phase *b = *(const struct pr_phase *const *)right;
   int order = strcmp(a->name, b->name);
   return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* A phase is looked up by its name, so the name must say which. */
bool pr_builder_finish(struct pr_builder *builder)
{
   const struct pr_report *report = builder->report;
   if (builder->refused)
      return false;
   if (report->phase_count < 2)
      return true;
   const struct pr_phase **sorted = malloc(report->phase_count * sizeof *sorted);
   if (!sorted)
      return refuse_memory(builder);
   for (size_t i = 0; i < report->phase_count; i++)
      sorted[i] = &report->phases[i];
   qsort(sorted, report->phase_count, sizeof *sorted, by_name_then_line);
   for (size_t i = 1; i < report->phase_count; i++) {
      if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
         continue;
      builder->line = sorted[i]->line;
      pr_builder_refuse(builder, "phase '%.80s' appears twice", sorted[i]->name);
      break;
   }
   free(sorted);
   return !builder->refused;
}

void pr_builder_init(struct pr_builder *builder, struct pr_report *report,
                     struct pr_diagnostics *diagnostics)
{
   *builder = (struct pr_builder){.report = report, .diagnostics = diagnostics};
}

void pr_builder_release(struct pr_builder *builder)
{
   free(builder->text);
   free(builder->metrics);
}
