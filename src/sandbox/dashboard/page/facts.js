/** @import { DashboardState, ServedData } from '../shape.ts' */
import { byId, counted, instantText, rowOf, setText } from './elements.js';

const hourMs = 3_600_000;

/**
 * The served data, and the faults.
 * @param {DashboardState} state
 */
export function showFacts({ data, faults }) {
  showList(dataFacts(data));
  const words =
    faults === undefined
      ? 'Off. Start the sandbox with --faults to inject faults.'
      : faults.length === 0
        ? 'Allowed; none is switched on.'
        : 'Switched on. Affected responses name the fault in the header X-Sandbox-Fault.';
  setText(byId('faults-words', HTMLElement), words);
  const table = byId('faults', HTMLTableElement);
  table.hidden = faults === undefined || faults.length === 0;
  const columns = [...table.querySelectorAll('thead th')].map(({ textContent }) => textContent);
  const rows = (faults ?? []).map(({ rule, meaning, rate, scope, met }) => {
    const { row, cells } = rowOf(columns);
    const texts = [rule, meaning, `${Number((rate * 100).toPrecision(6))} %`, scope ?? 'all', met.toLocaleString('en')];
    cells.forEach((cell, index) => (cell.textContent = texts[index] ?? ''));
    return row;
  });
  table.tBodies[0]?.replaceChildren(...rows);
}

/**
 * @param {ServedData} data
 * @returns {readonly (readonly [string, string])[]}
 */
function dataFacts(data) {
  const late = data.delayHours === 0 ? '' : `; the newest data is ${counted(data.delayHours, 'hour')} late`;
  const holes = data.holes === 0 ? '' : `; ${counted(data.holes, 'hour')} missing`;
  return [
    ['Hours', `${data.kind === 'synthetic' ? 'Synthetic' : 'Replayed'} (${data.identity}). ${data.note}`],
    ['First hour', `${instantText(data.start)} UTC`],
    [
      'Published until',
      data.publishedEnd <= data.start
        ? 'Nothing is published yet'
        : `${instantText(data.publishedEnd)} UTC (the last hour is the one from ${instantText(data.publishedEnd - hourMs).slice(11, 16)})${late}${holes}`,
    ],
    ['Data ends', data.end === undefined ? 'Continues with the clock' : `${instantText(data.end)} UTC`],
    ['Publication clock', `${instantText(data.now)} UTC${data.standsStill ? ', stopped' : ''}`],
    ...data.endpoints.map(
      ({ path, scope, intervals }) => /** @type {const} */ ([scope, `GET ${path}, interval ${intervals.join(' or ')}`]),
    ),
  ];
}

/** @param {readonly (readonly [string, string])[]} facts */
function showList(facts) {
  const list = byId('data', HTMLElement);
  if (list.childElementCount !== facts.length * 2)
    list.replaceChildren(
      ...facts.flatMap(([term]) => {
        const name = document.createElement('dt');
        name.textContent = term;
        return [name, document.createElement('dd')];
      }),
    );
  const values = list.querySelectorAll('dd');
  facts.forEach(([, text], index) => {
    const value = values[index];
    if (value) setText(value, text);
  });
}
