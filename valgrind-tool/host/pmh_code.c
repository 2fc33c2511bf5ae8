/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_code.c: names of code; pmh_code.h has the terms. */
#include "pmh_code.h"
#include "pmh_options.h"
#include "pmh_services.h"
#include "pmh_symbols.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pm_text.h"

static const HChar unknown[] = "???";

/* --- functions -------------------------------------------------------------------- */

static struct pm_report_function *functions; /* [0]: code that is not told apart */
static UInt count, capacity;
static UInt *slots; /* hash of name and object -> number; 0 empty */
static UInt slot_count;

static UInt *slot_of(const HChar *name, const HChar *object)
{
   uint64_t hash = pm_fnv1a64(PM_FNV1A64_START, name, VG_(strlen)(name) + 1);
   UInt slot = (UInt)pm_fnv1a64(hash, object, VG_(strlen)(object)) & (slot_count - 1);
   while (slots[slot] && !(pm_streq(functions[slots[slot]].name, name) &&
                           pm_streq(functions[slots[slot]].object, object)))
      slot = (slot + 1) & (slot_count - 1);
   return &slots[slot];
}

static void grow(void)
{
   capacity = capacity ? capacity * 2 : 1024;
   functions = VG_(realloc)("profmem.code", functions, capacity * sizeof *functions);
   if (count == 0)
      functions[count++] = (struct pm_report_function){unknown, unknown};
   slot_count = capacity * 2;
   VG_(free)(slots);
   slots = VG_(calloc)("profmem.code", slot_count, sizeof *slots);
   for (UInt f = 1; f < count; f++)
      *slot_of(functions[f].name, functions[f].object) = f;
}

static UInt number_of(const HChar *name, const HChar *object)
{
   if (count == capacity)
      grow();
   UInt *slot = slot_of(name, object);
   if (!*slot) {
      functions[count] = (struct pm_report_function){pmh_keep(name), pmh_keep(object)};
      *slot = count++;
   }
   return *slot;
}

static UInt function_at(Addr ip)
{
   const HChar *name = unknown;
   const struct pmh_object *object = pmh_object_at(ip);
   if (!VG_(get_fnname)(VG_(current_DiEpoch)(), ip, &name))
      name = unknown;
   return number_of(name, object ? object->name : unknown);
}

Bool pmh_code_is_entry(Addr ip)
{
   const HChar *name;
   return VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), ip, &name);
}

UInt pmh_code_functions(const struct pm_report_function **out)
{
   if (count == 0)
      grow();
   *out = functions;
   return count;
}

/* --- source lines ---------------------------------------------------------------- */

static struct pm_report_line *lines; /* [0]: code that is not told apart */
static UInt line_count, line_capacity;
static UInt *line_slots; /* hash of the line -> number; 0 empty */
static UInt line_slot_count;

static Bool same_line(const struct pm_report_line *a, const struct pm_report_line *b)
{
   return a->function == b->function && a->line == b->line &&
          (a->file == b->file || (a->file && b->file && pm_streq(a->file, b->file)));
}

static UInt *line_slot_of(const struct pm_report_line *line)
{
   uint64_t hash = pm_fnv1a64(PM_FNV1A64_START, &line->function, sizeof line->function);
   hash = pm_fnv1a64(hash, &line->line, sizeof line->line);
   UInt slot = (UInt)hash & (line_slot_count - 1);
   while (line_slots[slot] && !same_line(&lines[line_slots[slot]], line))
      slot = (slot + 1) & (line_slot_count - 1);
   return &line_slots[slot];
}

static void grow_lines(void)
{
   line_capacity = line_capacity ? line_capacity * 2 : 4096;
   lines = VG_(realloc)("profmem.lines", lines, line_capacity * sizeof *lines);
   if (line_count == 0)
      lines[line_count++] = (struct pm_report_line){.function = 0};
   line_slot_count = line_capacity * 2;
   VG_(free)(line_slots);
   line_slots = VG_(calloc)("profmem.lines", line_slot_count, sizeof *line_slots);
   for (UInt l = 1; l < line_count; l++)
      *line_slot_of(&lines[l]) = l;
}

static UInt line_at(Addr ip)
{
   const HChar *file;
   struct pm_report_line line = {.function = function_at(ip)};
   if (VG_(get_filename_linenum)(VG_(current_DiEpoch)(), ip, &file, NULL, &line.line))
      line.file = pmh_base_name(file); /* newer Valgrinds leave a part of the path */
   if (line_count == line_capacity)
      grow_lines();
   UInt *slot = line_slot_of(&line);
   if (!*slot) {
      if (line.file)
         line.file = pmh_keep(line.file);
      lines[line_count] = line;
      *slot = line_count++;
   }
   return *slot;
}

UInt pmh_code_lines(const struct pm_report_line **out)
{
   if (line_count == 0)
      grow_lines();
   *out = lines;
   return line_count;
}

UInt pmh_code_place(Addr ip)
{
   return pmh_options.lines ? line_at(ip) : function_at(ip);
}

/* --- instructions ----------------------------------------------------------------- */

static struct pm_report_instr *instrs; /* [0]: code that is not told apart */
static UInt instr_count, instr_capacity;
static UInt *instr_slots; /* hash of the instruction -> number; 0 empty */
static UInt instr_slot_count;

/* The files that instructions are in. */
static const struct pm_report_object **files;
static UInt file_count;

static Bool same_text(const HChar *a, const HChar *b)
{
   return a == b || (a && b && pm_streq(a, b));
}

/* The file that an object was mapped from; one that is mapped again is the same. */
static const struct pm_report_object *file_of(const struct pmh_object *object)
{
   static const struct pmh_object *last; /* code comes in runs */
   static const struct pm_report_object *file_of_last;
   if (object == last)
      return file_of_last;
   UInt f = 0;
   while (f < file_count && !(pm_streq(files[f]->path, object->path) &&
                              same_text(files[f]->build_id, object->build_id)))
      f++;
   if (f == file_count) {
      struct pm_report_object *file = VG_(malloc)("profmem.instrs", sizeof *file);
      *file = (struct pm_report_object){object->name, object->build_id, object->path};
      files = VG_(realloc)("profmem.instrs", files, (file_count + 1) * sizeof *files);
      files[file_count++] = file;
   }
   last = object;
   return file_of_last = files[f];
}

static UInt *instr_slot_of(const struct pm_report_instr *instr)
{
   uint64_t hash = pm_fnv1a64(PM_FNV1A64_START, &instr->address, sizeof instr->address);
   hash = pm_fnv1a64(hash, &instr->line, sizeof instr->line);
   UInt slot = (UInt)hash & (instr_slot_count - 1);
   for (; instr_slots[slot]; slot = (slot + 1) & (instr_slot_count - 1)) {
      const struct pm_report_instr *there = &instrs[instr_slots[slot]];
      if (there->address == instr->address && there->line == instr->line &&
          there->object == instr->object && there->has_address == instr->has_address)
         break;
   }
   return &instr_slots[slot];
}

static void grow_instrs(void)
{
   instr_capacity = instr_capacity ? instr_capacity * 2 : 16384;
   instrs = VG_(realloc)("profmem.instrs", instrs, instr_capacity * sizeof *instrs);
   if (instr_count == 0)
      instrs[instr_count++] = (struct pm_report_instr){.line = 0};
   instr_slot_count = instr_capacity * 2;
   VG_(free)(instr_slots);
   instr_slots = VG_(calloc)("profmem.instrs", instr_slot_count, sizeof *instr_slots);
   for (UInt i = 1; i < instr_count; i++)
      *instr_slot_of(&instrs[i]) = i;
}

UInt pmh_code_instr(Addr ip)
{
   const struct pmh_object *object = pmh_object_at(ip);
   struct pm_report_instr instr = {.object = object ? file_of(object) : NULL,
                                   .line = line_at(ip),
                                   .has_address = object && object->is_placed};
   if (instr.has_address)
      instr.address = ip - object->moved;
   if (instr_count == instr_capacity)
      grow_instrs();
   UInt *slot = instr_slot_of(&instr);
   if (!*slot) {
      instrs[instr_count] = instr;
      *slot = instr_count++;
   }
   return *slot;
}

UInt pmh_code_instrs(const struct pm_report_instr **out)
{
   if (instr_count == 0)
      grow_instrs();
   *out = instrs;
   return instr_count;
}
