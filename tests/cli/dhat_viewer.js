// SPDX-License-Identifier: GPL-2.0-or-later
// dhat_viewer.js: what DHAT's viewer makes of a file, without a browser.
//
//   node dhat_viewer.js DH_VIEW.JS FILE
//
// Runs the viewer's own script as its page does, with as much of a document as it uses, has it
// load the file, and prints its tree as JSON: the sums of the root, each leaf by its frames,
// and the text that the page shows. An error of the viewer is one of this program.
'use strict';
const fs = require('fs');
const vm = require('vm');

class Element {
   constructor(tag) {
      this.tagName = tag;
      this.childNodes = [];
      this.text = '';
      this.classList = {contains: () => false};
   }
   appendChild(child) {
      this.childNodes.push(child);
   }
   cloneNode() {
      return new Element(this.tagName);
   }
   get parentNode() {
      return {
         replaceChild: (child, old) => {
            const at = document.body.childNodes.indexOf(old);
            document.body.childNodes[at] = child;
         },
      };
   }
   get selectedIndex() {
      return Math.max(0, this.childNodes.findIndex(child => child.selected));
   }
   set textContent(text) {
      this.childNodes = [];
      this.text = String(text);
   }
   get textContent() {
      return this.text + this.childNodes.map(child => child.textContent).join('');
   }
}

const document = {
   title: '',
   body: new Element('body'),
   location: {search: ''},
   createElement: tag => new Element(tag),
   createTextNode: text => Object.assign(new Element('#text'), {text}),
};

class FileReader {
   readAsText(file) {
      this.onload({target: {result: fs.readFileSync(file.name, 'utf-8')}});
   }
}

const context = vm.createContext({document, FileReader, performance, URLSearchParams, Intl});
vm.runInContext(fs.readFileSync(process.argv[2], 'utf-8'), context);
context.name = process.argv[3];
const result = vm.runInContext(`
   onLoad();
   gInput.files = [{name}];
   loadFile();
   (() => {
      const values = node => [node._totalBytes, node._totalBlocks, node._atTGmaxBytes,
                              node._atTGmaxBlocks, node._atTEndBytes, node._atTEndBlocks];
      const leaves = (node, before) => {
         const frames = before.concat(node._frames);
         return node._kids ? node._kids.flatMap(kid => leaves(kid, frames))
                           : [[frames.map(frame => gData.ftbl[frame]), values(node)]];
      };
      return {sums: values(gRoot), leaves: leaves(gRoot, []), page: document.body.textContent};
   })()`, context);
process.stdout.write(JSON.stringify(result));
