/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_histograms.js: the chosen phase's blocks by size and by lifetime. */
(function (profmem) {
'use strict';

const {exactOf, group, largest, scaled, sum} = profmem.number;
const {barCell, numberCells, numberHeads, table} = profmem.bars;
const {element} = profmem.dom;

const kinds = [{list: 'sizes', caption: 'Sizes asked for', head: 'Bytes', isBytes: true},
               {list: 'lifetimes', caption: 'Lifetimes, in instructions',
                head: 'Instructions', isBytes: false}];

/* Buckets from the smallest to the largest that either side counts in, empty ones between them
   too: [{from, to, values}]. */
function buckets(lists) {
   const counts = lists.map(list => new Map((list || []).map(bucket =>
      [exactOf(bucket, 'from'), exactOf(bucket, 'blocks')])));
   const froms = counts.flatMap(count => [...count.keys()]);
   const rows = [];
   if (froms.length === 0)
      return rows;
   const last = largest(froms);
   let from = froms.reduce((least, value) => (value < least ? value : least));
   while (from <= last) {
      rows.push({from, to: from === 0n ? 0n : 2n * from - 1n,
                 values: counts.map(count => count.get(from) || 0n)});
      from = from === 0n ? 1n : 2n * from;
   }
   return rows;
}

/* 16-31, and below it where that is in larger units of bytes. */
function range({from, to}, isBytes) {
   const words = from === to ? group(from) : group(from) + '\u2013' + group(to);
   const unit = isBytes ? scaled(from, 0) : '';
   return [words, ' ', unit ? element('small', {}, 'from ' + unit) : null];
}

class Histograms {
   constructor(container, report, state) {
      Object.assign(this, {container, report, state});
      state.follow(() => {
         if (state.phase !== this.phase)
            this.draw(state.phase);
      });
   }

   draw(phase) {
      this.phase = phase;
      this.container.replaceChildren(element('div', {class: 'side-by-side'},
         kinds.map(kind => this.histogram(phase, kind))));
   }

   histogram(phase, {list, caption, head, isBytes}) {
      const {report} = this;
      const lists = phase.sides.map(side => side && side.histograms && side.histograms[list]);
      const rows = buckets(lists);
      if (rows.length === 0)
         return element('p', {class: 'note none'}, caption + ': ' + this.reason(phase, lists));
      const wholes = lists.map((item, side) => sum(rows.map(row => row.values[side])));
      const most = largest(rows.flatMap(row => row.values));
      return table(caption, [head, '', ...numberHeads(report, 'Blocks')], rows.map(row =>
         element('tr', {}, element('th', {scope: 'row', class: 'range'}, range(row, isBytes)),
            barCell(report, row.values, most),
            numberCells(report, row.values.map((value, side) =>
               (lists[side] ? {value, unit: 'blocks'} : null)), wholes))), 'dense');
   }

   /* A list without buckets counted nothing; without a list nothing was counted. */
   reason(phase, lists) {
      if (lists.some(Boolean))
         return 'no block, a measured zero.';
      const metric = this.report.metric(phase, 'traffic.blocks')[profmem.NEW];
      return metric && metric.unavailable !== undefined ? 'unavailable: ' + metric.unavailable + '.'
                                                        : 'not in the report.';
   }
}

profmem.Histograms = Histograms;
profmem.buckets = buckets;
}(globalThis.profmem = globalThis.profmem || {}));
