/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_state.js: what is chosen: a phase, a quantity of memory and one of instructions, what is
 * searched for. It stands in the address, behind #, so that a link can hold it.
 */
(function (profmem) {
'use strict';

const {memoryColumns, instructionColumns} = profmem;

class State {
   constructor(report) {
      this.report = report;
      this.listeners = [];
      this.chosen = {phase: report.phases[0], memory: memoryColumns[0],
                     instructions: instructionColumns[0], search: ''};
      this.read();
      addEventListener('hashchange', () => this.read() && this.tell());
   }

   get phase() { return this.chosen.phase; }
   get memory() { return this.chosen.memory; }
   get instructions() { return this.chosen.instructions; }
   get search() { return this.chosen.search; }
   /* As it is compared with names. */
   get query() { return this.chosen.search.trim().toLowerCase(); }

   /* Calls listener() now and after each change of what is chosen. */
   follow(listener) {
      this.listeners.push(listener);
      listener();
   }

   choose(changes) {
      Object.assign(this.chosen, changes);
      const words = new URLSearchParams();
      words.set('phase', this.phase.name);
      words.set('memory', this.memory.column);
      words.set('instructions', this.instructions.column);
      if (this.search)
         words.set('search', this.search);
      this.written = '#' + words;
      location.replace(this.written);
      this.tell();
   }

   tell() {
      for (const listener of this.listeners)
         listener();
   }

   /* What the address says; true: it says something that was not written here. A link to a
      section of the page says nothing. */
   read() {
      if (!location.hash.includes('=') || location.hash === this.written)
         return false;
      const words = new URLSearchParams(location.hash.slice(1));
      const column = (list, word) => list.find(item => item.column === words.get(word)) || list[0];
      this.chosen = {
         phase: this.report.phases.find(phase => phase.name === words.get('phase')) ||
                this.report.phases[0],
         memory: column(memoryColumns, 'memory'),
         instructions: column(instructionColumns, 'instructions'),
         search: words.get('search') || ''};
      return true;
   }
}

profmem.State = State;
}(globalThis.profmem = globalThis.profmem || {}));
