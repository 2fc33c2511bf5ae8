/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_signals.h: names of signals, as kill(1) knows them. */
#ifndef PM_SIGNALS_H
#define PM_SIGNALS_H

#include "pm_text.h"

enum { PM_SIGNAL_NAME = sizeof "SIGRTMIN+" + PM_U64_TEXT };

/* The name of a Linux signal (of the platforms that number them generically:
   x86, amd64, arm64), into to; a number that has no name as SIG and the number. */
const char *pm_signal_name(char to[PM_SIGNAL_NAME], int signal);

#endif
