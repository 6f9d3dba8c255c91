import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { commands, contextKeys } from '../ids.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import type { SavedCommandDeps } from './savedCommands.ts';
import { deleteItems } from './savedEdits.ts';
import { TreeSelection } from './treeSelection.ts';

/** What was taken away at once, and how it comes back. */
export interface Deletion {
  /** The text of the notification. */
  readonly sentence: string;
  readonly undo: () => Promise<void>;
}

/** What was deleted in this window and can be brought back: by the button of its message, or by Undo Delete, the last one first. */
export class Deletions {
  readonly #deletions: Deletion[] = [];

  /** Remembers the deletion and shows a notification with Undo. */
  async add(deletion: Deletion): Promise<void> {
    this.#deletions.push(deletion);
    await this.#show();
    const undo = t('Undo');
    void showInformationMessage(deletion.sentence, undo).then(async chosen => {
      if (chosen === undo) await vscode.commands.executeCommand(commands.undoDelete, this.#deletions.indexOf(deletion));
    });
  }

  /** `at`: which of them; the last one otherwise. */
  async undo(at: unknown): Promise<void> {
    const index = typeof at === 'number' ? at : this.#deletions.length - 1;
    const deletion = this.#deletions[index];
    if (!deletion) return;
    // Before it is awaited: the button and the command may both be used meanwhile.
    this.#deletions.splice(index, 1);
    try {
      await deletion.undo();
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

/** Delete, at once and without a question, since Undo brings it back. */
export function registerDeleteCommands(deps: SavedCommandDeps, deletions: Deletions): vscode.Disposable {
  const targets = new TreeSelection(deps);

  async function remove(argument: unknown, selection: unknown): Promise<void> {
    const entries = await targets.several(argument, selection, t('Select items to delete'));
    const [first] = entries;
    if (!first) return;
    const sentence =
      entries.length === 1 ? t("Deleted '{0}'.", first.item.name) : t('Deleted {0} items.', entries.length);
    await deletions.add({ sentence, undo: await deleteItems(entries) });
  }

  return vscode.Disposable.from(
    deps.boundary.register(commands.deleteSavedItem, remove),
    deps.boundary.register(commands.undoDelete, async at => deletions.undo(at)),
  );
}
