/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_run_list.c: `profmem run --list`. See cmd_run_list.h.
 *
 * The list, the limits and the baselines of all programs are read before the first one is
 * started. What then happens to one program is no reason not to run the others.
 */
#include "cmd_run_list.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd_output.h"
#include "cmd_terminal.h"
#include "pr_table.h"
#include "pr_text.h"
#include "run_listed.h"
#include "run_relay.h"
#include "run_session.h"

/* One program, and what became of it. */
struct row {
   const struct run_listed *listed;
   const char *report; /* path of its report */
   struct cmd_gate gate;
   bool was_run;            /* or profmem tried to */
   bool has_ended;
   int status;              /* as wait(2) has it; valid if has_ended */
   int trouble;             /* profmem's status for its own; 0: none */
   enum cmd_status verdict; /* valid without trouble */
};

struct use {
   const struct cmd_run_list *list;
   const struct cmd_streams *streams;
   struct run_listing listing;
   struct row *rows; /* one for each listed program */
   int interrupted;  /* the signal that ended the list; 0: none did */
   sigset_t mask;    /* which signals were blocked before */
};

/* Before ---------------------------------------------------------------------------- */

/* False: it cannot be read, which was said. */
static bool read_list(struct use *use)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   const char *file = use->list->file;
   FILE *in = fopen(file, "re");
   bool ok = in;
   if (in) {
      ok = run_listing_read(&use->listing, in, file, &diagnostics);
      fclose(in);
   } else {
      pr_diagnostics_add(&diagnostics, file, 0, "cannot be opened: %s", strerror(errno));
   }
   if (!ok)
      cmd_print_diagnostics(&diagnostics, "profmem: error: ", use->streams->err);
   pr_diagnostics_release(&diagnostics);
   return ok;
}

static bool make_folder(const struct use *use, const char *folder)
{
   struct stat there;
   if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &there) == 0
                                    && S_ISDIR(there.st_mode)))
      return true;
   cmd_trouble(use->streams->err, "cannot make the folder '%s': %s", folder,
               strerror(errno == EEXIST ? ENOTDIR : errno));
   return false;
}

static bool init_rows(struct use *use)
{
   struct pr_arena *arena = &use->listing.arena;
   use->rows = pr_arena_alloc(arena, use->listing.count * sizeof *use->rows);
   bool ok = use->rows;
   for (size_t i = 0; use->rows && i < use->listing.count; i++) {
      struct row *row = &use->rows[i];
      row->listed = &use->listing.items[i];
      row->report = run_text(arena, "%s/%s.xml", use->list->folder, row->listed->name);
      if (!row->report) {
         /* The others' gates are released, too. */
         use->listing.count = i;
         return cmd_trouble(use->streams->err, "no memory left") == CMD_YES;
      }
      ok = cmd_gate_init(&row->gate, use->list->gate, row->listed->name, row->report,
                         use->streams)
           && cmd_gate_spares(row->report, row->listed->command[0],
                              &use->list->request->inputs, use->streams)
           && ok;
      if (cmd_output_replaces(row->report, use->list->file)) {
         cmd_trouble(use->streams->err, "%s: the report would replace the list", row->report);
         ok = false;
      }
   }
   return ok;
}

/* Programs inherit it. */
static bool empty_input(const struct use *use)
{
   int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
   bool ok = nothing >= 0 && dup2(nothing, STDIN_FILENO) == STDIN_FILENO;
   if (!ok)
      cmd_trouble(use->streams->err, "cannot open /dev/null: %s", strerror(errno));
   if (nothing > STDIN_FILENO)
      close(nothing);
   return ok;
}

static bool prepare(struct use *use)
{
   return read_list(use) && init_rows(use) && make_folder(use, use->list->folder)
          && (!use->list->gate->updates || make_folder(use, use->list->gate->baseline))
          && empty_input(use);
}

/* The runs -------------------------------------------------------------------------- */

/* A signal that came while all are blocked, and asks programs to end; 0: none. */
static int pending_end(void)
{
   static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
   sigset_t pending;
   sigpending(&pending);
   for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
      if (sigismember(&pending, ends[e]))
         return ends[e];
   return 0;
}

static void announce(const struct use *use, size_t index)
{
   if (use->list->is_quiet)
      return;
   fputs("profmem: ", use->streams->err);
   pr_text_puts(use->streams->err, use->rows[index].listed->name);
   fprintf(use->streams->err, " (%zu of %zu)\n", index + 1, use->listing.count);
}

static bool has_succeeded(const struct row *row)
{
   return row->has_ended && WIFEXITED(row->status) && WEXITSTATUS(row->status) == 0;
}

static void run_row(struct use *use, struct row *row)
{
   struct run_request *request = use->list->request;
   FILE *err = use->streams->err;
   struct run_error error = {.text = NULL};
   struct run_result result;
   request->command = row->listed->command;
   request->report = row->report;
   bool ok = run_session(request, use->list->is_quiet ? NULL : err, &result, &error);
   row->was_run = true;
   row->has_ended = result.has_ended;
   row->status = result.status;
   if (!ok) {
      cmd_trouble(err, "%s", error.text ? error.text : "no memory left");
      row->trouble = error.status;
   } else {
      row->verdict = cmd_gate_judge(&row->gate, use->streams, result.report, has_succeeded(row));
   }
   if (result.report)
      fclose(result.report);
   run_error_release(&error);
   int end = pending_end();
   use->mask = result.mask;
   use->interrupted = end ? end : result.interrupted;
   if (!use->interrupted)
      sigprocmask(SIG_SETMASK, &use->mask, NULL);
}

/* Verdict --------------------------------------------------------------------------- */

static const char *row_word(const struct row *row)
{
   if (!row->was_run)
      return "not run";
   if (row->trouble || !has_succeeded(row))
      return "FAIL";
   if (row->verdict == CMD_TROUBLE)
      return "not checked";
   return pr_result_word(row->verdict == CMD_NO          ? PR_FAILS
                         : row->gate.verdict.warning > 0 ? PR_WARNS
                                                         : PR_HOLDS);
}

static void add_end(struct pr_table *table, const struct row *row)
{
   if (row->trouble || !row->has_ended)
      pr_table_add(table, row->was_run ? "no report" : NULL);
   else if (WIFSIGNALED(row->status))
      pr_table_addf(table, "signal %d", WTERMSIG(row->status));
   else
      pr_table_addf(table, "status %d", WEXITSTATUS(row->status));
}

static void add_number(struct pr_table *table, const struct row *row,
                       const struct cmd_gate_number *number)
{
   char text[PR_NUMBER_TEXT_BYTES];
   if (!row->was_run || row->trouble)
      pr_table_add(table, NULL);
   else
      pr_table_add(table, number->is_available ? pr_number_format(text, number->number)
                                               : "unavailable");
}

static void add_counts(struct pr_table *table, const struct row *row)
{
   const struct pr_verdict *verdict = &row->gate.verdict;
   bool is_checked = verdict->report_count > 0 && !verdict->troubled;
   const size_t counts[] = {verdict->outcome_count, verdict->failing, verdict->warning};
   for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      if (is_checked)
         pr_table_addf(table, "%zu", counts[c]);
      else
         pr_table_add(table, NULL);
}

/* A row each; nothing of them is added. */
static bool print_rows(const struct use *use)
{
   static const char *const titles[] = {"",         "program",   "ended",
                                        "checks",   "failing",   "warnings",
                                        "heap.peak", "instructions.total"};
   struct pr_table table;
   pr_table_init(&table, "lllrrrrr");
   table.label = 1;
   table.emphasis = PR_STRONG;
   for (size_t t = 0; t < sizeof titles / sizeof *titles; t++)
      pr_table_add(&table, titles[t]);
   table.emphasis = PR_PLAIN;
   for (size_t i = 0; i < use->listing.count; i++) {
      const struct row *row = &use->rows[i];
      pr_table_add(&table, row_word(row));
      pr_table_add(&table, row->listed->name);
      add_end(&table, row);
      add_counts(&table, row);
      add_number(&table, row, &row->gate.peak);
      add_number(&table, row, &row->gate.instructions);
   }
   const struct pr_style style = cmd_terminal_style(use->streams->err);
   putc('\n', use->streams->err);
   pr_table_print(&table, 0, &style, use->streams->err);
   bool ok = !table.exhausted;
   pr_table_release(&table);
   return ok;
}

static int row_failure(const struct row *row)
{
   if (row->trouble)
      return row->trouble;
   return WIFSIGNALED(row->status) ? 128 + WTERMSIG(row->status) : WEXITSTATUS(row->status);
}

static int overall(const struct use *use)
{
   int verdict = CMD_YES;
   for (size_t i = 0; i < use->listing.count; i++) {
      const struct row *row = &use->rows[i];
      if (row->was_run && row_failure(row))
         return row_failure(row);
      if (row->was_run && (int)row->verdict > verdict)
         verdict = (int)row->verdict;
   }
   return verdict;
}

static int run_rows(struct use *use)
{
   size_t done = 0;
   while (done < use->listing.count && !use->interrupted) {
      announce(use, done);
      run_row(use, &use->rows[done++]);
   }
   bool is_printed = print_rows(use);
   if (!is_printed)
      cmd_trouble(use->streams->err, "no memory left");
   bool is_cut = done < use->listing.count;
   int status = is_cut ? run_end_alike(use->interrupted, &use->mask) : overall(use);
   sigprocmask(SIG_SETMASK, &use->mask, NULL);
   return status || is_printed ? status : RUN_OWN_TROUBLE;
}

int cmd_run_list(const struct cmd_run_list *list, const struct cmd_streams *streams)
{
   struct use use = {.list = list, .streams = streams};
   run_listing_init(&use.listing);
   int status = prepare(&use) ? run_rows(&use) : RUN_OWN_TROUBLE;
   for (size_t i = 0; use.rows && i < use.listing.count; i++)
      cmd_gate_release(&use.rows[i].gate);
   run_listing_release(&use.listing);
   return status;
}
