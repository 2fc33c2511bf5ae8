/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_mix_x86.c: the classes of x86 instructions, 32 and 64 bits.
 *
 * Four tables, one for each opcode map of the manuals, have a cell for every opcode; in the
 * three maps behind 0F one for each mandatory prefix. A cell holds the classes that the
 * instruction is always in, those that its ModRM operand adds when that is memory, and one
 * exception. Where the ModRM byte is part of the opcode the cell names a row of eight cells.
 * VEX encodings use the same tables: an opcode there is the SSE instruction of the same map,
 * prefix and number, or one that nothing else uses.
 *
 * So little is enough because classes ask only whether the operand is memory: lengths of
 * addresses and immediates, operand sizes and widths of vectors do not matter.
 */
#include "pm_mix.h"

#include <stdbool.h>

/* --- Cells ---------------------------------------------------------------- */

enum {
   /* Always. */
   V = PM_MIX_VECTOR,
   F = PM_MIX_SCALAR_FLOAT,
   L = PM_MIX_LOAD,
   S = PM_MIX_STORE,
   B = PM_MIX_BRANCH,
   C = PM_MIX_CALL,
   Y = PM_MIX_SYSCALL,
   ALL_CLASSES = (1 << PM_MIX_CLASSES) - 1,

   /* If the ModRM operand is memory: it is read, written, or both. */
   MEMORY_SHIFT = PM_MIX_CLASSES,
   R = L << MEMORY_SHIFT,
   W = S << MEMORY_SHIFT,
   RW = R | W,
   /* Vector only then: the form with registers copies a whole one, or a general one. */
   VM = V << MEMORY_SHIFT,

   /* Vector unless both sources are the same register, which makes zero. */
   Z = V | 1 << 2 * PM_MIX_CLASSES,

   /* The low bits are a row of `rows`, in which ModRM.reg finds the cell. */
   ROW = 1 << (2 * PM_MIX_CLASSES + 1)
};

typedef uint16_t cell;

/* The columns of a map: its mandatory prefix, numbered as VEX.pp does. */
enum { NONE, P66, PF3, PF2, COLUMNS };
#define ANY_PREFIX(cell) {cell, cell, cell, cell}

enum { ROW_ALU, ROW_POP, ROW_MOV, ROW_F6, ROW_FE, ROW_FF, ROW_0F00, ROW_0F01, ROW_0FAE, ROW_0FBA,
       ROW_0FC7, ROWS };

static const cell rows[ROWS][8] = {
   /*              /0   /1   /2         /3         /4     /5     /6     /7 */
   [ROW_ALU]    = {RW,  RW,  RW,        RW,        RW,    RW,    RW,    R}, /* /7: cmp */
   [ROW_POP]    = {L|W},
   [ROW_MOV]    = {W},
   [ROW_F6]     = {R,   R,   RW,        RW,        R,     R,     R,     R}, /* test not neg mul div */
   [ROW_FE]     = {RW,  RW},                                                /* inc dec */
   [ROW_FF]     = {RW,  RW,  R|S|B|C,   R|S|B|C,   R|B,   R|B,   R|S},      /* call, jmp, push */
   [ROW_0F00]   = {W,   W,   R,         R,         R,     R},               /* sldt .. verw */
   [ROW_0F01]   = {W,   W,   R,         R,         W,     0,     R},        /* sgdt .. lmsw */
   [ROW_0FAE]   = {W,   R,   R,         W,         W,     R,     W}, /* fxsave .. xsaveopt; clflush */
   [ROW_0FBA]   = {0,   0,   0,         0,         R,     RW,    RW,    RW},  /* bt bts btr btc */
   [ROW_0FC7]   = {0,   RW,  0,         R,         W,     W,     R,     W}, /* cmpxchg8b, xsavec .. */
};

/* --- The map of one byte -------------------------------------------------- */

enum { OPCODE_INT = 0xcd, OPCODE_X87_FIRST = 0xd8, OPCODE_X87_LAST = 0xdf };

/* Opcodes that are prefixes or escapes have no cell, nor has what stays in registers. */
static const cell map_one_byte[256] = {
   /* add or adc sbb and sub xor: with memory; with a register; then cmp */
   [0x00] = RW, RW, R, R,  [0x08] = RW, RW, R, R,  [0x10] = RW, RW, R, R,  [0x18] = RW, RW, R, R,
   [0x20] = RW, RW, R, R,  [0x28] = RW, RW, R, R,  [0x30] = RW, RW, R, R,  [0x38] = R, R, R, R,
   [0x06] = S, L, [0x0e] = S, [0x16] = S, L, [0x1e] = S, L, /* push, pop of segments */
   [0x50 ... 0x57] = S,              /* push */
   [0x58 ... 0x5f] = L,              /* pop */
   [0x60] = S, L,                    /* pusha, popa */
   [0x63] = R,                       /* movslq */
   [0x68] = S, R, S, R,              /* push, imul, push, imul */
   [0x6c] = S, S, L, L,              /* ins, outs */
   [0x70 ... 0x7f] = B,              /* jcc */
   [0x80 ... 0x83] = ROW | ROW_ALU,
   [0x84] = R, R,                    /* test */
   [0x86] = RW, RW,                  /* xchg */
   [0x88] = W, W, R, R,              /* mov */
   [0x8c] = W, 0, R,                 /* mov from a segment, lea, mov to a segment */
   [0x8f] = ROW | ROW_POP,
   [0x9a] = S|B|C,                   /* lcall */
   [0x9c] = S, L,                    /* pushf, popf */
   [0xa0] = L, L, S, S,              /* movabs */
   [0xa4] = L|S, L|S, L, L,          /* movs, cmps */
   [0xaa] = S, S, L, L, L, L,        /* stos, lods, scas */
   [0xc0] = RW, RW,                  /* shifts */
   [0xc2] = L|B, L|B,                /* ret */
   [0xc4] = R, R,                    /* les, lds */
   [0xc6] = ROW | ROW_MOV, ROW | ROW_MOV,
   [0xc8] = S, L,                    /* enter, leave */
   [0xca] = L|B, L|B,                /* lret */
   [0xcf] = L|B,                     /* iret */
   [0xd0] = RW, RW, RW, RW,          /* shifts */
   [0xd7] = L,                       /* xlat */
   [0xe0] = B, B, B, B,              /* loop, jrcxz */
   [0xe8] = S|B|C, B, B, B,          /* call, jmp, ljmp, jmp */
   [0xf6] = ROW | ROW_F6, ROW | ROW_F6,
   [0xfe] = ROW | ROW_FE, ROW | ROW_FF,
};

/* --- The map behind 0F ---------------------------------------------------- */

static const cell map_0f[256][COLUMNS] = {
   [0x00]          = ANY_PREFIX(ROW | ROW_0F00),
   [0x01]          = ANY_PREFIX(ROW | ROW_0F01),
   [0x02 ... 0x03] = ANY_PREFIX(R),                  /* lar lsl */
   [0x05]          = ANY_PREFIX(Y),                  /* syscall */
   /*                 none   66     f3     f2 */
   [0x10]          = {VM|R,  VM|R,  F|R,   F|R},     /* movups movupd movss movsd */
   [0x11]          = {VM|W,  VM|W,  F|W,   F|W},
   [0x12]          = {V|R,   V|R,   V|R,   V|R},     /* movlps movlpd movsldup movddup */
   [0x13]          = {V|W,   V|W},
   [0x14 ... 0x15] = {V|R,   V|R},                   /* unpck */
   [0x16]          = {V|R,   V|R,   V|R},            /* movhps movhpd movshdup */
   [0x17]          = {V|W,   V|W},
   [0x28]          = {VM|R,  VM|R},                  /* movaps movapd */
   [0x29]          = {VM|W,  VM|W},
   [0x2a]          = {V|R,   V|R,   F|R,   F|R},     /* cvtpi2ps cvtpi2pd cvtsi2ss cvtsi2sd */
   [0x2b]          = {V|W,   V|W},                   /* movntps movntpd */
   [0x2c ... 0x2d] = {V|R,   V|R,   F|R,   F|R},     /* cvtps2pi cvtpd2pi cvtss2si cvtsd2si */
   [0x2e ... 0x2f] = {F|R,   F|R},                   /* ucomis comis */
   [0x34]          = ANY_PREFIX(Y),                  /* sysenter */
   [0x40 ... 0x4f] = ANY_PREFIX(R),                  /* cmov */
   [0x50]          = {V,     V},                     /* movmsk */
   [0x51]          = {V|R,   V|R,   F|R,   F|R},     /* sqrt */
   [0x52 ... 0x53] = {V|R,   0,     F|R},            /* rsqrt rcp */
   [0x54]          = {V|R,   V|R},                   /* and */
   [0x55]          = {Z|R,   Z|R},                   /* andn */
   [0x56]          = {V|R,   V|R},                   /* or */
   [0x57]          = {Z|R,   Z|R},                   /* xor */
   [0x58 ... 0x59] = {V|R,   V|R,   F|R,   F|R},     /* add mul */
   [0x5a]          = {V|R,   V|R,   F|R,   F|R},     /* cvtps2pd cvtpd2ps cvtss2sd cvtsd2ss */
   [0x5b]          = {V|R,   V|R,   V|R},            /* cvtdq2ps cvtps2dq cvttps2dq */
   [0x5c ... 0x5f] = {V|R,   V|R,   F|R,   F|R},     /* sub min div max */
   [0x60 ... 0x63] = {V|R,   V|R},                   /* punpckl packss */
   [0x64 ... 0x66] = {Z|R,   Z|R},                   /* pcmpgt */
   [0x67 ... 0x6b] = {V|R,   V|R},                   /* packus punpckh packss */
   [0x6c ... 0x6d] = {0,     V|R},                   /* punpcklqdq punpckhqdq */
   [0x6e]          = {VM|R,  VM|R},                  /* movd movq */
   [0x6f]          = {VM|R,  VM|R,  VM|R},           /* movq movdqa movdqu */
   [0x70]          = {V|R,   V|R,   V|R,   V|R},     /* pshuf */
   [0x71 ... 0x73] = {V,     V},                     /* shifts by a constant */
   [0x74 ... 0x76] = {V|R,   V|R},                   /* pcmpeq */
   [0x7c ... 0x7d] = {0,     V|R,   0,     V|R},     /* hadd hsub */
   [0x7e]          = {VM|W,  VM|W,  V|R},            /* movd movq; movq */
   [0x7f]          = {VM|W,  VM|W,  VM|W},           /* movq movdqa movdqu */
   [0x80 ... 0x8f] = ANY_PREFIX(B),                  /* jcc */
   [0x90 ... 0x9f] = ANY_PREFIX(W),                  /* setcc */
   [0xa0]          = ANY_PREFIX(S),                  /* push %fs */
   [0xa1]          = ANY_PREFIX(L),                  /* pop %fs */
   [0xa3]          = ANY_PREFIX(R),                  /* bt */
   [0xa4 ... 0xa5] = ANY_PREFIX(RW),                 /* shld */
   [0xa8]          = ANY_PREFIX(S),                  /* push %gs */
   [0xa9]          = ANY_PREFIX(L),                  /* pop %gs */
   [0xab ... 0xad] = ANY_PREFIX(RW),                 /* bts shrd */
   [0xae]          = {ROW | ROW_0FAE},               /* clwb, clflushopt and others: none */
   [0xaf]          = ANY_PREFIX(R),                  /* imul */
   [0xb0 ... 0xb1] = ANY_PREFIX(RW),                 /* cmpxchg */
   [0xb2]          = ANY_PREFIX(R),                  /* lss */
   [0xb3]          = ANY_PREFIX(RW),                 /* btr */
   [0xb4 ... 0xb8] = ANY_PREFIX(R),                  /* lfs lgs movz popcnt */
   [0xba]          = ANY_PREFIX(ROW | ROW_0FBA),
   [0xbb]          = ANY_PREFIX(RW),                 /* btc */
   [0xbc ... 0xbf] = ANY_PREFIX(R),                  /* bsf bsr tzcnt lzcnt movs */
   [0xc0 ... 0xc1] = ANY_PREFIX(RW),                 /* xadd */
   [0xc2]          = {V|R,   V|R,   F|R,   F|R},     /* cmpps cmppd cmpss cmpsd */
   [0xc3]          = {W},                            /* movnti */
   [0xc4]          = {V|R,   V|R},                   /* pinsrw */
   [0xc5]          = {V,     V},                     /* pextrw */
   [0xc6]          = {V|R,   V|R},                   /* shufps shufpd */
   [0xc7]          = ANY_PREFIX(ROW | ROW_0FC7),
   [0xd0]          = {0,     V|R,   0,     V|R},     /* addsub */
   [0xd1 ... 0xd5] = {V|R,   V|R},                   /* psrl paddq pmullw */
   [0xd6]          = {0,     V|W,   V,     V},       /* movq movq2dq movdq2q */
   [0xd7]          = {V,     V},                     /* pmovmskb */
   [0xd8 ... 0xd9] = {Z|R,   Z|R},                   /* psubus */
   [0xda ... 0xde] = {V|R,   V|R},                   /* pminub pand paddus pmaxub */
   [0xdf]          = {Z|R,   Z|R},                   /* pandn */
   [0xe0 ... 0xe5] = {V|R,   V|R},                   /* pavg psra pmulh */
   [0xe6]          = {0,     V|R,   V|R,   V|R},     /* cvttpd2dq cvtdq2pd cvtpd2dq */
   [0xe7]          = {V|W,   V|W},                   /* movntq movntdq */
   [0xe8 ... 0xe9] = {Z|R,   Z|R},                   /* psubs */
   [0xea ... 0xee] = {V|R,   V|R},                   /* pminsw por padds pmaxsw */
   [0xef]          = {Z|R,   Z|R},                   /* pxor */
   [0xf0]          = {0,     0,     0,     V|R},     /* lddqu */
   [0xf1 ... 0xf6] = {V|R,   V|R},                   /* psll pmuludq pmaddwd psadbw */
   [0xf7]          = {V|S,   V|S},                   /* maskmovq maskmovdqu */
   [0xf8 ... 0xfb] = {Z|R,   Z|R},                   /* psub */
   [0xfc ... 0xfe] = {V|R,   V|R},                   /* padd */
};

/* --- The maps behind 0F 38 and 0F 3A -------------------------------------- */

static const cell map_0f38[256][COLUMNS] = {
   /*                 none   66     f3     f2 */
   [0x00 ... 0x0b] = {V|R,   V|R},                   /* pshufb phadd pmadd psign pmulhrsw */
   [0x0c ... 0x10] = {0,     V|R},                   /* vpermil vtest pblendvb */
   [0x13 ... 0x1a] = {0,     V|R},                   /* vcvtph2ps blendv vpermps ptest vbroadcast */
   [0x1c ... 0x1e] = {V|R,   V|R},                   /* pabs */
   [0x20 ... 0x25] = {0,     V|R},                   /* pmovsx */
   [0x28 ... 0x2d] = {0,     V|R},                   /* pmuldq movntdqa packusdw vmaskmov */
   [0x2e ... 0x2f] = {0,     V|W},                   /* vmaskmov */
   [0x30 ... 0x36] = {0,     V|R},                   /* pmovzx vpermd */
   [0x37]          = {0,     Z|R},                   /* pcmpgtq */
   [0x38 ... 0x41] = {0,     V|R},                   /* pmin pmax pmulld phminposuw */
   [0x45 ... 0x47] = {0,     V|R},                   /* vpsrlv vpsrav vpsllv */
   [0x58 ... 0x5a] = {0,     V|R},                   /* vpbroadcastd vpbroadcastq vbroadcasti128 */
   [0x78 ... 0x79] = {0,     V|R},                   /* vpbroadcastb vpbroadcastw */
   [0x8c]          = {0,     V|R},                   /* vpmaskmov */
   [0x8e]          = {0,     V|W},
   [0x90 ... 0x93] = {0,     V|R},                   /* gathers */
   /* FMA: 132, 213, 231; first vfmaddsub and vfmsubadd, then packed and scalar in turn */
   [0x96 ... 0x98] = {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R},
   [0xa6 ... 0xa8] = {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R},
   [0xb6 ... 0xb8] = {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R}, {0, V|R}, {0, F|R},
   [0xc8 ... 0xcd] = {V|R},                          /* sha */
   [0xdb ... 0xdf] = {0,     V|R},                   /* aes */
   [0xf0]          = {R,     R,     0,     R},       /* movbe; crc32 */
   [0xf1]          = {W,     W,     0,     R},
   [0xf2 ... 0xf3] = {R},                            /* andn blsr blsmsk blsi */
   [0xf5]          = {R,     0,     R,     R},       /* bzhi pext pdep */
   [0xf6]          = {0,     R,     R,     R},       /* adcx adox mulx */
   [0xf7]          = {R,     R,     R,     R},       /* bextr shlx sarx shrx */
};

static const cell map_0f3a[256][COLUMNS] = {
   /*                 none   66     f3     f2 */
   [0x00 ... 0x02] = {0,     V|R},                   /* vpermq vpermpd vpblendd */
   [0x04 ... 0x06] = {0,     V|R},                   /* vpermil vperm2f128 */
   [0x08 ... 0x09] = {0,     V|R},                   /* roundps roundpd */
   [0x0a ... 0x0b] = {0,     F|R},                   /* roundss roundsd */
   [0x0c ... 0x0e] = {0,     V|R},                   /* blendps blendpd pblendw */
   [0x0f]          = {V|R,   V|R},                   /* palignr */
   [0x14 ... 0x17] = {0,     V|W},                   /* pextr extractps */
   [0x18]          = {0,     V|R},                   /* vinsertf128 */
   [0x19]          = {0,     V|W},                   /* vextractf128 */
   [0x1d]          = {0,     V|W},                   /* vcvtps2ph */
   [0x20 ... 0x22] = {0,     V|R},                   /* pinsr insertps */
   [0x38]          = {0,     V|R},                   /* vinserti128 */
   [0x39]          = {0,     V|W},                   /* vextracti128 */
   [0x40 ... 0x42] = {0,     V|R},                   /* dpps dppd mpsadbw */
   [0x44]          = {0,     V|R},                   /* pclmulqdq */
   [0x46]          = {0,     V|R},                   /* vperm2i128 */
   [0x4a ... 0x4c] = {0,     V|R},                   /* vblendv vpblendvb */
   [0x5c ... 0x5f] = {0,     V|R},                   /* FMA4: vfmaddsub vfmsubadd */
   [0x60 ... 0x63] = {0,     V|R},                   /* pcmpestr pcmpistr */
   [0x68 ... 0x69] = {0, V|R}, {0, F|R}, {0, F|R}, {0, V|R}, {0, V|R}, {0, F|R}, {0, F|R}, /* FMA4 */
   [0x78 ... 0x79] = {0, V|R}, {0, F|R}, {0, F|R}, {0, V|R}, {0, V|R}, {0, F|R}, {0, F|R},
   [0xcc]          = {V|R},                          /* sha1rnds4 */
   [0xdf]          = {0,     V|R},                   /* aeskeygenassist */
   [0xf0]          = {0,     0,     0,     R},       /* rorx */
};

/* Numbered as VEX does. */
enum { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, MAPS };

static const cell (*const maps[MAPS])[COLUMNS] = {
   [MAP_0F] = map_0f, [MAP_0F38] = map_0f38, [MAP_0F3A] = map_0f3a,
};

/* --- x87 ------------------------------------------------------------------ */

/* With memory, by opcode and ModRM.reg. */
static const cell x87_memory[8][8] = {
   /*           /0     /1     /2     /3     /4     /5     /6     /7 */
   [0xd8 & 7] = {F|R,  F|R,   F|R,   F|R,   F|R,   F|R,   F|R,   F|R}, /* arithmetic, 32 bits */
   [0xd9 & 7] = {F|R,  0,     F|W,   F|W,   R,     R,     W,     W},   /* fld fst; fldenv .. fnstcw */
   [0xda & 7] = {F|R,  F|R,   F|R,   F|R,   F|R,   F|R,   F|R,   F|R}, /* with integers */
   [0xdb & 7] = {F|R,  F|W,   F|W,   F|W,   0,     F|R,   0,     F|W}, /* fild fist; 80 bits */
   [0xdc & 7] = {F|R,  F|R,   F|R,   F|R,   F|R,   F|R,   F|R,   F|R}, /* arithmetic, 64 bits */
   [0xdd & 7] = {F|R,  F|W,   F|W,   F|W,   R,     0,     W,     W},   /* fld fst; frstor .. fnstsw */
   [0xde & 7] = {F|R,  F|R,   F|R,   F|R,   F|R,   F|R,   F|R,   F|R}, /* with short integers */
   [0xdf & 7] = {F|R,  F|W,   F|W,   F|W,   F|R,   F|R,   F|W,   F|W}, /* fild fist fbld fbstp */
};

/* Without memory all compute but these, by opcode; bit n is ModRM byte c0 + n. */
#define MODRM(first, last) (UINT64_MAX >> (0xff - (last)) & UINT64_MAX << ((first) - 0xc0))
static const uint64_t x87_control[8] = {
   [0xd9 & 7] = MODRM(0xd0, 0xd0) | MODRM(0xf6, 0xf7), /* fnop; fdecstp fincstp */
   [0xdb & 7] = MODRM(0xe0, 0xe4),                     /* feni fdisi fnclex fninit fsetpm */
   [0xdd & 7] = MODRM(0xc0, 0xc7),                     /* ffree */
   [0xdf & 7] = MODRM(0xc0, 0xc7) | MODRM(0xe0, 0xe0), /* ffreep; fnstsw %ax */
};

/* --- Decoding ------------------------------------------------------------- */

struct bytes {
   const uint8_t *at;
   unsigned left;
};

/* Past the end there are zeros. */
static uint8_t peek(const struct bytes *bytes)
{
   return bytes->left > 0 ? *bytes->at : 0;
}

static uint8_t take(struct bytes *bytes)
{
   uint8_t byte = peek(bytes);
   if (bytes->left > 0) {
      bytes->at++;
      bytes->left--;
   }
   return byte;
}

/* What stands before the ModRM byte. */
struct opcode {
   unsigned map;         /* MAP_; others than these hold nothing */
   unsigned column;      /* mandatory prefix */
   unsigned reg_8, rm_8; /* 8 if the registers that ModRM names are 8 to 15 */
   bool vex;
   unsigned vex_source;  /* the register that VEX names besides */
   uint8_t number;
};

/* Takes the prefixes; the mandatory one of several is the last f2 or f3, else 66. */
static void take_legacy_prefixes(struct bytes *bytes, struct opcode *opcode)
{
   for (;; take(bytes)) {
      switch (peek(bytes)) {
      case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: /* segments */
      case 0x67: case 0xf0:                                             /* address size, lock */
         break;
      case 0x66:
         if (opcode->column == NONE)
            opcode->column = P66;
         break;
      case 0xf2:
         opcode->column = PF2;
         break;
      case 0xf3:
         opcode->column = PF3;
         break;
      default:
         return;
      }
   }
}

/* The two or three bytes of a VEX prefix, with registers and R, X, B inverted. */
static void take_vex(struct bytes *bytes, struct opcode *opcode)
{
   bool is_long = take(bytes) == 0xc4;
   uint8_t first = take(bytes);
   uint8_t last = is_long ? take(bytes) : first;
   opcode->vex = true;
   opcode->map = is_long ? first & 0x1f : MAP_0F;
   opcode->column = last & 3;
   opcode->reg_8 = first & 0x80 ? 0 : 8;
   opcode->rm_8 = !is_long || first & 0x20 ? 0 : 8;
   opcode->vex_source = ~last >> 3 & 15;
}

static bool starts_vex(const struct bytes *bytes, bool is_64)
{
   if (bytes->left < 2 || (bytes->at[0] != 0xc4 && bytes->at[0] != 0xc5))
      return false;
   return is_64 || bytes->at[1] >= 0xc0; /* else les or lds of memory */
}

static void take_opcode(struct bytes *bytes, bool is_64, struct opcode *opcode)
{
   take_legacy_prefixes(bytes, opcode);
   if (starts_vex(bytes, is_64)) {
      take_vex(bytes, opcode);
      opcode->number = take(bytes);
      return;
   }
   if (is_64 && (peek(bytes) & 0xf0) == 0x40) {
      uint8_t rex = take(bytes);
      opcode->reg_8 = rex & 4 ? 8 : 0;
      opcode->rm_8 = rex & 1 ? 8 : 0;
   }
   opcode->number = take(bytes);
   if (opcode->number != 0x0f)
      return;
   opcode->map = MAP_0F;
   opcode->number = take(bytes);
   if (opcode->number == 0x38 || opcode->number == 0x3a) {
      opcode->map = opcode->number == 0x38 ? MAP_0F38 : MAP_0F3A;
      opcode->number = take(bytes);
   }
}

static cell x87_cell(uint8_t number, uint8_t modrm)
{
   if (modrm < 0xc0)
      return x87_memory[number & 7][modrm >> 3 & 7];
   return x87_control[number & 7] >> (modrm - 0xc0) & 1 ? 0 : F;
}

static cell find_cell(const struct opcode *opcode, uint8_t modrm)
{
   cell found = 0;
   if (opcode->map == MAP_ONE_BYTE && !opcode->vex) {
      if (opcode->number >= OPCODE_X87_FIRST && opcode->number <= OPCODE_X87_LAST)
         return x87_cell(opcode->number, modrm);
      if (opcode->number == OPCODE_INT)
         return modrm == 0x80 ? Y : 0; /* it is the number of the interrupt */
      found = map_one_byte[opcode->number];
   } else if (opcode->map != MAP_ONE_BYTE && opcode->map < MAPS) {
      found = maps[opcode->map][opcode->number][opcode->column];
   }
   return found & ROW ? rows[found & (ROW - 1)][modrm >> 3 & 7] : found;
}

static unsigned mix_x86(const uint8_t *at, unsigned length, bool is_64)
{
   struct bytes bytes = {at, length};
   struct opcode opcode = {.map = MAP_ONE_BYTE};
   take_opcode(&bytes, is_64, &opcode);
   uint8_t modrm = peek(&bytes);
   cell found = find_cell(&opcode, modrm);
   unsigned classes = found & ALL_CLASSES;
   if (modrm < 0xc0)
      return classes | (found >> MEMORY_SHIFT & ALL_CLASSES);
   unsigned reg = (modrm >> 3 & 7) | opcode.reg_8;
   unsigned rm = (modrm & 7) | opcode.rm_8;
   bool same = rm == (opcode.vex ? opcode.vex_source : reg);
   return (found & Z) == Z && same ? classes & ~(unsigned)V : classes;
}

unsigned pm_mix_x86_64(const uint8_t *bytes, unsigned length)
{
   return mix_x86(bytes, length, true);
}

unsigned pm_mix_x86_32(const uint8_t *bytes, unsigned length)
{
   return mix_x86(bytes, length, false);
}
