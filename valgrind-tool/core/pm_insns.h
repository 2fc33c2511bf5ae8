/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_insns.h: what counting must know of an instruction, from its bytes.
 *
 * VEX shows the tool its own translation, in which some instructions loop or
 * leave half-way; which ones is decided here, from the guest's bytes.
 */
#ifndef PM_INSNS_H
#define PM_INSNS_H

#include "pm_host.h"

struct pm_insn_traits {
   uint8_t instrs;   /* instructions that these bytes are: 1; a client request 5 */
   uint8_t first_bytes; /* of several, the length of each but the last, which is the rest */
   bool rep;         /* repeated string instruction: counts once, when it is left */
   bool request;     /* the special sequence of a client request */
   bool may_retry;   /* an exit to itself means: not executed yet, try again */
   bool may_divide;  /* may fault although it does not touch memory */
};

/* The traits of the instruction of `length` bytes at `bytes`, which is what the
   platform's translator took as one. */
typedef struct pm_insn_traits pm_insn_traits_fn(const uint8_t *bytes, unsigned length);

pm_insn_traits_fn pm_insn_traits_x86_64;
pm_insn_traits_fn pm_insn_traits_x86_32;
pm_insn_traits_fn pm_insn_traits_arm64;

#endif
