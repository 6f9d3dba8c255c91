import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { commands, contextKeys } from '../ids.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import type { SavedEntry } from './queryStore.ts';
import type { QueryStores } from './queryStores.ts';
import { moveTo, type StorePosition } from './savedEdits.ts';

/** A deletion that can be undone. */
export interface Deletion {
  /** The text of the notification. */
  readonly message: string;
  readonly undo: () => Promise<void>;
}

/**
 * The deletions of this window, including moves to another store. They are undone by the button of their notification, or by Undo Delete,
 * the latest first.
 */
export class Deletions {
  readonly #stores: Pick<QueryStores, 'batch'>;
  readonly #deletions: Deletion[] = [];

  constructor(stores: Pick<QueryStores, 'batch'>) {
    this.#stores = stores;
  }

  /** Records a deletion and shows a notification with an Undo button. */
  async add(deletion: Deletion): Promise<void> {
    this.#deletions.push(deletion);
    await this.#updateContext();
    const undoButton = t('Undo');
    void showInformationMessage(deletion.message, undoButton).then(async selected => {
      if (selected === undoButton)
        await vscode.commands.executeCommand(commands.undoDelete, this.#deletions.indexOf(deletion));
    });
  }

  /** Moves items. Only a move between stores shows a notification. */
  async move(entries: readonly SavedEntry[], destination: StorePosition, newId: () => string): Promise<void> {
    const undo = await this.#stores.batch(async () => moveTo(entries, destination, newId));
    const [first] = entries;
    if (!undo || !first) return;
    const storeName = destination.store.name;
    const message =
      entries.length === 1
        ? t("Moved '{0}' to {1}.", first.item.name, storeName)
        : t('Moved {0} items to {1}.', entries.length, storeName);
    await this.add({ message, undo });
  }

  /** Undoes the deletion at the index `requestedIndex`, or the latest one. */
  async undo(requestedIndex: unknown): Promise<void> {
    const index = typeof requestedIndex === 'number' ? requestedIndex : this.#deletions.length - 1;
    const deletion = this.#deletions[index];
    if (!deletion) return;
    // Removed before the await, since the button and the command may both be used meanwhile.
    this.#deletions.splice(index, 1);
    try {
      await this.#stores.batch(deletion.undo);
    } catch (error) {
      this.#deletions.push(deletion);
      throw error;
    } finally {
      await this.#updateContext();
    }
  }

  async #updateContext(): Promise<void> {
    await setContext(contextKeys.canUndoDelete, this.#deletions.length > 0);
  }
}
