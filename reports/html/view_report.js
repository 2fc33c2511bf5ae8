/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_report.js: the report and, if there is one, the baseline, paired.
 *
 * Everything in the page has two sides: OLD is the baseline's, NEW the report's. Without a
 * baseline there is only NEW, and each OLD is null. Phases, call chains and functions are paired
 * by `difference`, as `profmem diff` pairs them; a pair that it guessed says so.
 *
 * No DOM.
 */
(function (profmem) {
'use strict';

const {exactOf, metricOf, sum} = profmem.number;
const OLD = 0, NEW = 1;

/* What memory can be told apart by: columns of a phase's `sites`, and the metric that they add
   up to. */
const memoryColumns = [
   {column: 'peak-bytes', unit: 'bytes', metric: 'heap.peak', words: 'Live at the peak, bytes'},
   {column: 'peak-blocks', unit: 'blocks', metric: 'heap.peak-blocks',
    words: 'Live at the peak, blocks'},
   {column: 'traffic-bytes', unit: 'bytes', metric: 'traffic.bytes', words: 'Traffic, bytes'},
   {column: 'traffic-blocks', unit: 'blocks', metric: 'traffic.blocks', words: 'Traffic, blocks'},
   {column: 'retained-bytes', unit: 'bytes', metric: 'heap.retained', words: 'Retained, bytes'},
   {column: 'retained-blocks', unit: 'blocks', metric: null, words: 'Retained, blocks'},
   {column: 'temporary-blocks', unit: 'blocks', metric: 'allocations.temporary',
    words: 'Temporary blocks'}];

/* And instructions: columns of a phase's `functions`. */
const mixColumns = [
   {column: 'vector', unit: 'instructions', metric: 'instructions.vector', words: 'Vector'},
   {column: 'scalar-float', unit: 'instructions', metric: 'instructions.scalar-float',
    words: 'Scalar float'},
   {column: 'load', unit: 'instructions', metric: 'instructions.load', words: 'Load'},
   {column: 'store', unit: 'instructions', metric: 'instructions.store', words: 'Store'},
   {column: 'branch', unit: 'instructions', metric: 'instructions.branch', words: 'Branch'},
   {column: 'call', unit: 'instructions', metric: 'instructions.call', words: 'Call'}];
const instructionColumns = [
   {column: 'instructions', unit: 'instructions', metric: 'instructions.total',
    words: 'Instructions, all'},
   ...mixColumns.map(item => ({...item, words: 'Instructions, ' + item.words.toLowerCase()})),
   {column: 'rep-iterations', unit: 'iterations', metric: 'instructions.rep-iterations',
    words: 'Iterations of rep'},
   {column: 'calls', unit: 'calls', metric: null, words: 'Calls'}];

/* Which unit an id of either side belongs to: [Map, Map] from id to number; and which units
   were guessed. Ids of one unit are one and the same thing, whose numbers add up. */
function unitsOf(pairs) {
   const units = {of: [new Map(), new Map()], guessed: new Set()};
   for (const [before, after, guessed, unit] of pairs || []) {
      if (before !== null)
         units.of[OLD].set(before, unit);
      if (after !== null)
         units.of[NEW].set(after, unit);
      if (guessed)
         units.guessed.add(unit);
   }
   return units;
}

/* What a row is of whose id the report does not name. */
const NAMELESS = {id: 0, name: '(not named)', object: '(not named)', frames: []};

/* Named things of a report by their ids; of lists that are unavailable, none. */
function byId(list) {
   return new Map(Array.isArray(list) ? list.map(item => [item.id, item]) : []);
}

/* Phases in the order of a tree, each behind the one that it lies in, with its depth. A parent
   that is not there, or that lies inside of the phase itself, is none. */
function nested(phases) {
   const byName = new Map(phases.map(phase => [phase.name, phase]));
   const children = new Map(phases.map(phase => [phase, []]));
   const roots = [], ordered = [], seen = new Set();
   for (const phase of phases) {
      const parent = byName.get(phase.parent);
      (parent && parent !== phase ? children.get(parent) : roots).push(phase);
   }
   const visit = start => {
      const waiting = [[start, 0]];
      while (waiting.length > 0) {
         const [phase, depth] = waiting.pop();
         if (seen.has(phase))
            continue;
         seen.add(phase);
         phase.depth = depth;
         ordered.push(phase);
         for (const child of children.get(phase).slice().reverse())
            waiting.push([child, depth + 1]);
      }
   };
   roots.forEach(visit);
   phases.forEach(visit); // what only cycles lead to
   return ordered;
}

class Report {
   constructor(data) {
      this.reports = [data.baseline || null, data.report];
      this.hasBaseline = data.baseline !== null && data.baseline !== undefined;
      const difference = data.difference || {};
      this.units = {sites: unitsOf(difference.sites), functions: unitsOf(difference.functions)};
      this.names = {sites: this.reports.map(report => byId(report && report.sites)),
                    functions: this.reports.map(report => byId(report && report.functions))};
      this.phases = nested(this.pairedPhases(difference.phases));
   }

   /* Phases of both sides: {name, parent, sides}. */
   pairedPhases(pairs) {
      const [before, after] = this.reports;
      const all = this.hasBaseline ? pairs : after.phases.map((phase, place) => [null, place]);
      return all.map(([old, now]) => {
         const sides = [old === null ? null : before.phases[old],
                        now === null ? null : after.phases[now]];
         const known = sides[NEW] || sides[OLD];
         return {name: known.name, parent: known.parent, kind: known.kind, sides};
      });
   }

   /* The sides that the page shows. */
   get shown() {
      return this.hasBaseline ? [OLD, NEW] : [NEW];
   }

   /* A metric of both sides: each null where the side has no such phase or metric. */
   metric(phase, name) {
      return phase.sides.map(side => side && metricOf(side.metrics[name]));
   }

   /* Its numbers, 0n where there is none: for sums and geometry, not for what is written. */
   numbers(phase, name) {
      return this.metric(phase, name).map(side => (side && side.value) || 0n);
   }

   /* The instances of a phase on a side that stand singly in the report, and where each lies on
      the axis of instructions: {number, metrics, begin, peak, end}; begin is null where the
      report does not say, peak where that is known of it to its interval alone. A phase with
      one instance is its own. */
   instances(phase, side) {
      const here = phase.sides[side];
      if (!here || here.instances === 0)
         return [];
      const listed = here['listed-instances'] || (here.instances === 1 ? [here] : []);
      return listed.map(item => {
         const stamps = ['begin', 'peak', 'end'].map(word => exactOf(item, word + '-instructions'));
         let [begin, peak, end] = stamps;
         if (begin === null && here.kind === 'process')
            [begin, end] = [0n, (metricOf(item.metrics['instructions.total']) || {}).value];
         const isPlaced = begin !== null && end !== null && end !== undefined;
         return {number: item.number === undefined ? 1 : item.number, metrics: item.metrics,
                 begin: isPlaced ? begin : null, peak, end: isPlaced ? end : null};
      });
   }

   /* Why a phase has no list of this name on a side; null: it has one, or there is no side. */
   lacking(phase, side, list) {
      const here = phase.sides[side];
      if (!here)
         return this.reports[side] ? 'no such phase' : null;
      if (here[list])
         return null;
      const names = this.reports[side][list];
      return (names && names.unavailable) || 'the report does not list them for this phase';
   }

   /* Which sides have a phase's list: what the other one does not list is unknown there, not 0. */
   listing(phase, list) {
      return phase.sides.map((here, side) => this.lacking(phase, side, list) === null);
   }

   /* The rows of a phase's list, paired: {items: [item of the names or null, on both sides],
      rows: [[row, ...], [row, ...]], guessed} and, as the last, what is not listed, summed up:
      {others: [number, number], rows}. */
   paired(phase, list) {
      const units = this.units[list], names = this.names[list];
      const listed = phase.sides.map(side => (side && side[list]) || {rows: []});
      const entries = new Map();
      for (const side of [NEW, OLD]) {
         for (const row of listed[side].rows) {
            const unit = this.hasBaseline ? units.of[side].get(row.id) : row.id;
            const entry = entries.get(unit) ||
                          {items: [null, null], rows: [[], []], guessed: units.guessed.has(unit)};
            entry.items[side] = entry.items[side] || names[side].get(row.id) || NAMELESS;
            entry.rows[side].push(row);
            entries.set(unit, entry);
         }
      }
      const all = [...entries.values()];
      if (listed.some(side => side.others))
         all.push({others: listed.map(side => (side.others && exactOf(side.others, list)) || 0n),
                   rows: listed.map(side => (side.others ? [side.others] : [])), guessed: false});
      return all;
   }
}

/* The numbers of a column of both sides; a side without a row has 0. */
function columnOf(entry, column) {
   return entry.rows.map(rows => sum(rows.map(row => exactOf(row, column) || 0n)));
}

profmem.OLD = OLD;
profmem.NEW = NEW;
profmem.memoryColumns = memoryColumns;
profmem.mixColumns = mixColumns;
profmem.instructionColumns = instructionColumns;
profmem.report = {Report, columnOf, nested};
}(globalThis.profmem = globalThis.profmem || {}));
