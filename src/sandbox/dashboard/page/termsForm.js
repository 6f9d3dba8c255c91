/** @import { DashboardState, ListedKey } from '../shape.ts' */
/** @import { RateLimitScope } from '../../../core/query/catalogue.ts' */
/** @import { ScopeLimit } from '../../keys/scopes.ts' */
import { Refusal, setTerms } from './api.js';
import { byId, contentOf, onSubmit, say, setText } from './elements.js';

/** What a key may do, limits as they were typed. @typedef {{ scopes: RateLimitScope[], limits: Partial<Record<RateLimitScope, string>> }} Terms */

/** The fields for the access and limits of a key. */
export class TermsForm {
  #place;
  #words;
  /** @type {{ scope: RateLimitScope, access: HTMLInputElement, limit: HTMLInputElement }[]} */
  #scopes = [];

  /** @param {HTMLElement} place The container of the fields; its id is the prefix of theirs. */
  constructor(place) {
    this.#place = place;
    this.#words = document.createElement('p');
    this.#words.className = 'quiet';
    this.#words.id = `${place.id}-words`;
    place.append(this.#words);
  }

  /**
   * Explains what an empty field means.
   * @param {DashboardState} state
   */
  show({ data, limits, windowMs }) {
    if (this.#scopes.length === 0) this.#scopes = scopesOf(limits).map(scope => this.#add(scope, data));
    const words = `Requests allowed in any ${windowText(windowMs)}, or “none” for no limit. An empty field means the limit of the sandbox. Without access, requests are refused (403).`;
    setText(this.#words, words);
    for (const { scope, limit } of this.#scopes) {
      // In words, since color alone would not distinguish it from a limit of the key.
      const usual = `sandbox: ${typedText(limits[scope])}`;
      if (limit.placeholder !== usual) limit.placeholder = usual;
    }
  }

  /**
   * @param {RateLimitScope} scope
   * @param {DashboardState['data']} data
   */
  #add(scope, { endpoints }) {
    const content = contentOf('scope-fields');
    const [access, limit] = content.querySelectorAll('input');
    const [legend, label] = [content.querySelector('legend'), content.querySelector('label.of-limit')];
    if (!access || !limit || !legend || !label) throw new Error('A scope lacks its fields.');
    const datasets = endpoints.filter(endpoint => endpoint.scope === scope).map(({ title }) => title.toLowerCase());
    legend.textContent = `${scope} (${datasets.join(', ')})`;
    limit.id = `${this.#place.id}-${scope}`;
    limit.setAttribute('aria-describedby', this.#words.id);
    label.setAttribute('for', limit.id);
    access.addEventListener('change', () => (limit.disabled = !access.checked));
    this.#place.append(content);
    return { scope, access, limit };
  }

  /**
   * Fills in the terms of a key; none for a new one.
   * @param {Pick<ListedKey, 'scopes' | 'ownLimits'>} [key]
   */
  fill(key) {
    for (const { scope, access, limit } of this.#scopes) {
      const own = key?.ownLimits[scope];
      access.checked = key?.scopes.includes(scope) ?? true;
      limit.disabled = !access.checked;
      limit.value = own === undefined ? '' : typedText(own);
    }
  }

  /** @returns {Terms} */
  read() {
    const open = this.#scopes.filter(({ access }) => access.checked);
    return {
      scopes: open.map(({ scope }) => scope),
      limits: Object.fromEntries(
        open.filter(({ limit }) => limit.value.trim() !== '').map(({ scope, limit }) => [scope, limit.value]),
      ),
    };
  }
}

/**
 * The scopes in the order shown.
 * @param {DashboardState['limits']} limits
 */
export function scopesOf(limits) {
  return /** @type {RateLimitScope[]} */ (Object.keys(limits));
}

/**
 * As the fields and the command line take it.
 * @param {ScopeLimit} limit
 */
function typedText(limit) {
  return limit === null ? 'none' : String(limit);
}

/** @param {ScopeLimit} limit */
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

/** Changes the limits and access of an existing key. */
export class LimitsDialog {
  #dialog = byId('limits', HTMLDialogElement);
  #said = byId('limits-said', HTMLElement);
  #terms = new TermsForm(byId('limits-terms', HTMLElement));
  /** @type {ListedKey | undefined} */
  #key;

  /** @param {() => void} changed Called once the limits of a key have changed. */
  constructor(changed) {
    const submit = async () => {
      const key = this.#key;
      if (!key) return;
      await setTerms(key.prefix, this.#terms.read());
      this.close();
      say(`Limits of “${key.name}” saved. They apply from the next request on.`);
      changed();
    };
    // Errors are shown in the dialog: behind it they would be neither visible nor announced.
    onSubmit('set-limits', () => {
      setText(this.#said, '');
      void submit().catch(error => {
        if (!(error instanceof Refusal)) throw error;
        setText(this.#said, error.message);
      });
    });
    byId('limits-no', HTMLButtonElement).addEventListener('click', () => this.close());
  }

  /** @param {DashboardState} state */
  show(state) {
    this.#terms.show(state);
  }

  /** @param {ListedKey} key */
  open(key) {
    say('');
    this.#key = key;
    setText(this.#said, '');
    setText(byId('limits-title', HTMLElement), `Limits of “${key.name}” (${key.prefix}…)`);
    this.#terms.fill(key);
    this.#dialog.showModal();
  }

  close() {
    this.#dialog.close();
  }
}
