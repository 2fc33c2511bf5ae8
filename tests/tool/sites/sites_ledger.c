/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_ledger.c: the account of sites_ledger.h, kept in the simplest way. */
#include "sites_ledger.h"
#include "profmem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
   MOST_SITES = 4096,
   MOST_FRAMES = 64,
   MOST_BLOCKS = 1 << 16,
   BUCKETS = 1 << 14,
   MOST_PHASES = 8,
   MOST_OPEN = 16,
   PAIR_SLOTS = 1 << 17,
   TEXT_BYTES = 1 << 20,
};

/* Copied: what a frame points to may be unloaded. */
struct site {
   struct sites_frame frames[MOST_FRAMES];
   unsigned frame_count;
   const char *tail;     /* frames that follow, as printed */
   uint64_t live_bytes, live_blocks, largest_bytes;
};

struct block {
   const void *address;
   size_t bytes;
   unsigned site;
   uint64_t birth;       /* number of its first event */
   struct block *next;   /* in its bucket, or free */
};

struct row {
   uint64_t peak_bytes, peak_blocks, traffic_bytes, traffic_blocks, temporary_blocks;
   uint64_t retained_bytes, retained_blocks;
};

struct instance {
   struct phase *phase;  /* NULL: the place is free */
   unsigned thread;
   uint64_t order, begin_event, peak_bytes;
   struct row rows[MOST_SITES];
};

struct phase {
   const char *name;
   uint64_t peak_bytes, peak_order; /* order 0: none has ended */
   struct row rows[MOST_SITES];
};

/* What one site did to blocks that another one had obtained. */
struct pair {
   const char *kind;     /* NULL: nothing is here */
   const struct phase *phase;
   unsigned origin, site;
   uint64_t blocks, bytes, net_bytes;
};

static struct site sites[MOST_SITES];
static unsigned site_count;
static struct block pool[MOST_BLOCKS], *buckets[BUCKETS], *free_blocks;
static unsigned pool_used;
static struct instance instances[MOST_OPEN];
static struct phase phases[MOST_PHASES];
static struct pair pairs[PAIR_SLOTS]; /* open addressing */
static unsigned phase_count, pair_count, thread_count;
static uint64_t events, orders, live_bytes;

static unsigned depth = 12; /* --num-callers, its default */
static enum { FRAMES_FULL, FRAMES_FUNCTIONS, FRAMES_NONE } frames_known;
static const char *program;

static __thread struct sites_frame chain[MOST_FRAMES]; /* the outermost first */
static __thread unsigned chain_length, thread_number;  /* from 1; 0: not known yet */
static __thread uint64_t last_obtained; /* birth of the block that this thread's last
                                           event obtained; 0 if it was another event */

/* Without stdio's streams, which would allocate. */
void sites_stop(const char *reason)
{
   dprintf(2, "sites: error: %s\n", reason);
   _exit(2);
}

/* ---- Chains. */

void sites_enter(const struct sites_frame *frame)
{
   if (chain_length == MOST_FRAMES)
      sites_stop("the chain is too long");
   chain[chain_length++] = *frame;
}

void sites_leave(void)
{
   chain_length--;
}

static const char *base_name(const char *path)
{
   const char *slash = strrchr(path, '/');
   return slash ? slash + 1 : path;
}

static const char *kept(const char *text)
{
   static char texts[TEXT_BYTES];
   static size_t used;
   for (const char *at = texts; at < texts + used; at += strlen(at) + 1)
      if (strcmp(at, text) == 0)
         return at;
   size_t bytes = strlen(text) + 1;
   if (used + bytes > TEXT_BYTES)
      sites_stop("too many names");
   memcpy(texts + used, text, bytes);
   used += bytes;
   return texts + used - bytes;
}

/* What can be told of a frame. */
static struct sites_frame known(struct sites_frame frame)
{
   frame.object = frame.object ? frame.object : program;
   frame.file = base_name(frame.file);
   if (frames_known != FRAMES_FULL) {
      frame.file = "";
      frame.line = 0;
   }
   if (frames_known == FRAMES_NONE)
      frame.function = "???";
   return frame;
}

static bool same_frame(const struct sites_frame *a, const struct sites_frame *b)
{
   return a->line == b->line && a->inlined == b->inlined &&
          strcmp(a->function, b->function) == 0 && strcmp(a->file, b->file) == 0 &&
          strcmp(a->object, b->object) == 0;
}

static bool same_site(const struct site *a, const struct site *b)
{
   if (a->frame_count != b->frame_count || strcmp(a->tail, b->tail) != 0)
      return false;
   for (unsigned f = 0; f < a->frame_count; f++)
      if (!same_frame(&a->frames[f], &b->frames[f]))
         return false;
   return true;
}

/* What is known of frames beyond the chain: a thread begins in the C library; main is the
   last only where it has a name. */
static const char *tail_of(const struct sites_frame *outermost)
{
   if (strcmp(outermost->function, "main") != 0)
      return "\t...|||*|";
   return frames_known == FRAMES_NONE ? "\t(below main)|*|*|*|" : "";
}

/* The chain, cut where unwinding ends: an inlined frame is none of the stack. Some of
   its texts may be gone later. */
static void present_site(struct site *site)
{
   *site = (struct site){.tail = ""};
   unsigned unwound = 0, at = chain_length;
   while (at > 0 && unwound < depth) {
      at--;
      site->frames[site->frame_count++] = known(chain[at]);
      unwound += !chain[at].inlined;
   }
   if (at == 0 && unwound < depth)
      site->tail = tail_of(&chain[0]);
}

static unsigned site_now(void)
{
   static struct site now;
   present_site(&now);
   for (unsigned s = 0; s < site_count; s++)
      if (same_site(&sites[s], &now))
         return s;
   if (site_count == MOST_SITES)
      sites_stop("too many sites");
   for (unsigned f = 0; f < now.frame_count; f++) {
      now.frames[f].function = kept(now.frames[f].function);
      now.frames[f].file = kept(now.frames[f].file);
      now.frames[f].object = kept(now.frames[f].object);
   }
   sites[site_count] = now;
   return site_count++;
}

/* ---- Blocks. */

static struct block **bucket_of(const void *address)
{
   return &buckets[((uintptr_t)address >> 4) % BUCKETS];
}

static void file_block(struct block *block)
{
   struct block **bucket = bucket_of(block->address);
   block->next = *bucket;
   *bucket = block;
}

static struct block *take_block(const void *address)
{
   struct block **link = bucket_of(address);
   while (*link && (*link)->address != address)
      link = &(*link)->next;
   struct block *block = *link;
   if (!block)
      sites_stop("a block that nobody obtained");
   *link = block->next;
   return block;
}

static struct block *new_block(void)
{
   struct block *block = free_blocks;
   if (block) {
      free_blocks = block->next;
      return block;
   }
   if (pool_used == MOST_BLOCKS)
      sites_stop("too many blocks");
   return &pool[pool_used++];
}

/* ---- Phases. */

static unsigned this_thread(void)
{
   if (thread_number == 0)
      thread_number = ++thread_count;
   return thread_number;
}

static void take_picture(struct instance *instance)
{
   for (unsigned s = 0; s < site_count; s++) {
      instance->rows[s].peak_bytes = sites[s].live_bytes;
      instance->rows[s].peak_blocks = sites[s].live_blocks;
   }
   instance->peak_bytes = live_bytes;
}

static struct phase *phase_named(const char *name)
{
   for (unsigned p = 0; p < phase_count; p++)
      if (strcmp(phases[p].name, name) == 0)
         return &phases[p];
   if (phase_count == MOST_PHASES)
      sites_stop("too many phases");
   phases[phase_count].name = kept(name);
   return &phases[phase_count++];
}

static void begin_instance(const char *name)
{
   struct instance *instance = instances;
   while (instance < instances + MOST_OPEN && instance->phase)
      instance++;
   if (instance == instances + MOST_OPEN)
      sites_stop("too many open instances");
   memset(instance, 0, sizeof *instance);
   instance->phase = phase_named(name);
   instance->thread = this_thread();
   instance->order = ++orders;
   instance->begin_event = events;
   take_picture(instance);
}

static void add_row(struct row *to, const struct row *row)
{
   to->traffic_bytes += row->traffic_bytes;
   to->traffic_blocks += row->traffic_blocks;
   to->temporary_blocks += row->temporary_blocks;
   to->retained_bytes += row->retained_bytes;
   to->retained_blocks += row->retained_blocks;
}

static void end_instance(struct instance *instance)
{
   struct phase *phase = instance->phase;
   for (struct block **bucket = buckets; bucket < buckets + BUCKETS; bucket++)
      for (struct block *block = *bucket; block; block = block->next)
         if (block->birth > instance->begin_event) {
            instance->rows[block->site].retained_bytes += block->bytes;
            instance->rows[block->site].retained_blocks++;
         }
   bool highest = phase->peak_order == 0 || instance->peak_bytes > phase->peak_bytes ||
                  (instance->peak_bytes == phase->peak_bytes &&
                   instance->order < phase->peak_order);
   for (unsigned s = 0; s < site_count; s++) {
      add_row(&phase->rows[s], &instance->rows[s]);
      if (highest) {
         phase->rows[s].peak_bytes = instance->rows[s].peak_bytes;
         phase->rows[s].peak_blocks = instance->rows[s].peak_blocks;
      }
   }
   if (highest) {
      phase->peak_bytes = instance->peak_bytes;
      phase->peak_order = instance->order;
   }
   instance->phase = NULL;
}

void sites_begin(const char *phase)
{
   if (profmem_watching() && profmem_begin(phase) != PROFMEM_DONE)
      sites_stop("a phase that cannot be begun");
   begin_instance(phase);
}

void sites_end(const char *phase)
{
   for (struct instance *i = instances; i < instances + MOST_OPEN; i++)
      if (i->phase && i->thread == this_thread() && strcmp(i->phase->name, phase) == 0) {
         end_instance(i);
         if (profmem_watching() && profmem_end(phase) != PROFMEM_DONE)
            sites_stop("a phase that cannot be ended");
         return;
      }
   sites_stop("a phase that is not open is ended");
}

/* ---- Events. */

static void live_changed(unsigned site, uint64_t bytes, uint64_t blocks)
{
   sites[site].live_bytes += bytes;
   sites[site].live_blocks += blocks;
   live_bytes += bytes;
   if (sites[site].live_bytes > sites[site].largest_bytes)
      sites[site].largest_bytes = sites[site].live_bytes;
   for (struct instance *i = instances; i < instances + MOST_OPEN; i++)
      if (i->phase && live_bytes > i->peak_bytes)
         take_picture(i);
}

static void count_traffic(unsigned site, size_t bytes)
{
   for (struct instance *i = instances; i < instances + MOST_OPEN; i++)
      if (i->phase) {
         i->rows[site].traffic_bytes += bytes;
         i->rows[site].traffic_blocks++;
      }
}

static struct pair *pair_of(const char *kind, const struct phase *phase, unsigned origin,
                            unsigned site)
{
   unsigned at = (unsigned)(phase - phases) * 7 + origin * 7919 + site * 31 + (unsigned)kind[2];
   for (;; at++) {
      struct pair *pair = &pairs[at % PAIR_SLOTS];
      if (!pair->kind) {
         if (++pair_count > PAIR_SLOTS / 2)
            sites_stop("too many pairs");
         *pair = (struct pair){.kind = kind, .phase = phase, .origin = origin, .site = site};
      }
      if (strcmp(pair->kind, kind) == 0 && pair->phase == phase && pair->origin == origin &&
          pair->site == site)
         return pair;
   }
}

static void count_pair(const char *kind, unsigned origin, unsigned site, uint64_t bytes,
                       uint64_t net_bytes)
{
   for (struct instance *i = instances; i < instances + MOST_OPEN; i++)
      if (i->phase) {
         struct pair *pair = pair_of(kind, i->phase, origin, site);
         pair->blocks++;
         pair->bytes += bytes;
         pair->net_bytes += net_bytes;
      }
}

void sites_obtained(const void *address, size_t bytes)
{
   if (!address)
      sites_stop("an allocation has failed");
   struct block *block = new_block();
   *block = (struct block){address, bytes, site_now(), ++events, NULL};
   file_block(block);
   last_obtained = block->birth;
   count_traffic(block->site, bytes);
   live_changed(block->site, bytes, 1);
}

void sites_resized(const void *old_address, const void *address, size_t bytes)
{
   if (!address)
      sites_stop("a resize has failed");
   struct block *block = take_block(old_address);
   uint64_t net = (uint64_t)bytes - block->bytes;
   block->address = address;
   block->bytes = bytes;
   file_block(block);
   events++;
   last_obtained = 0;
   unsigned site = site_now();
   count_traffic(site, bytes);
   count_pair("resize", block->site, site, bytes, net);
   live_changed(block->site, net, 0);
}

void sites_given_back(const void *address)
{
   struct block *block = take_block(address);
   events++;
   for (struct instance *i = instances; i < instances + MOST_OPEN; i++)
      if (i->phase && block->birth == last_obtained && block->birth > i->begin_event)
         i->rows[block->site].temporary_blocks++;
   last_obtained = 0;
   count_pair("release", block->site, site_now(), block->bytes, 0);
   live_changed(block->site, -(uint64_t)block->bytes, (uint64_t)-1);
   block->next = free_blocks;
   free_blocks = block;
}

/* ---- Arguments and results. */

void sites_start(int argc, char **argv)
{
   program = base_name(argv[0]);
   for (int a = 1; a < argc; a++)
      if (strncmp(argv[a], "depth=", 6) == 0)
         depth = (unsigned)strtoul(argv[a] + 6, NULL, 10);
      else if (strcmp(argv[a], "frames=functions") == 0)
         frames_known = FRAMES_FUNCTIONS;
      else if (strcmp(argv[a], "frames=none") == 0)
         frames_known = FRAMES_NONE;
   begin_instance("program");
}

static char line[1 << 14];
static size_t line_length;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   int added = vsnprintf(line + line_length, sizeof line - line_length, format, arguments);
   va_end(arguments);
   line_length += (size_t)added;
   if (line_length >= sizeof line)
      sites_stop("a line is too long");
}

static void add_frames(const struct site *site)
{
   for (unsigned f = 0; f < site->frame_count; f++) {
      const struct sites_frame *frame = &site->frames[f];
      add("\t%s|%s|%d|%s|%s", frame->function, frame->file, frame->line, frame->object,
          frame->inlined ? "yes" : "");
   }
   add("%s", site->tail);
}

static void print_line(void)
{
   add("\n");
   if (write(1, line, line_length) != (ssize_t)line_length)
      _exit(3);
   line_length = 0;
}

static void print_site(const struct phase *phase, unsigned s)
{
   const struct row *row = &phase->rows[s];
   if (row->peak_blocks == 0 && row->traffic_blocks == 0 && row->temporary_blocks == 0 &&
       row->retained_blocks == 0)
      return;
   add("site\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, phase->name, sites[s].largest_bytes,
       row->peak_bytes, row->peak_blocks);
   add("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, row->traffic_bytes,
       row->traffic_blocks, row->temporary_blocks, row->retained_bytes, row->retained_blocks);
   add_frames(&sites[s]);
   print_line();
}

static void print_pair(const struct pair *pair)
{
   add("%s\t%s\t%" PRIu64 "\t%" PRIu64, pair->kind, pair->phase->name, pair->blocks,
       pair->bytes);
   if (strcmp(pair->kind, "resize") == 0)
      add("\t%" PRId64, (int64_t)pair->net_bytes);
   add_frames(&sites[pair->origin]);
   add("\t=>");
   add_frames(&sites[pair->site]);
   print_line();
}

void sites_report(void)
{
   for (struct instance *i = instances; i < instances + MOST_OPEN; i++)
      if (i->phase)
         end_instance(i);
   for (unsigned p = 0; p < phase_count; p++)
      for (unsigned s = 0; s < site_count; s++)
         print_site(&phases[p], s);
   for (const struct pair *pair = pairs; pair < pairs + PAIR_SLOTS; pair++)
      if (pair->kind)
         print_pair(pair);
}
