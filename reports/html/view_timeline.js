/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_timeline.js: live requested bytes over the instructions of the run.
 *
 * Two curves: the most that was live in each interval of the report, and what was live at its
 * end. The chosen phase is a band for each instance, with entry, peak and exit marked, where the
 * report says at which instruction they were; else lines at the heights of its peak and exit.
 *
 * The picture is a slider, too: its value is the interval under the cursor, which is said in
 * words. Drag, or + and -, or Ctrl and the wheel zoom; the wheel alone scrolls the page.
 */
(function (profmem) {
'use strict';

const {amount, group, scaled, share} = profmem.number;
const {decimalTicks, binaryTicks, axisUnit, tickWords, leastPart, timelineOf, intervalAt,
       intervalBounds, curve, zoomed, within} = profmem.scale;
const {sayMetric, isNumber} = profmem.bars;
const {element, svg, name, onWidth, Reading} = profmem.dom;
const {OLD, NEW} = profmem;

const HEIGHT = 280;
const MARGIN = {left: 74, right: 16, top: 22, bottom: 42};
const BOTTOM = HEIGHT - MARGIN.bottom;
const ZOOM = 2;
const MOST_BANDS = 400;
const APART = {x: 60, y: 14}; // pixels that names of marks need
const DRAGGED = 6; // pixels from which on a movement is not a click

const HELP = 'Point at the curve, or move along it with the arrow keys, for its numbers. Drag ' +
             'over a part, or press + and \u2212, to zoom; Escape shows the whole.';

class Timeline {
   constructor(container, report, state) {
      Object.assign(this, {report, state});
      this.lines = report.reports.map(timelineOf);
      if (!this.lines[NEW] || this.lines[NEW].points.length === 0) {
         container.append(element('p', {class: 'note none'}, 'The report has no timeline.'));
         return;
      }
      this.end = Math.max(...this.lines.filter(Boolean).map(line => Number(line.end)));
      this.top = Math.max(1, ...this.lines.filter(Boolean).map(line => Number(line.top)));
      this.shown = [0, this.end];
      this.least = leastPart(this.lines[NEW].interval, this.end);
      this.cursor = null;
      this.title = element('p', {class: 'title'});
      this.note = element('p', {class: 'note'});
      this.reading = new Reading(HELP);
      this.plot = svg('svg', {class: 'plot', height: HEIGHT, tabindex: 0, role: 'slider',
         'aria-label': 'Place on the timeline', 'aria-valuemin': 0,
         'aria-valuemax': this.lines[NEW].points.length - 1, 'aria-valuenow': 0,
         keydown: event => this.key(event), wheel: event => this.wheel(event),
         pointerdown: event => this.press(event), pointermove: event => this.move(event),
         pointerup: event => this.release(event), pointercancel: () => this.drop(),
         pointerleave: () => this.drag || this.hover(null)});
      this.frame = element('div', {class: 'plot-frame'}, this.plot);
      container.append(this.title, this.tools(), this.frame, this.reading.node, this.legend(),
                       this.note);
      onWidth(this.frame, width => { this.width = width; this.draw(); });
      state.follow(() => this.follow());
   }

   tools() {
      const button = (words, label, act) => element('button', {type: 'button', 'aria-label': label,
         title: label, click: act}, words);
      const middle = () => (this.shown[0] + this.shown[1]) / 2;
      this.whole = button('Show the whole', 'Show the whole run', () => this.show([0, this.end]));
      return element('div', {class: 'tools', role: 'group', 'aria-label': 'Part of the run shown'},
         button('+', 'Zoom in', () => this.zoom(1 / ZOOM, middle())),
         button('\u2212', 'Zoom out', () => this.zoom(ZOOM, middle())),
         button('\u2190', 'Earlier', () => this.pan(-0.5)),
         button('\u2192', 'Later', () => this.pan(0.5)),
         button('Peak', 'Put the cursor on the peak of the run', () =>
            this.put(this.lines[NEW].peak)),
         button('Phase', 'Show the part of the chosen phase', () => this.showPhase()), this.whole);
   }

   legend() {
      const item = (kind, words) => element('li', {},
         svg('svg', {class: 'key', width: 26, height: 12, 'aria-hidden': 'true'},
             svg('path', {class: kind, d: 'M1,6H25'})), words);
      return element('ul', {class: 'legend'}, item('most', 'the most in an interval'),
         item('last', 'at its end'),
         this.report.hasBaseline ? item('most old', 'old: the most in an interval') : null,
         item('band-key', 'instances of the phase'));
   }

   /* ---- Geometry */

   x(at) {
      const [low, high] = this.shown;
      return MARGIN.left + (at - low) / (high - low) * (this.width - MARGIN.left - MARGIN.right);
   }

   at(x) {
      const [low, high] = this.shown;
      const inside = this.width - MARGIN.left - MARGIN.right;
      return low + Math.min(1, Math.max(0, (x - MARGIN.left) / inside)) * (high - low);
   }

   y(bytes) {
      return BOTTOM - bytes / (this.top * 1.06) * (BOTTOM - MARGIN.top);
   }

   show(part) {
      this.shown = part;
      this.draw();
   }

   zoom(factor, at) {
      this.show(zoomed(this.shown, factor, at, this.end, this.least));
   }

   pan(share) {
      const width = this.shown[1] - this.shown[0];
      this.show(within(this.shown[0] + share * width, width, this.end));
   }

   showPhase() {
      const placed = this.placed(NEW);
      if (placed.length === 0)
         return;
      const low = Math.min(...placed.map(item => Number(item.begin)));
      const high = Math.max(...placed.map(item => Number(item.end)));
      const width = Math.max((high - low) * 1.1, this.least);
      this.show(within((low + high - width) / 2, Math.min(width, this.end), this.end));
   }

   placed(side) {
      return this.report.instances(this.state.phase, side).filter(item => item.begin !== null);
   }

   /* ---- What is drawn */

   follow() {
      const {report, state} = this;
      if (this.phase === state.phase)
         return;
      this.phase = state.phase;
      const metric = word => sayMetric(report, report.metric(state.phase, 'heap.' + word));
      this.title.replaceChildren(element('b', {}, 'Live requested bytes'), ', phase ',
         name(state.phase.name), ': entry ', metric('entry'), '; peak ', metric('peak'),
         '; exit ', metric('exit'));
      const here = state.phase.sides[NEW] || state.phase.sides[OLD];
      const placed = this.placed(NEW).length + this.placed(OLD).length;
      this.note.textContent = placed > 0 || here.instances === 0 ? '' :
         'The report does not say at which instructions this phase began and ended: its peak ' +
         'and exit are lines at their heights.';
      this.draw();
   }

   draw() {
      if (!this.width)
         return;
      this.plot.setAttribute('viewBox', `0 0 ${this.width} ${HEIGHT}`);
      const clip = svg('clipPath', {id: 'timeline-part'}, svg('rect', {x: MARGIN.left, y: 0,
         width: Math.max(0, this.width - MARGIN.left - MARGIN.right), height: HEIGHT}));
      this.cursorLine = svg('g', {class: 'cursor'});
      this.brush = svg('rect', {class: 'brush', y: MARGIN.top, height: BOTTOM - MARGIN.top});
      this.brush.setAttribute('visibility', 'hidden');
      this.plot.replaceChildren(svg('defs', {}, clip), this.axes(),
         svg('g', {'clip-path': 'url(#timeline-part)'}, this.bands(),
             this.lines.map((line, side) => line && this.curves(line, side)).reverse(),
             this.cursorLine, this.brush), this.marks());
      this.whole.disabled = this.shown[0] === 0 && this.shown[1] === this.end;
      this.drawCursor();
   }

   axes() {
      const right = this.width - MARGIN.right;
      const heights = binaryTicks(this.top, 4).map(bytes => svg('g', {class: 'tick'},
         svg('path', {d: `M${MARGIN.left},${this.y(bytes)}H${right}`}),
         svg('text', {x: MARGIN.left - 8, y: this.y(bytes), dy: '0.32em', 'text-anchor': 'end'},
             scaled(BigInt(bytes), 0) || String(bytes))));
      const {divisor, words} = axisUnit(this.shown[1]);
      const count = Math.max(2, Math.floor(this.width / 140));
      const places = decimalTicks(...this.shown, count).map(at => svg('g', {class: 'tick'},
         svg('path', {d: `M${this.x(at)},${BOTTOM}v5`}),
         svg('text', {x: this.x(at), y: BOTTOM + 18, 'text-anchor': 'middle'},
             tickWords(at, divisor))));
      return svg('g', {class: 'axes'}, heights, places,
         svg('path', {class: 'base', d: `M${MARGIN.left},${BOTTOM}H${right}`}),
         svg('text', {class: 'axis-title', x: right, y: HEIGHT - 6, 'text-anchor': 'end'}, words),
         svg('text', {class: 'axis-title', x: MARGIN.left, y: 12}, 'bytes live'));
   }

   /* The instances of the chosen phase; those that would be drawn over each other, once. The
      whole process has none: it is all of the picture. */
   bands() {
      if (this.state.phase.kind === 'process')
         return null;
      const side = this.state.phase.sides[NEW] ? NEW : OLD;
      const rows = [];
      let drawn = -Infinity;
      for (const {begin, end} of this.placed(side)) {
         const [left, right] = [this.x(Number(begin)), this.x(Number(end))];
         if (right < MARGIN.left || left > this.width || right <= drawn || rows.length > MOST_BANDS)
            continue;
         rows.push(svg('rect', {class: 'band', x: left, width: Math.max(1, right - left),
                                y: MARGIN.top, height: BOTTOM - MARGIN.top}));
         drawn = Math.max(right, left + 1);
      }
      return svg('g', {}, rows);
   }

   curves(line, side) {
      const steps = curve(line, ...this.shown, Math.max(1, Math.floor(this.width)));
      const path = value => steps.map((step, n) =>
         `${n ? 'V' + this.y(value(step)) : 'M' + this.x(step.begin) + ',' + this.y(value(step))}` +
         `H${this.x(step.end)}`).join('');
      const most = path(step => step.most);
      if (side === OLD)
         return svg('path', {class: 'most old', d: most});
      return svg('g', {},
         svg('path', {class: 'area', d: most + `V${BOTTOM}H${this.x(steps[0].begin)}Z`}),
         svg('path', {class: 'last', d: path(step => step.last)}),
         svg('path', {class: 'most', d: most}));
   }

   /* Entry, peak and exit, on both sides; where these are drawn at one place, named once. */
   marks() {
      const [olds, news] = [OLD, NEW].map(side =>
         (this.report.shown.includes(side) ? this.marksOf(side) : []));
      for (const mark of olds)
         mark.isNamed = !news.some(other => other.what === mark.what &&
            Math.abs(other.x - mark.x) < APART.x && Math.abs(other.y - mark.y) < APART.y);
      return svg('g', {}, [...olds, ...news].map(mark => this.mark(mark)));
   }

   /* [{what, word, x, y}]: of the instance that the phase's peak is of; without a place on the
      axis x is null. */
   marksOf(side) {
      const phase = this.state.phase, here = phase.sides[side];
      const metric = (list, what) => {
         const found = profmem.number.metricOf(list['heap.' + what]);
         return isNumber(found) ? Number(found.value) : null;
      };
      if (!here)
         return [];
      const peak = metric(here.metrics, 'peak');
      const instance = this.placed(side).find(item => metric(item.metrics, 'peak') === peak);
      let places = {peak: null, exit: null}, metrics = here.metrics;
      if (instance) {
         places = {entry: instance.begin, peak: instance.peak, exit: instance.end};
         metrics = instance.metrics;
         if (places.peak === null && here.kind === 'process' && this.lines[side])
            places.peak = intervalBounds(this.lines[side], this.lines[side].peak)[0];
      }
      return Object.entries(places).map(([what, at]) => ({
         what, word: what + (side === OLD ? ' old' : ''), isNamed: true,
         at: at === null ? null : Number(at), bytes: metric(metrics, what)}))
         .filter(mark => mark.bytes !== null && !(instance && mark.at === null))
         .map(mark => ({...mark, x: mark.at === null ? null : this.x(mark.at),
                        y: this.y(mark.bytes)}));
   }

   mark({what, word, at, x, y, isNamed}) {
      if (x === null)
         return this.level(y, word, isNamed);
      if (at < this.shown[0] || at > this.shown[1])
         return null;
      const shapes = {entry: `M${x - 5},${y - 5}L${x + 5},${y}L${x - 5},${y + 5}Z`,
                      peak: `M${x},${y - 6}L${x + 6},${y}L${x},${y + 6}L${x - 6},${y}Z`,
                      exit: `M${x - 4},${y - 4}h8v8h-8Z`};
      const isRight = x > this.width * 0.8;
      const isBelow = (what === 'exit') !== (word !== what) && y < BOTTOM - 20;
      return svg('g', {class: 'mark ' + word},
         svg('path', {d: shapes[what]}),
         isNamed ? svg('text', {x: x + (isRight ? -9 : 9), y: y + (isBelow ? 15 : -7),
                                'text-anchor': isRight ? 'end' : 'start'}, word) : null);
   }

   level(y, words, isNamed) {
      return svg('g', {class: 'level'},
         svg('path', {d: `M${MARGIN.left},${y}H${this.width - MARGIN.right}`}),
         isNamed ? svg('text', {x: this.width - MARGIN.right - 6, y: y - 5,
                                'text-anchor': 'end'}, words) : null);
   }

   /* ---- The cursor */

   /* On the interval `at`; into view, if it is not. */
   put(at) {
      const line = this.lines[NEW];
      this.cursor = Math.min(Math.max(at, 0), line.points.length - 1);
      const [begin, end] = intervalBounds(line, this.cursor).map(Number);
      const [low, high] = this.shown;
      if (begin < low || end > high)
         this.show(within(begin - (high - low) / 2, high - low, this.end));
      this.drawCursor();
      this.say(Number(begin));
   }

   drawCursor() {
      if (this.cursor === null || !this.cursorLine)
         return;
      const line = this.lines[NEW];
      const [begin, end] = intervalBounds(line, this.cursor).map(Number);
      const x = this.x(begin), y = this.y(Number(line.points[this.cursor].most));
      this.cursorLine.replaceChildren(
         svg('rect', {x, width: Math.max(1, this.x(end) - x), y: MARGIN.top,
                      height: BOTTOM - MARGIN.top}),
         svg('circle', {cx: x, cy: y, r: 4}));
   }

   /* The interval of each side that the instruction `at` is in. */
   say(at) {
      const words = this.report.shown.map(side => {
         const line = this.lines[side];
         return line ? this.sayInterval(line, intervalAt(line, at), side) : null;
      }).filter(Boolean);
      this.plot.setAttribute('aria-valuenow', String(this.cursor));
      this.plot.setAttribute('aria-valuetext', words.join(' '));
      this.reading.say(words.join(' '));
   }

   sayInterval(line, place, side) {
      const [begin, end] = intervalBounds(line, place);
      const {most, last} = line.points[place];
      const whose = this.report.hasBaseline ? (side === NEW ? 'New: ' : 'Old: ') : '';
      const part = share(most, line.top);
      return `${whose}instructions ${group(begin)} to ${group(end - 1n)}: at most ` +
             `${amount(most, 'bytes')} live${part ? `, ${part} of the peak` : ''}; ` +
             `${amount(last, 'bytes')} at the end.`;
   }

   hover(x) {
      if (x === null) {
         if (document.activeElement !== this.plot)
            this.reading.clear();
         return;
      }
      const at = this.at(x);
      this.cursor = intervalAt(this.lines[NEW], at);
      this.drawCursor();
      this.say(at);
   }

   /* ---- Pointer and keys */

   inside(event) {
      return event.clientX - this.plot.getBoundingClientRect().left;
   }

   press(event) {
      if (event.button !== 0)
         return;
      this.drag = {from: this.inside(event)};
      this.plot.setPointerCapture(event.pointerId);
   }

   move(event) {
      const x = this.inside(event);
      this.hover(x);
      if (!this.drag || Math.abs(x - this.drag.from) < DRAGGED)
         return;
      const [left, right] = [Math.min(x, this.drag.from), Math.max(x, this.drag.from)];
      this.brush.setAttribute('x', left);
      this.brush.setAttribute('width', right - left);
      this.brush.setAttribute('visibility', 'visible');
   }

   release(event) {
      if (!this.drag)
         return;
      const parts = [this.drag.from, this.inside(event)].sort((a, b) => a - b);
      const [low, high] = parts.map(x => this.at(x));
      this.drop();
      if (parts[1] - parts[0] < DRAGGED)
         this.hover(parts[1]);
      else
         this.show(within(low, Math.max(high - low, this.least), this.end));
   }

   drop() {
      this.drag = null;
      this.brush.setAttribute('visibility', 'hidden');
   }

   wheel(event) {
      if (!event.ctrlKey)
         return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, this.at(this.inside(event)));
   }

   key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey)
         return;
      const line = this.lines[NEW];
      const here = this.cursor === null ? intervalAt(line, this.shown[0]) : this.cursor;
      const tenth = Math.max(1, Math.round((this.shown[1] - this.shown[0]) / 10 /
                                           Number(line.interval)));
      const middle = Number(intervalBounds(line, here)[0]);
      const acts = {
         ArrowLeft: () => this.put(here - 1), ArrowRight: () => this.put(here + 1),
         ArrowDown: () => this.put(here - 1), ArrowUp: () => this.put(here + 1),
         PageDown: () => this.put(here - tenth), PageUp: () => this.put(here + tenth),
         Home: () => this.put(0), End: () => this.put(line.points.length - 1),
         '+': () => this.zoom(1 / ZOOM, middle), '=': () => this.zoom(1 / ZOOM, middle),
         '-': () => this.zoom(ZOOM, middle), Escape: () => this.show([0, this.end])};
      if (!acts[event.key])
         return;
      event.preventDefault();
      acts[event.key]();
   }
}

profmem.Timeline = Timeline;
}(globalThis.profmem = globalThis.profmem || {}));
