import { Refusal, setTerms } from './api.js';
import { byId, onSubmit, say, setText } from './elements.js';
import { TermsForm } from './termsForm.js';

/** @import { DashboardState, ListedKey } from '../shape.ts' */

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
