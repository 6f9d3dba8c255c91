/** @import { ScopeChart } from '../shape.ts' */
import { counted } from './elements.js';
import { windowText } from './termsForm.js';

const height = 180;
const edges = { left: 44, right: 8, top: 16, bottom: 24 };
/** The least distance between two numbers of the axis. */
const leastDistance = 14;

/**
 * The last minutes of a scope: a line of the requests in the window, its limit, and a cross for each second with a refused
 * request. The caption says the same.
 * @param {ScopeChart} chart
 * @param {number} width Pixels.
 * @returns {HTMLElement}
 */
export function usageChart(chart, width) {
  const { scope, limit, limitSeconds, windowSeconds, accepted, refused } = chart;
  // A limit of another window than the line's is only in the caption.
  const drawn = limitSeconds === windowSeconds ? limit : null;
  const most = Math.max(drawn ?? 0, ...accepted, 1);
  const bottom = height - edges.bottom;
  const xOf = (/** @type {number} */ index) =>
    edges.left + (index / (accepted.length - 1)) * (width - edges.left - edges.right);
  const yOf = (/** @type {number} */ count) => bottom - (count / most / 1.15) * (bottom - edges.top);
  const mark = (/** @type {number} */ count) =>
    text(axisText(count), { class: 'count', x: edges.left - 8, y: yOf(count) + 4, 'text-anchor': 'end' });
  // Numbers too close to that of the limit are left out.
  const marked = [0, most].filter(count => drawn === null || Math.abs(yOf(count) - yOf(drawn)) >= leastDistance);
  const across = (/** @type {string} */ kind, /** @type {number} */ y) =>
    shape('line', { class: kind, x1: edges.left, x2: width - edges.right, y1: y, y2: y });
  const points = accepted.map((count, index) => `${xOf(index).toFixed(1)},${yOf(count).toFixed(1)}`);
  const crosses = refused.flatMap((count, index) => {
    if (count === 0) return [];
    const [x, y] = [xOf(index), bottom - 6];
    return [`M${x - 3} ${y - 3}l6 6m0 -6l-6 6`];
  });
  const svg = shape('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  svg.append(
    ...[...new Set([0, ...marked])].map(count => across('axis', yOf(count))),
    ...marked.map(mark),
    text(`${Math.round(accepted.length / 60)} min ago`, { x: edges.left, y: height - 6 }),
    text('now', { x: width - edges.right, y: height - 6, 'text-anchor': 'end' }),
    shape('polyline', { class: 'accepted', points: points.join(' ') }),
    shape('path', { class: 'refused', d: crosses.join('') }),
  );
  if (drawn !== null)
    svg.append(across('limit', yOf(drawn)), mark(drawn), text('limit', { x: edges.left + 4, y: yOf(drawn) - 5 }));
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  const name = document.createElement('strong');
  name.textContent = scope;
  caption.append(name, `: ${sentenceOf(chart)}`);
  figure.append(caption, svg);
  return figure;
}

/** @param {ScopeChart} chart */
function sentenceOf({ limit, limitSeconds, windowSeconds, accepted, refused }) {
  const now = accepted.at(-1) ?? 0;
  const peak = Math.max(0, ...accepted);
  const words =
    limit === null ? 'no limit' : `the limit is ${limit.toLocaleString('en')} in ${windowText(limitSeconds * 1000)}`;
  const last = `in the last ${windowSeconds} s`;
  const first =
    limit !== null && limitSeconds === windowSeconds
      ? `${now} of ${counted(limit, 'request')} ${last}`
      : `${counted(now, 'request')} ${last}, ${words}`;
  const sum = refused.reduce((total, count) => total + count, 0);
  const minutes = Math.round(accepted.length / 60);
  const crosses = sum === 0 ? 'none refused' : `${sum.toLocaleString('en')} refused (crosses)`;
  return `${first}. In the last ${minutes} minutes: ${peak.toLocaleString('en')} at most, ${crosses}.`;
}

/**
 * Short enough for the axis; the caption has the whole number.
 * @param {number} count
 */
function axisText(count) {
  return count.toLocaleString('en', count < 10_000 ? {} : { notation: 'compact', maximumSignificantDigits: 3 });
}

/**
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} attributes
 */
function shape(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}

/**
 * @param {string} words
 * @param {Readonly<Record<string, string | number>>} attributes
 */
function text(words, attributes) {
  const element = shape('text', attributes);
  element.textContent = words;
  return element;
}
