/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_mix.c: any bytes as an instruction, of each platform.
 *
 * Besides what the sanitizers see: classes are consistent with each other and with what
 * pm_insns.h says of the same bytes.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "pm_insns.h"
#include "pm_mix.h"

static void require(bool condition, const char *what)
{
   if (condition)
      return;
   fprintf(stderr, "fuzz_mix: not true: %s\n", what);
   abort();
}

static void check(unsigned classes)
{
   const unsigned both = PM_MIX_VECTOR | PM_MIX_SCALAR_FLOAT;

   require(classes >> PM_MIX_CLASSES == 0, "there are no more classes");
   require((classes & both) != both, "vector and scalar-float exclude each other");
   require(!(classes & PM_MIX_CALL) || classes & PM_MIX_BRANCH, "a call is a branch");
   require(!(classes & PM_MIX_BRANCH) || !(classes & both), "a branch does not compute");
   require(!(classes & PM_MIX_SYSCALL) || classes == PM_MIX_SYSCALL, "a system call is that alone");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
   /* libFuzzer's memory is of the right size, and replay.c's: what is read beyond is seen. */
   unsigned length = count < 64 ? (unsigned)count : 64;
   unsigned classes = pm_mix_x86_64(bytes, length);

   check(classes);
   if (pm_insn_traits_x86_64(bytes, length).rep)
      require(classes & (PM_MIX_LOAD | PM_MIX_STORE), "what repeats is about memory");
   classes = pm_mix_x86_32(bytes, length);
   check(classes);
   if (pm_insn_traits_x86_32(bytes, length).rep)
      require(classes & (PM_MIX_LOAD | PM_MIX_STORE), "what repeats is about memory, in 32 bits");
   classes = pm_mix_arm64(bytes, length);
   check(classes);
   if (length == 4 && classes & (PM_MIX_LOAD | PM_MIX_STORE) && bytes[3] != 0xd5 /* dc zva */)
      require(pm_insn_traits_arm64(bytes, length).may_retry, "loads and stores are seen as such");
   return 0;
}
