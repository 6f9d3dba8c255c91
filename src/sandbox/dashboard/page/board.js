/** @import { DashboardState, ListedKey, ServedData } from '../shape.ts' */
import { usageChart } from './chart.js';
import { setFaults } from './api.js';
import { byId, counted, instantText, onSubmit, rowOf, say, setText } from './elements.js';
import { KeyTable } from './keyTable.js';

/** @import { KeyActions } from './keyTable.js' */

/** The page of a signed-in person. */
export class Board {
  #keys;
  #select = byId('chart-key', HTMLSelectElement);

  /**
   * @param {KeyActions} actions
   * @param {() => void} refresh Called when the person selects another key for the chart.
   */
  constructor(actions, refresh) {
    this.#keys = new KeyTable(actions);
    this.#select.addEventListener('change', refresh);
  }

  /** The prefix of the key selected for the chart; empty before one is selected. */
  get chartOf() {
    return this.#select.value;
  }

  /** @param {DashboardState} state */
  show(state) {
    this.#keys.show(state);
    const unlisted = state.unlisted === 0 ? '' : `${counted(state.unlisted, 'key')} more, not listed.`;
    setText(byId('unlisted', HTMLElement), unlisted);
    this.#showChoice(state.keys);
    const charts = byId('charts', HTMLElement);
    // A chart has the width of its container, so that its texts are not scaled.
    const width = charts.clientWidth;
    const columns = width < 864 ? 1 : 2;
    const each = Math.max(240, (width - 24 * (columns - 1)) / columns);
    charts.replaceChildren(...(state.chart?.scopes ?? []).map(scope => usageChart(scope, each)));
    if (this.#select.value === '' && state.chart) this.#select.value = state.chart.prefix;
    showFacts(state);
  }

  /** @param {readonly ListedKey[]} keys */
  #showChoice(keys) {
    const wanted = keys.map(({ name, prefix, revoked }) => ({
      value: prefix,
      label: `${name} (${prefix}…)${revoked ? ', revoked' : ''}`,
    }));
    const there = [...this.#select.options].map(({ value, label }) => ({ value, label }));
    if (JSON.stringify(wanted) === JSON.stringify(there)) return;
    const chosen = this.#select.value;
    this.#select.replaceChildren(...wanted.map(({ value, label }) => new Option(label, value)));
    this.#select.value = chosen;
  }
}

const hourMs = 3_600_000;

/**
 * The served data, and the faults.
 * @param {DashboardState} state
 */
function showFacts({ data, faults }) {
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

/** Switches faults while the sandbox runs, if it was started with --faults. */
export class FaultForm {
  #form = byId('set-faults', HTMLFormElement);
  #rules = byId('fault-rules', HTMLInputElement);
  #isFilled = false;

  /**
   * @param {() => void} changed Called once the faults have changed.
   * @param {(error: unknown) => void} report
   */
  constructor(changed, report) {
    const submit = async () => {
      await setFaults(this.#rules.value);
      say(this.#rules.value.trim() === 'none' ? 'All faults are switched off.' : 'These faults are switched on.');
      changed();
    };
    onSubmit('set-faults', () => void submit().catch(report));
  }

  /**
   * Fills in the current faults once; later changes of the text are the person's.
   * @param {DashboardState} state
   */
  show({ faults }) {
    this.#form.hidden = faults === undefined;
    if (faults === undefined || this.#isFilled) return;
    this.#isFilled = true;
    this.#rules.value = faults
      .map(({ rule, rate, scope }) => `${rule}${rate === 1 ? '' : `@${rate}`}${scope === undefined ? '' : `/${scope}`}`)
      .join(',');
  }
}
