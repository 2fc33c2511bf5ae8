/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_places.js: bars, bands and marks lie where the data says that phases began, reached their
 * peak and ended; where it does not, the page says so and draws no place. Of made.html, whose
 * data has no places, and a copy in which this script puts them.
 */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const test = require('node:test');
const {choosePhase, text, withPage} = require('./browser.js');

const DATA = /(<script type="application\/json" id="profmem-data">)(.*?)(<\/script>)/s;

/* Where instances lie, in thousandths of the run: begin, peak, end; of `phase 1`, which has one
   instance, and of `phase 2`, of which one is listed. */
const PLACES = {'phase 1': [250, 300, 500], 'phase 2': [600, 625, 700]};

function place(page) {
   const source = fs.readFileSync('made.html', 'utf8');
   fs.writeFileSync(page, source.replace(DATA, (all, before, json, after) => {
      const data = JSON.parse(json);
      const [program] = data.report.phases;
      const end = program.metrics['instructions.total'].value;
      for (const phase of data.report.phases.slice(1)) {
         const stamps = PLACES[phase.name].map(part => Math.round(end * part / 1000));
         const item = (phase['listed-instances'] || [phase])[0];
         ['begin', 'peak', 'end'].forEach((word, n) => {
            item[word + '-instructions'] = stamps[n];
         });
      }
      return before + JSON.stringify(data).replace(/</g, '\\u003c') + after;
   }));
}
place('placed.html');

/* The bars of a row: their begins and ends in thousandths of the axis. */
function bars(page, name) {
   return page.$$eval('#phases .phases tbody tr', (rows, wanted) => {
      const row = rows.find(one => one.phase && one.phase.name === wanted);
      const track = row.querySelector('.track').getBoundingClientRect();
      return [...row.querySelectorAll('.fill')].map(fill => {
         const {left, width} = fill.getBoundingClientRect();
         return {begin: (left - track.left) / track.width * 1000,
                 end: (left + width - track.left) / track.width * 1000,
                 isPlaced: !fill.classList.contains('unplaced')};
      });
   }, name);
}

/* Places of shapes on the axis of the timeline, by what selects them: [begin, end] each. */
function shapes(page, selector) {
   return page.evaluate(wanted => {
      const axis = document.querySelector('#timeline .base').getBoundingClientRect();
      return [...document.querySelectorAll('#timeline ' + wanted)].map(shape => {
         const {left, width} = shape.getBoundingClientRect();
         return [left, left + width].map(at => (at - axis.left) / axis.width * 1000);
      });
   }, selector);
}

function isNear(found, wanted) {
   assert.ok(Math.abs(found - wanted) < 8, `${found} is not near ${wanted}`);
}

test('bars lie where their phases began and ended', () => withPage('placed.html', async page => {
   for (const [name, [begin, , end]] of Object.entries(PLACES)) {
      const found = await bars(page, name);
      assert.equal(found.length, 1);
      assert.equal(found[0].isPlaced, true);
      isNear(found[0].begin, begin);
      isNear(found[0].end, end);
   }
   const note = await text(page, '#phases .note:last-child');
   assert.ok(!note.includes('hatched'), note);
   assert.match(note, /^3 later instances are not listed/);
}));

test('bands and marks lie where the instance began, was highest and ended', () =>
   withPage('placed.html', async page => {
      for (const [name, [begin, peak, end]] of Object.entries(PLACES)) {
         await choosePhase(page, name);
         const [band] = await shapes(page, '.band');
         isNear(band[0], begin);
         isNear(band[1], end);
         const marks = name === 'phase 1' ? {entry: begin, peak, exit: end} : {peak};
         for (const [word, at] of Object.entries(marks)) {
            const [[left, right]] = await shapes(page, `.mark.${word} path`);
            isNear((left + right) / 2, at);
         }
         assert.equal(await page.$('#timeline .level'), null);
      }
      // Zoomed to the phase, its band is nearly all that is seen.
      await page.click('#timeline [aria-label="Show the part of the chosen phase"]');
      const [band] = await shapes(page, '.band');
      assert.ok(band[1] - band[0] > 850, String(band));
   }));

test('without places: hatched bars, lines at the heights of peak and exit, and words for it', () =>
   withPage('made.html', async page => {
      const [bar] = await bars(page, 'phase 1');
      assert.equal(bar.isPlaced, false);
      isNear(bar.begin, 0);
      assert.match(await text(page, '#phases .note:last-child'), /does not say where/);
      assert.match(await text(page, '#timeline .note:last-child'), /^$/);
      await choosePhase(page, 'phase 1');
      assert.match(await text(page, '#timeline .note:last-child'), /does not say at which/);
      assert.equal(await page.$$eval('#timeline .level', list => list.length), 2);
      assert.equal(await page.$('#timeline .band'), null);
      await choosePhase(page, 'program');
      assert.equal(await page.$$eval('#timeline .mark', list => list.length), 3);
   }));
