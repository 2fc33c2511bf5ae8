/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_phase_table.c: phases by name; pm_phase_table.h has the rules. */
#include "pm_phase_table.h"
#include "pm_text.h"

enum { FIRST_CHAINS = 64 };

static const char program_name[] = "program";

bool pm_phase_table_init(struct pm_phase_table *table, const struct pm_host *host,
                         struct pm_heap *heap)
{
   *table = (struct pm_phase_table){.host = host, .heap = heap, .chain_count = FIRST_CHAINS};
   table->chains = host->alloc(FIRST_CHAINS * sizeof *table->chains);
   if (!table->chains)
      return false;
   memset(table->chains, 0, FIRST_CHAINS * sizeof *table->chains);
   if (pm_phase_table_declare(table, program_name, sizeof program_name - 1, PM_PHASE_PROCESS))
      return true;
   pm_phase_table_release(table);
   return false;
}

static void release_declared(const struct pm_host *host, struct pm_declared *declared)
{
   pm_phase_release(host, &declared->phase);
   host->release((char *)declared->phase.name, pm_strlen(declared->phase.name) + 1);
   host->release(declared, sizeof *declared);
}

void pm_phase_table_release(struct pm_phase_table *table)
{
   const struct pm_host *host = table->host;
   for (uint32_t d = 0; d < table->count; d++)
      release_declared(host, table->declared[d]);
   host->release(table->declared, table->capacity * sizeof *table->declared);
   host->release(table->chains, table->chain_count * sizeof *table->chains);
   *table = (struct pm_phase_table){.host = host};
}

/* --- names ------------------------------------------------------------------ */

/* UTF-8 without a zero, which ends the copy. */
static bool is_text(const char *name, size_t bytes)
{
   for (size_t at = 0; at < bytes;) {
      uint32_t code;
      unsigned step = pm_utf8_step(name + at, bytes - at, &code);
      if (step == 0 || code == 0)
         return false;
      at += step;
   }
   return true;
}

enum pm_name_fault pm_phase_name_fault(const char *name, size_t bytes)
{
   if (bytes > PM_PHASE_NAME_MAX)
      return PM_NAME_TOO_LONG;
   return is_text(name, bytes) ? PM_NAME_GOOD : PM_NAME_NOT_UTF8;
}

static struct pm_declared **chain_of(const struct pm_phase_table *table, const char *name,
                                     size_t bytes)
{
   uint64_t hash = pm_fnv1a64(PM_FNV1A64_START, name, bytes);
   return &table->chains[hash & (table->chain_count - 1)];
}

struct pm_declared *pm_phase_table_find(const struct pm_phase_table *table, const char *name,
                                        size_t bytes)
{
   if (bytes > PM_PHASE_NAME_MAX)
      return NULL; /* no such bytes need to be there */
   struct pm_declared *d = *chain_of(table, name, bytes);
   while (d && !(pm_strlen(d->phase.name) == bytes &&
                 pm_memcmp(d->phase.name, name, bytes) == 0))
      d = d->next_in_chain;
   return d;
}

/* Room for one more phase; twice the chains when there are more phases than
   chains. Without memory for chains the old ones go on. */
static bool make_room(struct pm_phase_table *table)
{
   const struct pm_host *host = table->host;
   if (table->count < table->capacity)
      return true;
   uint32_t capacity = table->capacity ? table->capacity * 2 : FIRST_CHAINS;
   struct pm_declared **declared = host->alloc(capacity * sizeof *declared);
   if (!declared)
      return false;
   if (table->declared)
      memcpy(declared, table->declared, table->count * sizeof *declared);
   host->release(table->declared, table->capacity * sizeof *declared);
   table->declared = declared;
   table->capacity = capacity;

   struct pm_declared **chains = host->alloc(capacity * sizeof *chains);
   if (!chains)
      return true;
   host->release(table->chains, table->chain_count * sizeof *chains);
   memset(chains, 0, capacity * sizeof *chains);
   table->chains = chains;
   table->chain_count = capacity;
   for (uint32_t d = 0; d < table->count; d++) {
      const char *name = declared[d]->phase.name;
      struct pm_declared **chain = chain_of(table, name, pm_strlen(name));
      declared[d]->next_in_chain = *chain;
      *chain = declared[d];
   }
   return true;
}

struct pm_declared *pm_phase_table_declare(struct pm_phase_table *table, const char *name,
                                           size_t bytes, enum pm_phase_kind kind)
{
   struct pm_declared *found = pm_phase_table_find(table, name, bytes);
   if (found)
      return found;
   enum pm_name_fault fault = pm_phase_name_fault(name, bytes);
   if (fault) {
      uint64_t *count =
         fault == PM_NAME_TOO_LONG ? &table->names_too_long : &table->names_not_utf8;
      ++*count;
      return NULL;
   }
   /* Once one was lost, any other may be that one, and would lack its first instances. */
   if (table->phases_lost > 0) {
      table->phases_lost++;
      return NULL;
   }
   const struct pm_host *host = table->host;
   struct pm_declared *declared = host->alloc(sizeof *declared);
   char *copy = host->alloc(bytes + 1);
   if (!declared || !copy || !make_room(table)) {
      host->release(declared, sizeof *declared);
      host->release(copy, bytes + 1);
      table->phases_lost++;
      return NULL;
   }
   if (bytes)
      memcpy(copy, name, bytes);
   copy[bytes] = '\0';
   struct pm_declared **chain = chain_of(table, copy, bytes);
   *declared = (struct pm_declared){
      .phase = {.name = copy, .number = table->count, .complete = true}, .kind = kind, .next_in_chain = *chain};
   *chain = declared;
   table->declared[table->count++] = declared;
   return declared;
}

/* --- begin and end ------------------------------------------------------------ */

bool pm_phase_table_begin(struct pm_phase_table *table, struct pm_declared *declared,
                          const struct pm_phase_caller *caller)
{
   struct pm_phases *phases = &table->heap->phases;
   bool is_the_process = declared->kind == PM_PHASE_PROCESS && declared->phase.begun > 0;
   if (is_the_process || pm_phases_open_on(phases, &declared->phase, caller->thread)) {
      declared->trouble[PM_PHASE_BEGUN_TWICE]++;
      return false;
   }
   uint64_t instrs = caller->thread ? caller->thread_instrs(caller->thread) : 0;
   declared->without_own_thread = declared->without_own_thread || caller->thread == 0;
   if (pm_phases_begin(phases, &declared->phase, &table->heap->state, caller->thread, instrs))
      return true;
   table->heap->lost = true;
   declared->begins_lost++;
   return false;
}

static uint64_t instrs_of(const struct pm_instance *instance,
                          uint64_t (*thread_instrs)(uint32_t thread))
{
   return instance->thread ? thread_instrs(instance->thread) : 0;
}

static struct pm_declared *declared_of(struct pm_phase *phase)
{
   return (struct pm_declared *)((char *)phase - offsetof(struct pm_declared, phase));
}

static void end_instance(struct pm_phase_table *table, struct pm_instance *instance,
                         uint64_t (*thread_instrs)(uint32_t thread), bool complete)
{
   struct pm_declared *declared = declared_of(instance->phase);
   if (!pm_phases_end(&table->heap->phases, instance, &table->heap->state,
                      instrs_of(instance, thread_instrs), complete))
      declared->unlisted = true;
}

bool pm_phase_table_end(struct pm_phase_table *table, struct pm_declared *declared,
                        const struct pm_phase_caller *caller, bool complete)
{
   struct pm_phases *phases = &table->heap->phases;
   if (declared->kind == PM_PHASE_PROCESS) {
      declared->trouble[PM_PHASE_ENDED_WITHOUT_BEGIN]++;
      return false;
   }
   struct pm_instance *instance = pm_phases_open_on(phases, &declared->phase, caller->thread);
   if (!instance) {
      uint32_t open = pm_phases_open_of(phases, &declared->phase);
      if (open != 1) {
         declared->trouble[open ? PM_PHASE_ENDED_AMBIGUOUSLY : PM_PHASE_ENDED_WITHOUT_BEGIN]++;
         return false;
      }
      declared->trouble[PM_PHASE_ENDED_BY_OTHER_THREAD]++;
      instance = pm_phases_open_last(phases, &declared->phase);
   }
   end_instance(table, instance, caller->thread_instrs, complete);
   return true;
}

/* The entry of the table that holds a phase. */
void pm_phase_table_end_all(struct pm_phase_table *table,
                            uint64_t (*thread_instrs)(uint32_t thread))
{
   struct pm_phases *phases = &table->heap->phases;
   while (phases->open_count > 0) {
      struct pm_instance *instance = phases->open[phases->open_count - 1];
      struct pm_declared *declared = declared_of(instance->phase);
      bool program = declared->kind == PM_PHASE_PROCESS;
      declared->trouble[PM_PHASE_OPEN_AT_END] += !program;
      end_instance(table, instance, thread_instrs, program);
   }
}

void pm_phase_table_after_fork(struct pm_phase_table *table,
                               uint64_t (*thread_instrs)(uint32_t thread))
{
   struct pm_phases *phases = &table->heap->phases;
   for (uint32_t d = 0; d < table->count; d++) {
      struct pm_declared *declared = table->declared[d];
      pm_phase_release(table->host, &declared->phase);
      declared->phase =
         (struct pm_phase){.name = declared->phase.name, .number = d, .complete = true};
      declared->without_own_thread = declared->unlisted = false;
      declared->begins_lost = 0;
      memset(declared->trouble, 0, sizeof declared->trouble);
   }
   table->names_too_long = table->names_not_utf8 = table->names_unreadable = 0;
   table->phases_lost = 0;
   table->heap->blocks_too_large = 0;
   for (uint32_t i = 0; i < phases->open_count; i++) {
      struct pm_instance *instance = phases->open[i];
      declared_of(instance->phase)->without_own_thread |= instance->thread == 0;
      pm_instance_restart(phases, i, &table->heap->state, instrs_of(instance, thread_instrs));
   }
}

bool pm_phase_table_read(const struct pm_phase_table *table, const struct pm_declared *declared,
                         const struct pm_phase_caller *caller, uint64_t value[PM_METRICS])
{
   const struct pm_phases *phases = &table->heap->phases;
   const struct pm_instance *instance = pm_phases_open_on(phases, &declared->phase, caller->thread);
   if (!instance)
      instance = pm_phases_open_last(phases, &declared->phase);
   if (instance)
      pm_instance_values(instance, &table->heap->state,
                         instrs_of(instance, caller->thread_instrs), value);
   else if (declared->phase.instances > 0)
      memcpy(value, declared->phase.last, sizeof declared->phase.last);
   else
      return false;
   return true;
}
