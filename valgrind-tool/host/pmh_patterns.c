/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_patterns.c: the phases that --phase-fn declares. */
#include "pmh_patterns.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

static struct pmh_phase_pattern *patterns;
static UInt pattern_count;

void pmh_patterns_begin(struct pmh_phase_pattern **out, UInt *count)
{
   pattern_count = pmh_options.phase_fn_count;
   patterns = VG_(calloc)("profmem.patterns", pattern_count + 1, sizeof *patterns);
   for (UInt p = 0; p < pattern_count; p++) {
      const HChar *argument = pmh_options.phase_fns[p];
      SizeT name_bytes;
      patterns[p].pattern = pmh_phase_fn_pattern(argument, &name_bytes);
      patterns[p].declared =
         pm_phase_table_declare(&pmh_phases, argument, name_bytes, PM_PHASE_FUNCTION);
      if (!patterns[p].declared) {
         VG_(umsg)("profmem: error: --phase-fn=%s: a phase's name has at most %d bytes of "
                   "UTF-8; give it one with --phase-fn=NAME=PATTERN\n",
                   argument, PM_PHASE_NAME_MAX);
         VG_(exit)(1);
      }
      if (patterns[p].declared->kind == PM_PHASE_PROCESS) {
         VG_(umsg)("profmem: error: --phase-fn=%s: the phase '%s' is the whole process\n",
                   argument, patterns[p].declared->phase.name);
         VG_(exit)(1);
      }
   }
   *out = patterns;
   *count = pattern_count;
}

void pmh_patterns_end(void)
{
   for (UInt p = 0; p < pattern_count; p++) {
      struct pm_declared *declared = patterns[p].declared;
      if (declared->phase.begun == 0)
         declared->trouble[PM_PHASE_NEVER_ENTERED] = 1;
   }
}

const HChar *pmh_pattern_trouble(const struct pm_declared *declared)
{
   Bool is_pattern = False, found = False;
   for (UInt p = 0; p < pattern_count; p++)
      if (patterns[p].declared == declared) {
         is_pattern = True;
         found = found || patterns[p].matches > 0;
      }
   if (!is_pattern || declared->phase.begun > 0)
      return NULL;
   return found ? "functions match the pattern, and none of them was called; the code may "
                  "have been inlined"
                : "no function matches the pattern; it may have been inlined everywhere";
}
