/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_names.h: names of functions in their language. */
#ifndef PM_NAMES_H
#define PM_NAMES_H

#include "pm_host.h"

/* How many bytes of a demangled name remain without its parameter list and what
   follows it: 6 of "ns::fn(int) const". All of them when it has no list. */
size_t pm_name_without_parameters(const char *name);

#endif
