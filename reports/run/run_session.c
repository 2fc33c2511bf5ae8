/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_session.c: one use of `profmem run`. See run_session.h.
 *
 * Everything that can be wrong with the request is found before a process is started or
 * a file is made.
 */
#include "run_session.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_copy.h"
#include "run_environment.h"
#include "run_folder.h"
#include "run_identity.h"
#include "run_program.h"
#include "run_relay.h"
#include "run_rewrite.h"
#include "run_stack.h"
#include "run_valgrind.h"

/* One of the runs, all the same; the report of the first is kept. */
struct attempt {
   struct run_folder folder;
   struct run_outcome outcome;
   struct run_finished *reports; /* of its processes, the first one's first */
   size_t count;
};

struct session {
   struct run_request *request;
   struct run_result *result;
   struct run_error *error;
   struct run_valgrind valgrind;
   struct run_folder folder; /* where those of the attempts belong */
   struct run_list program;  /* its arguments, as Valgrind is told */
   struct run_list environment;
   struct run_fixes fixes;
   struct run_identities identities;
   struct run_environment_identity environment_identity;
   const struct run_identity *loader_cache; /* NULL: there is none */
   struct run_input *inputs;
   size_t input_count;
   off_t input_start; /* where standard input is read from; -1: from no such place */
   struct attempt *attempts; /* NULL: none was begun */
   unsigned attempt_count;
   FILE *err; /* for warnings; NULL: none are wanted */
};

static bool has_memory(struct session *session)
{
   return !session->request->arena.exhausted
          || run_fail(session->error, RUN_OWN_TROUBLE, "no memory left");
}

/* Before --------------------------------------------------------------------------- */

/* A standard stream that is closed stays so for the program. Here its number must not be
   given to something else, which messages would be written to. */
static void occupy_closed(void)
{
   for (int file = 0; file <= STDERR_FILENO; file++)
      if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) != file)
         break; /* without /dev/null there is nothing to be done */
}

static bool find_all(struct session *session)
{
   struct run_request *request = session->request;
   const char *program;
   if (!run_valgrind_find(request, &session->valgrind, session->error))
      return false;
   run_environment_build(request, &session->environment, &session->fixes);
   if (!has_memory(session)
       || !run_program_find(request->command[0],
                            run_environment_value(&session->environment, "PATH"), &request->arena,
                            &program, session->error))
      return false;
   run_list_add(&session->program, "%s", program);
   for (char *const *argument = request->command + 1; *argument; argument++)
      run_list_add(&session->program, "%s", *argument);
   if (!has_memory(session))
      return false;
   session->environment_identity.variables = session->environment.count;
   run_identify_strings(session->environment.items, session->environment.count,
                        session->environment_identity.digest);
   run_stack_build(request, session->valgrind.folder, &session->program, &session->environment,
                   &session->fixes);
   return has_memory(session);
}

static void add_input(struct session *session, const char *name,
                      const struct run_identity *identity)
{
   struct run_input *input = pr_arena_append(&session->request->arena, &session->inputs,
                                             &session->input_count, sizeof *input);
   if (input)
      *input = (struct run_input){name, identity};
}

/* Digests of what the program reads, before it can change it. */
static bool identify_inputs(struct session *session)
{
   const struct run_list *files = &session->request->inputs;
   for (size_t i = 0; i < files->count; i++) {
      const struct run_identity *identity = run_identify(&session->identities, files->items[i]);
      if (!identity)
         return run_fail(session->error, RUN_OWN_TROUBLE, "cannot read the input '%s': %s",
                         files->items[i], strerror(errno));
      add_input(session, files->items[i], identity);
   }
   session->loader_cache = run_identify(&session->identities, "/etc/ld.so.cache");
   struct stat there;
   if (fstat(STDIN_FILENO, &there) == 0 && S_ISREG(there.st_mode)) {
      const struct run_identity *identity = run_identify(&session->identities, "/dev/stdin");
      if (identity)
         add_input(session, "standard input", identity);
   }
   return has_memory(session);
}

/* What of the tool is on by default here, before the options that were given. On other
   processors than this one the tool has nothing to show but the host's. */
static void fix_by_tool(struct run_list *arguments)
{
#ifdef __x86_64__
   run_list_add(arguments, "--cpu=avx2");
#endif
   run_list_add(arguments, "--fixed-random=yes");
}

/* Valgrind's arguments. */
static struct run_list build_arguments(struct session *session, const struct run_folder *folder)
{
   const struct run_request *request = session->request;
   struct run_list arguments = {.arena = &session->request->arena};
   const char *report = run_folder_option(folder, arguments.arena);
   run_list_add(&arguments, "valgrind");
   run_list_add(&arguments, "--command-line-only=yes");
   run_list_add(&arguments, "--tool=profmem");
   run_list_add(&arguments, "%s", report ? report : "");
   run_list_add(&arguments, "--profmem-object-paths=yes");
   if (!request->is_host)
      fix_by_tool(&arguments);
   for (size_t i = 0; i < request->options.count; i++)
      run_list_add(&arguments, "%s", request->options.items[i]);
   run_list_add(&arguments, "--");
   for (size_t i = 0; i < session->program.count; i++)
      run_list_add(&arguments, "%s", session->program.items[i]);
   return arguments;
}

/* The runs ------------------------------------------------------------------------- */

/* At a terminal somebody waits. One that the program has for itself is left alone. */
static bool tells_progress(const struct session *session)
{
   return session->err && isatty(fileno(session->err));
}

static bool run_program(struct session *session, struct attempt *attempt, const sigset_t *mask)
{
   const struct run_request *request = session->request;
   struct run_list arguments = build_arguments(session, &attempt->folder);
   struct run_stream streams[RUN_STREAMS];
   struct run_start start = {
      .file = session->valgrind.launcher,
      .arguments = run_list_end(&arguments),
      .environment = run_list_end(&session->environment),
      .mask = mask,
      .cpu = request->policy == RUN_POLICY_HOST ? -1 : sched_getcpu(),
      .policy = request->policy,
      .names = request->is_host           ? RUN_NAMESPACE_NONE
               : request->may_hide_owners ? RUN_NAMESPACE_PIDS_OWNED
                                          : RUN_NAMESPACE_PIDS,
   };
   bool is_first = attempt == session->attempts;
   bool is_left_alone = request->keeps_terminal || !tells_progress(session);
   bool ok = has_memory(session)
             && (is_first ? run_streams_first(streams, request->keeps_terminal, session->error)
                          : run_input_rewind(session->input_start, session->error)
                               && run_streams_again(streams, attempt->folder.path,
                                                    session->error))
             && run_relay(&start, streams, is_left_alone ? NULL : session->program.items[0],
                          &attempt->outcome, session->error);
   run_streams_close(streams);
   return ok;
}

/* Valgrind said why, if it refused to start: its log is the caller's standard error. That
   it found the program unfit it tells by the statuses that this program has for it too. */
static bool explain_absence(struct session *session, const struct attempt *attempt)
{
   int status = attempt->outcome.status;
   if (WIFSIGNALED(status))
      return run_fail(session->error, RUN_OWN_TROUBLE,
                      "the program was killed (%s); there is no report",
                      strsignal(WTERMSIG(status)));
   if (WEXITSTATUS(status) == RUN_NOT_EXECUTABLE || WEXITSTATUS(status) == RUN_NOT_FOUND)
      return run_fail(session->error, WEXITSTATUS(status), "Valgrind cannot run '%s'",
                      session->program.items[0]);
   return run_fail(session->error, RUN_OWN_TROUBLE,
                   "Valgrind did not run the program to its end; there is no report");
}

static bool run_attempt(struct session *session, struct attempt *attempt, const sigset_t *mask)
{
   struct pr_arena *arena = &session->request->arena;
   attempt->folder = session->folder;
   if (!run_folder_make(&attempt->folder, arena, session->error)
       || !run_program(session, attempt, mask)
       || !run_folder_list(&attempt->folder, arena, &attempt->reports, &attempt->count,
                           session->error))
      return false;
   if (attempt->count == 0 || attempt->reports[0].suffix[0])
      return explain_absence(session, attempt);
   return attempt->outcome.status == session->attempts[0].outcome.status
          || run_fail(session->error, RUN_OWN_TROUBLE,
                      "the program ended in another way when it was run again; there is no "
                      "report");
}

static void note_scheduling(struct session *session)
{
   const struct run_outcome *outcome = &session->attempts[0].outcome;
   struct run_fixes *fixes = &session->fixes;
   if (session->request->policy == RUN_POLICY_HOST) {
      run_fixes_add(fixes, "processors", "no: --scheduling=host");
      run_fixes_add(fixes, "scheduling", "no: --scheduling=host");
      return;
   }
   if (outcome->cpu_refused == 0)
      run_fixes_add(fixes, "processors", "1");
   else
      run_fixes_add(fixes, "processors", "no: %s",
                    outcome->cpu_refused > 0 ? strerror(outcome->cpu_refused) : "not known");
   if (outcome->policy_refused)
      run_fixes_add(fixes, "scheduling", "batch: fifo is refused: %s",
                    strerror(outcome->policy_refused));
   else
      run_fixes_add(fixes, "scheduling",
                    session->request->policy == RUN_POLICY_FIFO ? "fifo" : "batch");
}

/* What came of the intentions. */
static void note_outcome(struct session *session)
{
   const struct run_outcome *outcome = &session->attempts[0].outcome;
   struct run_fixes *fixes = &session->fixes;
   if (session->request->is_host)
      return;
   run_fixes_add(fixes, "standard-output", "%s",
                 session->request->keeps_terminal ? "no: a terminal stays one"
                                                  : "never a terminal");
   note_scheduling(session);
   if (outcome->namespace_refused == 0)
      run_fixes_add(fixes, "process-numbers", "namespace");
   else
      run_fixes_add(fixes, "process-numbers", "no: %s", strerror(outcome->namespace_refused));
}

/* After ---------------------------------------------------------------------------- */

/* Let the caller read it under no name, which somebody else might give another file. */
static bool keep(struct session *session, int file)
{
   int duplicate = fcntl(file, F_DUPFD_CLOEXEC, 0);
   session->result->report = duplicate >= 0 ? fdopen(duplicate, "r") : NULL;
   if (session->result->report)
      return true;
   if (duplicate >= 0)
      close(duplicate);
   return run_fail(session->error, RUN_OWN_TROUBLE, "cannot keep the report: %s",
                   strerror(errno));
}

static bool copy_direct(struct session *session, int file)
{
   const struct run_folder *folder = &session->attempts[0].folder;
   bool ok = run_copy(file, folder->direct)
             || run_fail(session->error, RUN_OWN_TROUBLE, "cannot write '%s': %s",
                         folder->target, strerror(errno));
   close(file);
   return ok;
}

static bool deliver(struct session *session, const struct run_finished *finished,
                    const struct run_additions *additions)
{
   struct pr_arena *arena = &session->request->arena;
   const struct run_folder *folder = &session->attempts[0].folder;
   bool is_direct = folder->direct >= 0;
   bool is_kept = session->request->keeps_report && !finished->suffix[0];
   if (is_direct && !is_kept)
      return run_rewrite(finished->path, folder->direct, folder->target, additions,
                         session->error);
   const char *path;
   int file = run_folder_open(folder, arena, &path, session->error);
   if (file < 0)
      return false;
   if (run_rewrite(finished->path, file, folder->target, additions, session->error)
       && (!is_kept || keep(session, file)))
      return is_direct ? copy_direct(session, file)
                       : run_folder_deliver(folder, finished->suffix, path, file, arena,
                                            session->error);
   close(file);
   unlink(path);
   return false;
}

/* The same process's report in another run; NULL: there is none. */
static const char *counterpart(const struct attempt *attempt, const struct run_finished *finished)
{
   for (size_t r = 0; r < attempt->count; r++)
      if (strcmp(attempt->reports[r].suffix, finished->suffix) == 0)
         return attempt->reports[r].path;
   return NULL;
}

/* The A/A control of one process. *is_judged: it ran every time. */
static bool judge(struct session *session, const struct run_finished *finished,
                  struct run_verdicts *verdicts, bool *is_judged)
{
   struct pr_arena *arena = &session->request->arena;
   const char **others = NULL;
   size_t count = 0;
   *is_judged = session->attempt_count > 1;
   for (unsigned a = 1; a < session->attempt_count && *is_judged; a++) {
      const char **other = pr_arena_append(arena, &others, &count, sizeof *other);
      if (!other)
         return has_memory(session);
      *other = counterpart(&session->attempts[a], finished);
      *is_judged = *other;
   }
   if (session->attempt_count > 1 && !*is_judged && session->err)
      fprintf(session->err,
              "profmem: warning: the process of report '%s%s' ran in some runs only\n",
              session->folder.target, finished->suffix);
   if (!*is_judged)
      return true;
   if (!run_control_compare(finished->path, others, count, arena, verdicts, session->error))
      return false;
   if (verdicts->unstable && session->err)
      fprintf(session->err, "profmem: warning: of %zu numbers %zu are not stable: they differ "
              "between %u equal runs\n", verdicts->judged, verdicts->unstable,
              session->attempt_count);
   return true;
}

/* Of an option that is given twice the later one counts. */
static bool traces_children(const struct run_request *request)
{
   static const char option[] = "--trace-children=";
   bool traces = false;
   for (size_t i = 0; i < request->options.count; i++)
      if (strncmp(request->options.items[i], option, sizeof option - 1) == 0)
         traces = strcmp(request->options.items[i] + sizeof option - 1, "yes") == 0;
   return traces;
}

static bool deliver_all(struct session *session)
{
   const struct attempt *kept = &session->attempts[0];
   for (size_t r = 0; r < kept->count; r++) {
      bool is_first = r == 0, is_judged;
      struct run_verdicts verdicts;
      if (!judge(session, &kept->reports[r], &verdicts, &is_judged))
         return false;
      const struct run_additions additions = {
         .fixes = &session->fixes,
         .loader_cache = session->loader_cache,
         .inputs = session->inputs,
         .input_count = session->input_count,
         .environment = is_first ? &session->environment_identity : NULL,
         .identities = &session->identities,
         .verdicts = is_judged ? &verdicts : NULL,
         .warnings = session->err,
         .tells_of_exec = is_first && !traces_children(session->request),
      };
      if (!deliver(session, &kept->reports[r], &additions))
         return false;
   }
   return true;
}

/* Of any but the first run nothing is seen. */
static void announce(const struct session *session, unsigned attempt, unsigned count)
{
   if (attempt > 0 && tells_progress(session))
      fprintf(session->err, "profmem: equal run %u of %u, whose output is not shown\n",
              attempt + 1, count);
}

static bool run_all(struct session *session, const sigset_t *mask)
{
   struct pr_arena *arena = &session->request->arena;
   unsigned count = session->request->runs > 1 ? session->request->runs : 1;
   session->attempts = pr_arena_alloc(arena, count * sizeof *session->attempts);
   for (unsigned a = 0; session->attempts && a < count; a++) {
      session->attempt_count = a + 1;
      announce(session, a, count);
      if (!run_attempt(session, &session->attempts[a], mask))
         return false;
   }
   if (has_memory(session))
      note_outcome(session);
   return has_memory(session) && deliver_all(session);
}

bool run_session(struct run_request *request, FILE *err, struct run_result *result,
                 struct run_error *error)
{
   struct session session = {
      .request = request,
      .result = result,
      .error = error,
      .err = err,
      .folder = {.direct = -1},
      .program.arena = &request->arena,
      .environment.arena = &request->arena,
      .fixes.arena = &request->arena,
      .identities.arena = &request->arena,
   };
   sigset_t all;
   sigfillset(&all);
   occupy_closed();
   *result = (struct run_result){.status = 0};
   sigprocmask(SIG_SETMASK, NULL, &result->mask);
   bool ok = find_all(&session) && identify_inputs(&session)
             && (request->runs < 2 || run_input_mark(&session.input_start, error))
             && run_folder_place(&session.folder, request->report, &request->arena, error);
   if (ok) {
      sigprocmask(SIG_SETMASK, &all, NULL);
      ok = run_all(&session, &result->mask);
   }
   for (unsigned a = 0; a < session.attempt_count; a++) {
      const struct run_outcome *outcome = &session.attempts[a].outcome;
      result->interrupted = outcome->interrupted ? outcome->interrupted : result->interrupted;
      run_folder_remove(&session.attempts[a].folder);
   }
   if (session.folder.direct >= 0)
      close(session.folder.direct);
   result->has_ended = session.attempts && session.attempts[0].outcome.has_ended;
   if (result->has_ended)
      result->status = session.attempts[0].outcome.status;
   return ok;
}
