/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_output.h: files that commands write, besides the report of `profmem run`. */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include "cmd_command.h"

/* Are both names, of files that need not be there, those of the same file? */
bool cmd_is_same_file(const char *a, const char *b);

/* Would writing to `output` replace what is read from `input`? Never if that is "-". */
bool cmd_output_replaces(const char *output, const char *input);

/* Would what is written to the one replace what was written to the other? */
bool cmd_output_is_shared(const char *a, const char *b);

/* Give the file these bytes: all of them, or it stays as it was. Where it is the command's
   own standard output or another file that is open already, they follow what stands there;
   a pipe or a device gets them as they come. False: that failed, which was said. */
bool cmd_output_write(const struct cmd_streams *streams, const char *file, const char *text,
                      size_t bytes);

/* The same, or, if file is NULL, write them to the standard output, which main looks at when
   it closes it. */
enum cmd_status cmd_output_deliver(const struct cmd_streams *streams, const char *file,
                                   const char *text, size_t bytes);

#endif
