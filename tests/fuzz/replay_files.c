/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_files.c: run a fuzz target over every file of some folders.
 *
 * PM_FOLDERS, from the build, names them, apart by blanks, in the source tree.
 * Output is TAP, one test a file; an input that fails ends the program by its
 * abort, and the plan, which comes first, tells how many are missing. For inputs
 * that are text themselves; replay.c is for others.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

/* One file's name, and whether it was run. */
struct input {
   char *path;
   struct input *next;
};

static int is_no_dot_file(const struct dirent *entry)
{
   return entry->d_name[0] != '.';
}

/* Append the folder's files, in the order of their names; returns the new end. */
static struct input **list_folder(const char *folder, struct input **end, int *count)
{
   struct dirent **entries = NULL;
   int found = scandir(folder, &entries, is_no_dot_file, alphasort);
   if (found < 0) {
      perror(folder);
      exit(2);
   }
   for (int i = 0; i < found; i++) {
      struct input *input = calloc(1, sizeof *input);
      if (!input || asprintf(&input->path, "%s/%s", folder, entries[i]->d_name) < 0)
         exit(2);
      *end = input;
      end = &input->next;
      free(entries[i]);
   }
   free(entries);
   *count += found;
   return end;
}

/* The bytes get memory of exactly their size, so that AddressSanitizer sees the
   first one too many. */
static bool run_file(const char *path)
{
   struct stat status;
   FILE *in = fopen(path, "r");
   bool ok = in && fstat(fileno(in), &status) == 0;
   if (ok) {
      size_t count = (size_t)status.st_size;
      uint8_t *bytes = malloc(count + (count == 0));
      ok = bytes && fread(bytes, 1, count, in) == count;
      if (ok)
         LLVMFuzzerTestOneInput(bytes, count);
      free(bytes);
   }
   if (in)
      fclose(in);
   return ok;
}

int main(void)
{
   char folders[] = PM_FOLDERS;
   const char *top = getenv("abs_top_srcdir");
   struct input *inputs = NULL, **end = &inputs;
   int count = 0, number = 0, failed = 0;
   for (char *folder = strtok(folders, " "); folder; folder = strtok(NULL, " ")) {
      char *path;
      if (asprintf(&path, "%s/%s", top ? top : ".", folder) < 0)
         return 2;
      end = list_folder(path, end, &count);
      free(path);
   }
   printf("1..%d\n", count);
   while (inputs) {
      struct input *input = inputs;
      const char *name = strrchr(input->path, '/') + 1;
      fflush(stdout); /* the next input may be the last one */
      bool ok = run_file(input->path);
      printf("%sok %d - %s%s\n", ok ? "" : "not ", ++number, name, ok ? "" : ": cannot be read");
      failed += !ok;
      inputs = input->next;
      free(input->path);
      free(input);
   }
   return failed > 0 || count == 0;
}
