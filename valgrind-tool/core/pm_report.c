/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report.c: the elements of a report, top to bottom. */
#include "pm_report.h"
#include "pm_report_code.h"
#include "pm_report_shape.h"
#include "pm_report_sites.h"
#include "pm_sort.h"
#include "pm_text.h"

/* Quantities that people expect beside requested heap and that are not in this
   report, with what to use instead. */
static const struct {
   const char *name, *reason, *instead;
} not_measured[] = {
   {"allocator-overhead",
    "the allocator's own headers and rounding are inside the memory it takes from the system",
    "compare allocator-mapped with heap metrics, or use malloc_info(3)"},
   {"resident-memory",
    "which pages are in memory is the kernel's decision, and differs under Valgrind",
    "/proc/PID/smaps of a native run"},
   {"device-memory", "memory of devices is not reached by the program's instructions",
    "the device vendor's tools"},
   {"private-allocators",
    "an allocator without symbols, or with names that are not in the table, cannot be seen",
    "--alloc-fn=KIND:NAME, or the requests of valgrind.h for custom allocators"},
};

const struct pm_report_diagnostic pm_phase_troubles[PM_PHASE_TROUBLES] = {
   [PM_PHASE_BEGUN_TWICE] = {PM_ERROR, "phase-begun-twice",
                             "begun on a thread where it was open; the second begin was ignored", 0},
   [PM_PHASE_ENDED_WITHOUT_BEGIN] = {PM_ERROR, "phase-ended-without-begin",
                                     "ended when it was not open", 0},
   [PM_PHASE_ENDED_AMBIGUOUSLY] =
      {PM_ERROR, "phase-ended-ambiguously",
       "ended by a thread that had not begun it while it was open on several others", 0},
   [PM_PHASE_OPEN_AT_END] = {PM_ERROR, "phase-open-at-end",
                             "open when the process ended, which ended it", 0},
   [PM_PHASE_LEFT_BY_JUMP] = {PM_NOTE, "phase-left-by-jump",
                              "its function was left by a jump or an exception", 0},
   [PM_PHASE_LEFT_BY_EXIT] = {PM_NOTE, "phase-left-by-exit",
                              "its function was running when its thread ended", 0},
   [PM_PHASE_ENDED_BY_OTHER_THREAD] = {PM_NOTE, "phase-ended-by-other-thread",
                                       "ended by another thread than the one that began it", 0},
   [PM_PHASE_NEVER_ENTERED] = {PM_ERROR, "phase-never-entered",
                               "no function that was executed matches its pattern", 0},
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The lists that stand in every phase and, with their names, at the end. */
struct lists {
   struct pm_report_sites sites;
   struct pm_report_code code[PM_CODE_KINDS];
};

/* --- order ----------------------------------------------------------------- */

static int compare_objects(const void *a, const void *b, const void *unused)
{
   (void)unused;
   const struct pm_report_object *left = a, *right = b;
   int names = pm_strcmp(left->name, right->name);
   return names ? names
                : pm_strcmp(left->build_id ? left->build_id : "",
                            right->build_id ? right->build_id : "");
}

static int compare_functions(const void *a, const void *b, const void *unused)
{
   (void)unused;
   const struct pm_function *left = a, *right = b;
   int objects = pm_strcmp(left->object, right->object);
   return objects ? objects : pm_strcmp(left->name, right->name);
}

/* --- elements -------------------------------------------------------------- */

static void write_producer(const struct pm_report *r, struct pm_xml *x)
{
   pm_xml_open(x, "producer");
   pm_xml_attr(x, "name", "profmem");
   pm_xml_attr(x, "version", r->profmem_version);
   pm_xml_attr(x, "valgrind", r->valgrind_version);
   pm_xml_attr(x, "platform", r->platform);
   pm_xml_close(x);
}

static void write_end(const struct pm_report *r, struct pm_xml *x)
{
   pm_xml_open(x, "end");
   switch (r->end) {
   case PM_REPORT_EXIT:
      pm_xml_attr(x, "kind", "exit");
      pm_xml_attr_i64(x, "status", r->end_status);
      break;
   case PM_REPORT_SIGNAL:
      pm_xml_attr(x, "kind", "signal");
      pm_xml_attr_i64(x, "signal", r->end_status);
      pm_xml_attr(x, "name", r->end_signal);
      break;
   case PM_REPORT_RUNNING:
      pm_xml_attr(x, "kind", "unknown");
      pm_xml_attr(x, "reason", "the program had not ended: a snapshot");
      break;
   case PM_REPORT_EXEC:
      pm_xml_attr(x, "kind", "exec");
      pm_xml_attr(x, "path", r->end_path);
      break;
   }
   pm_xml_close(x);
}

static void write_objects(struct pm_report *r, struct pm_xml *x)
{
   pm_sort((void **)r->objects, r->object_count, compare_objects, NULL);
   pm_xml_open(x, "objects");
   for (uint32_t o = 0; o < r->object_count; o++) {
      const struct pm_report_object *object = r->objects[o];
      if (o > 0 && compare_objects(r->objects[o - 1], object, NULL) == 0)
         continue; /* mapped more than once */
      pm_xml_open(x, "object");
      pm_xml_attr(x, "name", object->name);
      if (object->build_id)
         pm_xml_attr(x, "build-id", object->build_id);
      if (object->path)
         pm_xml_attr(x, "path", object->path);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}

static void write_environment(const struct pm_report *r, struct pm_xml *x)
{
   static const char kind[] = "fnv1a64:";
   char digest[sizeof kind + PM_HEX_TEXT];
   memcpy(digest, kind, sizeof kind);
   pm_hex_text(digest + sizeof kind - 1, r->environment_fnv1a64, 16);
   pm_xml_open(x, "environment");
   pm_xml_attr_u64(x, "variables", r->environment_variables);
   pm_xml_attr(x, "digest", digest);
   pm_xml_close(x);
}

static void write_run(struct pm_report *r, struct pm_xml *x)
{
   pm_xml_open(x, "run");
   pm_xml_open(x, "command");
   for (uint32_t a = 0; a < r->arg_count; a++) {
      pm_xml_open(x, "arg");
      pm_xml_text(x, r->args[a]);
      pm_xml_close(x);
   }
   pm_xml_close(x);
   pm_xml_open(x, "executable");
   pm_xml_attr(x, "path", r->executable_path);
   pm_xml_attr_u64(x, "size", r->executable_bytes);
   if (r->executable_build_id)
      pm_xml_attr(x, "build-id", r->executable_build_id);
   pm_xml_close(x);
   write_objects(r, x);
   pm_xml_open(x, "options");
   for (uint32_t o = 0; o < r->option_count; o++) {
      pm_xml_open(x, "option");
      pm_xml_attr(x, "name", r->options[o].name);
      pm_xml_attr(x, "value", r->options[o].value);
      pm_xml_close(x);
   }
   pm_xml_close(x);
   write_environment(r, x);
   pm_xml_open(x, "fixed");
   for (uint32_t f = 0; f < r->fix_count; f++) {
      pm_xml_open(x, "fix");
      pm_xml_attr(x, "name", r->fixes[f].name);
      pm_xml_attr(x, "value", r->fixes[f].value);
      pm_xml_close(x);
   }
   pm_xml_close(x);
   write_end(r, x);
   pm_xml_close(x);
}

static void write_coverage(struct pm_report *r, struct pm_xml *x)
{
   pm_sort((void **)r->functions, r->function_count, compare_functions, NULL);
   pm_xml_open(x, "coverage");
   pm_xml_open(x, "allocation-functions");
   for (uint32_t f = 0; f < r->function_count; f++) {
      const struct pm_function *function = r->functions[f];
      pm_xml_open(x, "allocation-function");
      pm_xml_attr(x, "object", function->object);
      pm_xml_attr(x, "name", function->name);
      pm_xml_attr(x, "kind", pm_allockinds[function->kind].name);
      pm_xml_attr_u64(x, "calls", function->calls);
      pm_xml_close(x);
   }
   pm_xml_close(x);
   pm_xml_open(x, "not-measured");
   for (uint32_t q = 0; q < COUNT_OF(not_measured); q++) {
      pm_xml_open(x, "quantity");
      pm_xml_attr(x, "name", not_measured[q].name);
      pm_xml_attr(x, "reason", not_measured[q].reason);
      pm_xml_attr(x, "instead", not_measured[q].instead);
      pm_xml_close(x);
   }
   pm_xml_close(x);
   pm_xml_close(x);
}

static void write_value(struct pm_xml *x, const char *name, enum pm_metric metric,
                        uint64_t value)
{
   if (pm_metric_rows[metric].sign == PM_SIGNED)
      pm_xml_attr_i64(x, name, (int64_t)value);
   else
      pm_xml_attr_u64(x, name, value);
}

const char *pm_report_gap_of(const struct pm_report *report, const char *metric)
{
   for (uint32_t g = 0; g < report->gap_count; g++) {
      size_t length = pm_strlen(report->gaps[g].prefix);
      if (pm_strlen(metric) >= length &&
          pm_memcmp(metric, report->gaps[g].prefix, length) == 0)
         return report->gaps[g].reason;
   }
   return NULL;
}

const char *pm_report_profile_gap(const struct pm_report *report)
{
   return !report->profile             ? "executions were not counted: --functions=no"
          : report->profile->incomplete ? "no address space for the counts of a combination of phases"
                                        : NULL;
}

const char *pm_report_unavailable(const struct pm_report *report,
                                  const struct pm_report_phase *phase, enum pm_metric metric)
{
   if (phase->declared->begins_lost > 0)
      return "out of memory when an instance of the phase began";
   if (phase->phase->instances == 0)
      return phase->unavailable ? phase->unavailable : "the phase has no instance that ended";
   if (metric == PM_METRIC_INSTRUCTIONS_OWN_THREAD && phase->declared->without_own_thread)
      return "an instance was begun by a monitor command, which is no thread";
   if (pm_metric_rows[metric].over_instances == PM_OVER_PHASE) {
      const char *reason = pm_report_profile_gap(report);
      if (reason)
         return reason;
   }
   return pm_report_gap_of(report, pm_metric_rows[metric].name);
}

/* The start of a metric's element, unavailable for a reason, or with NULL for one to be
   followed by its value. */
static void open_metric(struct pm_xml *x, enum pm_metric metric, const char *reason)
{
   pm_xml_open(x, "metric");
   pm_xml_attr(x, "name", pm_metric_rows[metric].name);
   pm_xml_attr(x, "unit", pm_metric_rows[metric].unit);
   if (reason)
      pm_xml_attr(x, "unavailable", reason);
}

/* The metrics of the mix stand in the order of the classes. */
static uint64_t of_mix(enum pm_metric metric, const uint64_t mix[PM_MIX_CLASSES])
{
   return mix[metric - PM_METRIC_INSTRUCTIONS_VECTOR];
}

static void write_metric(const struct pm_report *r, struct pm_xml *x,
                         const struct pm_report_phase *shown, enum pm_metric metric,
                         const uint64_t mix[PM_MIX_CLASSES])
{
   const struct pm_phase *phase = shown->phase;
   const char *reason = pm_report_unavailable(r, shown, metric);
   open_metric(x, metric, reason);
   if (!reason && pm_metric_rows[metric].over_instances == PM_OVER_PHASE) {
      write_value(x, "value", metric, of_mix(metric, mix));
   } else if (!reason) {
      write_value(x, "value", metric, phase->value[metric]);
      if (phase->instances > 1) {
         write_value(x, "min", metric, phase->least[metric]);
         write_value(x, "max", metric, phase->greatest[metric]);
      }
   }
   pm_xml_close(x);
}

static const char *yes_no(bool yes)
{
   return yes ? "yes" : "no";
}

/* The instructions at which the process itself began: not 0 in a forked child. */
static uint64_t origin_of(const struct pm_report *r)
{
   for (uint32_t p = 0; p < r->phase_count; p++)
      if (r->phases[p].declared->kind == PM_PHASE_PROCESS)
         return r->phases[p].phase->span.begin_instrs;
   return 0;
}

/* Where an instance lies on the axis of the timeline, its peak if live bytes are known. */
static void write_span(const struct pm_report *r, struct pm_xml *x, const struct pm_span *span)
{
   uint64_t origin = origin_of(r);
   pm_xml_attr_u64(x, "begin-instructions", span->begin_instrs - origin);
   if (!pm_report_gap_of(r, "heap.peak"))
      pm_xml_attr_u64(x, "peak-instructions", span->peak_instrs - origin);
   pm_xml_attr_u64(x, "end-instructions", span->end_instrs - origin);
}

/* Single instances say more than their phase only when there are several. */
static void write_instances(const struct pm_report *r, struct pm_xml *x,
                            const struct pm_report_phase *shown)
{
   const struct pm_listed *listed = shown->phase->listed;
   if (shown->phase->instances < 2 || !listed || shown->declared->unlisted)
      return;
   pm_xml_open(x, "instances");
   for (; listed; listed = listed->next) {
      pm_xml_open(x, "instance");
      pm_xml_attr_u64(x, "number", listed->order + 1);
      pm_xml_attr_u64(x, "thread", listed->thread);
      pm_xml_attr(x, "complete", yes_no(listed->complete));
      if (listed->parent)
         pm_xml_attr(x, "parent", listed->parent->name);
      write_span(r, x, &listed->span);
      for (int m = 0; m < PM_METRICS; m++) {
         const char *reason = pm_report_unavailable(r, shown, m);
         if (!reason && pm_metric_rows[m].over_instances == PM_OVER_PHASE)
            reason = "counted per phase";
         open_metric(x, m, reason);
         if (!reason)
            write_value(x, "value", m, listed->value[m]);
         pm_xml_close(x);
      }
      pm_xml_close(x);
   }
   pm_xml_close(x);
}

static void write_phase(const struct pm_report *r, struct pm_xml *x,
                        const struct pm_report_phase *shown, struct lists *lists)
{
   static const char *const kinds[PM_PHASE_KINDS] = {
      [PM_PHASE_PROCESS] = "process",
      [PM_PHASE_REQUEST] = "request",
      [PM_PHASE_FUNCTION] = "function",
      [PM_PHASE_MONITOR] = "monitor",
   };
   const struct pm_phase *phase = shown->phase;
   const struct pm_declared *declared = shown->declared;
   bool known = phase->instances > 0 && declared->begins_lost == 0;
   pm_xml_open(x, "phase");
   pm_xml_attr(x, "name", phase->name);
   pm_xml_attr(x, "kind", kinds[declared->kind]);
   pm_xml_attr_u64(x, "instances", phase->instances + declared->begins_lost);
   pm_xml_attr(x, "complete", yes_no(phase->complete));
   if (declared->kind != PM_PHASE_PROCESS && phase->instances > 0)
      pm_xml_attr(x, "parent",
                  phase->parent && !phase->parents_differ ? phase->parent->name : "program");
   if (phase->overlapping)
      pm_xml_attr(x, "overlapping", "yes");
   if (known && phase->instances == 1)
      write_span(r, x, &phase->span);
   uint64_t mix[PM_MIX_CLASSES] = {0};
   if (known)
      pm_report_code_mix(&lists->code[PM_CODE_FUNCTIONS], phase, mix);
   for (int m = 0; m < PM_METRICS; m++)
      write_metric(r, x, shown, m, mix);
   if (declared->begins_lost == 0) {
      pm_report_sites_phase(&lists->sites, x, phase);
      for (int k = 0; k < PM_CODE_KINDS; k++)
         pm_report_code_phase(&lists->code[k], x, phase);
   }
   if (known && !pm_report_gap_of(r, "heap.peak"))
      pm_report_histograms(x, phase);
   if (known) {
      pm_report_threads(r, x, phase);
      write_instances(r, x, shown);
   }
   pm_xml_close(x);
}

static void write_phases(const struct pm_report *r, struct pm_xml *x,
                         struct lists *lists)
{
   pm_xml_open(x, "phases");
   for (uint32_t p = 0; p < r->phase_count; p++)
      write_phase(r, x, &r->phases[p], lists);
   pm_xml_close(x);
}

static const char *const severities[] = {
   [PM_NOTE] = "note", [PM_WARNING] = "warning", [PM_ERROR] = "error"};

static void write_diagnostic(struct pm_xml *x, const struct pm_report_diagnostic *diagnostic,
                             const char *phase)
{
   pm_xml_open(x, "diagnostic");
   pm_xml_attr(x, "severity", severities[diagnostic->severity]);
   pm_xml_attr(x, "code", diagnostic->code);
   if (phase)
      pm_xml_attr(x, "phase", phase);
   pm_xml_attr_u64(x, "count", diagnostic->count);
   pm_xml_text(x, diagnostic->text);
   pm_xml_close(x);
}

static void write_diagnostics(const struct pm_report *r, struct pm_xml *x)
{
   pm_xml_open(x, "diagnostics");
   for (uint32_t d = 0; d < r->diagnostic_count; d++)
      if (r->diagnostics[d].count > 0)
         write_diagnostic(x, &r->diagnostics[d], NULL);
   for (uint32_t p = 0; p < r->phase_count; p++)
      for (int t = 0; t < PM_PHASE_TROUBLES; t++) {
         struct pm_report_diagnostic diagnostic = pm_phase_troubles[t];
         diagnostic.count = r->phases[p].declared->trouble[t];
         if (diagnostic.count > 0)
            write_diagnostic(x, &diagnostic, r->phases[p].phase->name);
      }
   pm_xml_close(x);
}

bool pm_report_write(struct pm_report *report, struct pm_xml *xml, const struct pm_host *host,
                     const struct pm_xml_sink *sink)
{
   struct lists lists;
   bool memory = pm_report_sites_init(&lists.sites, report, host);
   for (int k = 0; k < PM_CODE_KINDS; k++)
      memory = pm_report_code_init(&lists.code[k], report, k, host) && memory;
   pm_xml_begin(xml, host, sink);
   pm_xml_open(xml, "profmem");
   pm_xml_attr_u64(xml, "format", 1);
   write_producer(report, xml);
   write_run(report, xml);
   write_coverage(report, xml);
   write_phases(report, xml, &lists);
   pm_report_timeline(report, xml);
   pm_report_sites_list(&lists.sites, xml);
   for (int k = 0; k < PM_CODE_KINDS; k++)
      pm_report_code_list(&lists.code[k], xml);
   write_diagnostics(report, xml);
   pm_xml_close(xml);
   bool written = pm_xml_end(xml);
   pm_report_sites_release(&lists.sites);
   for (int k = 0; k < PM_CODE_KINDS; k++)
      pm_report_code_release(&lists.code[k]);
   return memory && written;
}
