/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view_number.js: exact numbers, and how they are written.
 *
 * Values reach 2^64 - 1, doubles are exact up to 2^53. So every value that is shown or added is
 * a BigInt; doubles are for geometry alone. The JSON has what a double cannot hold as text: a
 * metric's in `text`, any other number's in `exact` beside it, under the same name.
 *
 * Numbers are written as `profmem show` writes them. No DOM: node runs this file alone.
 */
(function (profmem) {
'use strict';

const KIBI = 1024n;
const BINARY_UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const MINUS = '\u2212';

/* The number `name` of an object of the JSON; null: it has none. */
function exactOf(item, name) {
   if (item.exact && name in item.exact)
      return BigInt(item.exact[name]);
   return item[name] === undefined || item[name] === null ? null : BigInt(item[name]);
}

/* A metric of the JSON: {value} or {unavailable: reason}; null: the report does not list it. */
function metricOf(metric) {
   if (!metric)
      return null;
   return metric.unavailable === undefined ? {value: BigInt(metric.text), unit: metric.unit}
                                           : {unavailable: metric.unavailable, unit: metric.unit};
}

function magnitude(value) {
   return value < 0n ? -value : value;
}

/* 1234567 -> 1,234,567 */
function group(value) {
   const digits = magnitude(value).toString().replace(/\B(?=(\d{3})+$)/g, ',');
   return value < 0n ? MINUS + digits : digits;
}

/* The same with a sign in front, for a change; no change has none. */
function signed(value) {
   return value > 0n ? '+' + group(value) : group(value);
}

/* numerator / denominator, rounded to so many decimals, halves up; neither is negative. */
function decimals(numerator, denominator, places) {
   const power = 10n ** BigInt(places);
   const rounded = (numerator * power * 2n + denominator) / (denominator * 2n);
   if (places === 0)
      return group(rounded);
   return group(rounded / power) + '.' + (rounded % power).toString().padStart(places, '0');
}

/* Bytes in the largest unit of which there is one, as 64.53 KiB; '' below a KiB. */
function scaled(value, places = 2) {
   const size = magnitude(value);
   if (size < KIBI)
      return '';
   let unit = 0, divisor = KIBI;
   while (unit + 1 < BINARY_UNITS.length && size >= divisor * KIBI) {
      unit++;
      divisor *= KIBI;
   }
   return (value < 0n ? MINUS : '') + decimals(size, divisor, places) + ' ' + BINARY_UNITS[unit];
}

/* blocks -> block, if there is one of them. */
function unitOf(value, unit) {
   return magnitude(value) === 1n ? unit.replace(/s$/, '') : unit;
}

/* 66,077 bytes (64.53 KiB); 12 blocks */
function amount(value, unit, write = group) {
   const binary = unit === 'bytes' ? scaled(value) : '';
   return write(value) + ' ' + unitOf(value, unit) + (binary ? ' (' + binary + ')' : '');
}

/* part of whole as 12.3%; '' of nothing. What is not nothing is not written as 0.0%. */
function share(part, whole) {
   if (whole <= 0n)
      return '';
   const size = magnitude(part);
   if (size > 0n && size * 2000n < whole)
      return '<0.1%';
   return (part < 0n ? MINUS : '') + decimals(size * 100n, whole, 1) + '%';
}

/* A change and what share that is of what was: +1,024 (+1.6%). */
function change(before, after) {
   const difference = after - before;
   if (difference === 0n)
      return 'no change';
   if (before === 0n)
      return signed(difference) + ' (from 0)';
   const percent = share(difference, magnitude(before));
   const isTiny = percent.startsWith('<');
   return signed(difference) + ' (' + (difference > 0n && !isTiny ? '+' : '') + percent + ')';
}

/* For geometry: part / whole between 0 and 1. */
function ratio(part, whole) {
   return whole > 0n ? Math.min(1, Math.max(0, Number(part) / Number(whole))) : 0;
}

function largest(values) {
   return values.reduce((most, value) => (value > most ? value : most), 0n);
}

function sum(values) {
   return values.reduce((total, value) => total + value, 0n);
}

profmem.number = {exactOf, metricOf, magnitude, group, signed, scaled, amount, share,
                  change, ratio, largest, sum};
}(globalThis.profmem = globalThis.profmem || {}));
