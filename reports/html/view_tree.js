/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_tree.js: numbers of call chains and functions as a tree, and which of its nodes are wide
 * enough to draw.
 *
 * A tree is made of leaves: {path, values: [old, new], guessed}. A path has `length` steps, the
 * outermost first; step(n) is {name, object, place, inlined, key}. Leaves that begin with the
 * same keys share nodes. A node makes its children when it is first asked for them, so that a
 * tree of 10,000 chains costs no more than what of it is drawn.
 *
 * The weight of a leaf is its number or, with two sides, the larger one, so that what is gone
 * keeps its place beside what is new; a node's is the sum over its leaves.
 *
 * No DOM.
 */
(function (profmem) {
'use strict';

const {largest, ratio} = profmem.number;
const {columnOf} = profmem.report;
const {OLD, NEW} = profmem;

class Node {
   constructor(parent, step, leaves) {
      this.parent = parent;
      this.level = parent ? parent.level + 1 : 0; // its step is number level - 1
      this.step = step;
      this.leaves = leaves;
      this.values = [0n, 0n];
      this.weight = 0n;
      this.guessed = false;
      for (const leaf of leaves) {
         this.values[OLD] += leaf.values[OLD];
         this.values[NEW] += leaf.values[NEW];
         this.weight += largest(leaf.values);
         this.guessed = this.guessed || leaf.guessed;
      }
      this.made = null;
   }

   /* The largest first. */
   get children() {
      if (!this.made) {
         const groups = new Map();
         for (const leaf of this.leaves) {
            if (this.level >= leaf.path.length)
               continue;
            const step = leaf.path.step(this.level);
            const group = groups.get(step.key);
            if (group)
               group.leaves.push(leaf);
            else
               groups.set(step.key, {step, leaves: [leaf]});
         }
         this.made = [...groups.values()].map(({step, leaves}) => new Node(this, step, leaves));
         this.made.sort((a, b) => (a.weight === b.weight ? compareNames(a, b)
                                                         : (a.weight < b.weight ? 1 : -1)));
      }
      return this.made;
   }

   /* From the outermost one below the root to this one. */
   get chain() {
      const steps = [];
      for (let node = this; node.parent; node = node.parent)
         steps.unshift(node);
      return steps;
   }
}

function compareNames(a, b) {
   return a.step.key < b.step.key ? -1 : 1;
}

/* ---- Paths */

const SEPARATOR = '\u0000'; // no name of a report has one

function frameStep(frame) {
   return {name: frame.function, object: frame.object, inlined: frame.inlined, others: false,
           place: frame.file === undefined ? '' : frame.file + ':' + frame.line,
           key: frame.function + SEPARATOR + frame.object + SEPARATOR + frame.inlined};
}

/* A call chain from its outermost frame or, innermost first, from the allocation on. */
function chainPath(site, innermostFirst) {
   const frames = site.frames;
   return {length: frames.length,
           step: n => frameStep(frames[innermostFirst ? n : frames.length - 1 - n])};
}

/* An object file, then a function in it. */
function functionPath(item) {
   const steps = [
      {name: item.object, object: item.object, inlined: false, others: false, place: '',
       key: item.object},
      {name: item.name, object: item.object, inlined: false, others: false, place: '',
       key: item.name + SEPARATOR + item.id}];
   return {length: 2, step: n => steps[n]};
}

/* What the report sums up. */
function othersPath(counts, what) {
   const number = largest(counts);
   const step = {name: profmem.number.group(number) + ' ' + what + ', not listed', object: '',
                 inlined: false, others: true, place: '', key: SEPARATOR};
   return {length: 1, step: () => step};
}

function treeOf(entries, column, pathOf, what) {
   const leaves = [];
   for (const entry of entries) {
      const values = columnOf(entry, column);
      if (values[OLD] === 0n && values[NEW] === 0n)
         continue;
      const path = entry.others ? othersPath(entry.others, what)
                                : pathOf(entry.items[NEW] || entry.items[OLD]);
      leaves.push({path, values, guessed: entry.guessed});
   }
   return new Node(null, null, leaves);
}

/* The call chains of a phase by a column. */
function chainTree(report, phase, column, innermostFirst) {
   return treeOf(report.paired(phase, 'sites'), column,
                 site => chainPath(site, innermostFirst), 'call chains');
}

/* The functions of a phase, by their objects. */
function functionTree(report, phase, column) {
   return treeOf(report.paired(phase, 'functions'), column, functionPath, 'functions');
}

/* ---- Geometry */

/* The boxes to draw for a tree zoomed in to `focus`: {node, level, left, width} with left and
   width in shares of the whole, and {smaller: number of nodes, of: node, values} for those that
   are narrower than `narrowest` each. Levels in order, so what `most` boxes leave out is
   deepest; {boxes, cut}: whether anything was left out. */
function layout(focus, narrowest, most) {
   const boxes = focus.chain.slice(0, -1).map(above);
   if (focus.parent)
      boxes.unshift(above(root(focus)));
   let row = [{node: focus, level: focus.level, left: 0, width: 1}];
   while (row.length > 0) {
      if (boxes.length + row.length > most)
         return {boxes, cut: true};
      boxes.push(...row);
      row = row.flatMap(box => (box.node ? below(box, narrowest) : []));
   }
   return {boxes, cut: false};
}

function above(node) {
   return {node, level: node.level, left: 0, width: 1};
}

function root(node) {
   return node.parent ? root(node.parent) : node;
}

function below(box, narrowest) {
   const boxes = [];
   let left = box.left, smaller = [];
   for (const child of box.node.children) {
      const width = box.width * ratio(child.weight, box.node.weight);
      if (width < narrowest) {
         smaller.push(child);
         continue;
      }
      boxes.push({node: child, level: box.level + 1, left, width});
      left += width;
   }
   const values = [OLD, NEW].map(side =>
      smaller.reduce((sum, node) => sum + node.values[side], 0n));
   const weight = smaller.reduce((sum, node) => sum + node.weight, 0n);
   const width = box.width * ratio(weight, box.node.weight);
   if (width >= narrowest / 2)
      boxes.push({smaller: smaller.length, of: box.node, values, level: box.level + 1, left,
                  width});
   return boxes;
}

/* ---- Search */

/* The words for what the report sums up are the page's, not a name. */
function stepMatches(step, query) {
   return !step.others &&
          [step.name, step.object, step.place].some(text => text.toLowerCase().includes(query));
}

/* The leaves of which a step has the query in its name, object or place: how many, and their
   numbers. A leaf counts once, however often the query is in it. */
function search(tree, query) {
   const found = {leaves: 0, values: [0n, 0n]};
   for (const leaf of tree.leaves) {
      let matches = false;
      for (let n = 0; n < leaf.path.length && !matches; n++)
         matches = stepMatches(leaf.path.step(n), query);
      if (!matches)
         continue;
      found.leaves++;
      found.values[OLD] += leaf.values[OLD];
      found.values[NEW] += leaf.values[NEW];
   }
   return found;
}

profmem.tree = {chainTree, functionTree, layout, search, stepMatches};
}(globalThis.profmem = globalThis.profmem || {}));
