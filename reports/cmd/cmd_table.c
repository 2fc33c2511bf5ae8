/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_table.c: every subcommand, one row each. See cmd_command.h. */
#include "cmd_check.h"
#include "cmd_diff.h"
#include "cmd_export.h"
#include "cmd_help.h"
#include "cmd_html.h"
#include "cmd_run.h"
#include "cmd_show.h"
#include "cmd_validate.h"

const struct cmd_command cmd_table[] = {
   {
      .name = "run",
      .arguments = "[--] PROGRAM [ARGUMENT...]",
      .summary = "Run a program under the tool, so that the same report comes of every run",
      .details =
         "PROGRAM runs as it is, with this standard input, output and error, signals and exit\n"
         "status. Options behind it are its own. By default these are held fixed, and the\n"
         "report says of each whether that was possible:\n"
         "\n"
         "  environment      nothing of this one is passed on, except by the options for it;\n"
         "                   what it holds instead:\n"
         "                   PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"
         "                      the programs that it starts are the same ones\n"
         "                   HOME=/nonexistent\n"
         "                      no settings of whoever runs it\n"
         "                   LC_ALL=C.UTF-8\n"
         "                      no language, and text is UTF-8\n"
         "                   TZ=UTC0\n"
         "                      spelled so that no zone file is read\n"
         "                   LD_BIND_NOW=1\n"
         "                      symbols are bound before main, not inside of phases\n"
         "                   GLIBC_TUNABLES=glibc.malloc.arena_max=8\n"
         "                      arenas do not depend on the number of processors\n"
         "                   OMP_WAIT_POLICY=passive\n"
         "                      waiting threads sleep, they do not spin\n"
         "                   OMP_NUM_THREADS=4\n"
         "                      not the number of processors\n"
         "                   The last four are added to an inherited environment too, where\n"
         "                   they are not set.\n"
         "  processor        of the classes baseline, sse42, avx, avx2 the last one, for every\n"
         "                   libc and program; --cpu=CLASS shows another, --cpu=host this one's.\n"
         "                   One that this processor lacks is refused\n"
         "  random numbers   of the system and the processor; --fixed-random=SEED are others\n"
         "  initial stack    the size of arguments, environment and path together is rounded\n"
         "                   up to 4096 bytes by a variable without meaning, so that the stack\n"
         "                   starts at the same address\n"
         "  standard output  a terminal is replaced by a pipe, what comes out of it is shown\n"
         "  scheduling       one processor, with first-in first-out policy, which needs\n"
         "                   root or a limit of priorities (ulimit -r); otherwise batch policy.\n"
         "                   Processes that wait for each other in a loop without sleeping need\n"
         "                   --scheduling=batch; with host nothing of it is fixed\n"
         "  process numbers  start anew, in a pid namespace with a /proc of its own, which\n"
         "                   needs root. Processes outside of it cannot be seen; gdb and vgdb\n"
         "                   do not reach the program\n"
         "\n"
         "The report is written when the last process that PROGRAM started has ended, and\n"
         "replaces an older one. A pipe or a device as FILE is written to as it is.\n"
         "Where standard error is a terminal, of a program that lasts it is said now and\n"
         "then that it goes on; not with --quiet, nor with --tty.\n"
         "\n"
         "With --aa there are several runs, all the same, and the report of the first says of\n"
         "each number whether the others gave it too. The other runs' output is dropped,\n"
         "standard input is read again (a terminal: typed again); files that the program\n"
         "changes are not put back.\n"
         "\n"
         "With --limits or --limit PROGRAM's report, not those of its children, is held against\n"
         "limits (`profmem help check` says what they are), and with --baseline against an\n"
         "earlier report. Both are read before PROGRAM is started. The verdict is printed on\n"
         "standard error. --update-baseline makes the report the baseline, at once or not at\n"
         "all, if PROGRAM's status is 0 and the report reaches its end. As where snapshots are\n"
         "updated, that accepts whatever changed: the verdict on the old baseline is shown, but\n"
         "only bounds that are not on a baseline decide the exit status, and the baseline is\n"
         "replaced whatever they say.\n"
         "\n"
         "With --list there are several programs, run one after the other: a line each in FILE,\n"
         "NAME PROGRAM [ARGUMENT...], in words that are quoted as in a file of limits; # starts\n"
         "a comment. There is no shell, and standard input is empty. NAME.xml in the folder of\n"
         "-o is the report, which is held against the limits and against NAME.xml in the folder\n"
         "of --baseline; --limits may be a folder too, with a NAME.limits for each. At the end a\n"
         "row for each is printed on standard error. A program that fails is no reason not to\n"
         "run the others; a signal that asks programs to end is.\n"
         "\n"
         "Options with a value, from --phase-fn on, are handed on to the tool and to Valgrind;\n"
         "`valgrind --tool=profmem --help` says more about them. The tool is looked for\n"
         "where VALGRIND_LIB says, if that is set, beside this program, where it was to be\n"
         "installed, and among Valgrind's own tools.\n",
      .statuses = "  the program's own, or its signal; of a list, that of the first program which\n"
                  "  fails, 128 + N for signal N. With limits, where no program fails:\n"
                  "  0    all hold, or only warn\n"
                  "  1    one does not\n"
                  "  2    unlike runs, an invalid report, one of a program that turned into another\n"
                  "       one, or the baseline could not be updated\n"
                  "  Without a report:\n"
                  "  125  profmem or Valgrind could not do its part, or limits, a baseline or a\n"
                  "       list are wrong, and nothing was run\n"
                  "  126  PROGRAM cannot be executed\n"
                  "  127  PROGRAM is not found\n",
      .options = cmd_run_options,
      .stops_at_argument = true,
      .run = cmd_run,
   },
   {
      .name = "show",
      .arguments = "REPORT",
      .summary = "Show a report: phases, where their memory and instructions come from",
      .details = "REPORT is a file, or - for standard input.\n"
                 "\n"
                 "Shown are the phases as a tree and then, for the phase program, the sites\n"
                 "(call chains, innermost frame first), who resized or gave back the blocks of\n"
                 "which site, the functions and, if there are several, the threads with the\n"
                 "largest numbers; what is left over stands behind them. A report has source\n"
                 "lines, and who gave blocks back, if the tool was asked for them.\n"
                 "\n"
                 "Bars of sizes and lifetimes are to the fullest row. The timeline is of the whole\n"
                 "run, in at most 20 rows, of which each has the most that was live in it.\n"
                 "\n"
                 "With --metric the number stands alone on a line, without separators, for\n"
                 "scripts. `profmem help metrics` lists the names.\n"
                 "\n"
                 "On a terminal lines have its width, elsewhere they are as long as they need to\n"
                 "be; the environment's COLUMNS sets another width for both. Names that do not\n"
                 "fit lose their middle, numbers nothing. NO_COLOR turns color off.\n",
      .statuses = "  0  shown\n"
                  "  1  the report has no such phase, or the metric is unavailable or not listed\n"
                  "     there; the reason is on standard error\n"
                  "  2  usage (no metric has that name), or not a readable report\n",
      .options = cmd_show_options,
      .run = cmd_show,
   },
   {
      .name = "check",
      .arguments = "REPORT...",
      .summary = "Check that the numbers of reports are within limits",
      .details =
         "REPORT is a file, or - for standard input. Each is checked by itself; numbers of\n"
         "several are never added.\n"
         "\n"
         "A limit is a line: PHASE METRIC BOUND... [overlapping] [warn]. All bounds must hold:\n"
         "\n"
         "  <= 1MiB  >= 10k  = 0   the value is at most, at least, exactly that\n"
         "  +0  +64KiB  +0.5%      it is at most that much above the baseline's\n"
         "  max(+0.5%, +1000)      the same of whichever allows more\n"
         "  = baseline             it is the baseline's\n"
         "  <= baseline-5%         it is at most that; >= likewise\n"
         "\n"
         "* and ? in PHASE stand for any characters and for one; double quotes hold a name\n"
         "together; # starts a comment. Percentages are exact. With `warn` a limit that does\n"
         "not hold is no failure; `overlapping` accepts totals of a phase that overlapped\n"
         "with itself. A number that is missing, unavailable or not stable fails, and so does\n"
         "an error that the report tells of, a crash of the program among them, or an end\n"
         "of it that is not the baseline's. `profmem help metrics` lists the metrics.\n"
         "\n"
         "Runs that are not alike (program, arguments, inputs, options, Valgrind, platform,\n"
         "libc, processor) are not compared, unless --allow-unlike is given.\n",
      .statuses = "  0  all limits hold, or only warn\n"
                  "  1  one does not; the reason stands with it\n"
                  "  2  usage, wrong limits, not a readable report, or unlike runs\n",
      .options = cmd_check_options,
      .run = cmd_check,
   },
   {
      .name = "diff",
      .arguments = "OLD NEW",
      .summary = "Compare two reports: what changed, and which code accounts for it",
      .details = "OLD and NEW are files; one of them may be - for standard input.\n"
                 "\n"
                 "What differs in the runs stands first, then the phases, the one with the\n"
                 "largest change, for its size, first. Below a metric stand the sites, functions,\n"
                 "lines, pairs of sites, objects, threads and phases inside that account for\n"
                 "its change, largest first, those of each kind adding up to it. What was not\n"
                 "there before is new, of a number that was 0 the change is new, too.\n"
                 "\n"
                 "Sites are taken for the same by their chain of functions, whatever the lines;\n"
                 "functions by name and object. What has no partner then may be paired by\n"
                 "likeness (renamed, in another object, inlined): a guess, marked ~.\n"
                 "\n"
                 "Runs of other programs, arguments, inputs, options of the tool, on another\n"
                 "Valgrind, platform, libc or class of processor are unlike: their numbers\n"
                 "differ for reasons that are not in the code. They are refused unless\n"
                 "--allow-unlike is given.\n",
      .statuses = "  0  nothing differs but, perhaps, what is told of the runs\n"
                  "  1  a phase or a metric differs, shown or not\n"
                  "  2  usage, unlike runs, or one is not a readable report\n",
      .options = cmd_diff_options,
      .run = cmd_diff,
   },
   {
      .name = "export",
      .arguments = "REPORT",
      .summary = "Write a report in the format of another program",
      .details = "REPORT is a file, or - for standard input. Formats:\n"
                 "\n"
                 "  json              every value, for programs; numbers also as text\n"
                 "  csv               a line for each metric of each phase\n"
                 "  openmetrics       text that Prometheus and its relatives read\n"
                 "  bencher           Bencher Metric Format, for bencher.dev\n"
                 "  benchmark-action  customSmallerIsBetter of github-action-benchmark\n"
                 "  folded            a line for each call stack, for flame graphs\n"
                 "  speedscope        a profile for each metric of each phase, for speedscope.app\n"
                 "  callgrind         instructions of functions and lines, for KCachegrind\n"
                 "  massif            the timeline, and who had what at the peak, for ms_print\n"
                 "  dhat              who obtained memory, kept it, and had it at the peak, for dh_view\n"
                 "  pprof             a sample type for each metric, for pprof\n"
                 "\n"
                 "An unavailable metric is null with its reason, or where a format has no null,\n"
                 "left out; it is never 0. bencher and benchmark-action have a few metrics only,\n"
                 "unless others are named; what they leave out is said on standard error.\n"
                 "\n"
                 "From folded on they are pictures: of heap.peak in the phase program, unless others\n"
                 "are named. The numbers of a picture add up to the metric exactly; what the report\n"
                 "does not list singly is (others). Metrics are those that the report splits by\n"
                 "call chains or functions; instructions are a function's own, below its object.\n",
      .statuses = "  0  written\n"
                  "  1  the report has no such phase, or lacks what the picture is made of\n"
                  "  2  usage, or not a readable report, or the output cannot be written\n",
      .options = cmd_export_options,
      .run = cmd_export,
   },
   {
      .name = "html",
      .arguments = "REPORT [BASELINE]",
      .summary = "Write a report as a page for a browser, alone or beside its baseline",
      .details = "REPORT and BASELINE are files; one of them may be - for standard input.\n"
                 "\n"
                 "The page is one file, which loads nothing from anywhere and can be handed on.\n"
                 "Its tables are there without scripts; with them every phase, site and function\n"
                 "of the report can be looked at and searched for.\n"
                 "\n"
                 "With a baseline each number stands beside the one that it was before; what\n"
                 "accounts for the changes stands first, as `profmem diff` tells it. Unlike runs\n"
                 "are refused as there, unless --allow-unlike is given.\n"
                 "\n"
                 "If there are more phases than --phases, the ones with the most instructions\n"
                 "have tables; with a baseline, the ones that changed most.\n",
      .statuses = "  0  written\n"
                  "  2  usage, unlike runs, not a readable report, or the output cannot be written\n",
      .options = cmd_html_options,
      .run = cmd_html,
   },
   {
      .name = "validate",
      .arguments = "REPORT...",
      .summary = "Check reports against the schema and the identities between metrics",
      .details = "REPORT is a file, or - for standard input. A line per report that is valid, a\n"
                 "line per violation otherwise. Of several violations of the schema only the\n"
                 "first is named.\n",
      .statuses = "  0  all are valid\n"
                  "  1  one breaks the schema or an identity\n"
                  "  2  usage, or one is not a readable profmem report\n",
      .options = cmd_validate_options,
      .run = cmd_validate,
   },
   {
      .name = "help",
      .arguments = "[COMMAND|metrics|METRIC|classes]",
      .summary = "Show the help of a command, what each metric means, or a class of instructions",
      .details = "`metrics` are the names for --metric and what each counts, METRIC is one of them;\n"
                 "`classes` are the kinds of instructions that instructions.vector and its like\n"
                 "count.\n",
      .statuses = "  0  shown\n"
                  "  2  usage\n",
      .options = cmd_help_options,
      .run = cmd_help,
   },
   {.name = NULL},
};
