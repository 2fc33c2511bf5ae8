/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_machine.c: tables of processors and of Valgrind's helpers. */
#include "pmh_machine.h"
#include "pmh_clock.h"
#include "pmh_core.h"
#include "pmh_options.h"
#include "pmh_outside.h"
#include "pmh_platform.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pm_text.h"

/* --- helpers for clocks and chance ------------------------------------------------- */

/* Those of the translator, known when it has asked for one to be called. */
static ULong (*real_ticks)(void), (*real_random)(void), (*real_seed)(void);

static ULong ticks(void)
{
   pmh_outside_clock_read();
   return pmh_options.fixed_clock ? pmh_clock_passed() : real_ticks();
}

/* 32 random bits, and above them 1: there were some. */
static ULong drawn(ULong (*real)(void))
{
   UInt bits;
   pmh_outside_random_read();
   if (!pmh_options.fixed_random)
      return real();
   pmh_random_take(&bits, sizeof bits);
   return 1ULL << 32 | bits;
}

static ULong random_bits(void)
{
   return drawn(real_random);
}

static ULong seed_bits(void)
{
   return drawn(real_seed);
}

/* --- processors ----------------------------------------------------------------------- */

/* A class that --cpu names. */
struct class {
   const HChar *name;
   UInt needs;               /* capabilities of the host, of libvex.h */
   void *cpuid;              /* the translator's helper; NULL: there is no CPUID */
   Bool has_flags;           /* it takes flags: half-precision, and for random
                                instructions, which no class has */
   Bool has_wide_state;      /* the system saves vectors of 256 bits */
};

enum { HALF_PRECISION = VEX_HWCAPS_AMD64_F16C };

#if defined(VGP_amd64_linux)
#include "libvex_guest_amd64.h"

static const struct class classes[] = {
   {"baseline", 0, amd64g_dirtyhelper_CPUID_baseline, False, False},
   {"sse42", VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16,
    amd64g_dirtyhelper_CPUID_sse42_and_cx16, False, False},
   {"avx", VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16 | VEX_HWCAPS_AMD64_AVX,
    amd64g_dirtyhelper_CPUID_avx_and_cx16, True, True},
   {"avx2", VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16 | VEX_HWCAPS_AMD64_AVX2 |
            VEX_HWCAPS_AMD64_F16C,
    amd64g_dirtyhelper_CPUID_avx2, True, True},
};

static void (*real_ticks_and_processor)(VexGuestAMD64State *state);

static void ticks_and_processor(VexGuestAMD64State *state)
{
   pmh_outside_clock_read();
   if (!pmh_options.fixed_clock) {
      real_ticks_and_processor(state);
      return;
   }
   ULong now = pmh_clock_passed();
   state->guest_RAX = now & 0xffffffff;
   state->guest_RDX = now >> 32;
   state->guest_RCX = 0; /* the processor's number */
}

/* What CPUID says of features in EDX, which is what the kernel hands over. */
static UWord hwcap_of(const struct class *class)
{
   static VexGuestAMD64State state;
   state.guest_RAX = 1;
   ((void (*)(VexGuestAMD64State *, HWord, HWord, HWord))class->cpuid)(&state, 0, 0, 0);
   return (UWord)state.guest_RDX;
}

static const HChar cpuid_prefix[] = "amd64g_dirtyhelper_CPUID_";

#elif defined(VGP_x86_linux)
#include "libvex_guest_x86.h"

static const struct class classes[] = {
   {"baseline", VEX_HWCAPS_X86_SSE2, x86g_dirtyhelper_CPUID_sse2, False, False},
};

static UWord hwcap_of(const struct class *class)
{
   static VexGuestX86State state;
   state.guest_EAX = 1;
   ((void (*)(VexGuestX86State *))class->cpuid)(&state);
   return state.guest_EDX;
}

static const HChar cpuid_prefix[] = "x86g_dirtyhelper_CPUID_";

#elif defined(VGP_arm64_linux)

static const struct class classes[] = {
   {"baseline", 0, NULL, False, False},
};

static UWord hwcap_of(const struct class *class)
{
   enum { FP = 1 << 0, ASIMD = 1 << 1 };
   return FP | ASIMD;
}

static const HChar cpuid_prefix[] = "no helper has this name";

#else
#error "add the classes of this platform's processors to pmh_machine.c"
#endif

enum { CLASSES = sizeof classes / sizeof *classes };

static const struct class *shown; /* NULL: the host's */

static Bool is_served(const struct class *class, UInt host)
{
   return (host & class->needs) == class->needs;
}

void pmh_machine_begin(void)
{
   VexArch arch;
   VexArchInfo host;
   const struct class *best = NULL;
   VG_(machine_get_VexArchInfo)(&arch, &host);
   for (UInt c = 0; c < CLASSES; c++) {
      if (is_served(&classes[c], host.hwcaps))
         best = &classes[c];
      if (pm_streq(classes[c].name, pmh_options.cpu))
         shown = &classes[c];
   }
   if (pm_streq(pmh_options.cpu, "host"))
      return;
   if (!shown)
      VG_(umsg)("profmem: error: --cpu=%s: no class of processors of this platform\n",
                pmh_options.cpu);
   else if (!is_served(shown, host.hwcaps))
      VG_(umsg)("profmem: error: --cpu=%s: this processor cannot stand in for it%s%s\n",
                pmh_options.cpu, best ? "; the best class here is " : "",
                best ? best->name : "");
   else
      return;
   VG_(exit)(1);
}

/* --- the translator's helpers ------------------------------------------------------------ */

static const struct {
   const HChar *name;
   void *ours;
   void **theirs; /* NULL: the helper is not needed any more */
} helpers[] = {
   {"amd64g_dirtyhelper_RDTSC", ticks, (void **)&real_ticks},
   {"x86g_dirtyhelper_RDTSC", ticks, (void **)&real_ticks},
   {"arm64g_dirtyhelper_MRS_CNTVCT_EL0", ticks, (void **)&real_ticks},
   {"amd64g_dirtyhelper_RDRAND", random_bits, (void **)&real_random},
   {"amd64g_dirtyhelper_RDSEED", seed_bits, (void **)&real_seed},
#if defined(VGP_amd64_linux)
   {"amd64g_dirtyhelper_RDTSCP", ticks_and_processor, (void **)&real_ticks_and_processor},
#endif
};

static void call_cpuid(IRDirty *dirty)
{
   dirty->cee = mkIRCallee(0, shown->name, VG_(fnptr_to_fnentry)(shown->cpuid));
   dirty->args = shown->has_flags
                    ? mkIRExprVec_4(IRExpr_GSPTR(),
                                    mkIRExpr_HWord((shown->needs & HALF_PRECISION) != 0),
                                    mkIRExpr_HWord(0), mkIRExpr_HWord(0))
                    : mkIRExprVec_1(IRExpr_GSPTR());
}

void pmh_machine_helper(IRDirty *dirty)
{
   const HChar *name = dirty->cee->name;
   if (shown && shown->cpuid &&
       VG_(strncmp)(name, cpuid_prefix, sizeof cpuid_prefix - 1) == 0) {
      call_cpuid(dirty);
      return;
   }
   for (UInt h = 0; h < sizeof helpers / sizeof *helpers; h++)
      if (pm_streq(name, helpers[h].name)) {
         *helpers[h].theirs = dirty->cee->addr;
         dirty->cee = mkIRCallee(0, helpers[h].name, VG_(fnptr_to_fnentry)(helpers[h].ours));
      }
}

/* The translator says that the system saves vectors of 256 bits whenever it can execute
   instructions for them. */
Bool pmh_machine_corrects(Addr ip, UInt length)
{
   static const UChar xgetbv[] = {0x0f, 0x01, 0xd0};
   return shown && shown->cpuid && !shown->has_wide_state && length == sizeof xgetbv &&
          VG_(memcmp)((void *)ip, xgetbv, sizeof xgetbv) == 0;
}

void pmh_machine_correct(IRSB *out)
{
   enum { X87 = 1, SSE = 2 };
   IRConst *saved = pmh_platform.word == Ity_I64 ? IRConst_U64(X87 | SSE)
                                                 : IRConst_U32(X87 | SSE);
   addStmtToIRSB(out, IRStmt_Put(pmh_platform.result, IRExpr_Const(saved)));
}

/* --- what the kernel hands over -------------------------------------------------------------- */

/* The vector stands behind the arguments and the environment, each ended by a 0. */
void pmh_machine_start(ThreadId tid)
{
   enum { AT_END = 0, AT_HWCAP = 16, AT_RANDOM = 25, AT_HWCAP2 = 26, RANDOM_BYTES = 16 };
   UWord *at = (UWord *)VG_(get_SP)(tid);
   at += 1 + *at + 1;
   while (*at)
      at++;
   for (at++; at[0] != AT_END; at += 2) {
      if (at[0] == AT_HWCAP && shown)
         at[1] = hwcap_of(shown);
      if (at[0] == AT_HWCAP2 && shown)
         at[1] = 0;
      if (at[0] == AT_RANDOM && pmh_options.fixed_random)
         pmh_random_take((void *)at[1], RANDOM_BYTES);
   }
}
