/* SPDX-License-Identifier: GPL-2.0-or-later */
/* freestanding_amd64.h: what freestanding.h needs to know of this machine. */
#ifndef FREESTANDING_AMD64_H
#define FREESTANDING_AMD64_H

static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
{
   register long r10 __asm__("r10") = d;
   register long r8 __asm__("r8") = e;
   register long r9 __asm__("r9") = f;
   long result = number;
   __asm__ volatile("syscall"
                    : "+a"(result)
                    : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                    : "rcx", "r11", "memory");
   return result;
}

static inline greg_t *saved_registers(void *context)
{
   return ((ucontext_t *)context)->uc_mcontext.gregs;
}

/* The address of the instruction that a signal came before, to be changed. */
static inline uintptr_t *saved_ip(void *context)
{
   return (uintptr_t *)&saved_registers(context)[REG_RIP];
}

/* As if the function that has been entered had returned. */
static inline void return_at_once(void *context)
{
   greg_t *registers = saved_registers(context);
   registers[REG_RIP] = *(greg_t *)registers[REG_RSP];
   registers[REG_RSP] += 8;
}

/* load_aligned wants its 16 bytes aligned. */
#define UNALIGNED_LOADS_FAULT 1

#endif
