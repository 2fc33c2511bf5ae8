/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_sites.c: sites in the report; pm_report_sites.h has the terms. */
#include "pm_report_sites.h"
#include "pm_sort.h"
#include "pm_text.h"

/* --- order ------------------------------------------------------------------- */

static int compare_texts(const char *a, const char *b)
{
   return a == b ? 0 : pm_strcmp(a ? a : "", b ? b : "");
}

static int compare_frames(const struct pm_report_frame *a, const struct pm_report_frame *b)
{
   int order = compare_texts(a->function, b->function);
   if (order == 0)
      order = compare_texts(a->object, b->object);
   if (order == 0)
      order = compare_texts(a->file, b->file);
   if (order == 0 && a->line != b->line)
      order = a->line < b->line ? -1 : 1;
   if (order == 0)
      order = (int)a->inlined - (int)b->inlined;
   return order;
}

int pm_report_compare_sites(const struct pm_report_site *a, const struct pm_report_site *b)
{
   for (uint32_t f = 0; f < a->frame_count && f < b->frame_count; f++) {
      int order = compare_frames(&a->frames[f], &b->frames[f]);
      if (order)
         return order;
   }
   return a->frame_count < b->frame_count ? -1 : a->frame_count > b->frame_count;
}

static int compare_sites(const void *a, const void *b, const void *unused)
{
   (void)unused;
   return pm_report_compare_sites(a, b);
}

static int largest_first(uint64_t a, uint64_t b)
{
   return a > b ? -1 : a < b;
}

/* ctx: the struct pm_report_sites. */
static int compare_rows(const void *a, const void *b, const void *ctx)
{
   const struct pm_report_site *names = ((const struct pm_report_sites *)ctx)->report->site_names;
   const struct pm_site_row *left = a, *right = b;
   int order = largest_first(left->peak_bytes, right->peak_bytes);
   if (order == 0)
      order = largest_first(left->count.traffic_bytes, right->count.traffic_bytes);
   if (order == 0)
      order = largest_first(left->count.traffic_blocks, right->count.traffic_blocks);
   return order ? order : pm_report_compare_sites(&names[left->site], &names[right->site]);
}

/* --- rows --------------------------------------------------------------------- */

static bool is_anything(const struct pm_site_row *row)
{
   const struct pm_site_count *count = &row->count;
   return row->peak_blocks || count->traffic_blocks || count->temporary_blocks ||
          count->retained_blocks;
}

/* Fill rows and sorted for a phase. The number of rows. */
static uint32_t sum_phase(struct pm_report_sites *sites, const struct pm_phase *phase)
{
   const struct pm_report *report = sites->report;
   uint64_t peak = pm_sites_peak_event(report->sites, report->open, phase);
   uint32_t count = 0;
   for (uint32_t s = 0; s < report->site_count; s++) {
      struct pm_site_row *row = &sites->rows[count];
      row->site = s;
      row->count = pm_sites_count(report->sites, report->open, phase, s);
      pm_sites_at(report->sites, s, peak, &row->peak_bytes, &row->peak_blocks);
      if (is_anything(row)) {
         sites->sorted[count] = row;
         count++;
      }
   }
   pm_sort((void **)sites->sorted, count, compare_rows, sites);
   return count;
}

static uint32_t listed_of(const struct pm_report *report, uint32_t rows)
{
   return rows > report->row_limit ? (uint32_t)report->row_limit : rows;
}

/* Give ids to the sites that some phase lists. */
static void number_sites(struct pm_report_sites *sites)
{
   const struct pm_report *report = sites->report;
   for (uint32_t p = 0; p < report->phase_count; p++) {
      if (report->phases[p].phase->instances == 0)
         continue;
      uint32_t listed = listed_of(report, sum_phase(sites, report->phases[p].phase));
      for (uint32_t r = 0; r < listed; r++)
         sites->ids[sites->sorted[r]->site] = 1;
   }
   pm_report_fates_mark(&sites->fates, sites->ids);
   for (uint32_t s = 0; s < report->site_count; s++)
      if (sites->ids[s])
         sites->by_name[sites->id_count++] = &report->site_names[s];
   pm_sort((void **)sites->by_name, sites->id_count, compare_sites, NULL);
   for (uint32_t i = 0; i < sites->id_count; i++)
      sites->ids[sites->by_name[i] - report->site_names] = i + 1;
}

/* Why there are no sites; NULL: there are. Without blocks nobody can have obtained them. */
static const char *unavailable(const struct pm_report *report)
{
   if (!report->sites)
      return "call chains were not taken: --stacks=no";
   if (report->sites->lost)
      return "out of memory for the sites";
   return pm_report_gap_of(report, "heap.peak");
}

bool pm_report_sites_init(struct pm_report_sites *sites, const struct pm_report *report,
                          const struct pm_host *host)
{
   *sites = (struct pm_report_sites){
      .report = report, .host = host, .fates = {.report = report, .host = host}};
   sites->unavailable = unavailable(report);
   if (sites->unavailable)
      return true;
   size_t count = report->site_count;
   sites->ids = host->alloc(count * sizeof *sites->ids);
   sites->by_name = host->alloc(count * sizeof *sites->by_name);
   sites->rows = host->alloc((count + 1) * sizeof *sites->rows);
   sites->sorted = host->alloc(count * sizeof *sites->sorted);
   bool fates = pm_report_fates_init(&sites->fates, report, host);
   if (!sites->ids || !sites->by_name || !sites->rows || !sites->sorted || !fates) {
      pm_report_sites_release(sites);
      return false;
   }
   memset(sites->ids, 0, count * sizeof *sites->ids);
   number_sites(sites);
   return true;
}

void pm_report_sites_release(struct pm_report_sites *sites)
{
   size_t count = sites->report->site_count;
   sites->host->release(sites->ids, count * sizeof *sites->ids);
   sites->host->release(sites->by_name, count * sizeof *sites->by_name);
   sites->host->release(sites->rows, (count + 1) * sizeof *sites->rows);
   sites->host->release(sites->sorted, count * sizeof *sites->sorted);
   pm_report_fates_release(&sites->fates);
   *sites = (struct pm_report_sites){.report = sites->report, .host = sites->host};
}

/* --- elements ------------------------------------------------------------------- */

static void write_row(struct pm_xml *x, const struct pm_site_row *row)
{
   pm_xml_attr_u64(x, "peak-bytes", row->peak_bytes);
   pm_xml_attr_u64(x, "peak-blocks", row->peak_blocks);
   pm_xml_attr_u64(x, "traffic-bytes", row->count.traffic_bytes);
   pm_xml_attr_u64(x, "traffic-blocks", row->count.traffic_blocks);
   pm_xml_attr_u64(x, "temporary-blocks", row->count.temporary_blocks);
   pm_xml_attr_u64(x, "retained-bytes", row->count.retained_bytes);
   pm_xml_attr_u64(x, "retained-blocks", row->count.retained_blocks);
}

static void add_row(struct pm_site_row *to, const struct pm_site_row *row)
{
   to->peak_bytes += row->peak_bytes;
   to->peak_blocks += row->peak_blocks;
   to->count.traffic_bytes += row->count.traffic_bytes;
   to->count.traffic_blocks += row->count.traffic_blocks;
   to->count.temporary_blocks += row->count.temporary_blocks;
   to->count.retained_bytes += row->count.retained_bytes;
   to->count.retained_blocks += row->count.retained_blocks;
}

void pm_report_sites_phase(struct pm_report_sites *sites, struct pm_xml *x,
                           const struct pm_phase *phase)
{
   if (!sites->ids || phase->instances == 0)
      return;
   uint32_t count = sum_phase(sites, phase), listed = listed_of(sites->report, count);
   pm_xml_open(x, "sites");
   for (uint32_t r = 0; r < listed; r++) {
      pm_xml_open(x, "site");
      pm_xml_attr_u64(x, "id", sites->ids[sites->sorted[r]->site]);
      write_row(x, sites->sorted[r]);
      pm_xml_close(x);
   }
   if (count > listed) {
      struct pm_site_row rest = {.site = 0};
      for (uint32_t r = listed; r < count; r++)
         add_row(&rest, sites->sorted[r]);
      pm_xml_open(x, "others");
      pm_xml_attr_u64(x, "sites", count - listed);
      write_row(x, &rest);
      pm_xml_close(x);
   }
   pm_xml_close(x);
   pm_report_fates_phase(&sites->fates, x, phase, sites->ids);
}

static void write_frame(struct pm_xml *x, const struct pm_report_frame *frame)
{
   pm_xml_open(x, "frame");
   pm_xml_attr(x, "function", frame->function);
   if (frame->file) {
      pm_xml_attr(x, "file", frame->file);
      pm_xml_attr_u64(x, "line", frame->line);
   }
   pm_xml_attr(x, "object", frame->object);
   if (frame->inlined)
      pm_xml_attr(x, "inlined", "yes");
   pm_xml_close(x);
}

void pm_report_sites_list(const struct pm_report_sites *sites, struct pm_xml *x)
{
   const struct pm_report *report = sites->report;
   pm_xml_open(x, "sites");
   if (sites->unavailable)
      pm_xml_attr(x, "unavailable", sites->unavailable);
   for (uint32_t i = 0; i < sites->id_count; i++) {
      const struct pm_report_site *site = sites->by_name[i];
      uint32_t number = (uint32_t)(site - report->site_names);
      pm_xml_open(x, "site");
      pm_xml_attr_u64(x, "id", i + 1);
      pm_xml_attr_u64(x, "largest-bytes",
                      number < report->sites->live_count
                         ? report->sites->live[number].largest_bytes : 0);
      for (uint32_t f = 0; f < site->frame_count; f++)
         write_frame(x, &site->frames[f]);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}
