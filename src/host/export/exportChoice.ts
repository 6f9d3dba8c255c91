import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import { exportFormats, exportScopes } from '../../shared/exportOptions.ts';
import { stateNames } from '../ids.ts';

/** The destinations of an export. */
export const exportDestinations = ['editor', 'file', 'clipboard'] as const;
export type ExportDestination = (typeof exportDestinations)[number];

const choiceSchema = v.object({
  scope: v.picklist(exportScopes),
  format: v.picklist(exportFormats),
  place: v.picklist(exportDestinations),
});

/** The chosen scope, format and destination of an export. */
export type ExportChoice = v.InferOutput<typeof choiceSchema>;

/** The argument of an export command, such as from a keybinding. The user is prompted for what it omits. */
export const choiceArgumentSchema = v.partial(v.strictObject(choiceSchema.entries));

/** Stores the last choice, which is offered first the next time. */
export class LastExport {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get(): ExportChoice | undefined {
    const storedValue = this.#state.get(stateNames.lastExport);
    return v.is(choiceSchema, storedValue) ? storedValue : undefined;
  }

  async set(choice: ExportChoice): Promise<void> {
    await this.#state.update(stateNames.lastExport, choice);
  }
}
