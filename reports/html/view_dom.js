/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_dom.js: elements. Text goes in as text nodes alone, so a name is never markup; colors
 * and sizes are classes of views.css, what depends on data is set on element.style.
 */
(function (profmem) {
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const CLIPPED = 160; // characters of a name that are shown; the full one is behind it

/* element('p', {class: 'note', hidden: true}, 'text', child, [more]); null children are none. */
function element(tag, attributes, ...children) {
   return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
   return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
   for (const [name, value] of Object.entries(attributes || {})) {
      if (typeof value === 'function')
         node.addEventListener(name, value);
      else if (value !== null && value !== undefined && value !== false)
         node.setAttribute(name, value === true ? '' : value);
   }
   node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
   return node;
}

/* Without its middle, where it is too long. */
function clipped(text, most = CLIPPED) {
   const letters = Array.from(text.length > 4 * most ? text.slice(0, 2 * most) +
                                                       text.slice(-2 * most) : text);
   if (letters.length <= most)
      return text;
   const half = Math.floor((most - 1) / 2);
   return letters.slice(0, half).join('') + '\u2026' + letters.slice(-half).join('');
}

/* What is shown of a name: something in any case. */
function visible(text, most) {
   if (text.trim() !== '')
      return clipped(text, most);
   return text === '' ? '(empty name)' : '(blank name)';
}

/* A name of the profiled program, which cannot disturb what stands around it. */
function name(text, most) {
   const shown = visible(text, most);
   return element('bdi', {class: 'name', title: shown === text ? null : text}, shown);
}

/* The same where it must be within reach of the keyboard: a long one opens. */
function openable(text) {
   if (clipped(text) === text)
      return name(text);
   return element('details', {class: 'long-name'}, element('summary', {}, name(text)),
                  element('bdi', {class: 'full'}, text));
}

/* The line that says what is under the pointer or has the focus; screen readers say it, too. */
class Reading {
   constructor(help) {
      this.help = help;
      this.node = element('p', {class: 'reading', role: 'status', 'aria-live': 'polite'});
      this.clear();
   }

   say(...parts) {
      this.node.replaceChildren(...parts.flat(Infinity).filter(part => part !== null));
      this.node.classList.remove('idle');
   }

   clear() {
      this.node.replaceChildren(this.help);
      this.node.classList.add('idle');
   }
}

/* Calls draw(width) now and whenever the width of a node changes, at most once a frame. */
function onWidth(node, draw) {
   let width = 0, waiting = false;
   new ResizeObserver(() => {
      if (waiting || Math.abs(node.clientWidth - width) < 1)
         return;
      waiting = true;
      requestAnimationFrame(() => {
         waiting = false;
         width = node.clientWidth;
         if (width > 0)
            draw(width);
      });
   }).observe(node);
}

function place(node, left, width) {
   node.style.left = (left * 100) + '%';
   node.style.width = (width * 100) + '%';
}

profmem.dom = {element, svg, visible, name, openable, Reading, onWidth, place};
}(globalThis.profmem = globalThis.profmem || {}));
