/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_pictures.js: where memory and instructions come from: call chains, and object files with
 * their functions, as icicles by the chosen quantity.
 */
(function (profmem) {
'use strict';

const {chainTree, functionTree} = profmem.tree;
const {sayMetric} = profmem.bars;
const {element, name} = profmem.dom;
const {NEW} = profmem;

/* An icicle under a line that says of what it is, or why there is none. */
class Picture {
   /* options: those of Icicle, {list: of the phase, key: of the state, what: are searched,
      tree(phase, column)}. */
   constructor(container, report, state, colors, options) {
      Object.assign(this, {report, state, options});
      this.title = element('p', {class: 'title'});
      this.none = element('p', {class: 'note none'});
      this.icicle = new profmem.Icicle(report, colors, options);
      container.append(this.title, this.none, this.icicle.node, ...(options.legend || []));
      this.query = '';
      state.follow(() => this.follow());
   }

   follow() {
      const {phase, query} = this.state, column = this.state[this.options.key];
      if (this.phase !== phase || this.column !== column) {
         this.phase = phase;
         this.column = column;
         this.show();
      }
      if (this.query !== query) {
         this.query = query;
         this.icicle.look(query, this.options.what);
      }
   }

   show() {
      const {report, phase, column, options} = this;
      const tree = options.tree(phase, column.column);
      const sides = column.metric ? report.metric(phase, column.metric)
                                  : tree.values.map((value, side) => this.total(value, side));
      this.title.replaceChildren(element('b', {}, column.words), ' of phase ', name(phase.name),
                                 ': ', sayMetric(report, sides));
      const lacking = report.shown.map(side => [side, report.lacking(phase, side, options.list)])
                                  .filter(([, reason]) => reason !== null)
                                  .map(([side, reason]) => this.sideWords(side) + reason);
      if (lacking.length === 0 && tree.weight === 0n)
         lacking.push('Nothing to draw: ' + (sides[NEW] && sides[NEW].unavailable !== undefined
            ? sides[NEW].unavailable : 'a measured zero') + '.');
      this.none.textContent = lacking.join(' ');
      this.none.hidden = lacking.length === 0;
      this.icicle.node.hidden = tree.weight === 0n;
      this.icicle.show(tree, column.unit, report.listing(phase, options.list));
      this.icicle.look(this.query, options.what);
   }

   /* Of a column that no metric has the total of: what the listed ones add up to. */
   total(value, side) {
      if (!this.phase.sides[side])
         return null;
      const unavailable = this.report.lacking(this.phase, side, this.options.list);
      return unavailable === null ? {value, unit: this.column.unit} : {unavailable};
   }

   sideWords(side) {
      const words = this.options.what + ' are unavailable: ';
      return (this.report.hasBaseline ? (side === NEW ? 'New: ' : 'Old: ') : '') + words;
   }
}

/* Which end of the chains is on top. */
class Direction {
   constructor(changed) {
      this.select = element('select', {change: changed, 'data-choice': 'direction'},
         element('option', {}, 'the outermost function down'),
         element('option', {}, 'the allocation up'));
      this.node = element('label', {class: 'inline'}, 'Chains from ', this.select);
   }

   get innermostFirst() {
      return this.select.selectedIndex === 1;
   }
}

class Memory extends Picture {
   constructor(container, report, state, colors) {
      const direction = new Direction(() => this.show());
      super(container, report, state, colors, {
         list: 'sites', key: 'memory', what: 'call chains', whole: 'All call chains',
         label: 'Call chains by memory', controls: [direction.node],
         legend: [colors.legend(report.hasBaseline)],
         tree: (phase, column) => chainTree(report, phase, column, direction.innermostFirst)});
   }
}

class Functions extends Picture {
   constructor(container, report, state, colors) {
      super(container, report, state, colors, {
         list: 'functions', key: 'instructions', what: 'functions', whole: 'All functions',
         label: 'Object files and functions by instructions',
         legend: report.hasBaseline ? [colors.legend(true)] : [],
         tree: (phase, column) => functionTree(report, phase, column)});
   }
}

profmem.Memory = Memory;
profmem.Functions = Functions;
}(globalThis.profmem = globalThis.profmem || {}));
