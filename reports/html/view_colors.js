/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_colors.js: a color for each of the object files that most is in, the same in every
 * picture of the page; the others share one without a hue. A color is never all that tells
 * boxes apart: names stand in them and in the legend.
 */
(function (profmem) {
'use strict';

const {element, name} = profmem.dom;
const {columnOf} = profmem.report;
const {largest} = profmem.number;

const HUES = 8; // --series-1 to --series-8

class Colors {
   /* By the instructions of the first phase, the whole process; then by the call chains. */
   constructor(report) {
      const weights = new Map();
      const add = (object, weight) => weights.set(object, (weights.get(object) || 0n) + weight);
      for (const entry of report.paired(report.phases[0], 'functions'))
         for (const item of (entry.items || []).filter(Boolean).slice(-1))
            add(item.object, largest(columnOf(entry, 'instructions')));
      for (const sites of report.names.sites)
         for (const site of sites.values())
            site.frames.forEach(frame => add(frame.object, 0n));
      const ordered = [...weights.keys()].sort((a, b) =>
         (weights.get(a) === weights.get(b) ? (a < b ? -1 : 1)
                                            : (weights.get(a) < weights.get(b) ? 1 : -1)));
      this.hues = new Map(ordered.slice(0, HUES).map((object, n) => [object, 'hue-' + (n + 1)]));
   }

   of(object) {
      return this.hues.get(object) || 'hue-none';
   }

   /* With a baseline a color says what changed. */
   legend(hasBaseline) {
      if (hasBaseline)
         return element('ul', {class: 'legend', 'aria-label': 'Colors'},
            [['more', '\u25b2 more than before'], ['less', '\u25bc less than before'],
             ['same', 'no change']].map(([word, words]) => element('li', {},
                element('span', {class: 'swatch compared ' + word}), words)),
            element('li', {}, 'The fuller a color, the larger is the share that changed.'));
      return element('ul', {class: 'legend', 'aria-label': 'Colors'},
         [...this.hues].map(([object, hue]) =>
            element('li', {}, element('span', {class: 'swatch ' + hue}), name(object, 40))));
   }
}

profmem.Colors = Colors;
}(globalThis.profmem = globalThis.profmem || {}));
