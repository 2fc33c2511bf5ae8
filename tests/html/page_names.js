/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_names.js: names of the profiled program are text, whatever is in them. Of hostile.xml,
 * whose names are the lines of names.txt, and of the fixture hostile-names.
 */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const test = require('node:test');
const {press, search, settled, text, withPage} = require('./browser.js');

const NAMES = fs.readFileSync('names.txt', 'utf8').trimEnd().split('\n')
                .map(line => line.replaceAll('\\n', '\n'));

/* Nothing of the page is there but what its own template and scripts make. */
async function isOnlyOurs(page) {
   const found = await page.evaluate(() => ({
      scripts: document.querySelectorAll('script').length,
      foreign: document.querySelectorAll('img, iframe, object, embed, link, base, video, i, ' +
                                         'a[href^="j"]').length,
      handlers: [...document.querySelectorAll('*')].filter(node =>
         [...node.attributes].some(one => one.name.startsWith('on'))).length,
      hit: window.hit}));
   assert.deepEqual(found, {scripts: 2, foreign: 0, handlers: 0});
}

test('hostile names are text in every view', () => withPage('hostile.html', async page => {
   await isOnlyOurs(page);
   const steps = await page.$$eval('.box', list => list.map(node =>
      [node.box.node && node.box.node.step && node.box.node.step.name, node.textContent,
       node.querySelector('bdi') && node.querySelector('bdi').textContent]));
   const seen = new Set();
   for (const [name, , shown] of steps.filter(([one, , two]) => one !== null && two !== null)) {
      seen.add(name);
      if (name.length <= 160 && name !== '')
         assert.equal(shown, name);
   }
   assert.ok(seen.size > NAMES.length / 2);
   for (const name of seen)
      assert.ok(NAMES.includes(name) || name === '', JSON.stringify(name));
   // Names that are drawn are isolated: a bdi, and nothing of a name outside of one.
   assert.equal(await page.$$eval('.box', list => list.filter(node => node.box.node &&
      node.box.node.step && node.querySelector('bdi') === null &&
      node.textContent !== '').length), 0);
}));

test('searching for markup, choosing such a phase', () => withPage('hostile.html', async page => {
   await search(page, '</script>');
   assert.match(await text(page, '#memory .found'), /^Search: [1-9]/);
   const count = await page.$$eval('[data-choice="phase"] option', list => list.length);
   for (let place = 0; place < count; place++) {
      await page.evaluate(n => {
         const list = document.querySelector('[data-choice="phase"]');
         list.selectedIndex = n;
         list.dispatchEvent(new Event('change'));
      }, place);
      await settled(page);
      await isOnlyOurs(page);
   }
   // The address holds the name of a phase, and a page that is opened there has it chosen.
   const title = await page.$eval('#memory .title', node => node.textContent);
   await page.reload();
   await settled(page);
   assert.equal(await page.$eval('#memory .title', node => node.textContent), title);
}));

test('a name of 10,000 characters is clipped, and all of it is within reach', () =>
   withPage('hostile.html', async page => {
      const long = NAMES.find(name => name.length >= 10000);
      assert.ok(await page.$$eval('.box', list => list.every(box => box.textContent.length < 400)));
      const said = await page.$$eval('.box', (list, name) => {
         const box = list.find(node => node.box.node && node.box.node.step &&
                                       node.box.node.step.name === name);
         box.focus();
         return document.querySelector('#memory .reading').textContent +
                document.querySelector('#functions .reading').textContent;
      }, long);
      assert.ok(said.includes(long));
      const opened = await page.$$eval('#mix details.long-name', (list, name) => list.map(one => {
         one.querySelector('summary').click();
         return one.open && one.querySelector('.full').textContent === name;
      }), long);
      assert.ok(opened.includes(true));
      const [whole, inside] = await page.evaluate(() =>
         [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(whole <= inside);
   }));

test('a name of blanks alone is seen, and said', () => withPage('fixture.html', async page => {
   const shown = await page.evaluate(() => ['', ' \t', ' a '].map(text => {
      const node = profmem.dom.name(text);
      return [node.textContent, node.title];
   }));
   assert.deepEqual(shown, [['(empty name)', ''], ['(blank name)', ' \t'], [' a ', '']]);
}));

test('the fixture of hostile names: nothing of it acts, nothing throws', () =>
   withPage('fixture.html', async page => {
      await isOnlyOurs(page);
      assert.match(await text(page, '#memory .title'), /64 bytes/);
   }));

test('the policy of the page refuses what is not its own', async () => {
   let refused = null;
   await assert.rejects(withPage('hostile.html', async page => {
      await page.evaluate(() => {
         const script = document.createElement('script');
         script.textContent = 'window.hit = true';
         document.body.append(script);
         const image = document.createElement('img');
         image.src = 'https://example.invalid/x.png';
         document.body.append(image);
      });
      await settled(page);
      refused = await page.evaluate(() => [window.hit, ...window.violations.map(one =>
         one.split(' ')[0])]);
      await press(page, 'Tab');
   }));
   assert.deepEqual(refused.map(one => one || null), [null, 'script-src-elem', 'img-src']);
});
