/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_insns.c: traits of instructions, a decoder for each platform. */
#include "pm_insns.h"
#include "pm_text.h"

enum { CLIENT_REQUEST_INSTRS = 5 };

/* --- x86 ------------------------------------------------------------------ */

/* What valgrind.h writes before the instruction that makes a request: four
   rotations of rdi or edi that add up to a full turn. */
static const uint8_t request_64[] = {0x48, 0xc1, 0xc7, 0x03, 0x48, 0xc1, 0xc7, 0x0d,
                                     0x48, 0xc1, 0xc7, 0x3d, 0x48, 0xc1, 0xc7, 0x33};
static const uint8_t request_32[] = {0xc1, 0xc7, 0x03, 0xc1, 0xc7, 0x0d,
                                     0xc1, 0xc7, 0x1d, 0xc1, 0xc7, 0x13};

static bool starts_with(const uint8_t *bytes, unsigned length, const uint8_t *start,
                        unsigned start_length)
{
   return length > start_length && pm_memcmp(bytes, start, start_length) == 0;
}

static bool is_legacy_prefix(uint8_t byte)
{
   switch (byte) {
   case 0x26: case 0x2e: case 0x36: case 0x3e: /* segments */
   case 0x64: case 0x65:
   case 0x66: case 0x67:                       /* operand, address size */
   case 0xf0: case 0xf2: case 0xf3:            /* lock, repne, rep */
      return true;
   default:
      return false;
   }
}

static bool is_string_opcode(uint8_t opcode)
{
   return (opcode >= 0xa4 && opcode <= 0xa7) || /* movs, cmps */
          (opcode >= 0xaa && opcode <= 0xaf);   /* stos, lods, scas */
}

static struct pm_insn_traits x86_traits(const uint8_t *bytes, unsigned length, bool is_64)
{
   struct pm_insn_traits traits = {.instrs = 1};
   if (is_64 ? starts_with(bytes, length, request_64, sizeof request_64)
             : starts_with(bytes, length, request_32, sizeof request_32)) {
      traits.instrs = CLIENT_REQUEST_INSTRS;
      traits.first_bytes = is_64 ? 4 : 3;
      traits.request = true;
      return traits;
   }
   unsigned i = 0;
   bool repeat = false, lock = false;
   for (; i < length && is_legacy_prefix(bytes[i]); i++) {
      repeat = repeat || bytes[i] == 0xf2 || bytes[i] == 0xf3;
      lock = lock || bytes[i] == 0xf0;
   }
   if (is_64 && i < length && (bytes[i] & 0xf0) == 0x40) /* REX */
      i++;
   if (i >= length)
      return traits;
   uint8_t opcode = bytes[i];
   uint8_t modrm = i + 1 < length ? bytes[i + 1] : 0;
   bool memory = modrm < 0xc0;
   bool exchange = (opcode == 0x86 || opcode == 0x87) && memory; /* locks by itself */
   traits.rep = repeat && is_string_opcode(opcode);
   traits.may_retry = lock || exchange;
   traits.may_divide = (opcode == 0xf6 || opcode == 0xf7) && (modrm & 0x30) == 0x30;
   return traits;
}

struct pm_insn_traits pm_insn_traits_x86_64(const uint8_t *bytes, unsigned length)
{
   return x86_traits(bytes, length, true);
}

struct pm_insn_traits pm_insn_traits_x86_32(const uint8_t *bytes, unsigned length)
{
   return x86_traits(bytes, length, false);
}

/* --- arm64 ---------------------------------------------------------------- */

struct pm_insn_traits pm_insn_traits_arm64(const uint8_t *bytes, unsigned length)
{
   struct pm_insn_traits traits = {.instrs = 1};
   if (length > 4) {
      traits.instrs = CLIENT_REQUEST_INSTRS;
      traits.first_bytes = 4;
      traits.request = true;
      return traits;
   }
   uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                   (uint32_t)bytes[3] << 24;
   /* Loads and stores, the atomic ones of ARMv8.1 among them, never branch: an
      exit to themselves is a retry. */
   traits.may_retry = (word & 0x0a000000) == 0x08000000;
   return traits;
}
