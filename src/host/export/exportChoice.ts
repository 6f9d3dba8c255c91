import * as v from 'valibot';
import type { KeyValueStore } from '../../core/ports.ts';
import { exportFormats, exportScopes } from '../../shared/exportOptions.ts';
import { stateNames } from '../ids.ts';

/** Where an export goes. */
export const exportPlaces = ['editor', 'file', 'clipboard'] as const;
export type ExportPlace = (typeof exportPlaces)[number];

const choiceSchema = v.object({
  scope: v.picklist(exportScopes),
  format: v.picklist(exportFormats),
  place: v.picklist(exportPlaces),
});

/** What a person chose: what, as what, and where to. */
export type ExportChoice = v.InferOutput<typeof choiceSchema>;

/** A choice by the argument of a command (a keybinding's, a task's): what it leaves out is asked for. */
export const choiceArgument = v.partial(v.strictObject(choiceSchema.entries));

/** The last choice, offered first the next time. */
export class LastExport {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get(): ExportChoice | undefined {
    const stored = this.#state.get(stateNames.lastExport);
    return v.is(choiceSchema, stored) ? stored : undefined;
  }

  async keep(choice: ExportChoice): Promise<void> {
    await this.#state.update(stateNames.lastExport, choice);
  }
}
