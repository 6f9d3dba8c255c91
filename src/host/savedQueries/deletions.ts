import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { commands, contextKeys } from '../ids.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import type { SavedEntry } from './queryStore.ts';
import type { QueryStores } from './queryStores.ts';
import { moveTo, type StorePosition } from './savedEdits.ts';

/** What was taken away at once, and how it comes back. */
export interface Deletion {
  /** The text of the notification. */
  readonly sentence: string;
  readonly undo: () => Promise<void>;
}

/** What was deleted in this window, or moved to another store, and can be brought back: by the button of its message, or by Undo Delete, the last one first. */
export class Deletions {
  readonly #stores: Pick<QueryStores, 'asOne'>;
  readonly #deletions: Deletion[] = [];

  constructor(stores: Pick<QueryStores, 'asOne'>) {
    this.#stores = stores;
  }

  /** Remembers the deletion and shows a notification with Undo. */
  async add(deletion: Deletion): Promise<void> {
    this.#deletions.push(deletion);
    await this.#show();
    const undo = t('Undo');
    void showInformationMessage(deletion.sentence, undo).then(async chosen => {
      if (chosen === undo) await vscode.commands.executeCommand(commands.undoDelete, this.#deletions.indexOf(deletion));
    });
  }

  /** Moves items; only between stores with a notification. */
  async move(entries: readonly SavedEntry[], place: StorePosition, newId: () => string): Promise<void> {
    const undo = await this.#stores.asOne(async () => moveTo(entries, place, newId));
    const [first] = entries;
    if (!undo || !first) return;
    const to = place.store.name;
    const sentence =
      entries.length === 1
        ? t("Moved '{0}' to {1}.", first.item.name, to)
        : t('Moved {0} items to {1}.', entries.length, to);
    await this.add({ sentence, undo });
  }

  /** `at`: which of them; the last one otherwise. */
  async undo(at: unknown): Promise<void> {
    const index = typeof at === 'number' ? at : this.#deletions.length - 1;
    const deletion = this.#deletions[index];
    if (!deletion) return;
    // Before it is awaited: the button and the command may both be used meanwhile.
    this.#deletions.splice(index, 1);
    try {
      await this.#stores.asOne(deletion.undo);
    } catch (error) {
      this.#deletions.push(deletion);
      throw error;
    } finally {
      await this.#show();
    }
  }

  async #show(): Promise<void> {
    await setContext(contextKeys.canUndoDelete, this.#deletions.length > 0);
  }
}
