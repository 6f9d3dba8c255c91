import { createKey, matchingKeys, revokeKeys } from './api.js';
import { byId, contentOf, counted, onSubmit, say } from './elements.js';

/** @import { TermsForm } from './termsForm.js' */

/**
 * Connects the forms that create and revoke keys. `changed` is called after a change.
 * @param {TermsForm} terms
 * @param {() => void} changed
 * @param {(error: unknown) => void} report
 * @returns {{ revoke: (which: string) => void, forget: () => void }}
 */
export function connectKeyForms(terms, changed, report) {
  const name = byId('create-name', HTMLInputElement);
  const shown = new ShownKeys(() => name.focus());

  const create = async () => {
    const key = await createKey(name.value, terms.read());
    // For the next key.
    name.value = '';
    terms.fill();
    byId('terms', HTMLDetailsElement).open = false;
    shown.add(key);
    say(`Key “${key.name}” created. Its value is shown only once.`);
    changed();
  };
  const revoke = async (/** @type {string} */ which) => {
    // An earlier message would be behind the dialog.
    say('');
    const keys = await matchingKeys(which);
    if (keys.length === 0) {
      say('No active key has this prefix or name.', 'failed');
      return;
    }
    if (!(await confirmed(keys))) return;
    const count = await revokeKeys(which);
    byId('revoke-which', HTMLInputElement).value = '';
    say(`${counted(count, 'key')} revoked: ${count === 1 ? 'it is' : 'they are'} refused from now on.`);
    byId('keys-title', HTMLElement).focus();
    changed();
  };

  onSubmit('create', () => void create().catch(report));
  onSubmit('revoke', () => void revoke(byId('revoke-which', HTMLInputElement).value).catch(report));
  return {
    revoke: which => void revoke(which).catch(report),
    forget() {
      shown.forget();
      byId('confirm', HTMLDialogElement).close();
    },
  };
}

/**
 * Asks whether to revoke these keys. Escape and Cancel mean no.
 * @param {readonly { name: string, prefix: string }[]} keys
 * @returns {Promise<boolean>}
 */
function confirmed(keys) {
  const dialog = byId('confirm', HTMLDialogElement);
  const [first] = keys;
  const names = keys.map(({ name, prefix }) => `“${name}” (${prefix}…)`).join(', ');
  byId('confirm-title', HTMLElement).textContent =
    keys.length === 1 && first ? `Revoke “${first.name}” (${first.prefix}…)?` : `Revoke ${keys.length} keys?`;
  byId('confirm-words', HTMLElement).textContent =
    `This cannot be undone. ${keys.length === 1 ? 'Every request with it' : `${names}: every request with one of them`} is refused (401) from that moment on.`;
  const [yes, no] = [byId('confirm-yes', HTMLButtonElement), byId('confirm-no', HTMLButtonElement)];
  dialog.returnValue = '';
  yes.onclick = () => dialog.close('yes');
  no.onclick = () => dialog.close();
  dialog.showModal();
  no.focus();
  return new Promise(resolve =>
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }),
  );
}

/** The values of new keys: each is shown until the person dismisses it, even if more are created meanwhile. */
class ShownKeys {
  #place = byId('created', HTMLElement);
  #whenAllDone;

  /** @param {() => void} whenAllDone Called when the person dismisses the last one. */
  constructor(whenAllDone) {
    this.#whenAllDone = whenAllDone;
  }

  /** @param {{ name: string, prefix: string, value: string }} key */
  add({ name, prefix, value: text }) {
    const content = contentOf('shown-key');
    const group = content.querySelector('div');
    const title = content.querySelector('p');
    const label = content.querySelector('label');
    const value = content.querySelector('input');
    const [copy, done] = content.querySelectorAll('button');
    if (!group || !title || !label || !value || !copy || !done) throw new Error('A new key lacks its place.');
    title.id = `created-${prefix}`;
    title.textContent = `Key “${name}” is active. Copy it now: it cannot be shown again.`;
    group.setAttribute('aria-labelledby', title.id);
    value.id = label.htmlFor = `value-${prefix}`;
    value.value = text;
    copy.addEventListener('click', () => void copyFrom(value));
    done.addEventListener('click', () => {
      group.remove();
      say('The value was removed from this page.');
      const next = this.#place.querySelector('button');
      if (next) next.focus();
      else this.#whenAllDone();
    });
    this.#place.prepend(content);
    copy.focus();
  }

  /** Removes all values. */
  forget() {
    this.#place.replaceChildren();
  }
}

/** @param {HTMLInputElement} value */
async function copyFrom(value) {
  try {
    await navigator.clipboard.writeText(value.value);
    say('Key copied.');
  } catch {
    value.select();
    say('The browser blocked copying. The key is selected: copy it with Ctrl+C.', 'failed');
  }
}
