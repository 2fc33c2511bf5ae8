/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_validate.c: `profmem validate`: is a report what it says it is? */
#include "cmd_validate.h"

#include "cmd_input.h"
#include "pr_identities.h"
#include "pr_text.h"

const struct poptOption cmd_validate_options[] = {
   CMD_OPTIONS_COMMON,
};

/* Load, schema and identities of one report; what is wrong with a report that
   was read is a result, why one was not read is trouble. */
static enum cmd_status validate(const struct cmd_streams *streams, struct pr_schema *schema,
                                const char *file)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   const char *shown = file[0] == '-' && !file[1] ? "standard input" : file;
   struct pr_schema_check *check = pr_schema_check_new(schema, shown, &diagnostics);
   struct pr_report *report = NULL;
   if (check)
      report = cmd_load(streams, file, check, &diagnostics);
   else
      pr_diagnostics_add(&diagnostics, shown, 0, "no memory left");
   enum cmd_status status = CMD_TROUBLE;
   if (report) {
      bool identities_hold = pr_identities_check(report, &diagnostics);
      status = identities_hold && pr_schema_check_passed(check) ? CMD_YES : CMD_NO;
   }
   if (status == CMD_YES) {
      pr_text_puts(streams->out, shown);
      fputs(": valid\n", streams->out);
   } else if (status == CMD_NO) {
      cmd_print_diagnostics(&diagnostics, "", streams->out);
   } else {
      /* The last says why it is no report; the schema has no say in others. */
      cmd_print_last_diagnostic(&diagnostics, "profmem: error: ", streams->err);
   }
   pr_report_free(report);
   pr_schema_check_free(check);
   pr_diagnostics_release(&diagnostics);
   return status;
}

enum cmd_status cmd_validate(struct cmd_invocation *invocation)
{
   char *argument;
   enum cmd_status worst = CMD_YES;
   if (cmd_next_option(invocation, &argument, &worst) != CMD_OPTIONS_END)
      return worst;
   if (!poptPeekArg(invocation->parser))
      return cmd_usage_error(invocation, "validate takes one report or more");
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   struct pr_schema *schema = pr_schema_new(&diagnostics);
   if (!schema) {
      cmd_print_diagnostics(&diagnostics, "profmem: error: ", invocation->streams.err);
      worst = CMD_TROUBLE;
   }
   for (const char *file; schema && (file = poptGetArg(invocation->parser)) != NULL;) {
      enum cmd_status status = validate(&invocation->streams, schema, file);
      if (status > worst)
         worst = status;
   }
   pr_schema_free(schema);
   pr_diagnostics_release(&diagnostics);
   return worst;
}
