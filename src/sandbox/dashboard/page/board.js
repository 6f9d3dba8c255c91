/** @import { DashboardState, ListedKey } from '../shape.ts' */
import { usageChart } from './chart.js';
import { byId, counted, setText } from './elements.js';
import { showFacts } from './facts.js';
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
