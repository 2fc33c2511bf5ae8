/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_symbols.c: objects and entry points; pmh_symbols.h has the terms. */
#include "pmh_symbols.h"
#include "pmh_core.h"
#include "pmh_services.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pm_elf.h"
#include "pm_names.h"
#include "pm_text.h"

static const struct pm_allocfns *known;
static struct pmh_phase_pattern *patterns;
static UInt pattern_count;
static Bool changed = True;
static Bool symbols_lost; /* out of memory while they were read */

static struct pmh_object **objects;
static UInt object_count, object_capacity;
static struct pm_function **functions;
static UInt function_count, function_capacity;

/* The entry points of what is mapped now, by address. Open addressing. */
static struct pmh_entry_point **entries;
static UInt entry_slots, entry_count;

static void *room_for_one(const HChar *what, void *array, UInt count, UInt *capacity,
                          SizeT bytes)
{
   if (count < *capacity)
      return array;
   *capacity = *capacity ? *capacity * 2 : 16;
   return VG_(realloc)(what, array, *capacity * bytes);
}

/* --- the index of entry points ----------------------------------------------- */

static struct pmh_entry_point **slot_of(Addr address)
{
   UInt slot = (UInt)((address * 0x9e3779b97f4a7c15ULL) >> 40) & (entry_slots - 1);
   while (entries[slot] && entries[slot]->address != address)
      slot = (slot + 1) & (entry_slots - 1);
   return &entries[slot];
}

static void add_entry(struct pmh_entry_point *point)
{
   if ((entry_count + 1) * 2 > entry_slots) {
      struct pmh_entry_point **old = entries;
      UInt old_slots = entry_slots;
      entry_slots = old_slots ? old_slots * 2 : 256;
      entries = VG_(calloc)("profmem.entries", entry_slots, sizeof *entries);
      for (UInt s = 0; s < old_slots; s++)
         if (old[s])
            *slot_of(old[s]->address) = old[s];
      VG_(free)(old);
   }
   struct pmh_entry_point **slot = slot_of(point->address);
   entry_count += !*slot;
   *slot = point;
   if (point->function) {
      point->function->address = point->address;
      point->function->size_bytes = point->size_bytes;
   }
}

static void rebuild_entries(void)
{
   if (entries)
      VG_(memset)(entries, 0, entry_slots * sizeof *entries);
   entry_count = 0;
   for (UInt o = 0; o < object_count; o++)
      if (objects[o]->mapped)
         for (UInt e = 0; e < objects[o]->entry_point_count; e++)
            add_entry(objects[o]->entry_points[e]);
}

/* --- entry points of an object ------------------------------------------------ */

/* The function of that name in an object of that name: it is the same one when
   the object is mapped again. */
static struct pm_function *function_named(const HChar *object, const HChar *name,
                                          enum pm_allockind_id kind)
{
   for (UInt f = 0; f < function_count; f++)
      if (VG_(strcmp)(functions[f]->name, name) == 0 &&
          VG_(strcmp)(functions[f]->object, object) == 0)
         return functions[f];
   struct pm_function *function = VG_(calloc)("profmem.function", 1, sizeof *function);
   *function = (struct pm_function){.name = pmh_keep(name), .object = object, .kind = kind};
   functions = room_for_one("profmem.functions", functions, function_count,
                            &function_capacity, sizeof *functions);
   functions[function_count++] = function;
   return function;
}

/* The entry point at address; symbols of one function need not stand together. */
static struct pmh_entry_point *entry_point_at(struct pmh_object *object, Addr address,
                                              ULong size_bytes)
{
   for (UInt e = object->entry_point_count; e-- > 0;)
      if (object->entry_points[e]->address == address)
         return object->entry_points[e];
   struct pmh_entry_point *point = VG_(calloc)("profmem.entry", 1, sizeof *point);
   point->address = address;
   point->size_bytes = size_bytes;
   object->entry_points =
      room_for_one("profmem.object", object->entry_points, object->entry_point_count,
                   &object->entry_point_capacity, sizeof *object->entry_points);
   object->entry_points[object->entry_point_count++] = point;
   return point;
}

static void add_phase(struct pmh_entry_point *point, struct pm_declared *declared)
{
   for (UInt p = 0; p < point->phase_count; p++)
      if (point->phases[p] == declared)
         return;
   point->phases = VG_(realloc)("profmem.entry", point->phases,
                                (point->phase_count + 1) * sizeof *point->phases);
   point->phases[point->phase_count++] = declared;
}

/* Does the pattern match the name, raw, demangled, or demangled without its
   parameters? */
static Bool pattern_matches(const HChar *pattern, const HChar *raw, const HChar *demangled)
{
   if (pm_wildcard_match(pattern, raw))
      return True;
   if (!demangled)
      return False;
   if (pm_wildcard_match(pattern, demangled))
      return True;
   HChar *bare = pmh_keep(demangled);
   bare[pm_name_without_parameters(bare)] = '\0';
   Bool match = pm_wildcard_match(pattern, bare);
   VG_(free)(bare);
   return match;
}

/* A symbol of an object. */
struct symbol {
   Addr address;
   ULong size_bytes;
   const HChar *name;
   const HChar *demangled; /* NULL: not yet */
   Bool chooses;           /* the address is that of a function which returns the address
                              of the one with that name */
};

/* Where it is kept what the function with that name is. */
static struct pmh_entry_point *point_of(struct pmh_object *object, const struct symbol *symbol)
{
   struct pmh_entry_point *point =
      entry_point_at(object, symbol->address, symbol->size_bytes);
   if (!symbol->chooses)
      return point;
   if (!point->chooses)
      point->chooses = VG_(calloc)("profmem.entry", 1, sizeof *point->chooses);
   return point->chooses;
}

/* Is it observed? Several names of one function all count. */
static void see_symbol(struct pmh_object *object, const struct symbol *symbol)
{
   const HChar *name = symbol->name, *demangled = symbol->demangled;
   const struct pm_allocfn *row = pm_allocfns_match(known, name);
   if (row) {
      struct pmh_entry_point *point = point_of(object, symbol);
      if (!point->function)
         point->function = function_named(object->name, name, row->kind);
   }
   if (pattern_count > 0 && !demangled)
      VG_(demangle)(True, False, name, &demangled);
   for (UInt p = 0; p < pattern_count; p++)
      if (pattern_matches(patterns[p].pattern, name, demangled)) {
         patterns[p].matches++;
         add_phase(point_of(object, symbol), patterns[p].declared);
      }
}

static void each_symbol(void *ctx, const struct pm_elf_symbol *symbol)
{
   struct pmh_object *object = ctx;
   const struct symbol here = {.address = symbol->address + object->moved,
                               .size_bytes = symbol->bytes,
                               .name = symbol->name,
                               .chooses = symbol->type == PM_ELF_IFUNC};
   if (here.address >= object->start && here.address < object->end)
      see_symbol(object, &here);
}

static void read_symbols(const struct pm_elf *elf, enum pm_elf_table table,
                         struct pmh_object *object)
{
   if (pm_elf_symbols(elf, table, each_symbol, object) == PM_ELF_NO_MEMORY)
      symbols_lost = True;
}

static void read_object(struct pmh_object *object)
{
   struct pm_elf_file file;
   if (!pmh_file_open(&file, object->path))
      return;
   static struct pm_elf elf; /* large, and only one is open at a time */
   enum pm_elf_status status = pm_elf_open(&elf, &pmh_host, &file);
   if (status == PM_ELF_NO_MEMORY)
      symbols_lost = True;
   if (status == PM_ELF_OK) {
      if (elf.build_id_bytes) {
         HChar id[PM_BYTES_TEXT(PM_ELF_BUILD_ID_MAX)];
         pm_bytes_text(id, elf.build_id, elf.build_id_bytes);
         object->build_id = pmh_keep(id);
      }
      Bool observed = elf.has_text && !pmh_begins_with(elf.soname, "ld-linux") &&
                      !pmh_begins_with(object->name, "vgpreload_");
      if (elf.has_text) {
         object->moved = object->start - object->offset + elf.text_offset - elf.text_address;
         object->is_placed = object->offset < elf.text_offset + elf.text_bytes;
      }
      if (observed) {
         read_symbols(&elf, PM_ELF_DYNSYM, object);
         read_symbols(&elf, PM_ELF_SYMTAB, object);
         object->asks_valgrind = !elf.has_symtab;
      }
   }
   pmh_file_close(&file);
}

/* --- what is mapped --------------------------------------------------------- */

/* Size and times of the object's file now. */
static void stamp_file(struct pmh_object *object)
{
   struct vg_stat there;
   if (sr_isError(VG_(stat)(object->path, &there)))
      return;
   object->bytes = (ULong)there.size;
   object->modified = there.mtime * 1000000000 + there.mtime_nsec;
   object->changed = there.ctime * 1000000000 + there.ctime_nsec;
}

/* Has the file been written since it was read? A path that is gone tells nothing. */
static Bool is_rewritten(const struct pmh_object *object)
{
   struct pmh_object now = *object;
   stamp_file(&now);
   return now.bytes != object->bytes || now.modified != object->modified ||
          now.changed != object->changed;
}

static Bool is_segment(const struct pmh_object *object, const NSegment *segment)
{
   return object->start == segment->start && object->device == segment->dev &&
          object->inode == segment->ino && object->offset == (ULong)segment->offset;
}

static void see_segment(const NSegment *segment)
{
   const HChar *path = VG_(am_get_filename)(segment);
   if (!path || pm_streq(VG_(basename)(path), "profmem-" PMH_PLATFORM))
      return; /* Valgrind lends the program a page of the tool */
   for (UInt o = 0; o < object_count; o++)
      if (is_segment(objects[o], segment) &&
          (objects[o]->was_mapped || !is_rewritten(objects[o]))) {
         objects[o]->mapped = True;
         return;
      }
   struct pmh_object *object = VG_(calloc)("profmem.object", 1, sizeof *object);
   object->path = pmh_keep(path);
   object->name = pmh_keep(VG_(basename)(path));
   object->device = segment->dev;
   object->inode = segment->ino;
   object->start = segment->start;
   object->end = segment->end + 1;
   object->offset = (ULong)segment->offset;
   object->mapped = True;
   stamp_file(object);
   objects = room_for_one("profmem.objects", objects, object_count, &object_capacity,
                          sizeof *objects);
   objects[object_count++] = object;
   read_object(object);
}

static void look_at_segments(void)
{
   for (UInt o = 0; o < object_count; o++) {
      objects[o]->was_mapped = objects[o]->mapped;
      objects[o]->mapped = False;
   }
   Int room = 256;
   Addr *starts = VG_(malloc)("profmem.segments", room * sizeof *starts);
   Int count;
   while ((count = VG_(am_get_segment_starts)(SkFileC, starts, room)) < 0) {
      room = -count * 2;
      starts = VG_(realloc)("profmem.segments", starts, room * sizeof *starts);
   }
   for (Int s = 0; s < count; s++) {
      const NSegment *segment = VG_(am_find_nsegment)(starts[s]);
      if (segment && segment->hasX)
         see_segment(segment);
   }
   VG_(free)(starts);
   rebuild_entries();
}

void pmh_symbols_begin(struct pm_allocfns *fns, struct pmh_phase_pattern *phase_patterns,
                       UInt count)
{
   known = fns;
   patterns = phase_patterns;
   pattern_count = count;
}

void pmh_symbols_changed(void)
{
   changed = True;
}

void pmh_symbols_unmapped(UInt object)
{
   objects[object]->mapped = False;
   changed = True;
}

static void look_at_changes(void)
{
   if (changed) {
      changed = False;
      look_at_segments();
   }
}

/* A private name that only separate debug information has. */
static struct pmh_entry_point *ask_valgrind(Addr address)
{
   for (UInt o = 0; o < object_count; o++) {
      struct pmh_object *object = objects[o];
      if (!object->mapped || !object->asks_valgrind || address < object->start ||
          address >= object->end)
         continue;
      const HChar *name;
      UInt before = object->entry_point_count;
      if (VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), address, &name))
         see_symbol(object, &(struct symbol){.address = address, .name = name, .demangled = name});
      if (object->entry_point_count == before)
         return NULL;
      add_entry(object->entry_points[before]);
      return object->entry_points[before];
   }
   return NULL;
}

struct pmh_entry_point *pmh_symbols_at(Addr address, Bool first_in_block)
{
   look_at_changes();
   struct pmh_entry_point *point = entry_slots ? *slot_of(address) : NULL;
   return point || !first_in_block ? point : ask_valgrind(address);
}

void pmh_symbols_chosen(const struct pmh_entry_point *chooser, Addr address)
{
   const struct pmh_entry_point *chosen = chooser->chooses;
   struct pmh_object *object = (struct pmh_object *)pmh_object_at(address);
   if (!object)
      return;
   struct pmh_entry_point *point = entry_point_at(object, address, 0);
   if (!point->function)
      point->function = chosen->function;
   for (UInt p = 0; p < chosen->phase_count; p++)
      add_phase(point, chosen->phases[p]);
   add_entry(point);
}

const struct pmh_object *pmh_object_at(Addr address)
{
   look_at_changes();
   static const struct pmh_object *last; /* code comes in runs */
   if (last && last->mapped && address >= last->start && address < last->end)
      return last;
   for (UInt o = 0; o < object_count; o++)
      if (objects[o]->mapped && address >= objects[o]->start && address < objects[o]->end)
         return last = objects[o];
   return NULL;
}

/* glibc's function for it has had these names. It is private, so that a stripped
   libc does not name it; there, what stands as near to free as the rest of malloc's
   code is taken for it. */
bool pmh_symbols_own_release(const struct pm_function *function, uint64_t return_address)
{
   static const HChar *const names[] = {"__malloc_arena_thread_freeres",
                                        "arena_thread_freeres", "tcache_thread_shutdown",
                                        "tcache_thread_freeres", "__libc_thread_freeres"};
   enum { NEAR_BYTES = 32 * 1024 };
   const struct pmh_object *object = pmh_object_at((Addr)return_address);
   if (!object || object != pmh_object_at((Addr)function->address))
      return false;
   const HChar *name;
   if (!object->asks_valgrind &&
       VG_(get_fnname)(VG_(current_DiEpoch)(), (Addr)return_address, &name)) {
      for (UInt n = 0; n < sizeof names / sizeof *names; n++)
         if (pm_streq(name, names[n]))
            return true;
      return false;
   }
   uint64_t distance = return_address - function->address + NEAR_BYTES;
   return distance < 2 * NEAR_BYTES;
}

Bool pmh_symbols_lost(void)
{
   return symbols_lost;
}

UInt pmh_objects(const struct pmh_object ***out)
{
   *out = (const struct pmh_object **)objects;
   return object_count;
}

UInt pmh_functions(struct pm_function ***out)
{
   *out = functions;
   return function_count;
}
