/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_numbers.js: every number of every view is the one that the XML has and `profmem show`
 * says. Of the files real.xml, made.xml and huge.xml, whose pages stand beside them.
 */
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const {cells, choose, choosePhase, expected, grouped, press, settled, shown, text, withPage} =
   require('./browser.js');

const REPORTS = ['real', 'made', 'huge'];
const MEMORY = {'peak-bytes': 'heap.peak', 'peak-blocks': 'heap.peak-blocks',
                'traffic-bytes': 'traffic.bytes', 'traffic-blocks': 'traffic.blocks',
                'retained-bytes': 'heap.retained', 'retained-blocks': null,
                'temporary-blocks': 'allocations.temporary'};
const INSTRUCTIONS = {'instructions': 'instructions.total', 'vector': 'instructions.vector',
                      'load': 'instructions.load', 'call': 'instructions.call', 'calls': null};
const CLASSES = ['vector', 'scalar-float', 'load', 'store', 'branch', 'call'];

/* The number that follows these words, in digits. */
function numberAfter(said, words) {
   const found = said.slice(said.indexOf(words) + words.length).match(/[\d,]+/);
   return found ? found[0].replace(/,/g, '') : said;
}

for (const name of REPORTS) {
   const report = name + '.xml', page = name + '.html';
   const known = expected(report);

   test(name + ': phases', () => withPage(page, async tab => {
      for (const row of await cells(tab, '#phases .phases')) {
         const phase = row[0].replace(/^\u25b8/, '').replace(/ \d+ instances$/, '').trim();
         assert.ok(phase in known.phases, phase);
         assert.equal(row[2].split(' ')[0], grouped(shown(report, phase, 'instructions.total')));
         assert.equal(row[3].split(' ')[0], grouped(shown(report, phase, 'heap.peak')));
      }
      assert.equal((await cells(tab, '#phases .phases')).length, Object.keys(known.phases).length);
   }));

   test(name + ': timeline', () => withPage(page, async tab => {
      const title = await text(tab, '#timeline .title');
      for (const word of ['entry', 'peak', 'exit'])
         assert.equal(numberAfter(title, word + ' '), shown(report, 'program', 'heap.' + word));
      const {points, interval} = known.timeline;
      await tab.$eval('#timeline .plot', plot => plot.focus());
      const places = [0, 1, Math.floor(points.length / 2), points.length - 1];
      for (const place of places) {
         await press(tab, 'Home');
         await tab.evaluate(count => {
            const plot = document.querySelector('#timeline .plot');
            for (let n = 0; n < count; n++)
               plot.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
         }, place);
         const said = await text(tab, '#timeline .reading');
         const begin = BigInt(interval) * BigInt(place);
         assert.equal(numberAfter(said, 'instructions '), String(begin));
         assert.equal(numberAfter(said, 'at most '), points[place][0]);
         assert.equal(numberAfter(said, '; '), points[place][1]);
         assert.equal(await tab.$eval('#timeline .plot', plot =>
            plot.getAttribute('aria-valuetext')), said);
      }
      await tab.click('#timeline [aria-label="Put the cursor on the peak of the run"]');
      assert.equal(numberAfter(await text(tab, '#timeline .reading'), 'at most '),
                   shown(report, 'program', 'heap.peak'));
   }));

   /* Each box, and what is said of it, against what its chain adds up to. */
   test(name + ': memory', () => withPage(page, async tab => {
      for (const phase of Object.keys(known.phases)) {
         await choosePhase(tab, phase);
         for (const [column, metric] of Object.entries(MEMORY)) {
            await choose(tab, 'memory', column);
            const sums = known.phases[phase].memory[column];
            const title = await text(tab, '#memory .title');
            assert.equal(numberAfter(title, ': '), sums.total, title);
            if (metric)
               assert.equal(sums.total, shown(report, phase, metric));
            await checkBoxes(tab, 'memory', sums.chains, sums.total);
         }
      }
   }));

   test(name + ': functions', () => withPage(page, async tab => {
      for (const phase of Object.keys(known.phases)) {
         await choosePhase(tab, phase);
         for (const [column, metric] of Object.entries(INSTRUCTIONS)) {
            await choose(tab, 'instructions', column);
            const sums = known.phases[phase].functions[column];
            const title = await text(tab, '#functions .title');
            const said = metric ? known.phases[phase].metrics[metric] : sums.total;
            if (/^\d+$/.test(said))
               assert.equal(numberAfter(title, ': '), said, title);
            else
               assert.ok(title.includes('unavailable') || title.includes('none'), title);
            await checkBoxes(tab, 'functions', {...sums.objects, ...sums.functions}, sums.total);
         }
      }
   }));

   test(name + ': mix', () => withPage(page, async tab => {
      for (const phase of Object.keys(known.phases)) {
         await choosePhase(tab, phase);
         const {metrics, functions} = known.phases[phase];
         const rows = await cells(tab, '#mix .dense');
         ['total', ...CLASSES].forEach((one, n) => {
            const digits = metrics['instructions.' + one];
            if (digits === undefined)
               assert.equal(rows[n][2], 'none');
            else if (/^\d+$/.test(digits))
               assert.equal(rows[n][2].split(' ')[0], grouped(digits));
            else
               assert.equal(rows[n][2], 'unavailable: ' + digits);
         });
         const names = await tab.$$eval('#mix .mix tbody tr:not(.rest) th', heads => heads.map(
            head => [...head.querySelectorAll('bdi')].map(part => part.textContent).reverse()));
         const numbers = await cells(tab, '#mix .mix');
         let listed = 0;
         names.forEach((path, n) => {
            if (path.length !== 2)
               return;
            listed++;
            assert.equal(numbers[n][1].split(' ')[0],
                         grouped(functions.instructions.functions[path.join('\n')]));
            CLASSES.forEach((one, c) => assert.equal(numbers[n][2 + c].split(' ')[0],
               grouped(functions[one].functions[path.join('\n')]), path.join() + one));
         });
         assert.ok(listed > 0 || Object.keys(functions.instructions.functions).length === 0);
      }
   }));

   test(name + ': histograms', () => withPage(page, async tab => {
      for (const phase of Object.keys(known.phases)) {
         await choosePhase(tab, phase);
         const tables = await tab.$$eval('#histograms table', list => list.map(table =>
            [...table.tBodies[0].rows].map(row =>
               [row.cells[0].innerText, row.cells[2].innerText])));
         const lists = ['sizes', 'lifetimes'].map(kind => known.phases[phase].histograms[kind])
                                             .filter(list => Object.keys(list).length > 0);
         const views = tables.slice(0, lists.length);
         lists.forEach((list, n) => {
            const counted = new Map(views[n].map(([range, blocks]) =>
               [range.match(/^[\d,]+/)[0].replace(/,/g, ''), blocks.match(/^[\d,]+/)[0]]));
            for (const [from, blocks] of Object.entries(list))
               assert.equal(counted.get(from), grouped(blocks), from);
            const others = [...counted].filter(([from]) => !(from in list));
            assert.ok(others.every(([, blocks]) => blocks === '0'));
         });
      }
   }));

   test(name + ': threads', () => withPage(page, async tab => {
      for (const phase of Object.keys(known.phases)) {
         await choosePhase(tab, phase);
         const rows = await cells(tab, '#threads .threads');
         const {threads} = known.phases[phase];
         assert.equal(rows.length, threads.length);
         threads.forEach((thread, n) => {
            const columns = ['instructions', 'traffic-bytes', 'traffic-blocks', 'released-blocks',
                             'foreign-blocks'];
            assert.equal(rows[n][0], thread.number);
            columns.forEach((column, c) =>
               assert.equal(rows[n][2 + c].split(' ')[0], grouped(thread[column])));
         });
      }
   }));
}

/* Goes over the boxes with the pointer: what is said of each is the sum of
   all chains that begin as it does, and it is as wide as that. */
async function checkBoxes(tab, section, sums, total) {
   if (total === '0') {
      assert.match(await text(tab, `#${section} .none`), /measured zero|unavailable/);
      return;
   }
   const drawn = await tab.$$eval(`#${section} .box`, list => list.map(node => {
      node.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
      const {box} = node;
      const reading = node.closest('.icicle').querySelector('.reading');
      return {said: reading.innerText, width: node.getBoundingClientRect().width,
              whole: node.parentNode.getBoundingClientRect().width,
              path: box.node && box.node.chain.map(one => one.step),
              others: Boolean(box.node && box.node.chain.some(one => one.step.others))};
   }));
   let checked = 0;
   for (const {said, width, whole, path, others} of drawn) {
      if (!path || path.length === 0 || others)
         continue;
      const key = section === 'memory'
         ? path.map(step => `${step.name}\t${step.object}\t${step.inlined ? 'yes' : 'no'}`)
              .join('\n')
         : path.map(step => step.name).join('\n');
      const digits = sums[key];
      assert.ok(digits !== undefined, key);
      const numbers = said.slice(said.lastIndexOf('): ') < 0 ? said.lastIndexOf(': ')
                                                             : said.lastIndexOf('): '));
      assert.equal(numbers.match(/[\d,]+/)[0], grouped(digits), said);
      assert.ok(Math.abs(width / whole - Number(digits) / Number(total)) < 0.003, said);
      checked++;
   }
   assert.ok(checked > 0);
   await settled(tab);
}
