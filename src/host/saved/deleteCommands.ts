import * as vscode from 'vscode';
import { commands } from '../ids.ts';
import type { Deletions } from './deletions.ts';
import type { SavedCommandDeps } from './savedCommandDeps.ts';
import { deleteItems } from './savedEdits.ts';
import { SavedTargets } from './savedTargets.ts';

/** Delete, at once and without a question, since Undo brings it back. */
export function registerDeleteCommands(deps: SavedCommandDeps, deletions: Deletions): vscode.Disposable {
  const { t } = vscode.l10n;
  const targets = new SavedTargets(deps);

  async function remove(argument: unknown, selection: unknown): Promise<void> {
    const entries = await targets.several(argument, selection, t('Delete which ones?'));
    const [first] = entries;
    if (!first) return;
    const sentence =
      entries.length === 1 ? t('Deleted “{0}”.', first.item.name) : t('Deleted {0} items.', entries.length);
    await deletions.add({ sentence, undo: await deleteItems(entries) });
  }

  return vscode.Disposable.from(
    deps.boundary.register(commands.deleteSavedItem, remove),
    deps.boundary.register(commands.undoDelete, async at => deletions.undo(at)),
  );
}
