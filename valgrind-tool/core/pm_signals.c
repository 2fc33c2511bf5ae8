/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_signals.c: the table of signal names. */
#include "pm_signals.h"
#include "pm_host.h"

static const char *const names[] = {
   [1] = "SIGHUP",     [2] = "SIGINT",   [3] = "SIGQUIT",  [4] = "SIGILL",
   [5] = "SIGTRAP",    [6] = "SIGABRT",  [7] = "SIGBUS",   [8] = "SIGFPE",
   [9] = "SIGKILL",    [10] = "SIGUSR1", [11] = "SIGSEGV", [12] = "SIGUSR2",
   [13] = "SIGPIPE",   [14] = "SIGALRM", [15] = "SIGTERM", [16] = "SIGSTKFLT",
   [17] = "SIGCHLD",   [18] = "SIGCONT", [19] = "SIGSTOP", [20] = "SIGTSTP",
   [21] = "SIGTTIN",   [22] = "SIGTTOU", [23] = "SIGURG",  [24] = "SIGXCPU",
   [25] = "SIGXFSZ",   [26] = "SIGVTALRM", [27] = "SIGPROF", [28] = "SIGWINCH",
   [29] = "SIGIO",     [30] = "SIGPWR",  [31] = "SIGSYS",   [34] = "SIGRTMIN",
};

enum { NAMED = sizeof names / sizeof *names, REAL_TIME_FIRST = NAMED - 1, REAL_TIME_LAST = 64 };

const char *pm_signal_name(char to[PM_SIGNAL_NAME], int signal)
{
   if (signal > 0 && signal < NAMED && names[signal])
      return names[signal];
   bool real_time = signal >= REAL_TIME_FIRST && signal <= REAL_TIME_LAST;
   const char *start = real_time ? "SIGRTMIN+" : "SIG";
   size_t length = pm_strlen(start);
   memcpy(to, start, length);
   pm_u64_text(to + length, (uint64_t)(real_time ? signal - REAL_TIME_FIRST : signal));
   return to;
}
