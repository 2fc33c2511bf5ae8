/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_calls.h: functions that count their own calls.
 *
 * Each counted function begins with COUNT(name), and the program says in the end how often
 * each one did, a line each:
 *
 *    calls NUMBER OBJECT NAME     reached by call instructions alone
 *    entries NUMBER OBJECT NAME   also by jumps, or by the system
 *    absent 0 OBJECT NAME         does not run: it is part of other functions, or not called
 */
#ifndef KNOWN_CALLS_H
#define KNOWN_CALLS_H

/* A function that stays one: not inlined, not cloned, nothing known about it elsewhere. */
#define COUNTED __attribute__((noipa))

/* Counted in all threads. */
#define COUNT(name) (void)__atomic_fetch_add(&count_of_##name, 1, __ATOMIC_RELAXED)

/* The library: known_library.c. */
int library_entry(int n);
int library_calls_back(int (*function)(int), int times);
int library_chosen(int n);
void library_say(void);

/* The other part of the program: known_calls_other.c. */
int other_calls_its_own(int times);
void other_say(void);

#endif
