/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_fates.c: resizes and releases in the report; pm_report_fates.h has the
 * terms. All pairs are sorted once, so that those of a phase stand together. */
#include "pm_report_fates.h"
#include "pm_report_sites.h"
#include "pm_sort.h"

static int smallest_first(uint32_t a, uint32_t b)
{
   return a < b ? -1 : a > b;
}

static int largest_first(uint64_t a, uint64_t b)
{
   return a > b ? -1 : a < b;
}

/* ctx: the struct pm_report. */
static int compare_fates(const void *a, const void *b, const void *ctx)
{
   const struct pm_report_site *names = ((const struct pm_report *)ctx)->site_names;
   const struct pm_fate *left = a, *right = b;
   int order = smallest_first(left->phase, right->phase);
   if (order == 0)
      order = smallest_first(left->kind, right->kind);
   if (order == 0)
      order = largest_first(left->bytes, right->bytes);
   if (order == 0)
      order = largest_first(left->blocks, right->blocks);
   if (order == 0)
      order = pm_report_compare_sites(&names[left->origin], &names[right->origin]);
   return order ? order : pm_report_compare_sites(&names[left->site], &names[right->site]);
}

bool pm_report_fates_init(struct pm_report_fates *fates, const struct pm_report *report,
                          const struct pm_host *host)
{
   *fates = (struct pm_report_fates){.report = report, .host = host};
   const struct pm_fates *all = report->fates;
   if (!all || all->lost || all->count == 0)
      return true;
   fates->sorted = host->alloc(all->count * sizeof *fates->sorted);
   if (!fates->sorted)
      return false;
   fates->count = all->count;
   for (uint32_t f = 0; f < all->count; f++)
      fates->sorted[f] = &all->fates[f];
   pm_sort((void **)fates->sorted, fates->count, compare_fates, report);
   return true;
}

void pm_report_fates_release(struct pm_report_fates *fates)
{
   if (fates->sorted)
      fates->host->release(fates->sorted, fates->count * sizeof *fates->sorted);
   *fates = (struct pm_report_fates){.report = fates->report, .host = fates->host};
}

/* The pairs of a phase and kind are [*from, end). The end. */
static uint32_t range_of(const struct pm_report_fates *fates, uint32_t phase, uint32_t kind,
                         uint32_t *from)
{
   uint32_t low = 0, high = fates->count;
   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      const struct pm_fate *fate = fates->sorted[middle];
      if (fate->phase < phase || (fate->phase == phase && fate->kind < kind))
         low = middle + 1;
      else
         high = middle;
   }
   *from = low;
   while (low < fates->count && fates->sorted[low]->phase == phase &&
          fates->sorted[low]->kind == kind)
      low++;
   return low;
}

static bool is_listed(const struct pm_report *report, uint32_t place)
{
   return place < report->row_limit;
}

void pm_report_fates_mark(const struct pm_report_fates *fates, uint32_t *ids)
{
   uint32_t place = 0;
   for (uint32_t f = 0; f < fates->count; f++) {
      const struct pm_fate *fate = fates->sorted[f], *before = f ? fates->sorted[f - 1] : NULL;
      place = before && before->phase == fate->phase && before->kind == fate->kind ? place + 1 : 0;
      if (is_listed(fates->report, place))
         ids[fate->origin] = ids[fate->site] = 1;
   }
}

static const struct words {
   const char *list, *item;
} words[] = {
   [PM_FATE_RESIZED] = {"resizes", "resize"},
   [PM_FATE_RELEASED] = {"releases", "release"},
};

static void write_counts(struct pm_xml *x, const struct pm_fate *fate)
{
   pm_xml_attr_u64(x, "blocks", fate->blocks);
   pm_xml_attr_u64(x, "bytes", fate->bytes);
   if (fate->kind == PM_FATE_RESIZED)
      pm_xml_attr_i64(x, "net-bytes", (int64_t)fate->net_bytes);
}

static void write_kind(const struct pm_report_fates *fates, struct pm_xml *x, uint32_t phase,
                       uint32_t kind, const uint32_t *ids)
{
   uint32_t from, end = range_of(fates, phase, kind, &from), others = 0;
   struct pm_fate rest = {.kind = kind};
   if (from == end)
      return;
   pm_xml_open(x, words[kind].list);
   for (uint32_t f = from; f < end; f++) {
      const struct pm_fate *fate = fates->sorted[f];
      if (!is_listed(fates->report, f - from)) {
         others++;
         rest.blocks += fate->blocks;
         rest.bytes += fate->bytes;
         rest.net_bytes += fate->net_bytes;
         continue;
      }
      pm_xml_open(x, words[kind].item);
      pm_xml_attr_u64(x, "origin", ids[fate->origin]);
      pm_xml_attr_u64(x, "site", ids[fate->site]);
      write_counts(x, fate);
      pm_xml_close(x);
   }
   if (others > 0) {
      pm_xml_open(x, "others");
      pm_xml_attr_u64(x, "pairs", others);
      write_counts(x, &rest);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}

void pm_report_fates_phase(const struct pm_report_fates *fates, struct pm_xml *x,
                           const struct pm_phase *phase, const uint32_t *ids)
{
   write_kind(fates, x, phase->number, PM_FATE_RESIZED, ids);
   write_kind(fates, x, phase->number, PM_FATE_RELEASED, ids);
}
