/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_verdict.c: the formats of a verdict, and where it goes. See cmd_verdict.h. */
#include "cmd_verdict.h"

#include <stdlib.h>
#include <string.h>

#include "cmd_output.h"
#include "cmd_terminal.h"
#include "pr_nearest.h"
#include "pr_piece.h"
#include "pr_text.h"

const struct cmd_verdict_format cmd_verdict_formats[] = {
   {"text", pr_verdict_text},
   {"markdown", pr_verdict_markdown},
   {"junit", pr_verdict_junit},
   {"github", pr_verdict_annotations},
   {NULL, NULL},
};

const struct cmd_verdict_format *cmd_verdict_format(const struct cmd_invocation *invocation,
                                                    const char *option, const char *name)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, name);
   for (const struct cmd_verdict_format *format = cmd_verdict_formats; format->name; format++) {
      if (strcmp(format->name, name) == 0)
         return format;
      pr_nearest_offer(&nearest, format->name);
   }
   if (nearest.name)
      cmd_usage_error(invocation, "%s: no format '%s'; did you mean '%s'?", option, name,
                      nearest.name);
   else
      cmd_usage_error(invocation, "%s: no format '%s'", option, name);
   return NULL;
}

bool cmd_verdict_output(const struct cmd_invocation *invocation, const char *option,
                        char *argument, struct cmd_verdict_output *output)
{
   char *equals = strchr(argument, '=');
   if (!equals || !equals[1]) {
      cmd_usage_error(invocation, "%s: '%s' is not FORMAT=FILE", option, argument);
      return false;
   }
   *equals = '\0';
   output->format = cmd_verdict_format(invocation, option, argument);
   output->file = equals + 1;
   return output->format;
}

bool cmd_verdict_print(const struct cmd_streams *streams, const struct pr_verdict *verdict,
                       const struct cmd_verdict_format *format, FILE *out)
{
   const struct pr_style style = cmd_terminal_style(out);
   if (format->render(verdict, &style, out))
      return true;
   cmd_trouble(streams->err, "no memory left");
   return false;
}

bool cmd_verdict_write(const struct cmd_streams *streams, const struct pr_verdict *verdict,
                       const struct cmd_verdict_output *output)
{
   struct pr_piece piece;
   FILE *into = pr_piece_open(&piece);
   bool ok = into && cmd_verdict_print(streams, verdict, output->format, into);
   const char *text = pr_piece_text(&piece);
   if (!into || !text)
      cmd_trouble(streams->err, "no memory left");
   ok = ok && text && cmd_output_write(streams, output->file, text, strlen(text));
   pr_piece_release(&piece);
   return ok;
}

enum cmd_status cmd_verdict_status(const struct cmd_streams *streams,
                                   const struct pr_verdict *verdict)
{
   for (size_t r = 0; r < verdict->report_count; r++) {
      const struct pr_checked_report *report = &verdict->reports[r];
      for (size_t t = 0; t < report->trouble_count; t++)
         cmd_trouble(streams->err, "%s", report->troubles[t]);
   }
   return verdict->troubled ? CMD_TROUBLE : verdict->failing ? CMD_NO : CMD_YES;
}

bool cmd_verdict_add_troubles(struct pr_verdict *verdict, const char *name,
                              const struct pr_diagnostics *diagnostics)
{
   bool ok = pr_verdict_add_report(verdict, name, NULL);
   for (size_t d = 0; ok && d < diagnostics->count; d++) {
      const struct pr_diagnostic *item = &diagnostics->items[d];
      char *text = NULL;
      int bytes = item->line ? asprintf(&text, "%s:%lu: %s", item->file, item->line, item->reason)
                             : asprintf(&text, "%s: %s", item->file, item->reason);
      ok = bytes >= 0 && pr_verdict_add_trouble(verdict, text);
      if (bytes >= 0)
         free(text);
   }
   /* Diagnostics are lost for lack of memory or because there are too many. */
   return ok && diagnostics->count > 0;
}
