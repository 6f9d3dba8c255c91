import { setFaults } from './api.js';
import { byId, onSubmit, say } from './elements.js';

/** @import { DashboardState } from '../shape.ts' */

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
