/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model.js: the parts of the page's script that have no DOM, by node alone: numbers, axes, the
 * pairing of two reports, trees and their geometry. Sums are compared with plain loops over
 * random input.
 */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const test = require('node:test');

const scripts = path.join(process.env.abs_top_srcdir, 'reports/html');
for (const name of ['number', 'scale', 'report', 'tree'])
   require(path.join(scripts, `view_${name}.js`));
const {number, scale, report, tree, OLD, NEW} = globalThis.profmem;

/* The same numbers in every run. */
function randoms(seed) {
   let state = seed;
   return below => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor(state / 2147483648 * below);
   };
}

test('numbers are written exactly, and as profmem show writes them', () => {
   const most = 2n ** 64n - 1n;
   assert.equal(number.group(most), '18,446,744,073,709,551,615');
   assert.equal(number.group(-1234n), '\u22121,234');
   assert.equal(number.group(999n), '999');
   assert.deepEqual([0n, 1023n, 1024n, 66077n, 1048575n, 1048576n, most].map(n => number.scaled(n)),
      ['', '', '1.00 KiB', '64.53 KiB', '1,024.00 KiB', '1.00 MiB', '16.00 EiB']);
   assert.equal(number.amount(66077n, 'bytes'), '66,077 bytes (64.53 KiB)');
   assert.equal(number.amount(1n, 'blocks'), '1 block');
   assert.equal(number.amount(1n, 'bytes'), '1 byte');
   assert.deepEqual([[0n, 5n], [1n, 3n], [1n, 2000n], [1n, 2001n], [1n, most], [7n, 7n], [9n, 0n]]
      .map(([part, whole]) => number.share(part, whole)),
      ['0.0%', '33.3%', '0.1%', '<0.1%', '<0.1%', '100.0%', '']);
   assert.deepEqual([[5n, 5n], [0n, 3n], [1000n, 1500n], [1000n, 1n], [5000n, 4999n]]
      .map(([before, after]) => number.change(before, after)),
      ['no change', '+3 (from 0)', '+500 (+50.0%)', '\u2212999 (\u221299.9%)', '\u22121 (<0.1%)']);
});

test('numbers beyond doubles come of their digits', () => {
   const digits = '18446744073709551615';
   const item = JSON.parse(`{"a": 18446744073709551615, "b": 7, "exact": {"a": "${digits}"}}`);
   assert.equal(number.exactOf(item, 'a'), BigInt(digits));
   assert.equal(number.exactOf(item, 'b'), 7n);
   assert.equal(number.exactOf(item, 'c'), null);
   const metric = JSON.parse(
      `{"unit": "bytes", "value": 18446744073709551615, "text": "${digits}"}`);
   assert.equal(number.metricOf(metric).value, BigInt(digits));
   assert.equal(number.metricOf({unit: 'bytes', unavailable: 'why'}).unavailable, 'why');
   assert.equal(number.metricOf(undefined), null);
});

test('ticks are round, inside, and about as many as asked for', () => {
   for (const high of [1, 9, 10, 999, 123456, 2 ** 40, 2 ** 62]) {
      for (const count of [2, 4, 8]) {
         for (const ticks of [scale.decimalTicks(0, high, count), scale.binaryTicks(high, count)]) {
            assert.ok(ticks.length >= 1 && ticks.length <= 2 * count + 2, String(high));
            assert.ok(ticks.every(tick => tick >= 0 && tick <= high));
         }
      }
   }
   assert.deepEqual(scale.decimalTicks(0, 100, 4), [0, 50, 100]);
   assert.deepEqual(scale.binaryTicks(70000, 4), [0, 32768, 65536]);
});

function someTimeline(below, count) {
   let last = 0;
   const points = Array.from({length: count}, () => {
      const most = Math.max(last, below(1000));
      last = below(most + 1);
      return {'most-bytes': most, 'last-bytes': last};
   });
   return scale.timelineOf({timeline: {'interval-instructions': 10, points}, phases: [
      {kind: 'process', metrics: {'instructions.total': {unit: 'x', text: String(count * 10)}}}]});
}

test('the curve keeps every maximum, whatever the width', () => {
   const below = randoms(7);
   for (let round = 0; round < 200; round++) {
      const count = 1 + below(300), line = someTimeline(below, count);
      const [low, high] = [below(count * 10), below(count * 10)].sort((a, b) => a - b);
      const steps = scale.curve(line, low, high, 1 + below(120));
      const inside = line.points.filter((point, n) => (n + 1) * 10 > low && n * 10 <= high);
      const most = inside.reduce((top, point) => Math.max(top, Number(point.most)), 0);
      assert.equal(Math.max(...steps.map(step => step.most)), most);
      assert.ok(steps[0].begin <= low && steps.at(-1).end >= Math.min(high, count * 10));
      steps.slice(1).forEach((step, n) => assert.equal(step.begin, steps[n].end));
      assert.equal(steps.at(-1).last, Number(inside.at(-1).last));
   }
});

test('an interval is where its instructions are, the last one goes on to the end', () => {
   const line = someTimeline(randoms(3), 5);
   assert.equal(scale.intervalAt(line, 0), 0);
   assert.equal(scale.intervalAt(line, 19), 1);
   assert.equal(scale.intervalAt(line, 1e9), 4);
   assert.deepEqual(scale.intervalBounds(line, 1), [10n, 20n]);
   line.end = 93n;
   assert.deepEqual(scale.intervalBounds(line, 4), [40n, 93n]);
});

test('zooming stays on the axis and keeps the place under the pointer', () => {
   const below = randoms(11);
   let part = [0, 1000];
   for (let round = 0; round < 500; round++) {
      const at = part[0] + below(1000) / 1000 * (part[1] - part[0]);
      const next = scale.zoomed(part, [0.5, 2][below(2)], at, 1000, 10);
      assert.ok(next[0] >= 0 && next[1] <= 1000 + 1e-6 && next[1] - next[0] >= 10 - 1e-6);
      if (next[0] > 0 && next[1] < 1000 && next[1] - next[0] > 10)
         assert.ok(Math.abs((at - part[0]) / (part[1] - part[0]) -
                            (at - next[0]) / (next[1] - next[0])) < 1e-6);
      part = next;
   }
});

test('zooming ends while the axis still has ends, ticks and words that differ', () => {
   for (const [interval, end] of [[10n, 2 ** 64], [1000n, 1e13], [10n, 1000], [10n, 20]]) {
      const least = scale.leastPart(interval, end);
      let part = [0, end];
      for (let round = 0; round < 80; round++)
         part = scale.zoomed(part, 0.5, end * 0.7, end, least);
      assert.ok(part[1] - part[0] >= Math.min(end, 40) && part[1] <= end);
      assert.ok((part[1] - part[0]) / end > 2 ** -41);
      const ticks = scale.decimalTicks(...part, 4);
      assert.ok(ticks.length >= 1 && ticks.length <= 10);
      const {divisor} = scale.axisUnit(part[1]);
      assert.equal(new Set(ticks.map(at => scale.tickWords(at, divisor))).size, ticks.length);
   }
});

/* A report as the page has it, of so many call chains and functions. */
function someReport(below, count) {
   const names = ['main', 'f', 'g', 'h', 'k'];
   const sites = Array.from({length: count}, (_, n) => ({id: n + 1, frames:
      Array.from({length: 1 + below(6)}, () => {
         const name = below(names.length);
         return {function: names[name], object: 'o' + name % 2, inlined: below(4) === 0};
      })}));
   const row = id => ({id, 'peak-bytes': below(5) ? below(1000) : 0});
   const rows = sites.map(site => row(site.id)).filter(() => below(3) > 0);
   return {format: 1, sites, functions: [], phases: [{name: 'program', kind: 'process',
      instances: 1, metrics: {}, sites: {rows, others: {sites: 3, 'peak-bytes': below(100)}}}]};
}

function keyOf(frame) {
   return `${frame.function} ${frame.object} ${frame.inlined}`;
}

/* By plain loops: what the chains that begin with each path add up to. */
function naive(data, innermostFirst) {
   const sums = new Map();
   for (const row of data.phases[0].sites.rows) {
      const {frames} = data.sites.find(site => site.id === row.id);
      const ordered = innermostFirst ? frames : frames.slice().reverse();
      for (let length = 1; length <= ordered.length; length++) {
         const path = ordered.slice(0, length).map(keyOf).join('\n');
         sums.set(path, (sums.get(path) || 0n) + BigInt(row['peak-bytes']));
      }
   }
   return sums;
}

function everyNode(node) {
   return [node, ...node.children.flatMap(everyNode)];
}

test('every node of a tree is the sum of the chains that begin as it does', () => {
   const below = randoms(5);
   for (let round = 0; round < 60; round++) {
      const data = someReport(below, 1 + below(40));
      const model = new report.Report({report: data, baseline: null, difference: null});
      for (const innermostFirst of [false, true]) {
         const sums = naive(data, innermostFirst);
         const top = tree.chainTree(model, model.phases[0], 'peak-bytes', innermostFirst);
         const listed = data.phases[0].sites;
         assert.equal(top.values[NEW], listed.rows.reduce((all, row) =>
            all + BigInt(row['peak-bytes']), BigInt(listed.others['peak-bytes'])));
         const seen = new Set();
         for (const node of everyNode(top).slice(1)) {
            if (node.step.others) {
               assert.equal(node.values[NEW], BigInt(listed.others['peak-bytes']));
               continue;
            }
            const path = node.chain.map(one => `${one.step.name} ${one.step.object} ` +
                                               one.step.inlined).join('\n');
            assert.ok(!seen.has(path));
            seen.add(path);
            assert.equal(node.values[NEW], sums.get(path));
         }
         assert.equal(seen.size, [...sums.values()].filter(sum => sum > 0n).length);
      }
   }
});

test('boxes lie inside of the one above them, side by side, as wide as their numbers', () => {
   const below = randoms(9);
   for (let round = 0; round < 60; round++) {
      const data = someReport(below, 1 + below(60));
      const model = new report.Report({report: data, baseline: null, difference: null});
      const top = tree.chainTree(model, model.phases[0], 'peak-bytes', false);
      if (top.weight === 0n)
         continue;
      const nodes = everyNode(top).filter(node => node.weight > 0n);
      const focus = nodes[below(nodes.length)];
      const {boxes, cut} = tree.layout(focus, 0.01, 100000);
      assert.equal(cut, false);
      for (const box of boxes) {
         const [above] = boxes.filter(other => other.node &&
            other.node === (box.node ? box.node.parent : box.of));
         if (above)
            assert.ok(box.left >= above.left - 1e-9 &&
                      box.left + box.width <= above.left + above.width + 1e-9);
         if (box.node && box.level > focus.level)
            assert.ok(Math.abs(box.width - Number(box.node.weight) / Number(focus.weight)) < 1e-9);
         if (box.smaller)
            assert.equal(box.values[NEW], box.of.children.filter(child =>
               !boxes.some(other => other.node === child)).reduce((sum, child) =>
               sum + child.values[NEW], 0n));
      }
      assert.ok(boxes.filter(box => box.level <= focus.level).every(box => box.width === 1));
      const few = tree.layout(focus, 0.0001, focus.level + 2);
      assert.ok(few.boxes.length <= focus.level + 2);
      assert.equal(few.cut, boxes.length > focus.level + 2 || few.cut);
   }
});

test('a search counts each chain once', () => {
   const data = someReport(randoms(2), 50);
   const model = new report.Report({report: data, baseline: null, difference: null});
   const top = tree.chainTree(model, model.phases[0], 'peak-bytes', false);
   for (const query of ['f', 'o1', 'main', 'zzz', 'call chains', 'list']) {
      const rows = data.phases[0].sites.rows.filter(row => row['peak-bytes'] > 0 &&
         data.sites.find(site => site.id === row.id).frames.some(frame =>
            frame.function.includes(query) || frame.object.includes(query)));
      const found = tree.search(top, query);
      assert.equal(found.leaves, rows.length, query);
      assert.equal(found.values[NEW], rows.reduce((sum, row) =>
         sum + BigInt(row['peak-bytes']), 0n));
   }
});

test('rows of one unit are one entry, whose sides add up', () => {
   const phase = rows => ({name: 'program', kind: 'process', instances: 1, metrics: {},
                           functions: {rows}});
   const names = ids => ids.map(id => ({id, name: 'f' + id, object: 'o'}));
   const model = new report.Report({
      report: {sites: [], functions: names([1, 2, 3]), phases: [phase([
         {id: 1, instructions: 10}, {id: 2, instructions: 5}, {id: 3, instructions: 1}])]},
      baseline: {sites: [], functions: names([7, 8, 9]), phases: [phase([
         {id: 7, instructions: 4}, {id: 8, instructions: 2}, {id: 9, instructions: 6}])]},
      difference: {phases: [[0, 0]], sites: [], functions: [
         [7, 1, true, 0], [8, 2, true, 0], [9, null, false, 1], [null, 3, false, 2]]}});
   const entries = model.paired(model.phases[0], 'functions').map(entry =>
      [report.columnOf(entry, 'instructions'), entry.guessed]);
   assert.deepEqual(entries, [[[6n, 15n], true], [[0n, 1n], false], [[6n, 0n], false]]);
   const top = tree.functionTree(model, model.phases[0], 'instructions');
   assert.deepEqual(top.values, [12n, 16n]);
   assert.equal(top.weight, 22n);
});

test('phases nest by their parents, also when these go in circles', () => {
   const phases = [['program', null], ['b', 'a'], ['a', 'program'], ['x', 'y'], ['y', 'x'],
                   ['self', 'self'], ['orphan', 'nobody']]
      .map(([name, parent]) => ({name, parent}));
   const ordered = report.nested(phases);
   assert.equal(ordered.length, phases.length);
   assert.deepEqual(ordered.slice(0, 3).map(({name, depth}) => [name, depth]),
                    [['program', 0], ['a', 1], ['b', 2]]);
   assert.ok(ordered.every(({depth}) => depth < phases.length));
   assert.equal(OLD + NEW, 1);
});
