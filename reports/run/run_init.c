/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_init.c: the process between `profmem run` and the program. See run_init.h.
 *
 * A pid namespace holds the children of the process that asks for it, not that process.
 * So there are two: the outer one asks, and then does nothing but wait for the inner one,
 * which is process 1. Without a namespace the outer one does the inner one's work.
 *
 * All signals are blocked here and read instead, because none must end these processes:
 * they are in the program's process group, which a terminal signals as a whole. The death
 * of `profmem run` ends them, and so the namespace.
 *
 * A signal sent to `profmem run` alone has to be handed on, one sent to the whole group
 * not. Their receiver cannot tell the two apart; but this process is of the same group,
 * and no one else signals it: what it got itself, the program got too. For that it has
 * another name, or `pkill profmem` would be such a one.
 *
 * Valgrind takes the signals by which a terminal stops programs (Ctrl-Z, a read in the
 * background) for itself and does nothing about them. A program that does not ignore such
 * a signal and has not stopped a moment later is stopped from here. Whether it has a
 * handler of its own, which need not stop it, cannot be seen from outside.
 */
#include "run_init.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
   SIGNALS = 65, /* of Linux, from 1 */
   GROUP_WAIT_MS = 50, /* within that the whole of a group has its signal */
   ORDER_WAIT_MS = 5000, /* within that `profmem run` has told of its own, on a busy machine */
   STOP_WAIT_MS = 200, /* within that a program stops by itself */
};

struct init {
   const struct run_start *start;
   int news, orders; /* orders: -1 when nobody is left who gives any */
   int signals;      /* a signalfd */
   struct sigaction child_action; /* the caller's for SIGCHLD, which is the program's too */
   pid_t self, program; /* program: 0: has ended */
   int of_group[SIGNALS]; /* so often the group was sent this signal, and no order came yet */
   long long group_ms[SIGNALS]; /* when that was, the last time */
   int stop_signal;        /* that is to stop the program, or has; 0: none */
   long long stop_ms;      /* when it will be stopped by force; 0: it will not, or was */
};

static void tell(int news, enum run_news_kind kind, int number)
{
   struct run_news item = {kind, number};
   /* With nobody left to read it, there is nobody to tell that. */
   ssize_t written = write(news, &item, sizeof item);
   (void)written;
}

static long long now_ms(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The program --------------------------------------------------------------------- */

static void fix_processor(const struct run_start *start, int news)
{
   cpu_set_t one;
   CPU_ZERO(&one);
   CPU_SET((size_t)start->cpu, &one);
   tell(news, RUN_NEWS_CPU, sched_setaffinity(0, sizeof one, &one) == 0 ? 0 : errno);
}

static void fix_policy(enum run_policy policy, int news)
{
   struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
   struct sched_param none = {.sched_priority = 0};
   struct rlimit rest;
   int refused = 0;
   /* With a limit on how long real-time programs may go without rest, it would be killed. */
   if (policy == RUN_POLICY_FIFO && getrlimit(RLIMIT_RTTIME, &rest) == 0
       && rest.rlim_cur != RLIM_INFINITY)
      refused = EPERM;
   else if (policy == RUN_POLICY_FIFO)
      refused = sched_setscheduler(0, SCHED_FIFO, &lowest) == 0 ? 0 : errno;
   if (policy == RUN_POLICY_BATCH || refused)
      sched_setscheduler(0, SCHED_BATCH, &none); /* needs no right */
   tell(news, RUN_NEWS_POLICY, refused);
}

__attribute__((noreturn)) static void become_program(const struct init *init)
{
   const struct run_start *start = init->start;
   int news = init->news;
   if (start->cpu >= 0)
      fix_processor(start, news);
   if (start->policy != RUN_POLICY_HOST)
      fix_policy(start->policy, news);
   /* A namespace takes everybody along. Without one this process at least is not left
      behind when `profmem run` is killed, and init with it. */
   prctl(PR_SET_PDEATHSIG, SIGKILL);
   if (getppid() != init->self)
      _exit(EXIT_FAILURE);
   for (int d = 0; d < 3; d++)
      if (start->descriptors[d] >= 0)
         dup2(start->descriptors[d], d);
   sigaction(SIGCHLD, &init->child_action, NULL);
   sigprocmask(SIG_SETMASK, start->mask, NULL);
   execve(start->file, start->arguments, start->environment);
   tell(news, RUN_NEWS_NOT_STARTED, errno);
   _exit(EXIT_FAILURE);
}

/* Its relatives ------------------------------------------------------------------- */

/* False: none is left. */
static bool wait_for_all(struct init *init)
{
   for (;;) {
      int status;
      pid_t who = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED);
      if (who <= 0)
         return who == 0;
      if (who != init->program)
         continue;
      if (WIFSTOPPED(status)) {
         bool by_force = WSTOPSIG(status) == SIGSTOP && init->stop_signal;
         tell(init->news, RUN_NEWS_STOPPED, by_force ? init->stop_signal : WSTOPSIG(status));
         init->stop_signal = 0;
         init->stop_ms = 0;
      } else if (WIFCONTINUED(status)) {
         tell(init->news, RUN_NEWS_CONTINUED, 0);
      } else {
         init->program = 0;
         tell(init->news, RUN_NEWS_ENDED, status);
      }
   }
}

static bool is_ignored(pid_t process, int number)
{
   char path[64], line[256];
   unsigned long long ignored = 0;
   snprintf(path, sizeof path, "/proc/%d/status", (int)process);
   FILE *status = fopen(path, "re");
   while (status && fgets(line, sizeof line, status))
      if (sscanf(line, "SigIgn: %llx", &ignored) == 1)
         break;
   if (status)
      fclose(status);
   return ignored >> (number - 1) & 1;
}

/* The program got a signal that may concern its being stopped. A read in the background
   that Valgrind makes again and again raises it each time: the first one counts. */
static void note_stop(struct init *init, int number)
{
   bool stops = number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
   if (stops && !init->stop_signal) {
      init->stop_signal = number;
      init->stop_ms = now_ms() + STOP_WAIT_MS;
   } else if (number == SIGCONT) {
      init->stop_signal = 0;
      init->stop_ms = 0;
   }
}

/* Milliseconds until it must be looked to again; -1: for ever. */
static int stop_by_force(struct init *init)
{
   long long left = init->stop_ms - now_ms();
   if (!init->stop_ms || left > 0)
      return init->stop_ms ? (int)left : -1;
   init->stop_ms = 0;
   if (init->program && !is_ignored(init->program, init->stop_signal))
      kill(init->program, SIGSTOP);
   else
      init->stop_signal = 0;
   return -1;
}

/* Of two signals to the group `profmem run` may have seen only one, which leaves a note that no
   order belongs to. */
static void forget_old(struct init *init, int number)
{
   if (now_ms() - init->group_ms[number] > ORDER_WAIT_MS)
      init->of_group[number] = 0;
}

/* Note which signals came. What the terminal sends is for the group, and not handed on by
   anybody: it needs no note. */
static void read_signals(struct init *init)
{
   struct signalfd_siginfo info;
   while (read(init->signals, &info, sizeof info) == sizeof info) {
      if (info.ssi_code <= 0 && info.ssi_signo < SIGNALS) {
         forget_old(init, (int)info.ssi_signo);
         init->of_group[info.ssi_signo]++;
         init->group_ms[info.ssi_signo] = now_ms();
      }
      note_stop(init, (int)info.ssi_signo);
   }
}

static void hand_on(struct init *init, int number)
{
   long long start_ms = now_ms();
   forget_old(init, number);
   while (!init->of_group[number] && now_ms() - start_ms < GROUP_WAIT_MS) {
      struct pollfd signals = {.fd = init->signals, .events = POLLIN};
      poll(&signals, 1, GROUP_WAIT_MS);
      read_signals(init);
   }
   if (init->of_group[number]) {
      init->of_group[number]--;
   } else if (init->program) {
      kill(init->program, number);
      note_stop(init, number);
   }
}

static void read_orders(struct init *init)
{
   unsigned char number;
   ssize_t length = read(init->orders, &number, sizeof number);
   if (length == sizeof number && number > 0 && number < SIGNALS)
      hand_on(init, number);
   if (length == 0)
      init->orders = -1;
}

/* Start the program and stay until no descendant is left. */
__attribute__((noreturn)) static void serve(struct init *init)
{
   sigset_t all;
   sigfillset(&all);
   init->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
   init->self = getpid();
   init->program = init->signals >= 0 ? fork() : -1;
   if (init->program == 0)
      become_program(init);
   if (init->program < 0) {
      tell(init->news, RUN_NEWS_NOT_STARTED, errno);
      _exit(EXIT_FAILURE);
   }
   while (wait_for_all(init)) {
      struct pollfd sources[] = {{.fd = init->signals, .events = POLLIN},
                                 {.fd = init->orders, .events = POLLIN}};
      poll(sources, 2, stop_by_force(init));
      if (sources[0].revents)
         read_signals(init);
      if (sources[1].revents)
         read_orders(init);
   }
   _exit(EXIT_SUCCESS);
}

/* The namespace ------------------------------------------------------------------- */

static bool write_file(const char *path, const char *text)
{
   int file = open(path, O_WRONLY | O_CLOEXEC);
   bool ok = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
   if (file >= 0)
      close(file);
   return ok;
}

/* In a user namespace everybody is who he was before. */
static bool map_owner(uid_t user, gid_t group)
{
   char users[64], groups[64];
   snprintf(users, sizeof users, "%u %u 1\n", (unsigned)user, (unsigned)user);
   snprintf(groups, sizeof groups, "%u %u 1\n", (unsigned)group, (unsigned)group);
   return write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users)
          && write_file("/proc/self/gid_map", groups);
}

/* 0, or why the children of this process cannot have a namespace. */
static int enter_namespace(enum run_namespace names)
{
   uid_t user = geteuid();
   gid_t group = getegid();
   bool owned = names == RUN_NAMESPACE_PIDS_OWNED;
   if (unshare(CLONE_NEWPID | CLONE_NEWNS | (owned ? CLONE_NEWUSER : 0)) != 0)
      return errno;
   return !owned || map_owner(user, group) ? 0 : errno;
}

/* What is mounted elsewhere still arrives here, what is mounted here goes nowhere. */
static bool mount_own_proc(void)
{
   return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0
          && mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

__attribute__((noreturn)) static void serve_as_first(struct init *init)
{
   prctl(PR_SET_PDEATHSIG, SIGKILL);
   if (!mount_own_proc()) {
      tell(init->news, RUN_NEWS_WITHOUT, errno);
      _exit(EXIT_FAILURE);
   }
   tell(init->news, RUN_NEWS_NAMESPACE, 0);
   serve(init);
}

__attribute__((noreturn)) static void serve_outside(struct init *init)
{
   /* A caller who ignores it would have nobody waited for. */
   struct sigaction usual = {.sa_handler = SIG_DFL};
   sigaction(SIGCHLD, &usual, &init->child_action);
   prctl(PR_SET_PDEATHSIG, SIGKILL);
   if (init->start->names != RUN_NAMESPACE_NONE) {
      int refused = enter_namespace(init->start->names);
      pid_t first = refused ? -1 : fork();
      if (first == 0)
         serve_as_first(init);
      if (first < 0) {
         /* Part of it may have been entered. */
         tell(init->news, RUN_NEWS_WITHOUT, refused ? refused : errno);
         _exit(EXIT_FAILURE);
      }
      close(init->news);
      waitpid(first, NULL, 0);
      _exit(EXIT_SUCCESS);
   }
   prctl(PR_SET_CHILD_SUBREAPER, 1);
   serve(init);
}

pid_t run_init_start(const struct run_start *start, int *news, int *orders)
{
   int down[2], up[2];
   if (pipe2(down, O_CLOEXEC) != 0)
      return -1;
   if (pipe2(up, O_CLOEXEC) != 0) {
      close(down[0]);
      close(down[1]);
      return -1;
   }
   pid_t process = fork();
   if (process == 0) {
      close(down[1]);
      close(up[0]);
      prctl(PR_SET_NAME, "watch");
      struct init init = {.start = start, .news = up[1], .orders = down[0]};
      serve_outside(&init);
   }
   int saved = errno;
   close(down[0]);
   close(up[1]);
   if (process < 0) {
      close(down[1]);
      close(up[0]);
      errno = saved;
      return -1;
   }
   *news = up[0];
   *orders = down[1];
   return process;
}
