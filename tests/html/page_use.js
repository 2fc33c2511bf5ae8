/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_use.js: what a reader does with the page: points, clicks, types, searches, chooses.
 * Of made.xml and many.xml (60 phases), whose pages stand beside them.
 */
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const {boxes, choose, expected, grouped, press, search, settled, shown, text,
       withPage} = require('./browser.js');

const known = expected('made.xml');

async function center(page, selector, place) {
   const handle = (await page.$$(selector))[place];
   await handle.evaluate(node => node.scrollIntoView({block: 'center'}));
   const {x, y, width, height} = await handle.boundingBox();
   return [x + width / 2, y + height / 2];
}

test('pointing at a box says its name and number, leaving says nothing', () =>
   withPage('made.html', async page => {
      const idle = await text(page, '#memory .reading');
      await page.mouse.move(...await center(page, '#memory .box', 2));
      const said = await text(page, '#memory .reading');
      const name = (await boxes(page, 'memory'))[2].name;
      assert.ok(name && said.startsWith(name), said);
      assert.match(said, /bytes.*% of /);
      await page.mouse.move(2, 2);
      assert.equal(await text(page, '#memory .reading'), idle);
   }));

test('a click zooms into a box, the button shows the whole again', () =>
   withPage('made.html', async page => {
      const before = await boxes(page, 'memory');
      assert.equal(await page.$eval('#memory .tools button', button => button.disabled), true);
      const place = before.findIndex(box => box.width < before[0].width / 2 && box.width > 60);
      await page.mouse.click(...await center(page, '#memory .box', place));
      await settled(page);
      const after = await boxes(page, 'memory');
      const zoomed = after.find(box => box.name === before[place].name &&
                                       Math.abs(box.width - before[0].width) < 1);
      assert.ok(zoomed, 'the box is as wide as the picture');
      assert.ok(after.filter(box => box.classes.includes('above')).length > 0);
      await page.click('#memory .tools button');
      await settled(page);
      assert.deepEqual((await boxes(page, 'memory')).map(box => box.name),
                       before.map(box => box.name));
   }));

test('keys: from box to box, into one, out again', () => withPage('made.html', async page => {
   const focused = () => page.evaluate(() => {
      const {box} = document.activeElement;
      return box ? {level: box.level, left: box.left, name: document.activeElement.innerText,
                    width: box.width} : null;
   });
   await page.$eval('#memory .box[tabindex="0"]', box => box.focus());
   assert.equal((await focused()).level, 0);
   await press(page, 'ArrowDown', 'ArrowDown');
   const first = await focused();
   assert.equal(first.level, 2);
   assert.ok((await text(page, '#memory .reading')).startsWith(first.name));
   await press(page, 'ArrowRight');
   const second = await focused();
   assert.equal(second.level, 2);
   assert.ok(second.left > first.left);
   await press(page, 'ArrowLeft', 'ArrowRight', 'Enter');
   const inside = await focused();
   assert.equal(inside.name, second.name);
   assert.equal(inside.width, 1);
   await press(page, 'Escape');
   assert.equal((await focused()).level, 1);
   await press(page, 'Escape');
   assert.equal((await focused()).level, 0);
   await press(page, 'ArrowUp');
   assert.equal((await focused()).level, 0);
   assert.equal(await page.$$eval('#memory .box[tabindex="0"]', list => list.length), 1);
}));

test('search: what matches stands out, and how much it is', () =>
   withPage('made.html', async page => {
      for (const words of ['work_4', 'libone', 'part3.c', 'nowhere']) {
         await search(page, words);
         for (const column of ['peak-bytes', 'traffic-blocks']) {
            await choose(page, 'memory', column);
            const rows = known.phases.program.sites.filter(([, numbers]) =>
               numbers[column] !== '0');
            const found = rows.filter(([texts]) => texts.some(one => one.includes(words)));
            const sum = found.reduce((all, [, numbers]) => all + BigInt(numbers[column]), 0n);
            const said = await text(page, '#memory .found');
            assert.ok(said.startsWith(`Search: ${found.length} of ${rows.length} call chains, ` +
                                      grouped(sum) + ' '), said);
         }
         const marked = await page.$$eval('#memory .box', list => list.map(node => ({
            match: node.classList.contains('match'), dim: node.classList.contains('dim'),
            step: node.box.node && node.box.node.step})));
         for (const {match, dim, step} of marked) {
            const has = Boolean(step) && [step.name, step.object, step.place].some(one =>
               one.includes(words));
            assert.equal(match, has);
            assert.equal(dim, !has);
         }
      }
      await search(page, '');
      assert.equal(await text(page, '#memory .found'), '');
      assert.equal(await page.$$eval('.box.dim, .box.match', list => list.length), 0);
   }));

test('chains from the allocation up: its function is on top, with all that it allocated', () =>
   withPage('made.html', async page => {
      await choose(page, 'direction', 1);
      const innermost = new Map();
      for (const [texts, numbers] of known.phases.program.sites)
         innermost.set(texts[0], (innermost.get(texts[0]) || 0n) + BigInt(numbers['peak-bytes']));
      const tops = await page.$$eval('#memory .box[aria-level="2"]', list =>
         list.filter(node => node.box.node).map(node => [node.box.node.step.name,
                                                         String(node.box.node.values[1])]));
      const sums = new Map();
      for (const [name, digits] of tops)
         sums.set(name, (sums.get(name) || 0n) + BigInt(digits));
      assert.ok(sums.size > 0);
      for (const [name, sum] of sums)
         assert.ok(sum <= innermost.get(name), name);
      const [most] = [...innermost].sort((a, b) => (a[1] < b[1] ? 1 : -1));
      assert.equal(sums.get(most[0]), most[1]);
   }));

test('a phase chosen in its table is that of every view, and of the address', () =>
   withPage('made.html', async page => {
      await page.evaluate(() => [...document.querySelectorAll('#phases .choose')].find(button =>
         button.innerText.includes('phase 1')).click());
      await settled(page);
      for (const section of ['timeline', 'memory', 'functions'])
         assert.match(await text(page, `#${section} .title`), /phase 1/);
      assert.equal(await page.$eval('#phases .chosen .choose', button =>
         button.getAttribute('aria-pressed')), 'true');
      assert.match(await page.$eval('[data-choice="phase"]', list =>
         list.selectedOptions[0].text), /phase 1/);
      await choose(page, 'memory', 'retained-bytes');
      assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('phase'), 'phase 1');
      const title = await text(page, '#memory .title');
      assert.ok(title.includes(grouped(shown('made.xml', 'phase 1', 'heap.retained'))), title);
      await page.reload();
      await settled(page);
      assert.equal(await text(page, '#memory .title'), title);
   }));

test('many phases: the list is narrowed by typing, the table shows more when asked', () =>
   withPage('many.html', async page => {
      const options = () => page.$$eval('[data-choice="phase"] option', list =>
         list.map(option => option.text.trim()));
      assert.equal((await options()).length, 60);
      await page.type('[data-choice="filter"]', 'phase 41');
      assert.deepEqual((await options()).filter(name => name !== 'program'), ['phase 41']);
      await press(page, 'Enter');
      assert.match(await text(page, '#memory .title'), /phase 41/);
      const rows = () => page.$$eval('#phases .phases tbody tr:not(.rest)', list => list.length);
      const before = await rows();
      assert.ok(before >= 40 && before <= 41);
      const rest = await text(page, '#phases .rest');
      assert.ok(rest.startsWith(`${60 - before} smaller phases`), rest);
      await page.click('#phases .rest button');
      assert.equal(await rows(), 60);
      await search(page, 'phase 7');
      assert.equal(await rows(), 2); // and the chosen one
   }));

test('the timeline: drag, keys, buttons and the wheel zoom and move', () =>
   withPage('made.html', async page => {
      const ticks = () => page.$$eval('#timeline .axes text', list => list.map(node =>
         node.textContent).join(' '));
      const plot = '#timeline .plot';
      const whole = await ticks();
      await page.$eval(plot, node => node.scrollIntoView({block: 'center'}));
      const {x, y, width, height} = await (await page.$(plot)).boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.6, y + height / 2, {steps: 3});
      await page.mouse.up();
      await settled(page);
      const part = await ticks();
      assert.notEqual(part, whole);
      await page.$eval(plot, node => node.focus());
      await press(page, 'Escape');
      assert.equal(await ticks(), whole);
      await press(page, '+');
      assert.notEqual(await ticks(), whole);
      await press(page, '-');
      assert.equal(await ticks(), whole);
      await page.keyboard.down('Control');
      await page.mouse.wheel({deltaY: -100});
      await page.keyboard.up('Control');
      await settled(page);
      assert.notEqual(await ticks(), whole);
      await page.evaluate(() => [...document.querySelectorAll('#timeline .tools button')].at(-1)
         .click());
      await settled(page);
      assert.equal(await ticks(), whole);
      // What is under the pointer, by the place in the picture.
      const {points, interval} = known.timeline;
      await page.mouse.move(x + width / 2 + 3, y + height / 2);
      const said = await text(page, '#timeline .reading');
      const begin = BigInt(said.match(/instructions ([\d,]+)/)[1].replace(/,/g, ''));
      const place = Number(begin / BigInt(interval));
      assert.ok(place > points.length * 0.4 && place < points.length * 0.6, said);
      assert.ok(said.includes(`at most ${grouped(points[place][0])} `), said);
   }));

test('everything that acts has a name, the focus is seen, values are announced', () =>
   withPage('made.html', async page => {
      const nameless = await page.$$eval('.bar select, .bar input, .view button, .view select, ' +
         '.view [role="slider"], .view [role="tree"], .view [role="region"]', list =>
         list.filter(node => !(node.getAttribute('aria-label') || node.innerText.trim() ||
                               (node.labels && node.labels.length))).map(node => node.outerHTML));
      assert.deepEqual(nameless, []);
      assert.deepEqual(await page.$$eval('.reading, .found', list => list.filter(node =>
         node.getAttribute('aria-live') !== 'polite').length), 0);
      const visited = new Set();
      for (let n = 0; n < 60; n++) {
         await page.keyboard.press('Tab');
         const here = await page.evaluate(() => {
            const node = document.activeElement;
            const view = node.closest('.view, .bar');
            return view && {view: view.dataset.view || 'bar',
                            outline: getComputedStyle(node).outlineStyle,
                            isOption: node.matches('option')};
         });
         if (!here)
            continue;
         visited.add(here.view);
         assert.notEqual(here.outline, 'none', here.view);
      }
      for (const view of ['bar', 'phases', 'timeline', 'memory', 'functions', 'mix', 'histograms'])
         assert.ok(visited.has(view), 'the Tab key goes to ' + view);
   }));
