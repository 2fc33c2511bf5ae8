/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_looks.js: wide and narrow, light and dark, on paper, without scripts. Of made.xml. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const test = require('node:test');
const {boxes, expected, grouped, settled, shown, withPage} = require('./browser.js');

const known = expected('made.xml');

for (const width of [1600, 1000, 640, 360])
   test(`nothing is wider than a page of ${width} pixels, nothing hangs out of its picture`, () =>
      withPage('made.html', async page => {
         const [whole, inside] = await page.evaluate(() =>
            [document.documentElement.scrollWidth, innerWidth]);
         assert.ok(whole <= inside, `${whole} in ${inside}`);
         for (const section of ['memory', 'functions']) {
            const drawn = await boxes(page, section);
            const [all] = drawn;
            for (const box of drawn) {
               assert.ok(box.left >= all.left - 1 &&
                         box.left + box.width <= all.left + all.width + 1, box.name);
               for (const other of drawn.filter(item => item.top === box.top && item !== box))
                  assert.ok(other.left + other.width <= box.left + 1 ||
                            box.left + box.width <= other.left + 1,
                            `${box.name} lies over ${other.name}`);
            }
         }
      }, {width}));

test('pictures follow the width of the page', () => withPage('made.html', async page => {
   for (const width of [1200, 700, 1000]) {
      await page.setViewport({width, height: 900});
      await settled(page);
      await settled(page);
      const [box] = await boxes(page, 'memory');
      const frame = await page.$eval('#memory .view', node => node.clientWidth);
      assert.ok(Math.abs(box.width - frame) < 2);
      const plot = await page.$eval('#timeline .plot', node =>
         [node.getAttribute('viewBox').split(' ')[2], node.parentNode.clientWidth]);
      assert.equal(Number(plot[0]), plot[1]);
   }
}));

for (const width of [1200, 500])
   test(`the bar and the links stay in sight and cover no title, ${width} pixels wide`, () =>
      withPage('made.html', async page => {
         for (const section of ['timeline', 'mix', 'phases']) {
            await page.$eval(`nav a[href="#${section}"]`, link => link.click());
            await settled(page);
            const [links, bar, title] = await page.evaluate(id =>
               ['nav', '.bar', `#${id} h2`].map(one => {
                  const {top, bottom} = document.querySelector(one).getBoundingClientRect();
                  return {top, bottom};
               }), section);
            assert.ok(Math.abs(links.top) < 1);
            assert.ok(title.top >= links.bottom - 1 && title.top < 300, section);
            if (width > 640)
               assert.ok(bar.top >= links.bottom - 1 && title.top >= bar.bottom - 1, section);
         }
      }, {width}));

/* Contrast of what is written in boxes and cells with what is behind it. */
function contrasts(page) {
   return page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
      const rgb = (...layers) => {
         layers.forEach(color => {
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
         });
         return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const luminance = color => color.map(one => one / 255).map(one =>
         (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
         .reduce((sum, one, n) => sum + one * [0.2126, 0.7152, 0.0722][n], 0);
      const paper = getComputedStyle(document.body).backgroundColor;
      const root = getComputedStyle(document.documentElement).backgroundColor;
      return [...document.querySelectorAll('.box:not(.dim), .view td, .view th, .view p, ' +
                                           '.view li, .view button:not(:disabled), .bar select')]
         .filter(node => node.innerText.trim() && node.offsetParent).map(node => {
            const style = getComputedStyle(node);
            const behind = rgb('white', root, paper, style.backgroundColor);
            const [light, dark] = [luminance(rgb(style.color)), luminance(behind)]
               .sort((a, b) => b - a);
            return {what: node.className + ' ' + node.innerText.slice(0, 30),
                    contrast: (light + 0.05) / (dark + 0.05)};
         });
   });
}

for (const scheme of ['light', 'dark'])
   test(scheme + ': text stands out from what is behind it', () =>
      withPage('made.html', async page => {
         await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
         await settled(page);
         const found = await contrasts(page);
         assert.ok(found.length > 100);
         assert.deepEqual(found.filter(({contrast}) => contrast < 4.5), []);
         const [red] = await page.evaluate(() =>
            getComputedStyle(document.documentElement).getPropertyValue('--paper')
               .match(/[0-9a-f]{2}/i));
         assert.equal(parseInt(red, 16) > 127, scheme === 'light');
      }));

test('on paper: tables are open, controls are gone, a PDF comes of it', () =>
   withPage('made.html', async page => {
      await page.emulateMediaType('print');
      assert.equal(await page.$eval('.bar', bar => bar.offsetParent), null);
      assert.equal(await page.$eval('#timeline .tools', tools => tools.offsetParent), null);
      await page.evaluate(() => {
         window.opened = null;
         addEventListener('beforeprint', () => setTimeout(() => 0) && (window.opened =
            [...document.querySelectorAll('details.tables')].every(table => table.open)));
      });
      await page.pdf({path: 'made.pdf', format: 'A4'});
      assert.equal(await page.evaluate(() => window.opened), true);
      const pdf = fs.readFileSync('made.pdf');
      assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
      assert.ok(pdf.length > 20000);
      assert.ok(await page.$$eval('details.tables', list => list.every(table => !table.open)));
   }));

test('without scripts: the tables have the numbers, and no empty view is seen', () =>
   withPage('made.html', async page => {
      const body = await page.$eval('body', node => node.innerText);
      for (const phase of Object.keys(known.phases)) {
         assert.ok(body.includes(phase));
         for (const metric of ['heap.peak', 'instructions.total'])
            assert.ok(body.includes(grouped(shown('made.xml', phase, metric))), metric);
      }
      assert.equal(await page.$$eval('.view', list =>
         list.filter(view => view.offsetParent !== null).length), 0);
      assert.equal(await page.$eval('details.tables', table => table.open), true);
      assert.equal(await page.$('.bar'), null);
   }, {scripts: false}));
