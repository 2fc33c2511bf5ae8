/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_monitor.c: one table of monitor commands. */
#include "pmh_monitor.h"
#include "pmh_measure.h"
#include "pmh_report.h"
#include "pub_tool_gdbserver.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pm_text.h"

/* A command: words of its own, then an argument that is the rest of the line. */
struct command {
   const HChar *words;
   const HChar *argument; /* its name in the help; NULL: it takes none */
   const HChar *help;
   void (*run)(const HChar *argument);
};

static void phase_begin(const HChar *name)
{
   struct pm_declared *declared =
      pm_phase_table_declare(&pmh_phases, name, VG_(strlen)(name), PM_PHASE_MONITOR);
   struct pm_phase_caller caller = pmh_monitor_caller();
   if (!declared)
      VG_(gdb_printf)("not a phase's name: at most %d bytes of UTF-8\n", PM_PHASE_NAME_MAX);
   else if (pm_phase_table_begin(&pmh_phases, declared, &caller))
      VG_(gdb_printf)("phase '%s' has begun\n", name);
   else
      VG_(gdb_printf)("phase '%s' is open already\n", name);
}

static void phase_end(const HChar *name)
{
   struct pm_declared *declared = pm_phase_table_find(&pmh_phases, name, VG_(strlen)(name));
   struct pm_phase_caller caller = pmh_monitor_caller();
   if (declared && pm_phase_table_end(&pmh_phases, declared, &caller, true))
      VG_(gdb_printf)("phase '%s' has ended\n", name);
   else
      VG_(gdb_printf)("phase '%s' is not open, or open on several threads\n", name);
}

static void phases(const HChar *unused)
{
   pmh_sync();
   for (UInt d = 0; d < pmh_phases.count; d++) {
      const struct pm_phase *phase = &pmh_phases.declared[d]->phase;
      VG_(gdb_printf)("%s: %u open, %llu ended\n", phase->name,
                      pm_phases_open_of(&pmh_heap.phases, phase), (ULong)phase->instances);
   }
}

static void snapshot(const HChar *file)
{
   if (pmh_snapshot(file))
      VG_(gdb_printf)("report so far in '%s'\n", file);
   else
      VG_(gdb_printf)("no report in '%s'\n", file); /* why has been said */
}

static void help(const HChar *unused);

static const struct command table[] = {
   {"help", NULL, "this list", help},
   {"phase begin", "NAME", "begin a phase", phase_begin},
   {"phase end", "NAME", "end a phase", phase_end},
   {"phases", NULL, "the phases so far", phases},
   {"snapshot", "FILE", "write a report so far, marked as unfinished", snapshot},
};

enum { COMMANDS = sizeof table / sizeof *table };

static void help(const HChar *unused)
{
   VG_(gdb_printf)("profmem monitor commands:\n");
   for (UInt c = 1; c < COMMANDS; c++)
      VG_(gdb_printf)("  %s%s%s\n        %s\n", table[c].words, table[c].argument ? " " : "",
                      table[c].argument ? table[c].argument : "", table[c].help);
}

Bool pmh_monitor(const HChar *line)
{
   for (UInt c = 0; c < COMMANDS; c++) {
      const struct command *command = &table[c];
      SizeT length = VG_(strlen)(command->words);
      if (VG_(strncmp)(line, command->words, length) != 0)
         continue;
      const HChar *argument = line + length;
      if (*argument != ' ' && *argument != '\0')
         continue;
      while (*argument == ' ')
         argument++;
      if (command->argument && *argument == '\0')
         VG_(gdb_printf)("%s needs %s\n", command->words, command->argument);
      else if (!command->argument && *argument != '\0' && command->run != help)
         VG_(gdb_printf)("%s needs nothing\n", command->words);
      else
         command->run(argument);
      /* The core has a help of its own, which is to follow. */
      return command->run != help;
   }
   return False;
}
