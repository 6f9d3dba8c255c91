import { byId, contentOf, say } from './elements.js';

/** The values of new keys: each is shown until the person dismisses it, even if more are created meanwhile. */
export class ShownKeys {
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
