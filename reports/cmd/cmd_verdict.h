/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_verdict.h: what commands that check reports share: the formats of a verdict, and
 * where it goes. */
#ifndef CMD_VERDICT_H
#define CMD_VERDICT_H

#include "cmd_command.h"
#include "pr_verdict.h"

struct cmd_verdict_format {
   const char *name;
   pr_verdict_renderer *render;
};

/* All of them; the first is the default, the last has no name. */
extern const struct cmd_verdict_format cmd_verdict_formats[];

/* NULL: there is none of that name, which was said as wrong usage of `option`. */
const struct cmd_verdict_format *cmd_verdict_format(const struct cmd_invocation *invocation,
                                                    const char *option, const char *name);

/* A file that a verdict is written to. */
struct cmd_verdict_output {
   const struct cmd_verdict_format *format;
   const char *file;
};

/* From "FORMAT=FILE", into which it points. False: it is not that, which was said. */
bool cmd_verdict_output(const struct cmd_invocation *invocation, const char *option,
                        char *argument, struct cmd_verdict_output *output);

/* Write a verdict to a file, or to a stream. False: that failed, which was said. */
bool cmd_verdict_write(const struct cmd_streams *streams, const struct pr_verdict *verdict,
                       const struct cmd_verdict_output *output);
bool cmd_verdict_print(const struct cmd_streams *streams, const struct pr_verdict *verdict,
                       const struct cmd_verdict_format *format, FILE *out);

/* Say why reports could not be checked, and tell the verdict's status. */
enum cmd_status cmd_verdict_status(const struct cmd_streams *streams,
                                   const struct pr_verdict *verdict);

/* Add a report that could not be loaded, or whose baseline could not. False: no memory left. */
bool cmd_verdict_add_troubles(struct pr_verdict *verdict, const char *name,
                              const struct pr_diagnostics *diagnostics);

#endif
