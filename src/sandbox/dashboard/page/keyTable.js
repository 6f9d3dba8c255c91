/** @import { DashboardState, ListedKey } from '../shape.ts' */
/** @import { RequestCount } from '../../keys/usage.ts' */
import { byId, instantText, rowOf, setText } from './elements.js';
import { limitText, scopesOf, windowText } from './termsForm.js';

/**
 * The actions of a listed key: revoke the one with a prefix, and change its limits; both open a dialog.
 * @typedef {{ revoke: (prefix: string) => void, limits: (key: ListedKey) => void }} KeyActions
 */
/**
 * @typedef {{
 *   key: ListedKey,
 *   readonly row: HTMLTableRowElement,
 *   readonly cells: readonly HTMLElement[],
 *   readonly limits: HTMLButtonElement,
 *   readonly revoke: HTMLButtonElement,
 * }} KeyRow
 */

/** The list of keys. A key keeps its row element while it is listed, so that the focus is not lost. */
export class KeyTable {
  /** @type {Map<string, KeyRow>} */
  #rows = new Map();
  #body = byId('keys', HTMLTableElement).tBodies[0];
  /** @type {readonly string[]} */
  #columns = [];
  #actions;

  /** @param {KeyActions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {DashboardState} state */
  show({ keys, limits, windowMs }) {
    if (this.#columns.length === 0) this.#columns = columnsOf(scopesOf(limits));
    byId('keys', HTMLTableElement).hidden = keys.length === 0;
    byId('no-keys', HTMLElement).hidden = keys.length > 0;
    const listed = new Set(keys.map(({ prefix }) => prefix));
    for (const [prefix, { row }] of this.#rows)
      if (!listed.has(prefix)) {
        row.remove();
        this.#rows.delete(prefix);
      }
    keys.forEach((key, index) => {
      const shown = this.#rows.get(key.prefix) ?? this.#add(key);
      shown.key = key;
      const there = this.#body?.rows[index];
      if (there !== shown.row) this.#body?.insertBefore(shown.row, there ?? null);
      fill(shown, windowMs);
    });
  }

  /**
   * @param {ListedKey} key
   * @returns {KeyRow}
   */
  #add(key) {
    const { row, cells } = rowOf(this.#columns);
    for (const cell of cells) cell.append(document.createElement('span'));
    const [limits, revoke] = [buttonOf('Limits…'), buttonOf('Revoke…')];
    const actions = document.createElement('div');
    actions.append(limits, revoke);
    cells.at(-1)?.prepend(actions);
    cells[1]?.classList.add('prefix');
    cells[2]?.classList.add('instant');
    cells[3]?.classList.add('instant');
    cells.at(-2)?.classList.add('terms');
    const added = { key, row, cells, limits, revoke };
    limits.addEventListener('click', () => this.#actions.limits(added.key));
    revoke.addEventListener('click', () => this.#actions.revoke(added.key.prefix));
    this.#rows.set(key.prefix, added);
    return added;
  }
}

/**
 * Puts the columns of the scopes before the last two, and returns the names of all.
 * @param {readonly string[]} scopes
 */
function columnsOf(scopes) {
  const heads = byId('keys', HTMLTableElement).tHead?.rows[0];
  for (const scope of scopes)
    for (const time of ['minute', 'hour']) {
      const head = document.createElement('th');
      head.setAttribute('role', 'columnheader');
      head.scope = 'col';
      head.textContent = `${scope}, last ${time}`;
      heads?.insertBefore(head, heads.cells[heads.cells.length - 2] ?? null);
    }
  return [...(heads?.cells ?? [])].map(({ textContent }) => textContent);
}

/** @param {string} words */
function buttonOf(words) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = words;
  return button;
}

/**
 * @param {KeyRow} shown
 * @param {number} windowMs
 */
function fill({ key, row, cells, limits, revoke }, windowMs) {
  row.classList.toggle('revoked', key.revoked);
  const texts = [
    key.name,
    `${key.prefix}…`,
    linesOf(key.created),
    key.lastUsed === undefined ? 'never' : linesOf(key.lastUsed),
    ...scopesOf(key.limits).flatMap(scope => {
      const { lastMinute, lastHour } = key.usage[scope];
      return [countText(lastMinute), countText(lastHour)];
    }),
    termsText(key, windowMs),
    key.revoked ? 'revoked' : '',
  ];
  cells.forEach((cell, index) => {
    const text = cell.querySelector('span');
    if (text) setText(text, texts[index] ?? '');
  });
  limits.hidden = revoke.hidden = key.revoked;
  limits.setAttribute('aria-label', `Limits of ${key.name}, ${key.prefix}…`);
  revoke.setAttribute('aria-label', `Revoke ${key.name}, ${key.prefix}…`);
}

/**
 * The day, and the time on the next line.
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
  return scopesOf(limits)
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
