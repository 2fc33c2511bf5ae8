/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_bar.js: the bar that stays at hand: which phase, which quantities, what to search. */
(function (profmem) {
'use strict';

const {element, visible} = profmem.dom;

const FILTERED = 20;   // phases from which on there is a field that narrows their list
const LISTED = 1000;   // phases in the list at once
const NAME = 80;       // characters of a name in a list

function labelled(words, control) {
   return element('label', {}, element('span', {}, words), control);
}

function columnChoice(state, key, columns) {
   const select = element('select', {'data-choice': key, change: () =>
      state.choose({[key]: columns[select.selectedIndex]})},
      columns.map(item => element('option', {value: item.column}, item.words)));
   state.follow(() => { select.value = state[key].column; });
   return select;
}

/* The list of phases: with those whose names have what the filter says, and the chosen one. */
class PhaseChoice {
   constructor(state) {
      this.state = state;
      this.select = element('select', {'data-choice': 'phase', change: () =>
         state.choose({phase: this.listed[this.select.selectedIndex]})});
      this.filter = element('input', {type: 'search', 'data-choice': 'filter', size: 8,
                                      'aria-label': 'Narrow the list of phases to names with',
                                      placeholder: 'filter\u2026', input: () => this.list(),
                                      keydown: event => this.take(event)});
      this.filter.hidden = state.report.phases.length < FILTERED;
      this.list();
      state.follow(() => this.list());
   }

   list() {
      const wanted = this.filter.value.trim().toLowerCase();
      const matching = this.state.report.phases.filter(phase =>
         phase.name.toLowerCase().includes(wanted));
      this.listed = matching.slice(0, LISTED);
      if (!this.listed.includes(this.state.phase))
         this.listed.unshift(this.state.phase);
      this.select.replaceChildren(...this.listed.map(phase => element('option', {dir: 'auto'},
         '\u00a0\u00a0'.repeat(Math.min(phase.depth, 8)) +
         visible(phase.name, NAME))));
      this.select.selectedIndex = this.listed.indexOf(this.state.phase);
      this.matching = matching;
   }

   /* Enter in the filter takes the first phase that it leaves. */
   take(event) {
      if (event.key !== 'Enter')
         return;
      event.preventDefault();
      if (this.matching.length > 0)
         this.state.choose({phase: this.matching[0]});
   }
}

function makeBar(state) {
   const phases = new PhaseChoice(state);
   const search = element('input', {type: 'search', 'data-choice': 'search', placeholder:
      'function, object or file', input: () => state.choose({search: search.value})});
   state.follow(() => {
      if (search.value !== state.search)
         search.value = state.search;
   });
   return element('form', {class: 'bar', 'aria-label': 'What all pictures show',
                           submit: event => event.preventDefault()},
      element('div', {class: 'choice'}, labelled('Phase', phases.select), phases.filter),
      element('div', {class: 'choice'},
         labelled('Memory by', columnChoice(state, 'memory', profmem.memoryColumns))),
      element('div', {class: 'choice'},
         labelled('Instructions by',
                  columnChoice(state, 'instructions', profmem.instructionColumns))),
      element('div', {class: 'choice'}, labelled('Search', search)));
}

profmem.makeBar = makeBar;
}(globalThis.profmem = globalThis.profmem || {}));
