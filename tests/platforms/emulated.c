/* SPDX-License-Identifier: GPL-2.0-or-later */
/* emulated.c: start programs of another machine by qemu's user emulation.
 *
 *    BIN/emulated PROGRAM ARGUMENTS...
 *    BIN/valgrind OPTIONS... PROGRAM ARGUMENTS...
 *
 * Under its second name it is what Valgrind's launcher is, which cannot be used: that would be
 * an emulated program that executes another one, and the kernel of this machine executes no
 * programs of the other. It starts the tool for EMULATED_PLATFORM that --tool names, found in
 * the folder VALGRIND_LIB or without it in EMULATED_LIB, and names itself as the launcher, so
 * that --trace-children leads here again, and from here to the emulator.
 *
 * EMULATED_BY, words separated by bars, is the emulator with its own options. LD_PRELOAD and
 * LD_LIBRARY_PATH are for the emulated program alone: the emulator would look for such
 * libraries of this machine. This program is static, so that they mean nothing to it. What it
 * needs to know stands in the binary, not in the environment, which is the program's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 32 /* of the emulator and its options */

/* How an emulator puts a variable in the environment of its program. */
static const char *const for_program[] = {"LD_PRELOAD", "LD_LIBRARY_PATH"};

static void fail(const char *what, const char *name)
{
   fprintf(stderr, "emulated: error: %s %s: %s\n", what, name, strerror(errno));
   exit(127);
}

/* LIB/TOOL-PLATFORM, as the arguments name the tool. */
static char *tool_of(char **arguments)
{
   const char *folder = getenv("VALGRIND_LIB"), *tool = "memcheck";
   for (char **argument = arguments; *argument != NULL && (*argument)[0] == '-'; argument++)
      if (strncmp(*argument, "--tool=", 7) == 0)
         tool = *argument + 7;
   char *path;
   if (folder == NULL)
      folder = EMULATED_LIB;
   if (asprintf(&path, "%s/%s-" EMULATED_PLATFORM, folder, tool) < 0)
      fail("cannot start", tool);
   return path;
}

/* The path of this program; the emulator sees to it that it is the launcher's, too. */
static void name_launcher(void)
{
   static char path[4096];
   ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
   if (length <= 0 || setenv("VALGRIND_LAUNCHER", path, 1) != 0)
      fail("cannot name", "the launcher");
}

int main(int argc, char **argv)
{
   const char *name = strrchr(argv[0], '/');
   int is_launcher = strcmp(name != NULL ? name + 1 : argv[0], "valgrind") == 0;
   static char emulator[] = EMULATED_BY;
   char *handed_on[2], **command = malloc((WORDS_MAX + (size_t)argc + 8) * sizeof *command);
   int count = 0;

   for (char *word = strtok(emulator, "|"); word != NULL && count < WORDS_MAX;
        word = strtok(NULL, "|"))
      command[count++] = word;
   for (size_t i = 0; i < sizeof for_program / sizeof for_program[0]; i++) {
      const char *value = getenv(for_program[i]);
      if (value == NULL)
         continue;
      command[count++] = "-E";
      if (asprintf(&handed_on[i], "%s=%s", for_program[i], value) < 0)
         fail("cannot hand on", for_program[i]);
      command[count++] = handed_on[i];
      unsetenv(for_program[i]);
   }
   if (is_launcher) {
      name_launcher();
      command[count++] = tool_of(argv + 1);
   }
   for (int i = 1; i <= argc; i++)
      command[count++] = argv[i]; /* the last one is NULL */
   execvp(command[0], command);
   fail("cannot run", command[0]);
}
