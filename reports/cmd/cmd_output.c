/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_output.c: files that commands write. See cmd_output.h.
 *
 * A file that is read by another program, perhaps by the next step of a build, is replaced
 * as a whole (run_copy.h): a full disk or an interruption leaves the old one, never a part.
 * In a folder that takes no new file, as where a single file is mounted into a container,
 * it is written in place: better than not at all.
 */
#include "cmd_output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pr_text.h"
#include "run_copy.h"

static bool is_same(const struct stat *a, const struct stat *b)
{
   return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool cmd_is_same_file(const char *a, const char *b)
{
   struct stat first, other;
   bool has_first = stat(a, &first) == 0, has_other = stat(b, &other) == 0;
   if (has_first && has_other)
      return is_same(&first, &other);
   return has_first == has_other && strcmp(a, b) == 0;
}

bool cmd_output_replaces(const char *output, const char *input)
{
   struct stat there;
   return strcmp(input, "-") != 0 && stat(output, &there) == 0 && S_ISREG(there.st_mode)
          && cmd_is_same_file(output, input);
}

/* Pipes and devices take what comes, one after the other. */
bool cmd_output_is_shared(const char *a, const char *b)
{
   struct stat there;
   bool is_replaced = stat(a, &there) != 0 || S_ISREG(there.st_mode);
   return is_replaced && cmd_is_same_file(a, b);
}

/* Formats for other programs have names as the report has them. A terminal would obey what is
   in them, so people see them written out, as in all that is meant for people. */
static bool put(const char *text, size_t bytes, FILE *out)
{
   int descriptor = fileno(out);
   if (descriptor < 0 || !isatty(descriptor))
      return fwrite(text, 1, bytes, out) == bytes;
   for (const char *end = text + bytes; text < end; text++) {
      const char *newline = memchr(text, '\n', (size_t)(end - text));
      pr_text_write(out, text, (size_t)((newline ? newline : end) - text));
      if (!newline)
         break;
      putc('\n', out);
      text = newline;
   }
   return !ferror(out);
}

/* `mode` is that of fopen. False: errno says why. */
static bool write_in_place(const char *file, const char *mode, const char *text, size_t bytes)
{
   FILE *out = fopen(file, mode);
   if (!out)
      return false;
   bool ok = put(text, bytes, out);
   int reason = errno;
   if (fclose(out) != 0 && ok) {
      reason = errno;
      ok = false;
   }
   errno = reason;
   return ok;
}

/* Was it the folder that could not be written to, rather than the file? */
static bool is_of_folder(int reason)
{
   return reason == EACCES || reason == EPERM || reason == EROFS || reason == EBUSY;
}

bool cmd_output_write(const struct cmd_streams *streams, const char *file, const char *text,
                      size_t bytes)
{
   struct stat there, own;
   bool exists = stat(file, &there) == 0, ok;
   int descriptor = fileno(streams->out);
   /* Replaced, it would be another file than the one that the rest of the output is in. */
   if (exists && descriptor >= 0 && fstat(descriptor, &own) == 0 && is_same(&there, &own)) {
      put(text, bytes, streams->out);
      return true; /* main looks at the stream when it closes it */
   }
   if (run_is_open_already(file) || (exists && !S_ISREG(there.st_mode)))
      ok = write_in_place(file, "ae", text, bytes);
   else
      ok = run_write_over(text, bytes, file)
           || (exists && is_of_folder(errno) && write_in_place(file, "we", text, bytes));
   if (!ok)
      cmd_trouble(streams->err, "%s: cannot be written: %s", file, strerror(errno));
   return ok;
}

enum cmd_status cmd_output_deliver(const struct cmd_streams *streams, const char *file,
                                   const char *text, size_t bytes)
{
   if (file)
      return cmd_output_write(streams, file, text, bytes) ? CMD_YES : CMD_TROUBLE;
   put(text, bytes, streams->out);
   return CMD_YES;
}
