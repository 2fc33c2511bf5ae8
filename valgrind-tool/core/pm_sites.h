/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_sites.h: who allocated: traffic, peak pictures and what stays, by site.
 *
 * A site is a number that the host gives to a symbolic call chain. Blocks keep the
 * site that obtained them; a resize's traffic goes to the site of the resize, the
 * bytes that live stay with the block's origin.
 *
 * Per phase and site:
 *
 *   traffic, temporary, retained   counted per open instance in an array by site, and
 *        folded into the phase when the instance ends. The arrays belong to slots
 *        that instances take and give back; an entry carries the tag of the instance
 *        that wrote it, so that a new instance starts with nothing in O(1).
 *
 *   live at the peak   A site's live bytes change only at events of its own, so its
 *        value at the peak of a phase is the one it had since its last change before
 *        it. When a site changes, the value it had is kept if a peak that may be
 *        asked for lies in the time it was valid: that of an open instance so far, or
 *        the pinned one of an ended phase. The peak of an instance moves on with each
 *        new maximum; values that only served superseded peaks are dropped when the
 *        next one is kept. No event walks over sites, and none over ended phases.
 *
 * Cost per heap event: O(open instances); keeping a value O(log phases) besides.
 */
#ifndef PM_SITES_H
#define PM_SITES_H

#include "pm_ledger.h"
#include "pm_phases.h"

/* What a phase, or an instance that is open, did at a site. */
struct pm_site_count {
   uint64_t traffic_blocks;   /* obtained and resized */
   uint64_t traffic_bytes;
   uint64_t temporary_blocks;
   uint64_t retained_bytes;   /* live in blocks obtained inside */
   uint64_t retained_blocks;
};

/* A site's live blocks over the whole run. */
struct pm_site_live {
   uint64_t bytes, blocks;    /* now */
   uint64_t changed;          /* number of the event that made it so */
   uint64_t largest_bytes;    /* ever */
   uint32_t past;             /* kept value, newest first; 0 none */
};

/* A value that was valid from event `from` until the next kept or present one. */
struct pm_site_past {
   uint64_t from, until;      /* until: the event that ended it */
   uint64_t bytes, blocks;
   uint32_t older;            /* 0 none. Of a free one: the next free one */
};

/* One entry of a slot's array. */
struct pm_site_entry {
   uint64_t tag;              /* the instance that wrote it */
   struct pm_site_count count;
};

struct pm_site_slot {
   struct pm_site_entry *entries; /* by site */
   uint32_t entry_capacity;
   uint32_t *touched;             /* sites that the instance wrote to */
   uint32_t touched_count, touched_capacity;
   uint64_t tag;                  /* of the instance that has the slot; 0: free */
};

/* A phase's counts, by site: open addressing. */
struct pm_site_phase {
   uint64_t peak_event;           /* of its picture; valid if pinned */
   bool pinned;
   struct pm_site_sum {
      uint32_t site;              /* 0: empty */
      struct pm_site_count count;
   } *sums;
   uint32_t slots, used;
};

struct pm_sites {
   const struct pm_host *host;
   bool lost;                     /* out of memory: sites are not to be had */
   struct pm_site_live *live;     /* by site; [0]: unknown site */
   uint32_t live_capacity, live_count;
   struct pm_site_past *past;     /* [0] is unused */
   uint32_t past_capacity, past_used, past_free;
   struct pm_site_slot *slots;
   uint32_t slot_capacity;
   struct pm_site_phase *phases;  /* by number of the phase */
   uint32_t phase_capacity;
   uint64_t *pinned;              /* peak events of ended phases, sorted */
   uint32_t pinned_count, pinned_capacity;
};

void pm_sites_init(struct pm_sites *sites, const struct pm_host *host);
void pm_sites_release(struct pm_sites *sites);

/* An instance begins, ends. highest: its peak is its phase's picture from now on. */
void pm_sites_begin(struct pm_sites *sites, struct pm_instance *instance);
void pm_sites_end(struct pm_sites *sites, const struct pm_instance *instance, bool highest);

/* In a forked child: forget all but what lives, before the instances begin anew. */
void pm_sites_after_fork(struct pm_sites *sites);

/* The event with the number state->events is this; before the instances' peaks
   take notice of it. site: where the event happened. */
void pm_sites_obtained(struct pm_sites *sites, const struct pm_phases *phases, uint64_t event,
                       const struct pm_block *block);
void pm_sites_resized(struct pm_sites *sites, const struct pm_phases *phases, uint64_t event,
                      const struct pm_block *block, uint64_t new_size_bytes, uint32_t site);
void pm_sites_given_back(struct pm_sites *sites, const struct pm_phases *phases, uint64_t event,
                         const struct pm_block *block, bool temporary);

/* An event of this site comes next: what it changes may come into the cache meanwhile, all
   that is not another phase's. */
static inline void pm_sites_soon(const struct pm_sites *sites, const struct pm_phases *phases,
                                 uint32_t site)
{
   if (site >= sites->live_count || phases->open_count == 0)
      return;
   const struct pm_site_slot *slot = &sites->slots[phases->open[0]->slot];
   __builtin_prefetch(&sites->live[site], 1);
   if (site < slot->entry_capacity)
      __builtin_prefetch(&slot->entries[site], 1);
}

/* What a phase did at a site, in its ended instances and in those that are open. */
struct pm_site_count pm_sites_count(const struct pm_sites *sites, const struct pm_phases *phases,
                                    const struct pm_phase *phase, uint32_t site);

/* The event of a phase's peak picture, if its open instances ended now: phase->highest
   says which instance reached it. */
uint64_t pm_sites_peak_event(const struct pm_sites *sites, const struct pm_phases *phases,
                             const struct pm_phase *phase);

/* Bytes and blocks of a site that were live after event number `event`, which is
   the peak of a phase that has ended or of an instance that is open. */
void pm_sites_at(const struct pm_sites *sites, uint32_t site, uint64_t event, uint64_t *bytes,
                 uint64_t *blocks);

#endif
