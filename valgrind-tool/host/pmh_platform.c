/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_platform.c: the table of platforms; the build picks its row. */
#include "pmh_platform.h"
#include "pub_tool_machine.h"

#if defined(VGP_amd64_linux)
#include "libvex_guest_amd64.h"
#define AT(reg) offsetof(VexGuestAMD64State, guest_##reg)
const struct pmh_platform pmh_platform = {
   .name = PMH_PLATFORM,
   .traits = pm_insn_traits_x86_64,
   .mix = pm_mix_x86_64,
   .word = Ity_I64,
   .sp = AT(RSP), .fp = AT(RBP), .ip = AT(RIP),
   .return_address = PMH_ON_STACK,
   .result = AT(RAX),
   .args = {AT(RDI), AT(RSI), AT(RDX), AT(RCX)},
   .syscall_number = AT(RAX), .syscall_result = AT(RAX),
   .syscall_args = {AT(RDI), AT(RSI), AT(RDX), AT(R10), AT(R8), AT(R9)},
   .return_pops_bytes = 8,
   .invalidate_start = AT(CMSTART), .invalidate_length = AT(CMLEN),
   .has_rep = True,
   .hands_over_guest = True,
};

#elif defined(VGP_arm64_linux)
#include "libvex_guest_arm64.h"
#define AT(reg) offsetof(VexGuestARM64State, guest_##reg)
const struct pmh_platform pmh_platform = {
   .name = PMH_PLATFORM,
   .traits = pm_insn_traits_arm64,
   .mix = pm_mix_arm64,
   .word = Ity_I64,
   .sp = AT(XSP), .fp = AT(X29), .ip = AT(PC),
   .return_address = AT(X30),
   .result = AT(X0),
   .args = {AT(X0), AT(X1), AT(X2), AT(X3)},
   .syscall_number = AT(X8), .syscall_result = AT(X0),
   .syscall_args = {AT(X0), AT(X1), AT(X2), AT(X3), AT(X4), AT(X5)},
   .return_pops_bytes = 0,
   .call_bytes = 4,
   .request_bytes = 20,
   .invalidate_start = AT(CMSTART), .invalidate_length = AT(CMLEN),
   .has_rep = False,
   .hands_over_guest = False,
};

#elif defined(VGP_x86_linux)
#include "libvex_guest_x86.h"
#define AT(reg) offsetof(VexGuestX86State, guest_##reg)
const struct pmh_platform pmh_platform = {
   .name = PMH_PLATFORM,
   .traits = pm_insn_traits_x86_32,
   .mix = pm_mix_x86_32,
   .word = Ity_I32,
   .sp = AT(ESP), .fp = AT(EBP), .ip = AT(EIP),
   .return_address = PMH_ON_STACK,
   .result = AT(EAX),
   .args = {PMH_ON_STACK, PMH_ON_STACK, PMH_ON_STACK, PMH_ON_STACK},
   .syscall_number = AT(EAX), .syscall_result = AT(EAX),
   .syscall_args = {AT(EBX), AT(ECX), AT(EDX), AT(ESI), AT(EDI), AT(EBP)},
   .return_pops_bytes = 4,
   .invalidate_start = AT(CMSTART), .invalidate_length = AT(CMLEN),
   .has_rep = True,
   .hands_over_guest = True,
};

#else
#error "add this platform's row to pmh_platform.c"
#endif

UWord pmh_register(ThreadId tid, Int offset)
{
   UWord value = 0;
   VG_(get_shadow_regs_area)(tid, (UChar *)&value, 0, offset, sizeof value);
   return value;
}

void pmh_set_register(ThreadId tid, Int offset, UWord value)
{
   VG_(set_shadow_regs_area)(tid, 0, offset, sizeof value, (const UChar *)&value);
}
