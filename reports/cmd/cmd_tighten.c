/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_tighten.c: write the numbers that hold into files of limits. See the header.
 *
 * Whoever reads sees the old file or the new one (run_copy.h), and an interruption leaves
 * the old one. A file that is no longer what was checked is left alone: someone is at work
 * on it.
 */
#include "cmd_tighten.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd_output.h"
#include "pr_limits_tighten.h"
#include "pr_text.h"
#include "run_copy.h"

/* Is it a file whose content is still what the limits were read from? A pipe is none, and
   reading it again would wait for ever. */
static bool is_unchanged(const char *path, const struct pr_limits_source *source)
{
   struct stat status;
   FILE *in = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
   if (!in)
      return false;
   bool same = true;
   for (size_t i = 0; same && i <= source->bytes; i++)
      same = getc(in) == (i < source->bytes ? (unsigned char)source->text[i] : EOF);
   fclose(in);
   return same;
}

static bool tighten_file(const struct cmd_streams *streams, const struct pr_verdict *verdict,
                         size_t index)
{
   const struct pr_limits_source *source = &verdict->limits->sources[index];
   char *text = NULL;
   size_t bytes = 0, changed = 0;
   FILE *out = open_memstream(&text, &bytes);
   bool ok = out;
   if (out) {
      changed = pr_limits_tighten(verdict, index, out);
      ok = !ferror(out);
      ok = fclose(out) == 0 && ok;
   }
   char *path = ok && changed ? realpath(source->name, NULL) : NULL;
   if (!ok) {
      cmd_trouble(streams->err, "no memory left");
   } else if (changed && (!path || !is_unchanged(path, source))) {
      cmd_trouble(streams->err, "%s: not tightened: it is no longer what was read",
                  source->name);
      ok = false;
   } else if (changed && !run_write_over(text, bytes, path)) {
      cmd_trouble(streams->err, "%s: cannot be tightened: %s", source->name, strerror(errno));
      ok = false;
   } else {
      pr_text_puts(streams->err, source->name);
      fprintf(streams->err, ": %zu number%s tightened\n", changed, changed == 1 ? "" : "s");
   }
   free(path);
   free(text);
   return ok;
}

/* Was the file given before, under whatever name? */
static bool is_repeated(const struct pr_limits *limits, size_t index)
{
   for (size_t s = 0; s < index; s++)
      if (limits->sources[s].is_file
          && cmd_is_same_file(limits->sources[s].name, limits->sources[index].name))
         return true;
   return false;
}

/* Of a run that failed: the next one could not keep to its numbers. */
static bool has_errors(const struct pr_verdict *verdict)
{
   for (size_t r = 0; r < verdict->report_count; r++)
      for (size_t o = 0; o < verdict->reports[r].outcome_count; o++)
         if (!verdict->reports[r].outcomes[o].limit
             && verdict->reports[r].outcomes[o].result == PR_FAILS)
            return true;
   return false;
}

bool cmd_tighten(const struct cmd_streams *streams, const struct pr_verdict *verdict)
{
   bool ok = true;
   if (verdict->troubled || has_errors(verdict)) {
      fprintf(streams->err, "no limit is tightened: a report %s\n",
              verdict->troubled ? "could not be checked" : "tells of errors");
      return true;
   }
   for (size_t s = 0; s < verdict->limits->source_count; s++)
      if (verdict->limits->sources[s].is_file && !is_repeated(verdict->limits, s))
         ok = tighten_file(streams, verdict, s) && ok;
   return ok;
}
