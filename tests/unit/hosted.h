/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosted.h: the core's host services for tests and fuzzers, on top of libc.
 *
 * Memory comes from malloc, filled with a pattern, so that a core that relies on
 * zeroes is seen; release checks the size it is told. A chosen allocation can be
 * made to fail. One thread.
 */
#ifndef HOSTED_H
#define HOSTED_H

#include "pm_host.h"

extern const struct pm_host hosted;

/* From now on the n-th call of alloc or reserve (1: the next one) fails, once; 0: none. */
void hosted_fail_alloc(unsigned long n);

/* The same for it and every later one, until hosted_fail_alloc is called. */
void hosted_fail_all_from(unsigned long n);

/* Whether the failure asked for last has happened. A loop over n is through when it
   has not. */
bool hosted_has_failed(void);

/* Bytes from alloc that were not released yet, and the most there ever were since
   hosted_forget_most (or the start). */
size_t hosted_live_bytes(void);
size_t hosted_most_bytes(void);
void hosted_forget_most(void);

/* What happens when an invariant is broken; by default a message and abort(). A
   test that provokes one sets a function that does not return (cmocka's mock_assert
   with expect_assert_failure). */
extern void (*hosted_broken)(const char *file, int line, const char *invariant);

#endif
