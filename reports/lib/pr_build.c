/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build.c: a report put together from elements. See pr_build.h.
 *
 * How strict? Refused is what would make a reader say something wrong: a
 * number that is none or does not fit, a name that is missing or ambiguous.
 * Everything else that breaks the format (an order, a unit, an extra
 * attribute) is the schema's business, so that `validate` can tell it.
 */
#include "pr_build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pr_build_attributes.h"
#include "pr_build_breakdown.h"
#include "pr_build_names.h"
#include "pr_build_phase.h"
#include "pr_build_shape.h"

enum element {
   DOCUMENT, /* what holds the root; no rule of its own */
   PROFMEM,
   PRODUCER,
   RUN,
   COMMAND,
   ARG,
   EXECUTABLE,
   LOADER_CACHE,
   INPUTS,
   INPUT,
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
   PHASE_SITES,
   PHASE_RESIZES,
   PHASE_RELEASES,
   PHASE_FUNCTIONS,
   PHASE_LINES,
   PHASE_INSTRUCTIONS,
   PHASE_THREADS,
   ROW, /* of any of these */
   OTHERS,
   HISTOGRAMS,
   HISTOGRAM,
   BUCKET,
   INSTANCES,
   INSTANCE,
   TIMELINE,
   POINT,
   SITES,
   SITE,
   FRAME,
   FUNCTIONS,
   FUNCTION,
   LINES,
   LINE,
   INSTRUCTIONS,
   CODE_FILE,
   INSTRUCTION,
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

bool pr_builder_refuse_memory(struct pr_builder *builder)
{
   return pr_builder_refuse(builder, "no memory left");
}

/* Head of the report ----------------------------------------------------- */

static bool start_profmem(struct pr_builder *builder)
{
   const struct pr_attribute *format = pr_attribute_require(builder, "format");
   if (!format)
      return false;
   uint64_t number = 0;
   enum pr_number_result result =
      pr_number_parse_unsigned(format->value, format->value_bytes, &number);
   if (result == PR_NUMBER_MALFORMED || (result == PR_NUMBER_OK && number == 0))
      return pr_attribute_refuse_number(builder, format, PR_NUMBER_MALFORMED);
   if (result == PR_NUMBER_OUT_OF_RANGE || number > 1)
      return pr_builder_refuse(
         builder, "report format %.*s is unsupported: this profmem reads format 1",
         (int)(format->value_bytes < 40 ? format->value_bytes : 40), format->value);
   return true;
}

static bool start_producer(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   return pr_attribute_take_string(builder, "name", &report->producer_name)
          && pr_attribute_take_string(builder, "version", &report->producer_version)
          && pr_attribute_take_string(builder, "valgrind", &report->producer_valgrind)
          && pr_attribute_take_string(builder, "platform", &report->producer_platform);
}

static bool end_arg(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   const char **argument = PR_APPEND(builder, run->arguments, run->argument_count);
   if (!argument)
      return pr_builder_refuse_memory(builder);
   *argument = pr_arena_string(&builder->report->arena, builder->text, builder->text_bytes);
   return *argument || pr_builder_refuse_memory(builder);
}

static bool start_executable(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return pr_attribute_take_string(builder, "path", &run->executable_path)
          && pr_attribute_require_number(builder, "size", &run->executable_bytes)
          && pr_attribute_take_string(builder, "build-id", &run->executable_build_id)
          && pr_attribute_take_string(builder, "sha256", &run->executable_sha256);
}

static bool start_loader_cache(struct pr_builder *builder)
{
   return pr_attribute_take_string(builder, "sha256", &builder->report->run.loader_cache_sha256);
}

static bool fill_pair(struct pr_builder *builder, struct pr_pair *pair, const char *value_name)
{
   if (!pair)
      return pr_builder_refuse_memory(builder);
   return pr_attribute_require_string(builder, "name", &pair->name)
          && pr_attribute_take_string(builder, value_name, &pair->value);
}

static bool start_input(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   struct pr_pair *input = PR_APPEND(builder, run->inputs, run->input_count);
   return fill_pair(builder, input, "sha256")
          && pr_attribute_require_number(builder, "size", &input->bytes);
}

static bool start_object(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   struct pr_pair *object = PR_APPEND(builder, run->objects, run->object_count);
   return fill_pair(builder, object, "build-id")
          && pr_attribute_take_string(builder, "sha256", &object->digest);
}

static bool start_option(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return fill_pair(builder, PR_APPEND(builder, run->options, run->option_count), "value");
}

static bool start_fix(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return fill_pair(builder, PR_APPEND(builder, run->fixes, run->fix_count), "value");
}

static bool start_environment(struct pr_builder *builder)
{
   struct pr_run *run = &builder->report->run;
   return pr_attribute_require_number(builder, "variables", &run->environment_variables)
          && pr_attribute_take_string(builder, "digest", &run->environment_digest);
}

static bool start_end(struct pr_builder *builder)
{
   struct pr_end *end = &builder->report->end;
   const struct pr_attribute *kind = pr_attribute_require(builder, "kind");
   if (!kind)
      return false;
   if (pr_attribute_equals(kind, "exit")) {
      end->kind = PR_END_EXIT;
      return pr_attribute_require_number(builder, "status", &end->status);
   }
   if (pr_attribute_equals(kind, "signal")) {
      end->kind = PR_END_SIGNAL;
      return pr_attribute_require_number(builder, "signal", &end->signal)
             && pr_attribute_take_string(builder, "name", &end->signal_name);
   }
   if (pr_attribute_equals(kind, "exec")) {
      end->kind = PR_END_EXEC;
      return pr_attribute_take_string(builder, "path", &end->path);
   }
   /* A kind of a newer report is an end that this version cannot describe. */
   end->kind = PR_END_UNKNOWN;
   return pr_attribute_equals(kind, "unknown")
             ? pr_attribute_take_string(builder, "reason", &end->reason)
             : pr_attribute_copy(builder, kind, &end->reason);
}

/* Coverage, diagnostics -------------------------------------------------- */

static bool start_allocation_functions(struct pr_builder *builder)
{
   builder->report->allocation_functions_listed = true;
   return true;
}

static bool start_allocation_function(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_allocation_function *function =
      PR_APPEND(builder, report->allocation_functions, report->allocation_function_count);
   if (!function)
      return pr_builder_refuse_memory(builder);
   return pr_attribute_take_string(builder, "object", &function->object)
          && pr_attribute_require_string(builder, "name", &function->name)
          && pr_attribute_take_string(builder, "kind", &function->kind)
          && pr_attribute_require_number(builder, "calls", &function->calls);
}

static bool start_quantity(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_not_measured *quantity =
      PR_APPEND(builder, report->not_measured, report->not_measured_count);
   if (!quantity)
      return pr_builder_refuse_memory(builder);
   return pr_attribute_require_string(builder, "name", &quantity->name)
          && pr_attribute_take_string(builder, "reason", &quantity->reason)
          && pr_attribute_take_string(builder, "instead", &quantity->instead);
}

static bool start_diagnostic(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_run_diagnostic *diagnostic =
      PR_APPEND(builder, report->diagnostics, report->diagnostic_count);
   if (!diagnostic)
      return pr_builder_refuse_memory(builder);
   return pr_attribute_require_string(builder, "severity", &diagnostic->severity)
          && pr_attribute_require_string(builder, "code", &diagnostic->code)
          && pr_attribute_take_string(builder, "phase", &diagnostic->phase)
          && pr_attribute_require_number(builder, "count", &diagnostic->count);
}

static bool end_diagnostic(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_run_diagnostic *diagnostic = &report->diagnostics[report->diagnostic_count - 1];
   diagnostic->text = pr_arena_string(&report->arena, builder->text, builder->text_bytes);
   return diagnostic->text || pr_builder_refuse_memory(builder);
}

/* The format ------------------------------------------------------------- */

/* A breakdown of a phase: its list, the rows of it, and what they leave over. */
#define BREAKDOWN(list, self, row)                                                                 \
   {PHASE, list, self, false, pr_build_breakdown_start, NULL},                                     \
      {self, row, ROW, false, pr_build_row_start, NULL},                                           \
      {self, "others", OTHERS, false, pr_build_others_start, NULL}

static const struct pr_element_rule rules[] = {
   {DOCUMENT, "profmem", PROFMEM, false, start_profmem, NULL},
   {PROFMEM, "producer", PRODUCER, false, start_producer, NULL},
   {PROFMEM, "run", RUN, false, NULL, NULL},
   {RUN, "command", COMMAND, false, NULL, NULL},
   {COMMAND, "arg", ARG, true, NULL, end_arg},
   {RUN, "executable", EXECUTABLE, false, start_executable, NULL},
   {RUN, "loader-cache", LOADER_CACHE, false, start_loader_cache, NULL},
   {RUN, "inputs", INPUTS, false, NULL, NULL},
   {INPUTS, "input", INPUT, false, start_input, NULL},
   {RUN, "objects", OBJECTS, false, NULL, NULL},
   {OBJECTS, "object", OBJECT, false, start_object, NULL},
   {RUN, "options", OPTIONS, false, NULL, NULL},
   {OPTIONS, "option", OPTION, false, start_option, NULL},
   {RUN, "environment", ENVIRONMENT, false, start_environment, NULL},
   {RUN, "fixed", FIXED, false, NULL, NULL},
   {FIXED, "fix", FIX, false, start_fix, NULL},
   {RUN, "end", END, false, start_end, NULL},
   {PROFMEM, "coverage", COVERAGE, false, NULL, NULL},
   {COVERAGE, "allocation-functions", ALLOCATION_FUNCTIONS, false, start_allocation_functions,
    NULL},
   {ALLOCATION_FUNCTIONS, "allocation-function", ALLOCATION_FUNCTION, false,
    start_allocation_function, NULL},
   {COVERAGE, "not-measured", NOT_MEASURED, false, NULL, NULL},
   {NOT_MEASURED, "quantity", QUANTITY, false, start_quantity, NULL},
   {PROFMEM, "phases", PHASES, false, NULL, NULL},
   {PHASES, "phase", PHASE, false, pr_build_phase_start, pr_build_phase_end},
   {PHASE, "metric", METRIC, false, pr_build_metric_start, NULL},
   BREAKDOWN("sites", PHASE_SITES, "site"),
   BREAKDOWN("resizes", PHASE_RESIZES, "resize"),
   BREAKDOWN("releases", PHASE_RELEASES, "release"),
   BREAKDOWN("functions", PHASE_FUNCTIONS, "function"),
   BREAKDOWN("lines", PHASE_LINES, "line"),
   BREAKDOWN("instructions", PHASE_INSTRUCTIONS, "instruction"),
   BREAKDOWN("threads", PHASE_THREADS, "thread"),
   {PHASE, "histograms", HISTOGRAMS, false, NULL, NULL},
   {HISTOGRAMS, "sizes", HISTOGRAM, false, pr_build_histogram_start, NULL},
   {HISTOGRAMS, "lifetimes", HISTOGRAM, false, pr_build_histogram_start, NULL},
   {HISTOGRAM, "bucket", BUCKET, false, pr_build_bucket_start, NULL},
   {PHASE, "instances", INSTANCES, false, NULL, NULL},
   {INSTANCES, "instance", INSTANCE, false, pr_build_instance_start, pr_build_instance_end},
   {INSTANCE, "metric", METRIC, false, pr_build_metric_start, NULL},
   {PROFMEM, "timeline", TIMELINE, false, pr_build_timeline_start, NULL},
   {TIMELINE, "point", POINT, false, pr_build_point_start, NULL},
   {PROFMEM, "sites", SITES, false, pr_build_names_start, NULL},
   {SITES, "site", SITE, false, pr_build_site_start, pr_build_site_end},
   {SITE, "frame", FRAME, false, pr_build_frame_start, NULL},
   {PROFMEM, "functions", FUNCTIONS, false, pr_build_names_start, NULL},
   {FUNCTIONS, "function", FUNCTION, false, pr_build_function_start, NULL},
   {PROFMEM, "lines", LINES, false, pr_build_names_start, NULL},
   {LINES, "line", LINE, false, pr_build_line_start, NULL},
   {PROFMEM, "instructions", INSTRUCTIONS, false, pr_build_names_start, NULL},
   {INSTRUCTIONS, "object", CODE_FILE, false, pr_build_code_file_start, NULL},
   {CODE_FILE, "instruction", INSTRUCTION, false, pr_build_instruction_start, NULL},
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

const char *pr_builder_element(const struct pr_builder *builder)
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
   builder->attribute_next = 0;
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
                               pr_builder_element(builder), PR_BUILD_TEXT_BYTES_MAX);
   size_t needed = builder->text_bytes + bytes;
   if (needed > builder->text_capacity) {
      size_t capacity = needed * 2;
      char *larger = realloc(builder->text, capacity);
      if (!larger)
         return pr_builder_refuse_memory(builder);
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

/* What the parts of a phase grew in. */
static void release_parts(struct pr_builder *builder)
{
   pr_buffer_release(&builder->phase_metrics.items);
   pr_buffer_release(&builder->instance_metrics.items);
   pr_buffer_release(&builder->instances);
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++) {
      pr_buffer_release(&builder->breakdowns[kind].rows);
      pr_buffer_release(&builder->breakdowns[kind].values);
   }
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
      pr_buffer_release(&builder->histograms[kind].buckets);
}

bool pr_builder_finish(struct pr_builder *builder)
{
   if (builder->refused)
      return false;
   release_parts(builder); /* what follows needs memory of its own */
   if (!pr_build_phases_finish(builder))
      return false;
   pr_build_timeline_finish(builder);
   return pr_build_names_finish(builder);
}

void pr_builder_init(struct pr_builder *builder, struct pr_report *report,
                     struct pr_diagnostics *diagnostics)
{
   *builder = (struct pr_builder){.report = report, .diagnostics = diagnostics};
}

void pr_builder_release(struct pr_builder *builder)
{
   free(builder->text);
   release_parts(builder);
   pr_buffer_release(&builder->phases);
   pr_buffer_release(&builder->sites);
   pr_buffer_release(&builder->functions);
   pr_buffer_release(&builder->lines);
   pr_buffer_release(&builder->instructions);
   pr_buffer_release(&builder->points);
   pr_buffer_release(&builder->frames);
}
