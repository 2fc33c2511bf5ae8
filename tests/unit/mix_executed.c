/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_executed.c: of the instructions that objdump lists, those that Valgrind executes.
 *
 *    objdump -dw FILE | mix_executed
 *
 * Lets the translator of the installed Valgrind read the bytes of each line. Lines whose
 * instruction it refuses, or takes for one of another length, are dropped. Of use only where
 * Valgrind is for amd64; on other machines it compiles and is not run.
 */
#include <libvex.h>

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTION_MAX = 15, PADDING = 32 /* VEX looks further for client requests */ };

static jmp_buf vex_gave_up;

__attribute__((noreturn)) static void give_up(void)
{
   longjmp(vex_gave_up, 1);
}

static void ignore_log(const HChar *text, SizeT bytes)
{
   (void)text;
   (void)bytes;
}

static Bool never_chase(void *opaque, Addr address)
{
   (void)opaque;
   (void)address;
   return False;
}

static UInt never_check(void *opaque, VexRegisterUpdates *updates, const VexGuestExtents *extents)
{
   (void)opaque;
   (void)updates;
   (void)extents;
   return 0;
}

static void init_vex(void)
{
   VexControl control;
   LibVEX_default_VexControl(&control);
   control.guest_max_insns = 1;
   control.guest_chase = False;
   control.iropt_level = 0;
   LibVEX_Init(give_up, ignore_log, 0, &control);
}

static bool is_executed(const UChar *bytes, unsigned count)
{
   static UChar code[4096]; /* never reached: only the front end runs */
   int used;
   VexGuestExtents extents;
   VexTranslateArgs args;
   memset(&args, 0, sizeof args);
   LibVEX_default_VexArchInfo(&args.archinfo_guest);
   args.arch_guest = args.arch_host = VexArchAMD64;
   args.archinfo_guest.endness = VexEndnessLE;
   args.archinfo_guest.hwcaps = VEX_HWCAPS_AMD64_SSE3 | VEX_HWCAPS_AMD64_SSSE3 |
      VEX_HWCAPS_AMD64_CX16 | VEX_HWCAPS_AMD64_LZCNT | VEX_HWCAPS_AMD64_AVX |
      VEX_HWCAPS_AMD64_RDTSCP | VEX_HWCAPS_AMD64_BMI | VEX_HWCAPS_AMD64_AVX2 |
      VEX_HWCAPS_AMD64_RDRAND | VEX_HWCAPS_AMD64_F16C | VEX_HWCAPS_AMD64_RDSEED;
   args.archinfo_host = args.archinfo_guest;
   LibVEX_default_VexAbiInfo(&args.abiinfo_both);
   args.abiinfo_both.guest_stack_redzone_size = 128;
   args.abiinfo_both.guest_amd64_assume_fs_is_const = True;
   args.abiinfo_both.guest_amd64_assume_gs_is_const = True;
   args.guest_bytes = bytes;
   args.guest_bytes_addr = 0x10000;
   args.chase_into_ok = never_chase;
   args.guest_extents = &extents;
   args.host_bytes = code;
   args.host_bytes_size = sizeof code;
   args.host_bytes_used = &used;
   args.needs_self_check = never_check;
   args.disp_cp_chain_me_to_slowEP = args.disp_cp_chain_me_to_fastEP = code;
   args.disp_cp_xindir = args.disp_cp_xassisted = code;

   if (setjmp(vex_gave_up) != 0)
      return false;
   VexTranslateResult result;
   VexRegisterUpdates updates;
   IRSB *block = LibVEX_FrontEnd(&args, &result, &updates);
   return block != NULL && block->jumpkind != Ijk_NoDecode && extents.len[0] == count;
}

/* The bytes that stand between the first two tabs of the line, and their number. */
static unsigned read_bytes(const char *line, UChar bytes[INSTRUCTION_MAX + PADDING])
{
   const char *hex = strchr(line, '\t');
   unsigned count = 0;
   memset(bytes, 0x90, INSTRUCTION_MAX + PADDING);
   while (hex != NULL && count < INSTRUCTION_MAX) {
      hex += strspn(hex + 1, " ") + 1;
      char *end;
      unsigned long byte = strtoul(hex, &end, 16);
      if (*hex == '\t' || end != hex + 2)
         break;
      bytes[count++] = (UChar)byte;
      hex = *end == ' ' ? end : NULL;
   }
   return count;
}

int main(void)
{
   char *line = NULL;
   size_t room = 0;
   init_vex();
   while (getline(&line, &room, stdin) > 0) {
      UChar bytes[INSTRUCTION_MAX + PADDING];
      unsigned count = read_bytes(line, bytes);
      if (count > 0 && is_executed(bytes, count))
         fputs(line, stdout);
   }
   free(line);
   return ferror(stdin) || fflush(stdout) != 0;
}
