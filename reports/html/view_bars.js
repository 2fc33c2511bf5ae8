/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_bars.js: tables whose rows have a bar beside their numbers. What is drawn is also
 * written, so such a table needs no pointer and no keys, and reads as a table.
 *
 * With a baseline each number is three: old, new, change; and the bars are two.
 */
(function (profmem) {
'use strict';

const {amount, change, group, ratio, scaled, share} = profmem.number;
const {element, place} = profmem.dom;
const {OLD, NEW} = profmem;

/* Of a number there is no value but a reason, or nothing. */
function absence(side) {
   return side ? 'unavailable: ' + side.unavailable : 'none';
}

function isNumber(side) {
   return Boolean(side) && side.value !== undefined;
}

function numberCell(side, whole) {
   if (!isNumber(side))
      return element('td', {class: 'absent'}, absence(side));
   const details = [side.unit === 'bytes' ? scaled(side.value) : '',
                    whole ? share(side.value, whole) : ''].filter(Boolean).join(' \u00b7 ');
   return element('td', {class: 'number'}, group(side.value), ' ',
                  details ? element('small', {}, details) : null);
}

function changeCell([before, after]) {
   if (!isNumber(before) || !isNumber(after))
      return element('td', {class: 'absent'}, isNumber(before) ? 'gone' :
                     isNumber(after) ? 'only here' : 'none');
   const word = after.value > before.value ? 'more' : after.value < before.value ? 'less' : 'same';
   const sign = {more: '\u25b2 ', less: '\u25bc ', same: ''}[word];
   return element('td', {class: 'number change ' + word}, sign +
                  change(before.value, after.value));
}

/* Cells for a number of both sides, {value, unit} or {unavailable} or null each; wholes: what
   their shares are of, on both sides, or null. */
function numberCells(report, sides, wholes) {
   const cells = report.shown.map(side => numberCell(sides[side], wholes && wholes[side]));
   return report.hasBaseline ? [...cells, changeCell(sides)] : cells;
}

/* Header cells of the same, under one for all three. */
function numberHeads(report, words) {
   return report.hasBaseline ? [words + ', old', words + ', new', 'change'] : [words];
}

/* A bar of each side, to `most`. */
function barCell(report, values, most) {
   return element('td', {class: 'bars', 'aria-hidden': 'true'}, report.shown.map(side => {
      if (values[side] === 0n)
         return element('div', {class: 'track'});
      const bar = element('div', {class: 'fill ' + (side === NEW ? 'hue-1' : 'old')});
      place(bar, 0, ratio(values[side], most));
      return element('div', {class: 'track'}, bar);
   }));
}

function table(caption, heads, rows, classes = '') {
   return element('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': caption},
      element('table', {class: 'bar-table ' + classes}, element('caption', {}, caption),
         element('thead', {}, element('tr', {}, heads.map(head =>
            element('th', {scope: 'col'}, head)))),
         element('tbody', {}, rows)));
}

function sayChange(before, after) {
   return (before === after ? '' : 'change ') + change(before, after);
}

/* 66,077 bytes (64.53 KiB); with a baseline old, new, change. Text that stands alone. */
function sayMetric(report, sides) {
   const say = side => (isNumber(side) ? amount(side.value, side.unit) : absence(side));
   if (!report.hasBaseline)
      return say(sides[NEW]);
   const both = isNumber(sides[OLD]) && isNumber(sides[NEW]);
   return 'old ' + say(sides[OLD]) + ', new ' + say(sides[NEW]) +
          (both ? ', ' + sayChange(sides[OLD].value, sides[NEW].value) : '');
}

/* Rows [{weight, row: () => element}] of which the `first` largest are there, in their own
   order, then a line for the rest and a button for more of them. */
class Rows {
   constructor(columns, sayRest) {
      Object.assign(this, {columns, sayRest, shown: 0});
      this.body = element('tbody');
   }

   fill(rows, first, kept = []) {
      this.rows = rows;
      this.kept = new Set(kept);
      this.step = first;
      this.more(first);
   }

   more(count) {
      const byWeight = this.rows.slice().sort((a, b) =>
         (a.weight === b.weight ? 0 : a.weight < b.weight ? 1 : -1));
      const chosen = new Set(byWeight.slice(0, count));
      for (const row of this.rows)
         if (this.kept.has(row))
            chosen.add(row);
      const rest = this.rows.filter(row => !chosen.has(row));
      this.body.replaceChildren(...this.rows.filter(row => chosen.has(row)).map(row => row.row()));
      if (rest.length > 0)
         this.body.append(element('tr', {class: 'rest'}, element('td', {colspan: this.columns},
            this.sayRest(rest), ' ', element('button', {type: 'button', click: () => {
               this.more(count + this.step);
               this.body.querySelector('.rest button')?.focus();
            }}, 'Show more'))));
   }
}

profmem.bars = {barCell, isNumber, numberCells, numberHeads, Rows, sayMetric, table};
}(globalThis.profmem = globalThis.profmem || {}));
