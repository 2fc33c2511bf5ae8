/* SPDX-License-Identifier: GPL-2.0-or-later */
/* browser.js: a page from the disk in headless Chromium, for the tests of this folder.
 *
 * A page that fetches anything but itself, writes to the console, throws or breaks its
 * content-security policy fails the test that looks at it, when the test ends.
 */
'use strict';

const assert = require('node:assert/strict');
const {execFileSync} = require('node:child_process');
const path = require('node:path');
const {after} = require('node:test');
const puppeteer = require('puppeteer-core');

const {PROFMEM, abs_top_srcdir: source} = process.env;

let browser = null;
after(async () => browser && browser.close());

async function launched() {
   if (!browser)
      browser = await puppeteer.launch({executablePath: '/usr/bin/chromium', headless: true,
         userDataDir: path.join(process.cwd(), 'user'),
         args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']});
   return browser;
}

/* Calls look(page) with a page of that file. options: {width, height, scripts: false, hash}. */
async function withPage(file, look, options = {}) {
   const page = await (await launched()).newPage();
   const seen = [];
   const address = 'file://' + path.resolve(file);
   page.on('console', message => seen.push('console: ' + message.text()));
   page.on('pageerror', error => seen.push('error: ' + (error.stack || error)));
   await page.setRequestInterception(true);
   page.on('request', request => {
      const url = request.url();
      if (url.split('#')[0] !== address && !(url === 'about:blank'))
         seen.push('request: ' + url);
      request.continue();
   });
   await page.evaluateOnNewDocument(() => {
      window.violations = [];
      document.addEventListener('securitypolicyviolation', event =>
         window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
   });
   await page.setViewport({width: options.width || 1200, height: options.height || 900});
   await page.setJavaScriptEnabled(options.scripts !== false);
   await page.goto(address + (options.hash || ''), {waitUntil: 'load'});
   if (options.scripts !== false)
      await settled(page);
   await look(page, seen);
   if (options.scripts !== false)
      seen.push(...await page.evaluate(() => window.violations));
   assert.deepEqual(seen, []);
   await page.close();
}

/* Pictures are drawn when their width is known, in the next frame but one. */
async function settled(page) {
   await page.evaluate(() => new Promise(done =>
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
}

/* ---- The referees */

/* What the XML says, by page_referee.py. */
function expected(report) {
   return JSON.parse(execFileSync('/usr/bin/python3',
      [path.join(source, 'tests/html/page_referee.py'), report],
      {encoding: 'utf8', maxBuffer: 1 << 28}));
}

/* What `profmem show` says: digits. */
function shown(report, phase, metric) {
   return execFileSync(PROFMEM, ['show', '--phase', phase, '--metric', metric, report],
                       {encoding: 'utf8'}).trim();
}

/* 66077 -> 66,077 by the engine's own means. */
function grouped(digits) {
   return BigInt(digits).toLocaleString('en-US').replace('-', '\u2212');
}

/* ---- What a reader sees and does */

function text(page, selector) {
   return page.$eval(selector, node => node.innerText);
}

/* Chooses an option of the bar by its value, or by its place. */
async function choose(page, what, option) {
   await page.evaluate((key, wanted) => {
      const select = document.querySelector(`[data-choice="${key}"]`);
      if (typeof wanted === 'number')
         select.selectedIndex = wanted;
      else
         select.value = wanted;
      select.dispatchEvent(new Event('change', {bubbles: true}));
   }, what, option);
   await settled(page);
}

async function choosePhase(page, name) {
   const place = await page.$$eval('[data-choice="phase"] option',
      (options, wanted) => options.findIndex(option => option.text.trim() === wanted), name);
   assert.notEqual(place, -1, 'the list has the phase ' + name);
   await choose(page, 'phase', place);
}

async function search(page, words) {
   await page.$eval('[data-choice="search"]', (input, value) => {
      input.value = value;
      input.dispatchEvent(new Event('input', {bubbles: true}));
   }, words);
   await settled(page);
}

/* Presses keys one after the other; what is said afterwards in the view of the element. */
async function press(page, ...keys) {
   for (const key of keys)
      await page.keyboard.press(key);
   await settled(page);
}

/* The boxes of an icicle: {name, left, top, width, classes} in pixels of the page. */
function boxes(page, section) {
   return page.$$eval(`#${section} .box`, list => list.map(box => {
      const {left, top, width, height} = box.getBoundingClientRect();
      return {name: box.innerText, classes: [...box.classList], left, top, width, height};
   }));
}

/* The cells of a table's body, row by row. */
function cells(page, selector) {
   return page.$$eval(selector + ' tbody tr', rows => rows.map(row =>
      [...row.cells].map(cell => cell.innerText.replace(/\s+/g, ' ').trim())));
}

module.exports = {boxes, cells, choose, choosePhase, expected, grouped, press, search, settled,
                  shown, text, withPage};
