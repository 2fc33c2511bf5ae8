/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_code.c: names of code; pmh_code.h has the terms. */
#include "pmh_code.h"
#include "pmh_services.h"
#include "pmh_symbols.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pm_text.h"

static const HChar unknown[] = "???";

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

UInt pmh_code_function(Addr ip)
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
