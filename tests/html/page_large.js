/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_large.js: 10,000 call chains and 1,000 phases: as many elements as a page has room for,
 * not as many as the report has rows; what is left out is said. Of large.xml.
 */
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const {choose, choosePhase, grouped, search, settled, shown, text, withPage} =
   require('./browser.js');

const MOST = 9000; // elements of all views: three pictures, and tables of some rows

function elements(page) {
   return page.$$eval('.view *', list => list.length);
}

test('the number of elements is bounded, whatever is chosen', () =>
   withPage('large.html', async page => {
      assert.ok(await elements(page) < MOST, String(await elements(page)));
      for (const column of ['traffic-blocks', 'temporary-blocks', 'peak-bytes']) {
         await choose(page, 'memory', column);
         assert.ok(await elements(page) < MOST, column);
      }
      await choose(page, 'direction', 1);
      assert.ok(await elements(page) < MOST);
   }));

test('what is too narrow to draw is summed up, in words too', () =>
   withPage('large.html', async page => {
      const rest = await page.$$eval('#memory .box.smaller', list => list.map(node => {
         node.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
         const drawn = [...document.querySelectorAll('#memory .box')].filter(other =>
            other.box.node && other.box.node.parent === node.box.of);
         return {said: document.querySelector('#memory .reading').innerText,
                 number: node.box.smaller, all: node.box.of.children.length, drawn: drawn.length,
                 sum: String(node.box.of.children.map(child => child.values[1])
                    .reduce((a, b) => a + b, 0n) - drawn.map(other => other.box.node.values[1])
                    .reduce((a, b) => a + b, 0n))};
      }));
      assert.ok(rest.length > 0);
      for (const {said, number, all, drawn, sum} of rest) {
         assert.equal(number, all - drawn);
         assert.ok(said.startsWith(`${grouped(number)} smaller: ${grouped(sum)} `), said);
      }
      assert.match(await text(page, '#phases .rest'), /^9\d\d smaller phases/);
      assert.match(await text(page, '#mix .rest'), /^1,\d\d\d smaller, /);
   }));

test('any phase can be chosen, and its numbers are there', () =>
   withPage('large.html', async page => {
      await choosePhase(page, 'phase 777');
      const title = await text(page, '#memory .title');
      assert.ok(title.includes(grouped(shown('large.xml', 'phase 777', 'heap.peak'))), title);
      assert.equal(await page.$$eval('#phases .chosen', list => list.length), 1);
      assert.ok(await elements(page) < MOST);
      await search(page, 'work_5');
      assert.match(await text(page, '#memory .found'), /^Search: \d/);
      await settled(page);
   }));
