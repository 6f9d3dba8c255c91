import * as vscode from 'vscode';
import { commands, contextKeys } from '../ids.ts';
import { setContext } from '../setContext.ts';
import type { SavedCommandDeps } from './savedCommandDeps.ts';
import { deleteItems, type Deletion } from './savedEdits.ts';
import { SavedTargets } from './savedTargets.ts';

/** Delete, at once and without a question, since Undo brings it back: by the message's button or by its command. */
export function registerDeleteCommands(deps: SavedCommandDeps): vscode.Disposable {
  const { t } = vscode.l10n;
  const targets = new SavedTargets(deps);
  /** Of this window, the last one last. */
  const deletions: Deletion[] = [];

  async function remove(argument: unknown, selection: unknown): Promise<void> {
    const entries = await targets.several(argument, selection, t('Delete which ones?'));
    if (entries.length === 0) return;
    const deletion = await deleteItems(entries);
    deletions.push(deletion);
    await setContext(contextKeys.canUndoDelete, true);
    const sentence =
      deletion.count === 1 ? t('Deleted “{0}”.', deletion.name) : t('Deleted {0} items.', deletion.count);
    const undoIt = t('Undo');
    void vscode.window.showInformationMessage(sentence, undoIt).then(async chosen => {
      if (chosen === undoIt) await vscode.commands.executeCommand(commands.undoDelete, deletions.indexOf(deletion));
    });
  }

  /** `at`: which of them; the last one otherwise. */
  async function undo(at: unknown): Promise<void> {
    const index = typeof at === 'number' ? at : deletions.length - 1;
    const deletion = deletions[index];
    if (!deletion) return;
    await deletion.undo();
    deletions.splice(deletions.indexOf(deletion), 1);
    await setContext(contextKeys.canUndoDelete, deletions.length > 0);
  }

  return vscode.Disposable.from(
    deps.boundary.register(commands.deleteSavedItem, remove),
    deps.boundary.register(commands.undoDelete, undo),
  );
}
