/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_icicle.js: a tree of numbers as boxes, the outermost on top, each as wide as its number.
 *
 * Boxes are placed in shares of the width, so that they follow it, on paper too; which of them
 * are wide enough to be drawn is decided anew when it changes. One box takes part in the order
 * of the Tab key, arrow keys go from it to the others, Enter zooms in, Escape out.
 */
(function (profmem) {
'use strict';

const {amount, group, largest, ratio, share, signed, magnitude} = profmem.number;
const {sayMetric} = profmem.bars;
const {layout, search, stepMatches} = profmem.tree;
const {element, name, onWidth, place, Reading} = profmem.dom;
const {NEW} = profmem;

const NARROWEST = 4;      // pixels of a box
const LABELLED = 28;      // pixels from which on it has room for text
const ROOMY = 90;         // and for a few words
const SIGNED = 150;       // and for a name and a number
const MOST_BOXES = 2500;
const ROW = 22;           // pixels from one level to the next, as in views.css

class Icicle {
   /* whole: what the outermost box is called. colors: Colors, of object files. controls: of
      the view, beside the icicle's own. */
   constructor(report, colors, {label, whole, controls = []}) {
      Object.assign(this, {report, colors, whole, query: '', focus: null, boxes: []});
      this.reading = new Reading('Point at a box, or go there with the arrow keys, for its ' +
                                 'numbers. A click or Enter zooms in, Escape out.');
      this.frames = element('div', {class: 'frames', role: 'tree', 'aria-label': label,
                                    keydown: event => this.key(event),
                                    focusin: event => this.enter(event.target),
                                    mouseover: event => this.enter(event.target),
                                    mouseleave: () => this.reading.clear(),
                                    click: event => this.click(event.target)});
      this.out = element('button', {type: 'button', click: () => this.zoom(this.tree)},
                         'Show the whole');
      this.found = element('p', {class: 'found', role: 'status', 'aria-live': 'polite'});
      this.note = element('p', {class: 'note'});
      this.node = element('div', {class: 'icicle'}, element('div', {class: 'tools'}, controls,
         this.out, this.found), this.frames, this.reading.node, this.note);
      onWidth(this.frames, width => { this.width = width; this.draw(); });
   }

   /* listing: which sides the tree has numbers of. */
   show(tree, unit, listing) {
      Object.assign(this, {tree, unit, listing, focus: tree});
      this.draw();
   }

   look(query, what) {
      this.query = query;
      this.found.replaceChildren();
      if (query && this.tree) {
         const found = search(this.tree, query);
         this.found.append(`Search: ${group(BigInt(found.leaves))} of ` +
            `${group(BigInt(this.tree.leaves.length))} ${what}, `, ...this.numbers(found.values));
      }
      for (const box of this.boxes)
         this.mark(box);
   }

   zoom(node) {
      if (!node || node === this.focus)
         return;
      this.focus = node;
      this.draw();
      const box = this.boxes.find(item => item.node === node);
      this.select(box);
      box.drawn.focus({preventScroll: true});
   }

   draw() {
      if (!this.tree || !this.width)
         return;
      const {boxes, cut} = layout(this.focus, NARROWEST / this.width, MOST_BOXES);
      this.boxes = boxes;
      this.frames.replaceChildren(...boxes.map(box => this.box(box)));
      const deepest = boxes.reduce((level, box) => Math.max(level, box.level), 0);
      this.frames.style.height = ((deepest + 1) * ROW) + 'px';
      this.out.disabled = this.focus === this.tree;
      this.note.textContent = cut ? 'Deeper levels are not drawn: zoom in for them.' : '';
      this.select(boxes.find(box => box.node === this.focus));
      this.reading.clear();
   }

   box(box) {
      const {node} = box;
      const isWide = box.width * this.width >= LABELLED;
      box.drawn = element('div', {class: 'box', role: 'treeitem', tabindex: -1,
                                  'aria-level': box.level + 1});
      box.drawn.box = box;
      box.drawn.style.top = (box.level * ROW) + 'px';
      box.drawn.classList.toggle('labelled', isWide);
      place(box.drawn, box.left, box.width);
      if (node && node.level < this.focus.level)
         box.drawn.classList.add('above');
      if (box.smaller) {
         box.drawn.classList.add('smaller');
         box.drawn.append(!isWide ? '' : box.width * this.width < ROOMY ? '\u2026'
                          : group(BigInt(box.smaller)) + ' smaller');
      } else if (!node.parent) {
         box.drawn.append(this.whole);
      } else {
         box.drawn.classList.add(node.step.others ? 'hue-none' : this.colors.of(node.step.object));
         box.drawn.classList.toggle('inlined', node.step.inlined);
         if (isWide)
            box.drawn.append(name(node.step.name));
      }
      this.markChange(box, isWide);
      this.mark(box);
      return box.drawn;
   }

   /* With a baseline: more or less, by a sign and by color, which is the fuller the more of
      the box has changed. */
   markChange(box, isWide) {
      if (!this.report.hasBaseline || this.listing.includes(false))
         return;
      const [before, after] = (box.node || box).values;
      const word = after > before ? 'more' : after < before ? 'less' : 'same';
      box.drawn.classList.add('compared', word);
      const changed = ratio(magnitude(after - before), largest([before, after]));
      box.drawn.style.setProperty('--full', (12 + 33 * changed) + '%');
      if (!isWide || after === before)
         return;
      const sign = after > before ? '\u25b2' : '\u25bc';
      if (box.width * this.width < SIGNED)
         box.drawn.prepend(element('span', {class: 'sign'}, sign));
      else
         box.drawn.append(element('span', {class: 'sign amount'}, sign + signed(after - before)));
   }

   mark(box) {
      const step = box.node && box.node.step;
      const matches = Boolean(this.query) && Boolean(step) && stepMatches(step, this.query);
      box.drawn.classList.toggle('match', matches);
      box.drawn.classList.toggle('dim', Boolean(this.query) && !matches);
   }

   /* The one box that the Tab key reaches. */
   select(box) {
      if (this.selected) {
         this.selected.drawn.tabIndex = -1;
         this.selected.drawn.removeAttribute('aria-selected');
      }
      this.selected = box;
      box.drawn.tabIndex = 0;
      box.drawn.setAttribute('aria-selected', 'true');
   }

   boxOf(target) {
      const drawn = target.closest('.box');
      return drawn && drawn.box;
   }

   enter(target) {
      const box = this.boxOf(target);
      if (box)
         this.reading.say(box.smaller ? this.sayRest(box) : this.sayNode(box.node));
   }

   click(target) {
      const box = this.boxOf(target);
      if (!box)
         return;
      this.select(box);
      this.zoom(box.node || box.of);
   }

   key(event) {
      const box = this.boxOf(event.target);
      const goals = {
         ArrowUp: () => this.beside(box, -1, () => true),
         ArrowDown: () => this.beside(box, 1, () => true),
         ArrowLeft: () => this.next(box, -1),
         ArrowRight: () => this.next(box, 1),
         Home: () => this.boxes[0]};
      if (!box || event.altKey || event.ctrlKey || event.metaKey)
         return;
      if (event.key === 'Enter' || event.key === ' ') {
         this.zoom(box.node || box.of);
      } else if (event.key === 'Escape' && this.focus.parent) {
         this.zoom(this.focus.parent);
      } else if (goals[event.key]) {
         const goal = goals[event.key]();
         if (goal) {
            this.select(goal);
            goal.drawn.focus();
         }
      } else {
         return;
      }
      event.preventDefault();
   }

   /* The box above or below: of those below the first. */
   beside(box, step) {
      const middle = box.left + box.width / 2;
      const row = this.boxes.filter(item => item.level === box.level + step);
      return step < 0 ? row.find(item => item.left <= middle && middle <= item.left + item.width)
                      : row.find(item => item.left >= box.left - 1e-9 &&
                                         item.left < box.left + box.width);
   }

   /* The box to the left or right of the same level. */
   next(box, step) {
      const row = this.boxes.filter(item => item.level === box.level);
      return row[row.indexOf(box) + step];
   }

   /* ---- Words */

   numbers(values) {
      const whole = this.tree.values;
      if (!this.report.hasBaseline)
         return [amount(values[NEW], this.unit) + ', ' + share(values[NEW], whole[NEW]) + ' of ' +
                 group(whole[NEW])];
      return [sayMetric(this.report, values.map((value, side) =>
         (this.listing[side] ? {value, unit: this.unit} : null)))];
   }

   sayRest(box) {
      return [`${group(BigInt(box.smaller))} smaller: `, ...this.numbers(box.values)];
   }

   sayNode(node) {
      if (!node.parent)
         return [this.whole + ': ', ...this.numbers(node.values)];
      const {step} = node;
      const details = [step.place, step.object && step.object !== step.name ? step.object : '',
                       step.inlined ? 'inlined into the one above it' : ''].filter(Boolean);
      return [element('bdi', {class: 'full'}, step.name),
              ...details.flatMap((text, n) => [n ? ', ' : ' (', element('bdi', {}, text)]),
              details.length ? '): ' : ': ', ...this.numbers(node.values), this.sayOwn(node),
              node.guessed ? '; paired with the old one by guess' : ''];
   }

   /* What of a node's number is in none of its children. */
   sayOwn(node) {
      if (node.children.length === 0 || this.report.hasBaseline)
         return '';
      const below = node.children.reduce((total, child) => total + child.values[NEW], 0n);
      return below === node.values[NEW] ? ''
             : '; itself ' + amount(node.values[NEW] - below, this.unit);
   }
}

profmem.Icicle = Icicle;
}(globalThis.profmem = globalThis.profmem || {}));
