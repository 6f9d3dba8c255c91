import * as vscode from 'vscode';
import { commands, contextKeys } from '../ids.ts';
import { showInformationMessage } from '../messages.ts';
import { setContext } from '../setContext.ts';

/** What was taken away at once, and how it comes back. */
export interface Deletion {
  /** What the message says of it. */
  readonly sentence: string;
  readonly undo: () => Promise<void>;
}

/** What was deleted in this window and can be brought back: by the button of its message, or by Undo Delete, the last one first. */
export class Deletions {
  readonly #deletions: Deletion[] = [];

  /** Remembers the deletion and says so, with its Undo. */
  async add(deletion: Deletion): Promise<void> {
    this.#deletions.push(deletion);
    await this.#show();
    const undo = vscode.l10n.t('Undo');
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
