/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_mix.js: which instructions the chosen phase and its functions executed, by class. The
 * classes overlap, so each has a bar of its own, to all instructions.
 */
(function (profmem) {
'use strict';

const {group, largest, ratio, share, signed} = profmem.number;
const {columnOf} = profmem.report;
const {barCell, numberCells, numberHeads, Rows, table, isNumber} = profmem.bars;
const {element, openable, place} = profmem.dom;
const {mixColumns, OLD, NEW} = profmem;

const FIRST_ROWS = 15;

class Mix {
   constructor(container, report, state) {
      Object.assign(this, {report, state});
      this.classes = element('div', {});
      const heads = ['Function', ...numberHeads(report, 'Instructions'),
                     ...mixColumns.map(item => item.words)];
      this.rows = new Rows(heads.length, rest => this.sayRest(rest));
      this.functions = table('Classes of instructions by function', heads, [], 'mix');
      this.functions.querySelector('tbody').replaceWith(this.rows.body);
      container.append(this.classes, this.functions, element('p', {class: 'note'},
         'An instruction counts in each class that it belongs to, so classes do not add up.'));
      state.follow(() => this.follow());
   }

   follow() {
      const {phase, query} = this.state;
      if (phase === this.phase && query === this.query)
         return;
      if (phase !== this.phase)
         this.classes.replaceChildren(this.classTable(phase));
      Object.assign(this, {phase, query});
      const entries = this.report.paired(phase, 'functions');
      this.functions.hidden = entries.length === 0;
      const found = entries.filter(entry => this.matches(entry));
      this.rows.fill((found.length ? found : entries).map(entry => ({
         entry, weight: largest(columnOf(entry, 'instructions')), row: () => this.row(entry)})),
                     FIRST_ROWS);
   }

   matches(entry) {
      return Boolean(entry.items) && entry.items.some(item => item && (
         item.name.toLowerCase().includes(this.query) ||
         item.object.toLowerCase().includes(this.query)));
   }

   classTable(phase) {
      const {report} = this;
      const totals = report.numbers(phase, 'instructions.total');
      const heads = ['Class', '', ...numberHeads(report, 'Instructions')];
      const rows = [{words: 'All', metric: 'instructions.total'}, ...mixColumns].map(item => {
         const sides = report.metric(phase, item.metric);
         return element('tr', {}, element('th', {scope: 'row'}, item.words),
            barCell(report, sides.map(side => (isNumber(side) ? side.value : 0n)),
                    largest(totals)), numberCells(report, sides, totals));
      });
      return table('Classes of instructions of the phase', heads, rows, 'dense');
   }

   row(entry) {
      const {report} = this;
      const totals = columnOf(entry, 'instructions');
      const item = entry.items && (entry.items[NEW] || entry.items[OLD]);
      const label = item ? [openable(item.name), ' ', element('small', {}, element('bdi', {},
                            item.object), entry.guessed ? ', paired by guess' : '')]
                         : group(largest(entry.others)) + ' functions, not listed';
      const sides = totals.map((value, side) => (entry.rows[side].length > 0
                                                 ? {value, unit: 'instructions'} : null));
      return element('tr', {}, element('th', {scope: 'row'}, label),
         numberCells(report, sides, report.numbers(this.phase, 'instructions.total')),
         mixColumns.map(({column}) => this.classCell(columnOf(entry, column), totals)));
   }

   /* Shaded by the share of the function's own instructions. */
   classCell(values, totals) {
      const shade = element('div', {class: 'shade'});
      place(shade, 0, ratio(values[NEW], totals[NEW]));
      if (!this.report.hasBaseline)
         return element('td', {class: 'number shaded'}, shade, group(values[NEW]), ' ',
            element('small', {}, values[NEW] > 0n ? share(values[NEW], totals[NEW]) : ''));
      const listing = this.report.listing(this.phase, 'functions');
      const [before, after] = values.map((value, side) => (listing[side] ? group(value) : 'none'));
      if (listing.includes(false))
         return element('td', {class: 'number shaded'}, shade, after, ' ',
                        element('small', {}, 'old ' + before));
      return element('td', {class: 'number shaded'}, shade,
         after, ' ', values[NEW] === values[OLD] ? element('small', {}, 'no change')
            : [element('small', {}, 'old ' + before), ' ',
               element('small', {}, signed(values[NEW] - values[OLD]))]);
   }

   sayRest(rest) {
      const sum = side => rest.reduce((all, {entry}) =>
         all + columnOf(entry, 'instructions')[side], 0n);
      const numbers = this.report.hasBaseline ? `old ${group(sum(OLD))}, new ${group(sum(NEW))}`
                                              : group(sum(NEW));
      return `${group(BigInt(rest.length))} smaller, ${numbers} instructions.`;
   }
}

profmem.Mix = Mix;
}(globalThis.profmem = globalThis.profmem || {}));
