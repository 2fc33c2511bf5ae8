/* SPDX-License-Identifier: GPL-2.0-or-later */
/* freestanding_arm64.h: what freestanding.h needs to know of this machine. */
#ifndef FREESTANDING_ARM64_H
#define FREESTANDING_ARM64_H

static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
{
   register long x8 __asm__("x8") = number;
   register long x0 __asm__("x0") = a;
   register long x1 __asm__("x1") = b;
   register long x2 __asm__("x2") = c;
   register long x3 __asm__("x3") = d;
   register long x4 __asm__("x4") = e;
   register long x5 __asm__("x5") = f;
   __asm__ volatile("svc #0"
                    : "+r"(x0)
                    : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                    : "memory");
   return x0;
}

/* The address of the instruction that a signal came before, to be changed. */
static inline uintptr_t *saved_ip(void *context)
{
   return (uintptr_t *)&((ucontext_t *)context)->uc_mcontext.pc;
}

/* As if the function that has been entered had returned. */
static inline void return_at_once(void *context)
{
   *saved_ip(context) = ((ucontext_t *)context)->uc_mcontext.regs[30];
}

/* All loads of ordinary memory may be unaligned. */
#define UNALIGNED_LOADS_FAULT 0

#endif
