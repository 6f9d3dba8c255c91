/** @import { DashboardState, ListedKey } from '../shape.ts' */
/** @import { RequestCount } from '../../usage.ts' */
import { byId, instantText, setText } from './elements.js';
import { limitText, windowText } from './termsForm.js';

/** @typedef {{ row: HTMLTableRowElement, cells: readonly HTMLElement[], button: HTMLButtonElement }} KeyRow */

/** The list of the keys. Rows stay the same elements as long as their keys are listed: the focus stays where it is. */
export class KeyTable {
  /** @type {Map<string, KeyRow>} */
  #rows = new Map();
  #body = byId('keys', HTMLTableElement).tBodies[0];
  #columns = [...byId('keys', HTMLTableElement).querySelectorAll('thead th')].map(({ textContent }) => textContent);
  /** @type {(which: string) => void} */
  #revoke;

  /** @param {(which: string) => void} revoke Asks, then revokes the key of that prefix. */
  constructor(revoke) {
    this.#revoke = revoke;
  }

  /** @param {DashboardState} state */
  show({ keys, windowMs }) {
    byId('keys', HTMLTableElement).hidden = keys.length === 0;
    byId('no-keys', HTMLElement).hidden = keys.length > 0;
    const listed = new Set(keys.map(({ prefix }) => prefix));
    for (const [prefix, { row }] of this.#rows)
      if (!listed.has(prefix)) {
        row.remove();
        this.#rows.delete(prefix);
      }
    keys.forEach((key, index) => {
      const shown = this.#rows.get(key.prefix) ?? this.#add(key.prefix);
      const there = this.#body?.rows[index];
      if (there !== shown.row) this.#body?.insertBefore(shown.row, there ?? null);
      fill(shown, key, windowMs);
    });
  }

  /**
   * @param {string} prefix
   * @returns {KeyRow}
   */
  #add(prefix) {
    const row = document.createElement('tr');
    row.setAttribute('role', 'row');
    const cells = this.#columns.map((column, index) => {
      const cell = document.createElement(index === 0 ? 'th' : 'td');
      cell.setAttribute('role', index === 0 ? 'rowheader' : 'cell');
      if (index === 0) cell.setAttribute('scope', 'row');
      cell.dataset['column'] = column;
      cell.append(document.createElement('span'));
      return cell;
    });
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Revoke…';
    button.addEventListener('click', () => this.#revoke(prefix));
    cells.at(-1)?.prepend(button);
    cells[1]?.classList.add('prefix');
    cells[2]?.classList.add('instant');
    cells[3]?.classList.add('instant');
    cells.at(-2)?.classList.add('terms');
    row.append(...cells);
    const added = { row, cells, button };
    this.#rows.set(prefix, added);
    return added;
  }
}

/**
 * @param {KeyRow} shown
 * @param {ListedKey} key
 * @param {number} windowMs
 */
function fill({ row, cells, button }, key, windowMs) {
  row.classList.toggle('revoked', key.revoked);
  const { normalized_data: data, features } = key.usage;
  const texts = [
    key.name,
    `${key.prefix}…`,
    linesOf(key.created),
    key.lastUsed === undefined ? 'never' : linesOf(key.lastUsed),
    countText(data.lastMinute),
    countText(data.lastHour),
    countText(features.lastMinute),
    countText(features.lastHour),
    termsText(key, windowMs),
    key.revoked ? 'revoked' : '',
  ];
  cells.forEach((cell, index) => {
    const text = cell.querySelector('span');
    if (text) setText(text, texts[index] ?? '');
  });
  button.hidden = key.revoked;
  button.setAttribute('aria-label', `Revoke ${key.name}, ${key.prefix}…`);
}

/**
 * The day, and the time below it.
 * @param {number} instant
 */
function linesOf(instant) {
  return instantText(instant).replace(' ', '\n');
}

/**
 * A line for each scope.
 * @param {ListedKey} key
 * @param {number} windowMs
 */
function termsText({ scopes, limits }, windowMs) {
  return /** @type {const} */ (['normalized_data', 'features'])
    .map(scope => {
      const limit = limits[scope];
      if (!scopes.includes(scope)) return `${scope}: no\u00a0access`;
      return `${scope}: ${limitText(limit)}${limit === null ? '' : ` in ${windowText(windowMs)}`}`;
    })
    .join('\n');
}

/** @param {RequestCount} count */
function countText({ accepted, refused }) {
  return `${accepted.toLocaleString('en')}${refused === 0 ? '' : ` + ${refused.toLocaleString('en')} refused`}`;
}
