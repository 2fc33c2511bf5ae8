/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_mix_arm64.c: the classes of arm64 instructions.
 *
 * One table of bit patterns, in the order of the manual's groups of encodings. The first row
 * that fits an instruction has its classes; what no row fits (arithmetic in general registers,
 * system registers, barriers, hints) is in none. Exceptions stand before their rules.
 */
#include "pm_mix.h"

#include <stdbool.h>

enum {
   V = PM_MIX_VECTOR,
   F = PM_MIX_SCALAR_FLOAT,
   L = PM_MIX_LOAD,
   S = PM_MIX_STORE,
   B = PM_MIX_BRANCH,
   C = PM_MIX_CALL,
   Y = PM_MIX_SYSCALL,
   ALL_CLASSES = (1 << PM_MIX_CLASSES) - 1,
   /* The row fits only if the two sources are the same register. */
   SAME = 1 << PM_MIX_CLASSES
};

struct pattern {
   uint32_t mask, value; /* fits a word if the bits of the mask have the value */
   unsigned classes;     /* and SAME */
};

static const struct pattern patterns[] = {
   /* Branches, exceptions, system. */
   {0xfc000000, 0x14000000, B},       /* b */
   {0xfc000000, 0x94000000, B|C},     /* bl */
   {0xff000000, 0x54000000, B},       /* b.cond */
   {0x7c000000, 0x34000000, B},       /* cbz cbnz tbz tbnz */
   {0xfeff0000, 0xd61f0000, B},       /* br, braa and others that authenticate */
   {0xfeff0000, 0xd63f0000, B|C},     /* blr, blraa */
   {0xffff0000, 0xd65f0000, B},       /* ret, retaa */
   {0xffe0001f, 0xd4000001, Y},       /* svc */
   {0xffffffe0, 0xd50b7420, S},       /* dc zva */

   /* Exclusive and ordered. */
   {0xbfa07c00, 0x08207c00, L|S},     /* casp */
   {0x3fa07c00, 0x08a07c00, L|S},     /* cas */
   {0x3f400000, 0x08400000, L},       /* ldxr ldxp ldar ldlar */
   {0x3f400000, 0x08000000, S},       /* stxr stxp stlr stllr */
   {0x3fe00c00, 0x19000000, S},       /* stlur */
   {0x3f200c00, 0x19000000, L},       /* ldapur */

   /* Structures of vectors: ld1 to ld4, st1 to st4, whole, one element, replicated. */
   {0xbe400000, 0x0c400000, V|L},
   {0xbe400000, 0x0c000000, V|S},

   /* Relative to the instruction. */
   {0xff000000, 0xd8000000, 0},       /* prfm */
   {0x3f000000, 0x18000000, L},       /* ldr w, ldr x, ldrsw */
   {0xbf000000, 0x1c000000, F|L},     /* ldr s, ldr d */
   {0xff000000, 0x9c000000, V|L},     /* ldr q */

   /* Pairs. */
   {0x3e400000, 0x28400000, L},       /* ldp ldnp ldpsw */
   {0x3e400000, 0x28000000, S},       /* stp stnp */
   {0xbe400000, 0x2c400000, F|L},     /* of s, of d */
   {0xbe400000, 0x2c000000, F|S},
   {0xfe400000, 0xac400000, V|L},     /* of q */
   {0xfe400000, 0xac000000, V|S},

   /* One register, all ways to address. */
   {0x3ffffc00, 0x38bfc000, L},       /* ldapr */
   {0x3f200c00, 0x38200000, L|S},     /* ldadd .. ldumin, stadd .. stumin, swp */
   {0xff200400, 0xf8200400, L},       /* ldraa ldrab */
   {0xfec00000, 0xf8800000, 0},       /* prfm prfum */
   {0x3ec00000, 0x38000000, S},       /* str sttr stur */
   {0x3e000000, 0x38000000, L},       /* ldr ldtr ldur, also with extension of the sign */
   {0xfe400000, 0x3c400000, V|L},     /* of b, of q */
   {0xfe400000, 0x3c000000, V|S},
   {0x3e400000, 0x3c400000, F|L},     /* of h, s, d */
   {0x3e400000, 0x3c000000, F|S},

   /* Floating point on one number. */
   {0x7f36fc00, 0x1e260000, 0},       /* fmov from and to a general register */
   {0x7f000000, 0x1e000000, F},       /* conversion, comparison, arithmetic, fcsel, fmov */
   {0xff000000, 0x1f000000, F},       /* fmadd fmsub fnmadd fnmsub */
   /* The same in the vector unit's own encodings. */
   {0xdf20c400, 0x5e20c400, F},       /* fmulx fabd fcmeq fcmge facge frecps frsqrts */
   {0xdf60c400, 0x5e400400, F},       /* of h */
   {0xdf3fcc00, 0x5e20c800, F},       /* fcmeq and others with zero */
   {0xdf3f8c00, 0x5e218800, F},       /* fcvtzs scvtf frecpe frecpx frsqrte */
   {0xdf3ffc00, 0x5e216800, F},       /* fcvtxn */
   {0xdf7e0c00, 0x5e780800, F},       /* of h */
   {0xdf80e400, 0x5f00e400, F},       /* fcvtzs scvtf with fraction bits */
   {0xdf00b400, 0x5f001000, F},       /* fmla fmls by an element */
   {0xdf00f400, 0x5f009000, F},       /* fmul fmulx by an element */

   /* What compilers write into any code. */
   {0xffe0fc00, 0x4ea01c00, SAME},    /* mov v.16b */
   {0xbfe0fc00, 0x2e201c00, SAME},    /* eor */
   {0xbfe0fc00, 0x0e601c00, SAME},    /* bic */
   {0xbf20fc00, 0x2e208400, SAME},    /* sub */
   {0x9f20fc00, 0x0e202c00, SAME},    /* sqsub uqsub */
   {0x9f20fc00, 0x0e203400, SAME},    /* cmgt cmhi */
   {0xbfff9fe0, 0x0f000400, 0},       /* movi of 0: words */
   {0xbfffdfe0, 0x0f008400, 0},       /* halves */
   {0xbfffffe0, 0x0f00e400, 0},       /* bytes */
   {0xbfffffe0, 0x2f00e400, 0},       /* d and v.2d */

   /* The vector unit. */
   {0x0e000000, 0x0e000000, V},
};

static bool fits(const struct pattern *pattern, uint32_t word)
{
   unsigned first = word >> 5 & 31, second = word >> 16 & 31;
   return (word & pattern->mask) == pattern->value &&
          (!(pattern->classes & SAME) || first == second);
}

unsigned pm_mix_arm64(const uint8_t *bytes, unsigned length)
{
   if (length < 4)
      return 0;
   uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                   (uint32_t)bytes[3] << 24;
   for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
      if (fits(&patterns[i], word))
         return patterns[i].classes & ALL_CLASSES;
   }
   return 0;
}
