/* SPDX-License-Identifier: GPL-2.0-or-later */
/* views.js: the page comes to life: reads the data, puts the bar above the sections and fills the
 * element of class `view` of each. The data and the elements are described at the top of
 * report.xsl.
 *
 * The build puts all files of the script one behind the other, this one last; each adds what it
 * has to the one global name, profmem.
 */
(function (profmem) {
'use strict';

/* The tables of a section say what its view says, so they are folded away; paper has them. */
function foldTables() {
   const tables = [...document.querySelectorAll('details.tables')];
   const open = isOpen => tables.forEach(table => { table.open = isOpen; });
   open(false);
   addEventListener('beforeprint', () => open(true));
   addEventListener('afterprint', () => open(false));
}

/* The bar stays below the links to the sections, and sections that these lead to below both. */
function keepInSight(bar) {
   const nav = document.querySelector('nav'), root = document.documentElement;
   profmem.dom.onWidth(root, () => {
      root.style.setProperty('--links', nav.offsetHeight + 'px');
      root.style.setProperty('--bar', bar.offsetHeight + 'px');
   });
}

function start() {
   const data = JSON.parse(document.getElementById('profmem-data').textContent);
   const report = new profmem.report.Report(data);
   if (report.phases.length === 0)
      return;
   const state = new profmem.State(report);
   const colors = new profmem.Colors(report);
   const views = {phases: profmem.Phases, timeline: profmem.Timeline, memory: profmem.Memory,
                  functions: profmem.Functions, mix: profmem.Mix,
                  histograms: profmem.Histograms, threads: profmem.Threads};
   const bar = profmem.makeBar(state);
   document.getElementById('phases').before(bar);
   document.body.classList.add('scripted');
   for (const view of document.querySelectorAll('.view[data-view]')) {
      view.hidden = false;
      new views[view.dataset.view](view, report, state, colors);
   }
   foldTables();
   keepInSight(bar);
}

start();
}(globalThis.profmem = globalThis.profmem || {}));
