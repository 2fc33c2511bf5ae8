/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_baseline.js: a report beside its baseline: old, new and change in every view. Of
 * after.xml with the baseline before.xml, and of renamed.xml and bare.xml with the same; bare.xml
 * lists no call chains and no functions.
 */
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const {cells, choose, choosePhase, expected, grouped, shown, text, withPage} =
   require('./browser.js');

const [before, after] = [expected('before.xml'), expected('after.xml')];
const phases = Object.keys(after.phases).filter(name => name in before.phases);

function signed(difference) {
   return difference === 0n ? 'no change' : (difference > 0n ? '+' : '') + grouped(difference);
}

/* old, new, change in three cells or in a sentence. */
function checkCells([old, now, change], digits) {
   assert.equal(old.split(' ')[0], grouped(digits[0]));
   assert.equal(now.split(' ')[0], grouped(digits[1]));
   const difference = BigInt(digits[1]) - BigInt(digits[0]);
   const sign = difference > 0n ? '\u25b2 ' : difference < 0n ? '\u25bc ' : '';
   assert.ok(change.startsWith(sign + signed(difference)), change);
}

function checkSaid(said, digits) {
   const found = said.match(/old ([\d,]+).*new ([\d,]+).*?(?:change (\S+)|no change)/s);
   assert.ok(found, said);
   assert.equal(found[1], grouped(digits[0]), said);
   assert.equal(found[2], grouped(digits[1]), said);
   const difference = BigInt(digits[1]) - BigInt(digits[0]);
   assert.equal(found[3] || 'no change', signed(difference), said);
}

test('phases', () => withPage('after.html', async page => {
   for (const row of await cells(page, '#phases .phases')) {
      const name = row[0].replace(/^\u25b8/, '').replace(/ \d+ instances$/, '').trim();
      const both = metric => ['before.xml', 'after.xml'].map(file => shown(file, name, metric));
      checkCells(row.slice(2, 5), both('instructions.total'));
      checkCells(row.slice(5, 8), both('heap.peak'));
   }
   assert.equal((await cells(page, '#phases .phases')).length, phases.length);
}));

test('timeline: both curves, the numbers of both at one place', () =>
   withPage('after.html', async page => {
      assert.ok(await page.$('#timeline path.most.old'));
      const title = await text(page, '#timeline .title');
      const both = ['before.xml', 'after.xml'].map(file => shown(file, 'program', 'heap.peak'));
      checkSaid(title.slice(title.indexOf('; peak'), title.indexOf('; exit')), both);
      await page.$eval('#timeline .plot', plot => plot.focus());
      await page.keyboard.press('Home');
      const said = await text(page, '#timeline .reading');
      for (const [word, side] of [['Old', before], ['New', after]])
         assert.ok(said.includes(`${word}: instructions 0 to `) &&
                   said.includes(`at most ${grouped(side.timeline.points[0][0])} `), said);
   }));

test('memory and functions: each box has old, new and change', () =>
   withPage('after.html', async page => {
      for (const phase of phases) {
         await choosePhase(page, phase);
         for (const column of ['peak-bytes', 'traffic-blocks', 'retained-bytes']) {
            await choose(page, 'memory', column);
            const sides = [before, after].map(side => side.phases[phase].memory[column]);
            checkSaid(await text(page, '#memory .title'), sides.map(side => side.total));
            await checkBoxes(page, 'memory', sides.map(side => side.chains), step =>
               `${step.name}\t${step.object}\t${step.inlined ? 'yes' : 'no'}`);
         }
         await choose(page, 'instructions', 'instructions');
         const sides = [before, after].map(side => side.phases[phase].functions.instructions);
         checkSaid(await text(page, '#functions .title'), sides.map(side => side.total));
         await checkBoxes(page, 'functions', sides.map(side => ({...side.objects,
            ...side.functions})), step => step.name);
      }
   }));

async function checkBoxes(page, section, sums, keyOf) {
   const drawn = await page.$$eval(`#${section} .box`, list => list.map(node => {
      node.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
      return {said: node.closest('.icicle').querySelector('.reading').innerText,
              classes: [...node.classList], sign: node.innerText.match(/[\u25b2\u25bc]/),
              isLabelled: node.classList.contains('labelled'),
              path: node.box.node && node.box.node.chain.map(one => one.step)};
   }));
   let checked = 0;
   for (const {said, classes, sign, isLabelled, path} of drawn) {
      if (!path || path.length === 0 || path.some(step => step.others))
         continue;
      const digits = sums.map(side => side[path.map(keyOf).join('\n')] || '0');
      checkSaid(said.slice(said.lastIndexOf(': old')), digits);
      const change = BigInt(digits[1]) - BigInt(digits[0]);
      assert.ok(classes.includes(change > 0n ? 'more' : change < 0n ? 'less' : 'same'));
      if (isLabelled && change !== 0n)
         assert.equal(sign && sign[0], change > 0n ? '\u25b2' : '\u25bc');
      checked++;
   }
   assert.ok(checked > 3);
}

test('mix, histograms, threads', () => withPage('after.html', async page => {
   for (const phase of phases) {
      await choosePhase(page, phase);
      const both = [before, after].map(side => side.phases[phase]);
      const rows = await cells(page, '#mix .dense');
      ['total', 'vector', 'load'].forEach(name => {
         const digits = both.map(side => side.metrics['instructions.' + name]);
         const place = {total: 0, vector: 1, load: 3}[name];
         if (digits.every(one => one !== undefined))
            checkCells(rows[place].slice(2), digits);
      });
      const names = await page.$$eval('#mix .mix tbody tr:not(.rest) th', heads => heads.map(
         head => [...head.querySelectorAll('bdi')].map(part => part.textContent).reverse()));
      const functions = await cells(page, '#mix .mix');
      names.filter(path => path.length === 2).forEach((path, n) => {
         const numbers = column => both.map(side =>
            side.functions[column].functions[path.join('\n')] || '0');
         if (!functions[n].includes('none'))
            checkCells(functions[n].slice(1, 4), numbers('instructions'));
         ['vector', 'scalar-float', 'load', 'store', 'branch', 'call'].forEach((column, c) => {
            const [old, now] = numbers(column);
            assert.equal(functions[n][4 + c], old === now ? `${grouped(now)} no change`
               : `${grouped(now)} old ${grouped(old)} ${signed(BigInt(now) - BigInt(old))}`);
         });
      });
      const tables = await page.$$eval('#histograms .dense', list => list.map(table =>
         [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.innerText))));
      ['sizes', 'lifetimes'].forEach((kind, n) => {
         for (const row of tables[n]) {
            const from = row[0].match(/^[\d,]+/)[0].replace(/,/g, '');
            checkCells(row.slice(2).map(cell => cell.replace(/\s+/g, ' ')),
                       both.map(side => side.histograms[kind][from] || '0'));
         }
      });
      for (const row of await cells(page, '#threads .threads')) {
         const digits = both.map(side => side.threads.find(one => one.number === row[0]));
         checkCells(row.slice(2, 5), digits.map(one => one.instructions));
         checkCells(row.slice(5, 8), digits.map(one => one['traffic-bytes']));
      }
   }
}));

test('what was paired by guess says so, and nothing else does', () =>
   withPage('renamed.html', async page => {
      const found = await page.evaluate(() => {
         const {difference} = JSON.parse(document.getElementById('profmem-data').textContent);
         const boxes = [...document.querySelectorAll('#functions .box')].filter(node =>
            node.box.node && node.box.node.level === 2).map(node => {
            node.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
            return {name: node.box.node.step.name,
                    says: document.querySelector('#functions .reading').innerText
                       .includes('by guess')};
         });
         return {boxes, guessed: difference.functions.filter(pair => pair[2]).length};
      });
      assert.ok(found.guessed > 0);
      const saying = found.boxes.filter(box => box.says).map(box => box.name);
      assert.deepEqual(saying, ['work_1_renamed']);
   }));

test('what a side does not list is unknown there, not 0', () =>
   withPage('bare.html', async page => {
      for (const [key, column, section] of [['memory', 'retained-blocks', 'memory'],
                                            ['instructions', 'calls', 'functions']]) {
         await choose(page, key, column);
         assert.match(await text(page, `#${section} .title`), /old [\d,]+ .*new unavailable: /);
         const boxes = await page.$$eval(`#${section} .box`, list => list.map(node => {
            node.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
            return {said: node.closest('.icicle').querySelector('.reading').innerText,
                    words: node.innerText, classes: [...node.classList]};
         }));
         assert.ok(boxes.length > 3);
         for (const {said, words, classes} of boxes) {
            assert.match(said, /old [\d,]+ \w+, new none$/);
            assert.ok(!/[\u25b2\u25bc]/.test(words) && !classes.includes('compared'), words);
         }
      }
      const rows = await cells(page, '#mix .mix');
      assert.ok(rows.length > 3);
      for (const row of rows.filter(one => one.length > 4))
         for (const cell of row.slice(4))
            assert.match(cell, /^none old [\d,]+$/);
   }));

test('unlike points of two timelines are not subtracted', () =>
   withPage('after.html', async page => {
      await page.$eval('#timeline .plot', plot => plot.focus());
      await page.keyboard.press('End');
      assert.ok(!(await text(page, '#timeline .reading')).includes('change'));
   }));
