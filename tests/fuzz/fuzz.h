/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz.h: what a fuzz target is.
 *
 * A target is one function over any bytes that aborts, or lets a sanitizer speak, if
 * something is wrong. Linked with replay.c it is a test, which runs the inputs of a
 * corpus once; linked with libFuzzer it looks for new ones (local.mk says how).
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The name and type that libFuzzer calls; the result is always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#endif
