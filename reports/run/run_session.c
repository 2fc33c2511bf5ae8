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

#include "run_environment.h"
#include "run_folder.h"
#include "run_identity.h"
#include "run_program.h"
#include "run_relay.h"
#include "run_rewrite.h"
#include "run_stack.h"
#include "run_valgrind.h"

struct session {
   struct run_request *request;
   struct run_error *error;
   struct run_valgrind valgrind;
   struct run_folder folder;
   struct run_list program;     /* its arguments, as Valgrind is told */
   struct run_list environment;
   struct run_list arguments;   /* Valgrind's */
   struct run_fixes fixes;
   struct run_identities identities;
   struct run_environment_identity environment_identity;
   const struct run_identity *loader_cache; /* NULL: there is none */
   struct run_input *inputs;
   size_t input_count;
   struct run_outcome outcome;
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

static void build_arguments(struct session *session)
{
   const struct run_request *request = session->request;
   struct run_list *arguments = &session->arguments;
   const char *report = run_folder_option(&session->folder, &session->request->arena);
   run_list_add(arguments, "valgrind");
   run_list_add(arguments, "--command-line-only=yes");
   run_list_add(arguments, "--tool=profmem");
   run_list_add(arguments, "%s", report ? report : "");
   if (!request->is_host)
      fix_by_tool(arguments);
   for (size_t i = 0; i < request->options.count; i++)
      run_list_add(arguments, "%s", request->options.items[i]);
   run_list_add(arguments, "--");
   for (size_t i = 0; i < session->program.count; i++)
      run_list_add(arguments, "%s", session->program.items[i]);
}

/* The run -------------------------------------------------------------------------- */

/* Processes of a namespace may be numbered alike in two of them, and the names of the
   pipes by which gdb and vgdb reach Valgrind are made of process numbers. */
static bool run_program(struct session *session, const sigset_t *mask)
{
   struct run_request *request = session->request;
   int terminal[2] = {-1, -1};
   struct run_start start = {
      .file = session->valgrind.launcher,
      .arguments = run_list_end(&session->arguments),
      .environment = run_list_end(&session->environment),
      .mask = mask,
      .descriptors = {-1, -1, -1},
      .cpu = request->is_host ? -1 : sched_getcpu(),
      .has_policy = !request->is_host,
      .names = request->is_host            ? RUN_NAMESPACE_NONE
               : request->may_hide_owners  ? RUN_NAMESPACE_PIDS_OWNED
                                           : RUN_NAMESPACE_PIDS,
   };
   if (!has_memory(session))
      return false;
   if (!request->keeps_terminal && isatty(STDOUT_FILENO)) {
      if (pipe2(terminal, O_CLOEXEC) != 0)
         return run_fail(session->error, RUN_OWN_TROUBLE, "cannot make a pipe: %s",
                         strerror(errno));
      start.descriptors[STDOUT_FILENO] = terminal[1];
   }
   bool ok = run_relay(&start, terminal[0], &session->outcome, session->error);
   if (terminal[1] >= 0)
      close(terminal[1]);
   return ok;
}

/* What came of the intentions. */
static void note_outcome(struct session *session)
{
   const struct run_outcome *outcome = &session->outcome;
   struct run_fixes *fixes = &session->fixes;
   if (session->request->is_host)
      return;
   run_fixes_add(fixes, "standard-output", "%s",
                 session->request->keeps_terminal ? "no: a terminal stays one"
                                                  : "never a terminal");
   if (outcome->cpu_refused == 0)
      run_fixes_add(fixes, "processors", "1");
   else
      run_fixes_add(fixes, "processors", "no: %s",
                    outcome->cpu_refused > 0 ? strerror(outcome->cpu_refused) : "not known");
   if (outcome->policy_refused == 0)
      run_fixes_add(fixes, "scheduling", "fifo");
   else
      run_fixes_add(fixes, "scheduling", "batch: fifo is refused: %s",
                    strerror(outcome->policy_refused));
   if (outcome->namespace_refused == 0)
      run_fixes_add(fixes, "process-numbers", "namespace");
   else
      run_fixes_add(fixes, "process-numbers", "no: %s", strerror(outcome->namespace_refused));
}

/* After ---------------------------------------------------------------------------- */

static bool deliver(struct session *session, const struct run_finished *finished,
                    const struct run_additions *additions)
{
   struct pr_arena *arena = &session->request->arena;
   const struct run_folder *folder = &session->folder;
   if (folder->direct >= 0)
      return run_rewrite(finished->path, folder->direct, folder->target, additions,
                         session->error);
   const char *path = run_text(arena, "%s/delivered", folder->path);
   if (!path)
      return has_memory(session);
   int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (file < 0)
      return run_fail(session->error, RUN_OWN_TROUBLE, "cannot write '%s': %s", folder->target,
                      strerror(errno));
   if (run_rewrite(finished->path, file, folder->target, additions, session->error))
      return run_folder_deliver(folder, finished->suffix, path, file, arena, session->error);
   close(file);
   return false;
}

/* Valgrind said why, if it refused to start: its log is the caller's standard error. That
   it found the program unfit it tells by the statuses that this program has for it too. */
static bool explain_absence(struct session *session)
{
   int status = session->outcome.status;
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

static bool deliver_all(struct session *session, FILE *err)
{
   struct run_finished *reports;
   size_t count;
   struct run_additions additions = {
      .fixes = &session->fixes,
      .loader_cache = session->loader_cache,
      .inputs = session->inputs,
      .input_count = session->input_count,
      .identities = &session->identities,
      .warnings = err,
   };
   if (!run_folder_list(&session->folder, &session->request->arena, &reports, &count,
                        session->error))
      return false;
   if (count == 0 || reports[0].suffix[0])
      return explain_absence(session);
   for (size_t r = 0; r < count; r++) {
      bool is_first = reports[r].suffix[0] == '\0';
      additions.environment = is_first ? &session->environment_identity : NULL;
      if (!deliver(session, &reports[r], &additions))
         return false;
   }
   return true;
}

static bool run_in_folder(struct session *session, FILE *err, const sigset_t *mask)
{
   if (!run_folder_make(&session->folder, &session->request->arena, session->error))
      return false;
   build_arguments(session);
   if (!run_program(session, mask))
      return false;
   note_outcome(session);
   return has_memory(session) && deliver_all(session, err);
}

bool run_session(struct run_request *request, FILE *err, sigset_t *mask, bool *has_ended,
                 int *status, struct run_error *error)
{
   struct session session = {
      .request = request,
      .error = error,
      .folder = {.direct = -1},
      .program.arena = &request->arena,
      .environment.arena = &request->arena,
      .arguments.arena = &request->arena,
      .fixes.arena = &request->arena,
      .identities.arena = &request->arena,
   };
   sigset_t all;
   sigfillset(&all);
   occupy_closed();
   sigprocmask(SIG_SETMASK, NULL, mask);
   bool ok = find_all(&session) && identify_inputs(&session)
             && run_folder_place(&session.folder, request->report, &request->arena, error);
   if (ok) {
      sigprocmask(SIG_SETMASK, &all, NULL);
      ok = run_in_folder(&session, err, mask);
   }
   run_folder_remove(&session.folder);
   *has_ended = session.outcome.has_ended;
   *status = session.outcome.status;
   return ok;
}
