/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_phases.js: phases as nested bars over the axis of instructions, and the way to choose
 * one. A row is a phase, inside of its parent's; its bars are its instances, where they lie.
 *
 * Bars narrower than a pixel are drawn together with their neighbors. Where a report does not
 * say at which instruction instances began, a bar begins at the left edge, looks different and
 * has the phase's instructions as its length; the view says so.
 */
(function (profmem) {
'use strict';

const {group, largest} = profmem.number;
const {decimalTicks, axisUnit} = profmem.scale;
const {numberCells, numberHeads, Rows, table} = profmem.bars;
const {element, name, openable, place} = profmem.dom;
const {NEW} = profmem;

const FIRST_ROWS = 40;
const MOST_BARS = 300; // of a phase: with bars of a pixel as many as are told apart

/* The end of the axis: of the longest run, in instructions. */
function axisEnd(report) {
   return largest(report.phases.flatMap(phase => report.numbers(phase, 'instructions.total')));
}

/* Bars [begin, end] in shares of the axis, in order; those closer than `least` become one. */
function merged(bars, least) {
   const together = [];
   for (const bar of bars.slice().sort((a, b) => a.begin - b.begin)) {
      const before = together[together.length - 1];
      if (before && bar.begin - before.end < least) {
         before.end = Math.max(before.end, bar.end);
         before.count += bar.count;
      } else {
         together.push({...bar});
      }
   }
   return together;
}

/* {bars, isPlaced} of a phase on a side. */
function barsOf(report, phase, side, end) {
   const instances = report.instances(phase, side).filter(item => item.begin !== null);
   if (instances.length > 0)
      return {isPlaced: true, bars: merged(instances.map(item => ({
         begin: Number(item.begin) / end, end: Number(item.end) / end, count: 1})),
                                           1 / MOST_BARS)};
   const total = report.numbers(phase, 'instructions.total')[side];
   return {isPlaced: false, bars: total > 0n ? [{begin: 0, end: Number(total) / end}] : []};
}

function axisTrack(report, phase, end) {
   return element('td', {class: 'bars axis', 'aria-hidden': 'true'}, report.shown.map(side => {
      const {bars, isPlaced} = barsOf(report, phase, side, end);
      return element('div', {class: 'track'}, bars.map(bar => {
         const node = element('div', {class: 'fill ' + (side === NEW ? 'hue-1' : 'old') +
                                             (isPlaced ? '' : ' unplaced')});
         place(node, bar.begin, Math.min(bar.end, 1) - bar.begin);
         return node;
      }));
   }));
}

/* Ticks of the axis, as a row of the table's head. */
function axisRow(end, columns) {
   const {divisor, words} = axisUnit(end);
   const ticks = decimalTicks(0, end * 0.94, 4).map(at => {
      const tick = element('span', {class: 'tick'}, group(BigInt(Math.round(at / divisor))));
      tick.style.left = (100 * at / end) + '%';
      return tick;
   });
   return element('tr', {class: 'ticks', 'aria-hidden': 'true'}, element('td', {class: 'note'},
      words), element('td', {}, element('div', {class: 'track'}, ticks)),
                  element('td', {colspan: columns}));
}

class Phases {
   constructor(container, report, state) {
      Object.assign(this, {container, report, state});
      this.end = axisEnd(report);
      const heads = ['Phase', 'Where on the axis of instructions',
                     ...numberHeads(report, 'Instructions'), ...numberHeads(report, 'Heap peak')];
      this.rows = new Rows(heads.length, rest => this.sayRest(rest));
      const made = table('Phases over the instructions of the run', heads, [], 'phases');
      const body = made.querySelector('tbody');
      const head = made.querySelector('thead');
      if (this.end > 0n)
         head.append(axisRow(Number(this.end), heads.length - 2));
      body.replaceWith(this.rows.body);
      this.note = element('p', {class: 'note'}, this.sayPlaces());
      container.append(made, this.note);
      state.follow(() => this.follow());
   }

   /* Anew when the search changes, or the chosen one is not among the rows; else only marked. */
   follow() {
      const {phase, query} = this.state;
      const isThere = [...this.rows.body.rows].some(row => row.phase === phase);
      if (query !== this.query || !isThere) {
         this.query = query;
         const rows = this.report.phases.filter(item => this.matches(item)).map(item => ({
            phase: item, weight: largest(this.report.numbers(item, 'instructions.total')),
            row: () => this.row(item)}));
         this.rows.fill(rows, FIRST_ROWS, rows.filter(row => row.phase === phase));
      }
      for (const row of this.rows.body.rows)
         this.mark(row);
   }

   /* A search for what no phase is called is for functions, and leaves the phases alone. */
   matches(phase) {
      const has = item => item.name.toLowerCase().includes(this.query);
      return phase === this.state.phase || has(phase) || !this.report.phases.some(has);
   }

   mark(row) {
      const isChosen = row.phase === this.state.phase;
      row.classList.toggle('chosen', isChosen);
      const button = row.querySelector('.choose');
      if (button)
         button.setAttribute('aria-pressed', String(isChosen));
   }

   row(phase) {
      const {report} = this;
      const totals = report.numbers(report.phases[0], 'instructions.total');
      const whole = phase === report.phases[0] ? null : totals;
      const label = element('th', {scope: 'row'}, element('button', {
         type: 'button', class: 'choose', click: () => this.state.choose({phase})},
         name(phase.name)), this.details(phase));
      label.style.paddingInlineStart = (0.4 + Math.min(phase.depth, 12)) + 'em';
      const row = element('tr', {}, label, axisTrack(report, phase, Number(this.end) || 1),
         numberCells(report, report.metric(phase, 'instructions.total'), whole),
         numberCells(report, report.metric(phase, 'heap.peak'), null));
      row.phase = phase;
      this.mark(row);
      return row;
   }

   details(phase) {
      const here = phase.sides[NEW] || phase.sides[0];
      const words = [here.instances === 0 ? 'never entered' : '',
                     here.instances > 1 ? group(BigInt(here.instances)) + ' instances' : '',
                     here.overlapping ? 'overlapping: sums count shared work repeatedly' : '',
                     here.complete ? '' : 'not complete'].filter(Boolean).join(', ');
      return [phase.name.length > 160 ? openable(phase.name) : null,
              ' ', words ? element('small', {}, words) : null];
   }

   /* What bars stand for more or less than they seem to. */
   sayPlaces() {
      const {report} = this;
      const sides = report.phases.flatMap(phase => report.shown.map(side => ({
         here: phase.sides[side], listed: report.instances(phase, side)})))
         .filter(side => side.here);
      const unplaced = sides.filter(({here, listed}) => here.instances > 0 &&
         !listed.some(item => item.begin !== null)).length;
      const unlisted = sides.reduce((sum, {here, listed}) =>
         sum + (listed.some(item => item.begin !== null) ? here.instances - listed.length : 0), 0);
      const words = [];
      if (unplaced > 0)
         words.push('A hatched bar begins at the left edge because the report does not say ' +
                    'where the phase began; its length is the phase\u2019s instructions.');
      if (unlisted > 0)
         words.push(group(BigInt(unlisted)) + ' later instances are not listed in the report ' +
                    'and not drawn.');
      return words.join(' ');
   }

   sayRest(rest) {
      return group(BigInt(rest.length)) + ' smaller phases, the largest with ' +
             group(rest.reduce((most, row) => (row.weight > most ? row.weight : most), 0n)) +
             ' instructions; search or choose one above to see it.';
   }
}

profmem.Phases = Phases;
}(globalThis.profmem = globalThis.profmem || {}));
