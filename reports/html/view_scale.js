/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_scale.js: axes, and the curve of live bytes over instructions.
 *
 * Positions are doubles: they decide where something is drawn, never what is written beside it.
 * No DOM.
 */
(function (profmem) {
'use strict';

const {exactOf, largest} = profmem.number;

/* Steps of 1, 2 or 5 times a power of ten: those inside of [low, high], about `count` of them. */
function decimalTicks(low, high, count) {
   const rough = Math.max(high - low, 1) / count;
   const power = 10 ** Math.floor(Math.log10(rough));
   const step = Math.max(1, [1, 2, 5, 10].map(n => n * power).find(n => n >= rough));
   return ticksOf(low, high, step);
}

/* Steps of a power of two, as people count bytes. */
function binaryTicks(high, count) {
   return ticksOf(0, high, Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(high, 1) / count))));
}

function ticksOf(low, high, step) {
   const ticks = [];
   for (let n = Math.ceil(low / step); n * step <= high; n++)
      ticks.push(n * step);
   return ticks;
}

/* What labels of an axis up to `high` are divided by, and the words for it. */
function axisUnit(high) {
   const units = [[1e12, 'trillions of instructions'], [1e9, 'billions of instructions'],
                  [1e6, 'millions of instructions'], [1e3, 'thousands of instructions']];
   const found = units.find(([divisor]) => high >= 10 * divisor);
   return found ? {divisor: found[0], words: found[1]} : {divisor: 1, words: 'instructions'};
}

/* What stands at the place `at`: with all digits that tell it from its neighbors. */
function tickWords(at, divisor) {
   return (at / divisor).toLocaleString('en-US', {maximumFractionDigits: 12});
}

/* The narrowest part of the axis to zoom in to: a few intervals, which may be so few of so many
   instructions that doubles do not tell its ends apart. */
function leastPart(interval, end) {
   return Math.min(end, Math.max(4 * Number(interval), end / 2 ** 40));
}

/* The timeline of a report, exact: {interval, points: [{most, last}], end, peak}. Point n
   covers the instructions from n x interval on; after the last one nothing changed up to `end`,
   the instructions of the whole run. `peak` is the place of the first of the highest points.
   null: the report has none. */
function timelineOf(report) {
   if (!report || !report.timeline)
      return null;
   const interval = exactOf(report.timeline, 'interval-instructions');
   const points = report.timeline.points.map(point => ({
      most: exactOf(point, 'most-bytes'), last: exactOf(point, 'last-bytes')}));
   const program = report.phases.find(phase => phase.kind === 'process');
   const total = program && profmem.number.metricOf(program.metrics['instructions.total']);
   const begun = interval * BigInt(Math.max(points.length - 1, 0));
   const end = total && total.value > begun ? total.value : begun + 1n;
   const top = largest(points.map(point => point.most));
   return {interval, points, end, top, peak: points.findIndex(point => point.most === top)};
}

/* The interval that the instruction `at` lies in; of the last one, what follows is part. */
function intervalAt(timeline, at) {
   const place = Math.floor(at / Number(timeline.interval));
   return Math.min(Math.max(place, 0), timeline.points.length - 1);
}

/* [begin, end) of an interval, in instructions; the last one goes on to the end of the run. */
function intervalBounds(timeline, place) {
   const begin = timeline.interval * BigInt(place);
   const isLast = place === timeline.points.length - 1;
   return [begin, isLast ? timeline.end : begin + timeline.interval];
}

/* The curve inside of the instructions [low, high] in at most `columns` steps: {begin, end,
   most, last}. Intervals that share a step lose none of their maxima. */
function curve(timeline, low, high, columns) {
   const first = intervalAt(timeline, low), end = intervalAt(timeline, high) + 1;
   const together = Math.max(1, Math.ceil((end - first) / columns));
   const steps = [];
   for (let at = first; at < end; at += together) {
      const stop = Math.min(at + together, end);
      const inside = timeline.points.slice(at, stop);
      steps.push({begin: Number(intervalBounds(timeline, at)[0]),
                  end: Number(intervalBounds(timeline, stop - 1)[1]),
                  most: Number(largest(inside.map(point => point.most))),
                  last: Number(inside[inside.length - 1].last)});
   }
   return steps;
}

/* A part [low, high] of the whole axis [0, end] after a zoom by `factor` about the place `at`,
   or a move; never beyond the axis, never narrower than `least`. */
function zoomed([low, high], factor, at, end, least) {
   const width = Math.min(end, Math.max(least, (high - low) * factor));
   const kept = (at - low) / (high - low);
   return within(at - kept * width, width, end);
}

function within(low, width, end) {
   const begin = Math.min(Math.max(0, low), Math.max(0, end - width));
   return [begin, begin + width];
}

profmem.scale = {decimalTicks, binaryTicks, axisUnit, tickWords, leastPart, timelineOf,
                 intervalAt, intervalBounds, curve, zoomed, within};
}(globalThis.profmem = globalThis.profmem || {}));
