import * as vscode from 'vscode';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { scopeSentence, type ScopeBudget } from '../words/budget.ts';

export interface BudgetCommandsDeps {
  readonly boundary: ErrorBoundary;
  /** What is left of the active connection's budget. */
  readonly budgets: () => Promise<ScopeBudget[]>;
}

/** The menu of the status item: the budget, what waits, and the way to log, connections and archive. */
export function registerBudgetCommands({ boundary, budgets }: BudgetCommandsDeps): vscode.Disposable {
  return boundary.register(commands.showBudget, async () => {
    const { t } = vscode.l10n;
    const lines = (await budgets()).map(one => ({ label: `$(pulse) ${scopeSentence(one)}`, command: undefined }));
    const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, command: undefined };
    const items = [
      ...lines,
      separator,
      { label: `$(output) ${t('Show Log')}`, command: commands.showLog },
      { label: `$(plug) ${t('Switch Connection…')}`, command: commands.switchConnection },
      { label: `$(settings) ${t('Set Limits…')}`, command: commands.setLimits },
      { label: `$(folder) ${t('Open Archive Folder')}`, command: commands.openArchiveFolder },
    ];
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: t('Request budget') });
    if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
  });
}
