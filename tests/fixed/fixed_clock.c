/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixed_clock.c: a program that waits in every way and checks its clocks.
 *
 * Each wait has an end that the program computes from its clock; afterwards the clock
 * must show at least that, and not much more. Readings never go back, and what was handed
 * to the kernel is as it was. With "print" every reading is printed: two runs under the
 * fixed clock print the same. The status is the number of what was wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, WHILE_MS = 40, TOLERANCE_MS = 400 };
#define S INT64_C(1000000000)

static int wrong;
static bool printing;

static int64_t ns_of(struct timespec t)
{
   return t.tv_sec * S + t.tv_nsec;
}

static struct timespec spec_of(int64_t ns)
{
   return (struct timespec){ns / S, ns % S};
}

static int64_t now(clockid_t clock)
{
   static int64_t last[16];
   struct timespec shown;
   if (clock_gettime(clock, &shown) != 0)
      abort();
   if (ns_of(shown) < last[clock]) {
      printf("clock %d went back\n", (int)clock);
      wrong++;
   }
   last[clock] = ns_of(shown);
   if (printing)
      printf("clock %d: %lld\n", (int)clock, (long long)ns_of(shown));
   return ns_of(shown);
}

/* The clock has come to `due`, and not much beyond. */
static void reached(const char *what, clockid_t clock, int64_t due)
{
   int64_t over = now(clock) - due;
   if (over < 0 || over > (int64_t)TOLERANCE_MS * MS) {
      printf("%s: %lld ns beyond\n", what, (long long)over);
      wrong++;
   }
}

static void expect(const char *what, bool holds)
{
   if (!holds) {
      printf("%s: no (%s)\n", what, strerror(errno));
      wrong++;
   }
}

static int64_t due_in(clockid_t clock)
{
   return now(clock) + (int64_t)WHILE_MS * MS;
}

/* --- for a while -------------------------------------------------------------------- */

static void sleeps_for_a_while(void)
{
   struct timespec span = {0, WHILE_MS * MS};
   struct timeval tv = {0, WHILE_MS * 1000};
   int64_t due = due_in(CLOCK_MONOTONIC);
   expect("nanosleep", nanosleep(&span, NULL) == 0);
   reached("nanosleep", CLOCK_MONOTONIC, due);
   due = due_in(CLOCK_REALTIME);
   expect("clock_nanosleep", clock_nanosleep(CLOCK_REALTIME, 0, &span, NULL) == 0);
   reached("clock_nanosleep", CLOCK_REALTIME, due);
   due = due_in(CLOCK_MONOTONIC);
   expect("poll", poll(NULL, 0, WHILE_MS) == 0);
   reached("poll", CLOCK_MONOTONIC, due);
   due = due_in(CLOCK_MONOTONIC);
   expect("ppoll", ppoll(NULL, 0, &span, NULL) == 0);
   reached("ppoll", CLOCK_MONOTONIC, due);
   due = due_in(CLOCK_MONOTONIC);
   expect("select", select(0, NULL, NULL, NULL, &tv) == 0);
   reached("select", CLOCK_MONOTONIC, due);
   due = due_in(CLOCK_MONOTONIC);
   expect("pselect", pselect(0, NULL, NULL, NULL, &span, NULL) == 0);
   reached("pselect", CLOCK_MONOTONIC, due);
   struct epoll_event event;
   int epoll = epoll_create1(0);
   due = due_in(CLOCK_MONOTONIC);
   expect("epoll_wait", epoll_wait(epoll, &event, 1, WHILE_MS) == 0);
   reached("epoll_wait", CLOCK_MONOTONIC, due);
   close(epoll);
   sigset_t set;
   sigemptyset(&set);
   sigaddset(&set, SIGUSR1);
   sigprocmask(SIG_BLOCK, &set, NULL);
   due = due_in(CLOCK_MONOTONIC);
   expect("sigtimedwait", sigtimedwait(&set, NULL, &span) == -1 && errno == EAGAIN);
   reached("sigtimedwait", CLOCK_MONOTONIC, due);
   static uint32_t word;
   due = due_in(CLOCK_MONOTONIC);
   expect("futex", syscall(SYS_futex, &word, FUTEX_WAIT, 0, &span, NULL, 0) == -1 &&
                      errno == ETIMEDOUT);
   reached("futex", CLOCK_MONOTONIC, due);
}

/* --- until a moment ------------------------------------------------------------------ */

static void waits_until_a_moment(void)
{
   int64_t due = due_in(CLOCK_MONOTONIC);
   struct timespec until = spec_of(due), same = until;
   expect("sleep until", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
   reached("sleep until", CLOCK_MONOTONIC, due);
   expect("its deadline is as it was", memcmp(&until, &same, sizeof until) == 0);
   due = now(CLOCK_REALTIME) - S;
   until = spec_of(due);
   expect("sleep until before now",
          clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0);

   pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
   pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
   due = due_in(CLOCK_REALTIME);
   until = spec_of(due);
   pthread_mutex_lock(&mutex);
   expect("condition", pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT);
   reached("condition", CLOCK_REALTIME, due);
   due = due_in(CLOCK_MONOTONIC);
   until = spec_of(due);
   expect("condition, monotonic",
          pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
   reached("condition, monotonic", CLOCK_MONOTONIC, due);

   sem_t semaphore;
   sem_init(&semaphore, 0, 0);
   due = due_in(CLOCK_REALTIME);
   until = spec_of(due);
   expect("semaphore", sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT);
   reached("semaphore", CLOCK_REALTIME, due);

   struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};
   char name[64], message[8];
   snprintf(name, sizeof name, "/fixed-clock-%d", (int)getpid());
   mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
   if (queue != (mqd_t)-1) { /* not every system has them */
      mq_unlink(name);
      due = due_in(CLOCK_REALTIME);
      until = spec_of(due);
      expect("queue", mq_timedreceive(queue, message, sizeof message, NULL, &until) == -1 &&
                         errno == ETIMEDOUT);
      reached("queue", CLOCK_REALTIME, due);
      mq_close(queue);
   }
}

/* A deadline that cannot be written to, and that others read. */
static const struct timespec long_ago = {1, 0};
static struct timespec shared_deadline;

static void *wait_for_shared(void *unused)
{
   sem_t semaphore;
   sem_init(&semaphore, 0, 0);
   expect("shared deadline",
          sem_timedwait(&semaphore, &shared_deadline) == -1 && errno == ETIMEDOUT);
   return unused;
}

static void deadlines_that_are_shared(void)
{
   sem_t semaphore;
   sem_init(&semaphore, 0, 0);
   expect("constant deadline", sem_timedwait(&semaphore, &long_ago) == -1 && errno == ETIMEDOUT);
   int64_t due = due_in(CLOCK_REALTIME);
   shared_deadline = spec_of(due);
   pthread_t threads[4];
   for (int t = 0; t < 4; t++)
      pthread_create(&threads[t], NULL, wait_for_shared, NULL);
   while (now(CLOCK_REALTIME) < due) {
      expect("seen by others", ns_of(shared_deadline) == due);
      poll(NULL, 0, 5);
   }
   for (int t = 0; t < 4; t++)
      pthread_join(threads[t], NULL);
   reached("shared deadline", CLOCK_REALTIME, due);
}

/* --- timers --------------------------------------------------------------------------- */

static uint64_t expirations(int timer)
{
   uint64_t times = 0;
   return read(timer, &times, sizeof times) == sizeof times ? times : 0;
}

static void timers_that_are_read(void)
{
   int timer = timerfd_create(CLOCK_REALTIME, 0);
   int64_t due = due_in(CLOCK_REALTIME);
   struct itimerspec setting = {{0, 0}, spec_of(due)};
   expect("timerfd", timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL) == 0);
   expect("timerfd expires", expirations(timer) == 1);
   reached("timerfd", CLOCK_REALTIME, due);
   setting = (struct itimerspec){{0, WHILE_MS * MS}, {0, WHILE_MS * MS}};
   due = now(CLOCK_MONOTONIC);
   close(timer);
   timer = timerfd_create(CLOCK_MONOTONIC, 0);
   expect("timerfd, again and again", timerfd_settime(timer, 0, &setting, NULL) == 0);
   for (uint64_t times = 0; times < 3;)
      times += expirations(timer);
   reached("timerfd, again and again", CLOCK_MONOTONIC, due + (int64_t)3 * WHILE_MS * MS);
   close(timer);
}

static volatile sig_atomic_t alarms;

static void count_alarm(int signal)
{
   (void)signal;
   alarms++;
}

static void timers_that_signal(void)
{
   struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
   timer_t timer;
   signal(SIGALRM, count_alarm);
   expect("timer", timer_create(CLOCK_REALTIME, &event, &timer) == 0);
   struct itimerspec setting = {{0, 0}, spec_of(due_in(CLOCK_REALTIME))};
   expect("timer is set", timer_settime(timer, TIMER_ABSTIME, &setting, NULL) == 0);
   for (int n = 0; n < 100 && !alarms; n++)
      poll(NULL, 0, WHILE_MS);
   expect("timer signals", alarms == 1);
   timer_delete(timer);
   /* A wait that a signal interrupts and that is taken up again. */
   struct sigaction action = {.sa_handler = count_alarm, .sa_flags = SA_RESTART};
   sigaction(SIGALRM, &action, NULL);
   setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 5000}}, NULL);
   sem_t semaphore;
   sem_init(&semaphore, 0, 0);
   int64_t due = due_in(CLOCK_REALTIME);
   struct timespec until = spec_of(due);
   int status;
   while ((status = sem_timedwait(&semaphore, &until)) == -1 && errno == EINTR)
      ;
   expect("interrupted", alarms == 2 && status == -1 && errno == ETIMEDOUT);
   reached("interrupted", CLOCK_REALTIME, due);
}

/* --- timers of which no more is known than that they have expired ------------------------ */

static struct sigaction counting = {.sa_handler = count_alarm};

/* A program that waits for signals until its clock shows something. */
static void signals_until_a_moment(void)
{
   enum { ROUNDS = 1000 };
   int64_t due = due_in(CLOCK_MONOTONIC);
   int rounds = 0;
   sigaction(SIGALRM, &counting, NULL);
   setitimer(ITIMER_REAL, &(struct itimerval){{0, 5000}, {0, 5000}}, NULL);
   while (now(CLOCK_MONOTONIC) < due && rounds++ < ROUNDS)
      pause();
   reached("signals", CLOCK_MONOTONIC, due);
   /* The same with sleeps that are cut short. */
   due = due_in(CLOCK_MONOTONIC);
   for (rounds = 0; now(CLOCK_MONOTONIC) < due && rounds++ < ROUNDS;)
      nanosleep(&(struct timespec){1, 0}, NULL);
   reached("sleeps that are cut short", CLOCK_MONOTONIC, due);
   setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
   due = now(CLOCK_REALTIME) + S;
   alarm(1);
   pause();
   reached("alarm", CLOCK_REALTIME, due);
}

/* Kernels number timers upwards. */
static void many_timers(void)
{
   enum { TIMERS = 300, SIGNAL = 40 };
   sigset_t set;
   sigemptyset(&set);
   sigaddset(&set, SIGNAL);
   sigprocmask(SIG_BLOCK, &set, NULL);
   for (int t = 0; t < TIMERS; t++) {
      struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGNAL};
      timer_t timer;
      expect("one more timer", timer_create(CLOCK_REALTIME, &event, &timer) == 0);
      int64_t due = now(CLOCK_REALTIME) + MS;
      struct itimerspec setting = {{0, 0}, spec_of(due)};
      expect("it is set", timer_settime(timer, TIMER_ABSTIME, &setting, NULL) == 0);
      if (sigtimedwait(&set, NULL, &(struct timespec){5, 0}) != SIGNAL) {
         expect("it signals", false);
         return;
      }
      reached("one more timer", CLOCK_REALTIME, due);
      timer_delete(timer);
   }
}

static bool is_ready_within(int file, int ms)
{
   return poll(&(struct pollfd){.fd = file, .events = POLLIN}, 1, ms) == 1;
}

static void timers_that_are_polled(void)
{
   int timer = timerfd_create(CLOCK_MONOTONIC, 0);
   int64_t due = due_in(CLOCK_MONOTONIC);
   struct itimerspec setting = {{0, 0}, {0, WHILE_MS * MS}};
   timerfd_settime(timer, 0, &setting, NULL);
   expect("timerfd is ready", is_ready_within(timer, 5000));
   reached("timerfd that is not read", CLOCK_MONOTONIC, due);
   /* By another descriptor, whose number says nothing of the clock. */
   static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
   for (int c = 0; c < 2; c++) {
      int duplicate = fcntl(timerfd_create(clocks[c], 0), F_DUPFD, 300);
      due = due_in(clocks[c]);
      setting.it_value = spec_of(due);
      timerfd_settime(duplicate, TFD_TIMER_ABSTIME, &setting, NULL);
      expect("duplicate is ready", is_ready_within(duplicate, 5000));
      expect("duplicate expires", expirations(duplicate) == 1);
      reached("duplicate", clocks[c], due);
   }
   /* Its descriptor becomes that of something else. */
   int ends[2];
   setting = (struct itimerspec){{100, 0}, {100, 0}};
   timerfd_settime(timer, 0, &setting, NULL);
   due = now(CLOCK_MONOTONIC);
   expect("pipe", pipe(ends) == 0 && dup2(ends[0], timer) == timer &&
                     write(ends[1], "8 bytes", 8) == 8 && expirations(timer) > 1);
   reached("no timer", CLOCK_MONOTONIC, due);
}

static void *sleep_for_a_while(void *unused)
{
   nanosleep(&(struct timespec){0, WHILE_MS * MS}, NULL);
   return unused;
}

static void threads_that_sleep_at_once(void)
{
   enum { THREADS = 20 };
   pthread_t threads[THREADS];
   int64_t due = due_in(CLOCK_MONOTONIC);
   for (int t = 0; t < THREADS; t++)
      pthread_create(&threads[t], NULL, sleep_for_a_while, NULL);
   for (int t = 0; t < THREADS; t++)
      pthread_join(threads[t], NULL);
   reached("sleeps at once", CLOCK_MONOTONIC, due);
}

static void sleep_in_handler(int signal)
{
   (void)signal;
   nanosleep(&(struct timespec){0, MS}, NULL);
}

/* A call with a deadline is made again behind a handler that makes calls. */
static void calls_that_are_made_again(void)
{
   struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};
   struct sigaction action = {.sa_handler = sleep_in_handler, .sa_flags = SA_RESTART};
   char name[64], message[8];
   snprintf(name, sizeof name, "/fixed-clock-%d", (int)getpid());
   mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
   if (queue == (mqd_t)-1)
      return;
   mq_unlink(name);
   sigaction(SIGALRM, &action, NULL);
   int64_t due = due_in(CLOCK_REALTIME);
   struct timespec until = spec_of(due);
   setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 5000}}, NULL);
   expect("again", mq_timedreceive(queue, message, sizeof message, NULL, &until) == -1 &&
                      errno == ETIMEDOUT);
   reached("again", CLOCK_REALTIME, due);
   mq_close(queue);
}

/* What the system says of its uptime, to a hundredth of a second: files are real. */
static int64_t uptime(void)
{
   double seconds = 0;
   FILE *file = fopen("/proc/uptime", "r");
   if (!file || fscanf(file, "%lf", &seconds) != 1)
      abort();
   fclose(file);
   return (int64_t)(seconds * 1e9);
}

/* It is really slept: CLOCK_BOOTTIME is not CLOCK_MONOTONIC where the system was asleep. */
static int sleep_by_boottime(void)
{
   int64_t before = uptime(), due = now(CLOCK_BOOTTIME) + S;
   struct timespec until = spec_of(due);
   expect("sleep", clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &until, NULL) == 0);
   reached("sleep", CLOCK_BOOTTIME, due);
   expect("it was slept", uptime() - before >= S - 20 * MS);
   return wrong;
}

/* --- readings that have to agree -------------------------------------------------------- */

static void clocks_agree(void)
{
   struct timeval tv;
   struct tms use;
   struct rusage usage;
   int64_t before = now(CLOCK_REALTIME);
   gettimeofday(&tv, NULL);
   time_t seconds = time(NULL);
   int64_t after = now(CLOCK_REALTIME);
   int64_t between = (int64_t)tv.tv_sec * S + tv.tv_usec * 1000;
   expect("gettimeofday", before / 1000 * 1000 <= between && between <= after);
   expect("time", before / S <= seconds && seconds <= after / S);
   expect("times", times(&use) != (clock_t)-1 && use.tms_utime >= 0);
   expect("getrusage", getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec >= 0);
   int64_t of_process = now(CLOCK_PROCESS_CPUTIME_ID);
   int64_t of_thread = now(CLOCK_THREAD_CPUTIME_ID);
   expect("use of a thread", of_thread > 0 && of_thread <= now(CLOCK_PROCESS_CPUTIME_ID));
   struct timex exact = {.modes = 0};
   expect("adjtimex", adjtimex(&exact) >= 0 && exact.time.tv_sec >= before / S &&
                         exact.time.tv_sec <= now(CLOCK_REALTIME) / S);
   struct sysinfo system;
   int64_t up = now(CLOCK_BOOTTIME) / S;
   expect("sysinfo", sysinfo(&system) == 0 && system.uptime >= up && system.uptime <= up + 1);
   for (volatile int n = 0; n < 100000; n++)
      ;
   expect("use grows", now(CLOCK_PROCESS_CPUTIME_ID) > of_process);
}

/* Only where the clock is no real one. Not every program may. */
static int set_the_clock(void)
{
   struct timeval tv;
   struct timespec to = spec_of(now(CLOCK_REALTIME) + 10 * S);
   int64_t up = now(CLOCK_MONOTONIC);
   if (clock_settime(CLOCK_REALTIME, &to) != 0)
      return errno == EPERM ? 0 : 1;
   reached("the clock is set", CLOCK_REALTIME, ns_of(to));
   expect("the other is not", now(CLOCK_MONOTONIC) < up + S);
   tv = (struct timeval){to.tv_sec + 20, 0};
   expect("settimeofday", settimeofday(&tv, NULL) == 0);
   reached("the clock is set again", CLOCK_REALTIME, (to.tv_sec + 20) * S);
   printf("set\n");
   return wrong;
}

int main(int argc, char **argv)
{
   if (argc > 1 && strcmp(argv[1], "set") == 0)
      return set_the_clock();
   if (argc > 1 && strcmp(argv[1], "boottime") == 0)
      return sleep_by_boottime();
   printing = argc > 1 && strcmp(argv[1], "print") == 0;
   clocks_agree();
   sleeps_for_a_while();
   waits_until_a_moment();
   timers_that_are_read();
   if (!printing) { /* how often they look depends on the system */
      deadlines_that_are_shared();
      timers_that_signal();
      signals_until_a_moment();
      many_timers();
      timers_that_are_polled();
      threads_that_sleep_at_once();
      calls_that_are_made_again();
   }
   return wrong;
}
