/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_threads.js: what each thread did in the chosen phase. Threads are numbered in the order
 * of their creation, and with a baseline compared by that number.
 */
(function (profmem) {
'use strict';

const {group, largest} = profmem.number;
const {barCell, numberCells, numberHeads, Rows, table} = profmem.bars;
const {columnOf} = profmem.report;
const {element} = profmem.dom;

const FIRST_ROWS = 30;
const columns = [
   {column: 'instructions', unit: 'instructions', words: 'Instructions',
    metric: 'instructions.total'},
   {column: 'traffic-bytes', unit: 'bytes', words: 'Traffic, bytes', metric: 'traffic.bytes'},
   {column: 'traffic-blocks', unit: 'blocks', words: 'Blocks obtained, resized',
    metric: 'traffic.blocks'},
   {column: 'released-blocks', unit: 'blocks', words: 'Given back',
    metric: 'deallocations.count'},
   {column: 'foreign-blocks', unit: 'blocks', words: 'of them another\u2019s', metric: null}];

/* [{number or null for the others, rows: [[row or none], [row or none]]}] in order. */
function threadsOf(phase) {
   const lists = phase.sides.map(side => side && side.threads);
   const rows = new Map();
   lists.forEach((list, side) => {
      for (const row of (list ? list.rows : [])) {
         const both = rows.get(row.number) || [[], []];
         both[side].push(row);
         rows.set(row.number, both);
      }
   });
   const entries = [...rows].sort(([a], [b]) => a - b).map(([number, both]) =>
      ({number, rows: both}));
   const others = lists.map(list => (list && list.others ? [list.others] : []));
   if (others.some(side => side.length > 0))
      entries.push({number: null, rows: others});
   return entries;
}

class Threads {
   constructor(container, report, state) {
      Object.assign(this, {container, report});
      state.follow(() => {
         if (state.phase !== this.phase)
            this.draw(state.phase);
      });
   }

   draw(phase) {
      this.phase = phase;
      const entries = threadsOf(phase);
      if (entries.length === 0) {
         this.container.replaceChildren(element('p', {class: 'note none'}, this.reason(phase)));
         return;
      }
      const heads = ['Thread', '', ...columns.flatMap(item =>
         numberHeads(this.report, item.words))];
      const rows = new Rows(heads.length, rest => this.sayRest(rest));
      const made = table('Threads of the phase', heads, [], 'threads');
      made.querySelector('tbody').replaceWith(rows.body);
      const most = largest(entries.flatMap(entry => columnOf(entry, 'instructions')));
      rows.fill(entries.map(entry => ({entry, weight: largest(columnOf(entry, 'instructions')),
                                       row: () => this.row(entry, most)})), FIRST_ROWS);
      this.container.replaceChildren(made);
   }

   row(entry, most) {
      const {report, phase} = this;
      const label = entry.number === null ? this.sayOthers(entry) : String(entry.number);
      return element('tr', {}, element('th', {scope: 'row'}, label),
         barCell(report, columnOf(entry, 'instructions'), most), columns.flatMap(item =>
            numberCells(report, columnOf(entry, item.column).map((value, side) =>
               (entry.rows[side].length > 0 ? {value, unit: item.unit} : null)),
                        item.metric && report.numbers(phase, item.metric))));
   }

   sayOthers(entry) {
      return group(largest(columnOf(entry, 'threads'))) + ' others';
   }

   sayRest(rest) {
      const total = rest.reduce((sum, {entry}) =>
         sum + columnOf(entry, 'instructions')[profmem.NEW], 0n);
      return `${group(BigInt(rest.length))} smaller, ${group(total)} instructions.`;
   }

   reason(phase) {
      const metric = this.report.metric(phase, 'traffic.blocks')[profmem.NEW];
      return metric && metric.unavailable !== undefined
         ? 'Threads are unavailable: ' + metric.unavailable + '.'
         : 'The report lists no threads for this phase.';
   }
}

profmem.Threads = Threads;
}(globalThis.profmem = globalThis.profmem || {}));
