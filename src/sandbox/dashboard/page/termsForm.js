/** @import { DashboardState } from '../shape.ts' */
/** @import { Limit, Scope } from '../../scopes.ts' */
import { byId, setText } from './elements.js';

/** What a new key may do, as far as the person says it. @typedef {{ scopes: Scope[], limits: Partial<Record<Scope, number>> }} Terms */

/** The part of the form in which a new key gets access and limits of its own. */
export class TermsForm {
  #scopes = [...byId('terms', HTMLDetailsElement).querySelectorAll('fieldset')].map(fieldset => {
    const [access, limit] = fieldset.querySelectorAll('input');
    if (!access || !limit) throw new Error('A scope lacks its fields.');
    access.addEventListener('change', () => (limit.disabled = !access.checked));
    return { scope: /** @type {Scope} */ (fieldset.dataset['scope']), access, limit };
  });

  /**
   * Says what a field left empty means.
   * @param {DashboardState} state
   */
  show({ limits, windowMs }) {
    const window = windowText(windowMs);
    const words = `Requests let in in any ${window}. A field that is left empty means the limit of the sandbox. Without access, a request is refused (403).`;
    setText(byId('terms-words', HTMLElement), words);
    for (const { scope, limit } of this.#scopes) {
      const usual = limitText(limits[scope]);
      if (limit.placeholder !== usual) limit.placeholder = usual;
    }
  }

  /** @returns {Terms} */
  read() {
    const open = this.#scopes.filter(({ access }) => access.checked);
    return {
      scopes: open.map(({ scope }) => scope),
      limits: Object.fromEntries(
        open.filter(({ limit }) => limit.value !== '').map(({ scope, limit }) => [scope, limit.valueAsNumber]),
      ),
    };
  }

  /** As it was at first: the next key is another one. */
  reset() {
    for (const { access, limit } of this.#scopes) {
      access.checked = true;
      limit.disabled = false;
      limit.value = '';
    }
    byId('terms', HTMLDetailsElement).open = false;
  }
}

/** @param {Limit} limit */
export function limitText(limit) {
  return limit === null ? 'no limit' : limit.toLocaleString('en');
}

/**
 * The number and its unit in one line.
 * @param {number} windowMs
 */
export function windowText(windowMs) {
  return `${(windowMs / 1000).toLocaleString('en')}\u00a0s`;
}
