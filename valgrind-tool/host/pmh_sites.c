/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_sites.c: stacks to sites; pmh_sites.h has the terms. */
#include "pmh_sites.h"
#include "pmh_measure.h"
#include "pmh_memory.h"
#include "pmh_options.h"
#include "pmh_platform.h"
#include "pmh_services.h"
#include "pmh_symbols.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pm_text.h"

enum { FRAMES_MAX = 512, INLINED_MAX = 256 };

static const HChar unknown[] = "???";

/* --- texts, each kept once ---------------------------------------------------- */

static const HChar **texts; /* open addressing */
static UInt text_slots, text_count;

static const HChar **text_slot(const HChar *text)
{
   UInt slot = (UInt)pm_fnv1a64(PM_FNV1A64_START, text, VG_(strlen)(text)) & (text_slots - 1);
   while (texts[slot] && !pm_streq(texts[slot], text))
      slot = (slot + 1) & (text_slots - 1);
   return &texts[slot];
}

static const HChar *text_once(const HChar *text)
{
   if ((text_count + 1) * 2 > text_slots) {
      const HChar **old = texts;
      UInt old_slots = text_slots;
      text_slots = old_slots ? old_slots * 2 : 1024;
      texts = VG_(calloc)("profmem.texts", text_slots, sizeof *texts);
      for (UInt s = 0; s < old_slots; s++)
         if (old[s])
            *text_slot(old[s]) = old[s];
      VG_(free)(old);
   }
   const HChar **slot = text_slot(text);
   if (!*slot) {
      *slot = pmh_keep(text);
      text_count++;
   }
   return *slot;
}

/* --- sites --------------------------------------------------------------------- */

static struct pm_report_site *sites; /* [0]: unknown */
static UInt site_count, site_capacity;
static UInt *site_slots; /* hash of the frames -> number; 0 empty */
static UInt site_slot_count;

/* Texts are kept once, so that equal frames are equal bytes. */
static uint64_t hash_frames(const struct pm_report_frame *frames, UInt count)
{
   uint64_t hash = PM_FNV1A64_START;
   for (UInt f = 0; f < count; f++) {
      hash = pm_fnv1a64(hash, &frames[f].function, sizeof frames[f].function);
      hash = pm_fnv1a64(hash, &frames[f].file, sizeof frames[f].file);
      hash = pm_fnv1a64(hash, &frames[f].object, sizeof frames[f].object);
      hash = pm_fnv1a64(hash, &frames[f].line, sizeof frames[f].line);
   }
   return hash;
}

static Bool same_frames(const struct pm_report_site *site, const struct pm_report_frame *frames,
                        UInt count)
{
   if (site->frame_count != count)
      return False;
   for (UInt f = 0; f < count; f++) {
      const struct pm_report_frame *a = &site->frames[f], *b = &frames[f];
      if (a->function != b->function || a->file != b->file || a->object != b->object ||
          a->line != b->line || a->inlined != b->inlined)
         return False;
   }
   return True;
}

static UInt *site_slot(const struct pm_report_frame *frames, UInt count)
{
   UInt slot = (UInt)hash_frames(frames, count) & (site_slot_count - 1);
   while (site_slots[slot] && !same_frames(&sites[site_slots[slot]], frames, count))
      slot = (slot + 1) & (site_slot_count - 1);
   return &site_slots[slot];
}

static void grow_sites(void)
{
   site_capacity = site_capacity ? site_capacity * 2 : 256;
   sites = VG_(realloc)("profmem.sites", sites, site_capacity * sizeof *sites);
   if (site_count == 0)
      sites[site_count++] = (struct pm_report_site){NULL, 0};
   site_slot_count = site_capacity * 2;
   VG_(free)(site_slots);
   site_slots = VG_(calloc)("profmem.sites", site_slot_count, sizeof *site_slots);
   for (UInt s = 1; s < site_count; s++)
      *site_slot(sites[s].frames, sites[s].frame_count) = s;
}

static UInt site_of(const struct pm_report_frame *frames, UInt count)
{
   if (site_count == site_capacity)
      grow_sites();
   UInt *slot = site_slot(frames, count);
   if (!*slot) {
      SizeT bytes = count * sizeof *frames;
      struct pm_report_frame *kept = VG_(malloc)("profmem.site", bytes + 1);
      VG_(memcpy)(kept, frames, bytes);
      sites[site_count] = (struct pm_report_site){kept, count};
      *slot = site_count++;
   }
   return *slot;
}

/* --- names of addresses ---------------------------------------------------------- */

/* Where the last " (" of a text is, of which it closes what it opens. Names of functions
   and of files may hold others, in pairs as a rule. NULL: there is none. */
static HChar *last_parenthesis(HChar *text)
{
   HChar *last = NULL;
   Int unpaired = 0; /* closed, and not opened yet */
   for (HChar *at = text + VG_(strlen)(text); at-- > text + 1;) {
      unpaired += (*at == ')') - (*at == '(');
      if (*at != '(' || at[-1] != ' ')
         continue;
      if (unpaired <= 0)
         return at - 1;
      last = last ? last : at - 1;
   }
   return last;
}

/* What VG_(describe_IP) says: "0xADDRESS: FUNCTION (FILE:LINE)", or in place of file
   and line "in OBJECT", or nothing. No other public function names inlined frames.
   function: how it begins if that is known, since each sign in it can be part of a name;
   else NULL. The text is changed. */
static void parse_description(struct pm_report_frame *frame, HChar *text, const HChar *function,
                              Bool has_file)
{
   HChar *start = VG_(strstr)(text, ": ");
   start = start ? start + 2 : text;
   SizeT known = function ? VG_(strlen)(function) : 0;
   Bool is_known = function && VG_(strncmp)(start, function, known) == 0;
   HChar *place = is_known ? VG_(strstr)(start + known, " (") : last_parenthesis(start);
   if (place) {
      *place = '\0';
      HChar *colon = has_file ? VG_(strrchr)(place + 2, ':') : NULL;
      if (colon) {
         *colon = '\0';
         frame->file = text_once(pmh_base_name(place + 2));
         frame->line = (UInt)VG_(strtoll10)(colon + 1, NULL);
      }
   }
   frame->function = text_once(*start ? start : unknown);
}

/* The frames of one address, innermost first, from frames on. Their number. Of more than
   there is room for, the last is the outermost: the function that is there. */
static UInt describe(Addr ip, struct pm_report_frame *frames)
{
   const struct pmh_object *object = pmh_object_at(ip);
   DiEpoch epoch = VG_(current_DiEpoch)();
   InlIPCursor *cursor = VG_(new_IIPC)(epoch, ip);
   const HChar *file;
   Bool has_file = VG_(get_filename)(epoch, ip, &file);
   UInt last = 0;
   Bool more;
   do {
      struct pm_report_frame *frame = &frames[last];
      *frame = (struct pm_report_frame){.object = object ? text_once(object->name) : unknown,
                                        .line = 0};
      HChar *text = pmh_keep(VG_(describe_IP)(epoch, ip, cursor));
      const HChar *function = NULL;
      more = VG_(next_IIPC)(cursor);
      if (!more && !VG_(get_fnname)(epoch, ip, &function))
         function = unknown;
      parse_description(frame, text, function, has_file);
      VG_(free)(text);
      frame->inlined = more; /* all but the outermost */
      if (more && last < INLINED_MAX - 1)
         last++;
   } while (more);
   VG_(delete_IIPC)(cursor);
   return last + 1;
}

/* The site of a stack, whose addresses lie inside the calls that were made. What is
   below main is the same for everybody and left out. Where main has no name, its caller
   is the last: beyond the first frame of a program, unwinding finds its arguments.
   *looked_at: how many addresses were not left out. */
static UInt name_stack(const Addr *ips, UInt count, UInt *looked_at)
{
   static struct pm_report_frame frames[FRAMES_MAX + INLINED_MAX];
   UInt used = 0;
   *looked_at = 0;
   for (UInt i = 0; i < count && used < FRAMES_MAX; i++) {
      ++*looked_at;
      used += describe(ips[i], frames + used);
      if (VG_(get_fnname_kind_from_IP)(VG_(current_DiEpoch)(), ips[i]) != Vg_FnNameNormal)
         break;
   }
   return site_of(frames, used);
}

/* --- lists of addresses ------------------------------------------------------------ */

static struct stack {
   Addr *ips;
   UInt count;
   UInt site;      /* 0: empty */
   UInt looked_at; /* the first addresses, which decide the site */
} *stacks; /* open addressing */
static UInt stack_slots, stack_count;

static UInt mixed(Addr value)
{
   uint64_t x = (uint64_t)value * 0x9e3779b97f4a7c15ULL;
   return (UInt)(x >> 32);
}

static Bool same_ips(const Addr *a, const Addr *b, UInt count)
{
   for (UInt i = 0; i < count; i++)
      if (a[i] != b[i])
         return False;
   return True;
}

static struct stack *stack_slot(const Addr *ips, UInt count)
{
   UInt slot = count;
   for (UInt i = 0; i < count; i++)
      slot = mixed(ips[i] ^ slot);
   for (slot &= stack_slots - 1; stacks[slot].site; slot = (slot + 1) & (stack_slots - 1))
      if (stacks[slot].count == count && same_ips(stacks[slot].ips, ips, count))
         break;
   return &stacks[slot];
}

static void grow_stacks(void)
{
   struct stack *old = stacks;
   UInt old_slots = stack_slots;
   stack_slots = old_slots ? old_slots * 2 : 1024;
   stacks = VG_(calloc)("profmem.stacks", stack_slots, sizeof *stacks);
   for (UInt s = 0; s < old_slots; s++)
      if (old[s].site)
         *stack_slot(old[s].ips, old[s].count) = old[s];
   VG_(free)(old);
}

/* NULL: it is not known yet, and there is no memory to keep it. */
static const struct stack *stack_of(const Addr *ips, UInt count)
{
   enum { BYTES = 256 }; /* more than a frame takes: names, and its part of all tables */
   if ((stack_count + 1) * 2 > stack_slots)
      grow_stacks();
   struct stack *stack = stack_slot(ips, count);
   if (!stack->site) {
      if (!pmh_memory_for((count + 1) * BYTES))
         return NULL;
      SizeT bytes = count * sizeof *ips;
      stack->ips = VG_(malloc)("profmem.stack", bytes + 1);
      VG_(memcpy)(stack->ips, ips, bytes);
      stack->count = count;
      stack->site = name_stack(ips, count, &stack->looked_at);
      stack_count++;
   }
   return stack;
}

/* --- chains that were unwound before ------------------------------------------------ */

/* Unwinding reads, beside the registers at its start, the return address and the
   frame pointer that each frame has saved. A chain that was unwound from the same
   instruction, stack and frame pointer, and whose saved words stand where they stood,
   is the same chain. Where a frame keeps the frame pointer is not told; a word in it
   that holds the value is taken. Only chains whose return addresses stand just below
   the callers' stack pointers are remembered.

   Most code uses the frame pointer's register for anything. Whether unwinding goes by
   it at an instruction is said by the rules for that instruction, not by what it
   holds: where a chain was unwound all the way although the register held no address
   of the stack above its frame, it is never read, and need not be the same again. */
enum { HOMES = 8192, CHAINS_ALIKE = 8, CHAINS = HOMES + CHAINS_ALIKE - 1 };
enum { WORDS_MAX = 2 * FRAMES_MAX, FEW_WORDS = 7 };

/* The places of a chain are so many bytes above its stack pointer. Packed, so that what an
   event looks at is one or two lines of the cache where there are few frames. */
struct word {
   UInt at;
   Addr value;
} __attribute__((packed));

struct chain {
   Addr ip, sp, fp;
   UInt site;         /* 0: nothing is remembered here */
   UInt end;          /* of the highest word */
   UShort count;      /* of words */
   Bool any_fp;       /* at its start, it is not read */
   struct word few[FEW_WORDS];
   struct word *many; /* instead of them, if there are more */
};

/* A chain is at its home or at one of the places behind it, before the first that is empty:
   there are several that begin alike where a function allocates for many callers. */
static struct chain *chains; /* memory where it is used; NULL: there is none yet */

static struct chain *home_of(Addr ip, Addr sp)
{
   return chains + mixed(ip ^ mixed(sp)) % HOMES;
}

/* The mapping of the running thread's stack, where all can be read; empty: not known. */
static struct {
   Addr start, end;
} stack_mapping;

void pmh_sites_mappings_changed(void)
{
   stack_mapping.start = stack_mapping.end = 0;
}

static Bool is_readable(Addr start, Addr end)
{
   if (start >= stack_mapping.start && start <= end && end <= stack_mapping.end)
      return True;
   if (start == end)
      return True;
   if (!VG_(am_is_valid_for_client)(start, end - start, VKI_PROT_READ))
      return False;
   const NSegment *mapping = VG_(am_find_nsegment)(start);
   if (mapping) {
      stack_mapping.start = mapping->start;
      stack_mapping.end = mapping->end + 1;
   }
   return True;
}

static Bool is_remembered(const struct chain *chain, Addr ip, Addr sp, Addr fp)
{
   if (chain->ip != ip || chain->sp != sp || !(chain->any_fp || chain->fp == fp) ||
       !is_readable(sp, sp + chain->end))
      return False;
   const struct word *words = chain->count > FEW_WORDS ? chain->many : chain->few;
   for (UInt w = 0; w < chain->count; w++)
      if (*(const Addr *)(sp + words[w].at) != words[w].value)
         return False;
   return True;
}

/* NULL: none that is remembered is the present one. */
static const struct chain *remembered_chain(Addr ip, Addr sp, Addr fp)
{
   if (!chains)
      return NULL;
   const struct chain *home = home_of(ip, sp);
   for (const struct chain *chain = home; chain < home + CHAINS_ALIKE && chain->site; chain++)
      if (is_remembered(chain, ip, sp, fp))
         return chain;
   return NULL;
}

void pmh_site_soon(Addr return_address, Addr stack_pointer)
{
   if (chains)
      __builtin_prefetch(home_of(return_address - 1, stack_pointer));
}

/* Where a new chain goes; one that is there is forgotten. */
static struct chain *place_for(Addr ip, Addr sp)
{
   static UInt forgotten;
   struct chain *home = home_of(ip, sp);
   for (UInt c = 0; c < CHAINS_ALIKE; c++)
      if (!home[c].site)
         return &home[c];
   return &home[forgotten++ % CHAINS_ALIKE];
}

/* A word of the frame [start, end) that holds the frame pointer: where compilers put
   it, else the first. NULL: none does. */
static Addr *saved_frame_pointer(Addr start, Addr end, Addr value)
{
   Addr *usual = (Addr *)end - 2;
   if ((Addr)usual >= start && *usual == value)
      return usual;
   for (Addr *at = (Addr *)start; (Addr)(at + 1) <= end; at++)
      if (*at == value)
         return at;
   return NULL;
}

/* Can unwinding go by this frame pointer in the frame that begins at sp? stack: the
   mapping it is in; NULL: that is not asked. */
static Bool can_be_read(Addr fp, Addr sp, const NSegment *stack)
{
   return !stack || (fp >= sp && fp <= stack->end);
}

/* The words that decide the chain, into words[]. Their number, -1 if that is not told.
   stack: as for can_be_read(). */
static Int deciding_words(struct word *words, const Addr *ips, const Addr *sps, const Addr *fps,
                          UInt count, const NSegment *stack)
{
   Int used = 0;
   for (UInt i = 1; i < count; i++) {
      Addr *return_address = (Addr *)sps[i] - 1;
      if (sps[i] <= sps[i - 1] || sps[i] % sizeof(Addr) || sps[i] - sps[0] > ~(UInt)0 ||
          *return_address - 1 != ips[i])
         return -1;
      words[used++] = (struct word){(UInt)((Addr)return_address - sps[0]), *return_address};
      if (fps[i] == fps[i - 1] || !can_be_read(fps[i], sps[i], stack))
         continue;
      Addr *saved = saved_frame_pointer(sps[i - 1], sps[i], fps[i]);
      if (!saved)
         return -1;
      words[used++] = (struct word){(UInt)((Addr)saved - sps[0]), *saved};
   }
   return used;
}

/* all_the_way: unwinding did not end before `count` for want of something it read. */
static void remember(const Addr *ips, const Addr *sps, const Addr *fps, UInt count,
                     Bool all_the_way, UInt site)
{
   static struct word words[WORDS_MAX];
   if (!chains)
      chains = pmh_memory_reserve(CHAINS * sizeof *chains);
   if (!chains || (count > 1 && !is_readable(sps[0], sps[count - 1])))
      return;
   const NSegment *stack = all_the_way ? VG_(am_find_nsegment)(sps[0]) : NULL;
   Int used = deciding_words(words, ips, sps, fps, count, stack);
   if (used < 0)
      return;
   struct chain *chain = place_for(ips[0], sps[0]);
   struct word *kept = chain->few;
   if (used > FEW_WORDS)
      kept = chain->many = VG_(realloc)("profmem.chain", chain->many, (SizeT)used * sizeof *words);
   VG_(memcpy)(kept, words, (SizeT)used * sizeof *words);
   chain->count = (UShort)used;
   chain->end = (UInt)(sps[count - 1] - sps[0]);
   chain->ip = ips[0];
   chain->sp = sps[0];
   chain->fp = fps[0];
   chain->any_fp = !can_be_read(fps[0], sps[0], stack);
   chain->site = site;
}

/* How many of the addresses, from the first on, are of code. Beyond the first frame of a
   stack that the program made (makecontext) unwinding goes by what happens to stand there. */
static UInt count_code(const Addr *ips, UInt count)
{
   UInt code = 1;
   while (code < count && VG_(am_is_valid_for_client)(ips[code], 1, VKI_PROT_EXEC))
      code++;
   return code < count ? code : count;
}

void pmh_sites_code_gone(void)
{
   for (UInt s = 0; s < stack_slots; s++)
      if (stacks[s].site) {
         VG_(free)(stacks[s].ips);
         stacks[s].site = 0;
      }
   stack_count = 0;
   for (UInt c = 0; chains && c < CHAINS; c++)
      if (chains[c].site)
         chains[c].site = 0;
}

/* The site of the running thread's stack, which has these registers; chain: what is remembered
   of such a stack; NULL: nothing is. */
PM_SELDOM static UInt unwind(const struct chain *chain, Addr ip, Addr sp, Addr fp)
{
   static Addr ips[FRAMES_MAX], sps[FRAMES_MAX], fps[FRAMES_MAX];
   ThreadId tid = VG_(get_running_tid)();
   UInt depth = VG_(clo_backtrace_size) < FRAMES_MAX ? (UInt)VG_(clo_backtrace_size) : FRAMES_MAX;
   UInt unwound = VG_(get_StackTrace)(tid, ips, depth, sps, fps, -1);
   UInt code = count_code(ips, unwound);
   const struct stack *stack = pmh_sites.lost ? NULL : stack_of(ips, code);
   if (!stack) { /* 0 is the unknown one */
      pmh_sites.lost = true;
      return 0;
   }
   if (chain && stack->site != chain->site)
      VG_(tool_panic)("profmem: a remembered call chain is not the present one");
   /* What is no address of code has decided, too, where the chain ends. */
   UInt decided = stack->looked_at + (stack->looked_at == code && code < unwound);
   if (!chain && unwound > 0 && ips[0] == ip && sps[0] == sp && fps[0] == fp)
      remember(ips, sps, fps, decided, decided < unwound || unwound == depth, stack->site);
   return stack->site;
}

uint32_t pmh_site_now(void)
{
   const struct pmh_thread *thread = pmh_thread_now();
   Addr ip = pmh_register_now(thread, pmh_platform.ip) - 1;
   Addr sp = pmh_register_now(thread, pmh_platform.sp);
   Addr fp = pmh_register_now(thread, pmh_platform.fp);
   const struct chain *chain = remembered_chain(ip, sp, fp);
   if (!chain || pmh_options.check_stacks)
      return unwind(chain, ip, sp, fp);
   pm_sites_soon(&pmh_sites, &pmh_heap.phases, chain->site);
   return chain->site;
}

/* The chain begins with the caller, as it does for calls that have returned: it is
   taken as if this one had. */
uint32_t pmh_site_at_entry(const struct pm_entry *entry)
{
   ThreadId tid = VG_(get_running_tid)();
   Addr caller = (Addr)(entry->stack_pointer + pmh_platform.return_pops_bytes);
   UWord ip = pmh_register(tid, pmh_platform.ip), sp = pmh_register(tid, pmh_platform.sp);
   pmh_set_register(tid, pmh_platform.ip, (Addr)entry->return_address);
   pmh_set_register(tid, pmh_platform.sp, caller);
   uint32_t site = pmh_site_now();
   pmh_set_register(tid, pmh_platform.ip, ip);
   pmh_set_register(tid, pmh_platform.sp, sp);
   return site;
}

UInt pmh_sites_known(const struct pm_report_site **out)
{
   if (site_count == 0)
      grow_sites();
   *out = sites;
   return site_count;
}
