/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_relay.c: pass on what is between the program and the caller. See run_relay.h.
 *
 * Stopping. The terminal's stop goes to the whole process group; this process has it
 * blocked and stops when it is told that the program did, so that a program that handles
 * the signal first does so undisturbed. While it is stopped it cannot read that the program
 * goes on or has ended: news raise SIGCONT then (F_SETSIG).
 *
 * Waiting. When the program has ended, processes that it left behind may not have. Their
 * reports are waited for; after a while a message says so, and a signal that usually ends
 * programs ends the waiting and with it the namespace.
 *
 * Lasting. A program can be silent for long, the more so under a tool. Who asked for it is
 * told that it goes on, ever more seldom.
 */
#include "run_relay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pr_text.h"

enum {
   PATIENCE_MS = 3000,
   LASTING_MS = 10000, /* twice that until the next message, and so on */
   STOP_MS = 20, /* whoever stopped the whole group and continues it is seen within that */
};

struct relay {
   struct run_outcome *outcome;
   pid_t process; /* the outermost of those that were started */
   int news, orders, signals;
   struct run_stream *streams;
   const char *lasting; /* the program's name for messages that it goes on; NULL: none */
   int stop_signal; /* by which the program is stopped; 0: it is not */
   int not_started; /* error number; 0: it was */
   int without; /* error number: to be tried again without namespace; 0: not */
};

/* Output -------------------------------------------------------------------------- */

static bool write_all(int file, const char *bytes, size_t count)
{
   while (count > 0) {
      ssize_t written = write(file, bytes, count);
      if (written < 0 && errno != EAGAIN)
         return false;
      if (written < 0)
         poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
      else
         bytes += written, count -= (size_t)written;
   }
   return true;
}

/* Pass on all that can be read now. A target that is gone closes the source: the program
   is told by its next write. */
static void pass_on(struct run_stream *stream)
{
   char bytes[65536];
   while (stream->source >= 0) {
      ssize_t length = read(stream->source, bytes, sizeof bytes);
      if (length < 0 && errno == EAGAIN)
         return;
      bool ok = length > 0
                && (stream->target < 0 || write_all(stream->target, bytes, (size_t)length));
      if (!ok) {
         close(stream->source);
         stream->source = -1;
      }
   }
}

static void pass_output(struct relay *relay)
{
   for (int file = 0; file < RUN_STREAMS; file++)
      pass_on(&relay->streams[file]);
}

/* News ---------------------------------------------------------------------------- */

static void take(struct relay *relay, const struct run_news *item)
{
   switch ((enum run_news_kind)item->kind) {
   case RUN_NEWS_NAMESPACE:
      relay->outcome->namespace_refused = item->number;
      break;
   case RUN_NEWS_WITHOUT:
      relay->without = item->number;
      break;
   case RUN_NEWS_CPU:
      relay->outcome->cpu_refused = item->number;
      break;
   case RUN_NEWS_POLICY:
      relay->outcome->policy_refused = item->number;
      break;
   case RUN_NEWS_NOT_STARTED:
      relay->not_started = item->number;
      break;
   case RUN_NEWS_STOPPED:
      relay->stop_signal = item->number;
      break;
   case RUN_NEWS_CONTINUED:
      relay->stop_signal = 0;
      break;
   case RUN_NEWS_ENDED:
      relay->stop_signal = 0;
      relay->outcome->has_ended = true;
      relay->outcome->status = item->number;
      break;
   }
}

/* False: there will be no more. */
static bool read_news(struct relay *relay)
{
   struct run_news item;
   ssize_t length;
   while ((length = read(relay->news, &item, sizeof item)) == sizeof item)
      take(relay, &item);
   return length < 0 && errno == EAGAIN;
}

/* Signals ------------------------------------------------------------------------- */

static bool ends_programs(int number)
{
   return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

/* Somebody sent it; the terminal's reach the program by themselves. What this process gets for
   writing where nobody reads is nobody's. */
static bool is_sent(const struct signalfd_siginfo *info)
{
   bool is_own = info->ssi_signo == SIGPIPE && info->ssi_pid == (uint32_t)getpid();
   return info->ssi_code <= 0 && info->ssi_signo != SIGCHLD && !is_own;
}

static void read_signals(struct relay *relay)
{
   struct signalfd_siginfo info;
   while (read(relay->signals, &info, sizeof info) == sizeof info) {
      if (ends_programs((int)info.ssi_signo)) {
         relay->outcome->interrupted = (int)info.ssi_signo;
         if (relay->outcome->has_ended)
            kill(relay->process, SIGKILL);
      }
      unsigned char number = (unsigned char)info.ssi_signo;
      if (is_sent(&info)) {
         ssize_t written = write(relay->orders, &number, sizeof number);
         (void)written; /* all have ended: nobody is left to be signalled */
      }
   }
}

/* Stop as the program did, until somebody or news continue this process. */
static void stop_alike(struct relay *relay)
{
   sigset_t set, before;
   pass_output(relay);
   read_signals(relay);
   sigemptyset(&set);
   sigaddset(&set, relay->stop_signal);
   if (poll(&(struct pollfd){.fd = relay->news, .events = POLLIN}, 1, STOP_MS) == 0) {
      raise(relay->stop_signal);
      sigprocmask(SIG_UNBLOCK, &set, &before);
      sigprocmask(SIG_SETMASK, &before, NULL);
   }
   relay->stop_signal = 0;
}

/* All together -------------------------------------------------------------------- */

static int64_t now_ms(void)
{
   struct timespec now = {.tv_sec = 0};
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* When a message is due that the program goes on. */
struct lasting {
   int64_t due, step;
};

/* Milliseconds to wait for news; -1: as long as it takes. */
static int until_due(const struct relay *relay, const struct lasting *lasting)
{
   if (!relay->lasting || relay->outcome->has_ended)
      return -1;
   int64_t left = lasting->due - now_ms();
   return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static void say_lasting(const struct relay *relay, struct lasting *lasting)
{
   if (until_due(relay, lasting) != 0)
      return;
   fputs("profmem: '", stderr);
   pr_text_puts(stderr, relay->lasting);
   fputs("' is still running\n", stderr);
   lasting->step *= 2;
   lasting->due = now_ms() + lasting->step;
}

static void serve(struct relay *relay)
{
   bool more = true, was_said = false;
   struct lasting lasting = {.due = now_ms() + LASTING_MS, .step = LASTING_MS};
   while (more) {
      struct pollfd sources[] = {{.fd = relay->news, .events = POLLIN},
                                 {.fd = relay->signals, .events = POLLIN},
                                 {.fd = relay->streams[1].source, .events = POLLIN},
                                 {.fd = relay->streams[2].source, .events = POLLIN}};
      bool impatient = relay->outcome->has_ended && !was_said;
      int ready = poll(sources, 4, impatient ? PATIENCE_MS : until_due(relay, &lasting));
      say_lasting(relay, &lasting);
      if (ready == 0 && impatient) {
         was_said = true;
         fputs("profmem: waiting for processes that the program left behind; "
               "interrupt to end them\n", stderr);
      }
      if (sources[2].revents || sources[3].revents)
         pass_output(relay);
      if (sources[1].revents)
         read_signals(relay);
      if (sources[0].revents)
         more = read_news(relay);
      if (relay->stop_signal)
         stop_alike(relay);
   }
   pass_output(relay);
}

static bool is_nonblocking(int file)
{
   return fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) == 0;
}

/* So that news continue this process, once it is stopped. */
static bool wakes_up(int file)
{
   return fcntl(file, F_SETSIG, SIGCONT) == 0 && fcntl(file, F_SETOWN, getpid()) == 0
          && fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_ASYNC) == 0;
}

/* Run it once. False: errno. */
static bool run_once(const struct run_start *start, struct relay *relay)
{
   sigset_t all;
   sigfillset(&all);
   relay->without = 0;
   relay->process = run_init_start(start, &relay->news, &relay->orders);
   if (relay->process < 0)
      return false;
   relay->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
   bool ok = relay->signals >= 0 && is_nonblocking(relay->news) && wakes_up(relay->news);
   for (int file = 0; ok && file < RUN_STREAMS; file++)
      ok = relay->streams[file].source < 0 || is_nonblocking(relay->streams[file].source);
   int saved = errno;
   if (ok)
      serve(relay);
   else
      kill(relay->process, SIGKILL);
   waitpid(relay->process, NULL, 0);
   close(relay->signals);
   close(relay->news);
   close(relay->orders);
   errno = saved;
   return ok;
}

bool run_relay(struct run_start *start, struct run_stream *streams, const char *lasting,
               struct run_outcome *outcome, struct run_error *error)
{
   for (int file = 0; file < RUN_STREAMS; file++)
      start->descriptors[file] = streams[file].program;
   *outcome = (struct run_outcome){.cpu_refused = -1, .policy_refused = -1,
                                   .namespace_refused = -1};
   struct relay relay = {.outcome = outcome, .streams = streams, .lasting = lasting};
   bool ok = run_once(start, &relay);
   if (ok && relay.without) {
      outcome->namespace_refused = relay.without;
      start->names = RUN_NAMESPACE_NONE;
      ok = run_once(start, &relay);
   }
   if (!ok)
      return run_fail(error, RUN_OWN_TROUBLE, "cannot start a process: %s", strerror(errno));
   if (relay.not_started)
      return run_fail(error, RUN_OWN_TROUBLE, "cannot start '%s': %s", start->file,
                      strerror(relay.not_started));
   return outcome->has_ended
          || run_fail(error, RUN_OWN_TROUBLE,
                      "the process that watches the program was killed; there is no report");
}

int run_end_alike(int status, const sigset_t *mask)
{
   if (!WIFSIGNALED(status))
      return WEXITSTATUS(status);
   int number = WTERMSIG(status);
   struct rlimit none = {0, 0};
   setrlimit(RLIMIT_CORE, &none);
   prctl(PR_SET_DUMPABLE, 0);
   signal(number, SIG_DFL);
   raise(number);
   sigset_t set = *mask;
   sigdelset(&set, number);
   sigprocmask(SIG_SETMASK, &set, NULL);
   return 128 + number; /* a signal that does not end this process, though it ended that one */
}
