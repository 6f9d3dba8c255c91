import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import { contextKeys, stateNames } from '../ids.ts';
import { createQuickPick, showInformationMessage } from '../messages/messages.ts';
import { openText, setContext } from '../workbench.ts';

/** A code snippet that can be copied. */
export interface SnippetChoice {
  /** Identifies the choice in the stored state. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The heading of its group. */
  readonly group: string;
  /** VS Code's language id. */
  readonly language: string;
  readonly text: string;
  /** The notification after it was copied. */
  readonly copied: string;
}

interface SnippetItem extends vscode.QuickPickItem {
  readonly choice?: SnippetChoice;
}

/**
 * Lets the user choose a snippet, which is copied or, with the button of its item, opened in an editor. The last choice comes
 * first. Does nothing if the user cancels.
 */
export async function pickSnippet(
  choices: readonly SnippetChoice[],
  title: string,
  state: KeyValueStore,
): Promise<void> {
  const picked = await showPicker(sortLastChosenFirst(choices, state.get(stateNames.lastSnippet)), title);
  if (!picked) return;
  const { choice, target } = picked;
  await state.update(stateNames.lastSnippet, choice.id);
  void setContext(contextKeys.hasSavedResult, true);
  if (target === 'editor') return openText(choice.text, choice.language);
  await vscode.env.clipboard.writeText(choice.text);
  const show = t('Open in Editor');
  // Not awaited, because the notification stays open until the user closes it.
  void showInformationMessage(choice.copied, show).then(
    async clicked => clicked === show && openText(choice.text, choice.language),
  );
}

function sortLastChosenFirst(choices: readonly SnippetChoice[], last: unknown): readonly SnippetChoice[] {
  const first = choices.filter(({ id }) => id === last);
  return [...first, ...choices.filter(({ id }) => id !== last)];
}

interface PickedSnippet {
  readonly choice: SnippetChoice;
  readonly target: 'clipboard' | 'editor';
}

async function showPicker(choices: readonly SnippetChoice[], title: string): Promise<PickedSnippet | undefined> {
  const list = createQuickPick<SnippetItem>();
  const toEditor = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: t('Open in Editor') };
  list.title = title;
  list.placeholder = t('Press Enter to copy the code, or use the button to open it in an editor');
  list.matchOnDescription = true;
  list.items = choices.flatMap((choice, index): SnippetItem[] => {
    const { name, description, group } = choice;
    const item = { label: name, description, buttons: [toEditor], choice };
    if (choices[index - 1]?.group === group) return [item];
    return [{ label: group, kind: vscode.QuickPickItemKind.Separator }, item];
  });
  try {
    return await new Promise(resolve => {
      const accept = (item: SnippetItem | undefined, target: PickedSnippet['target']): void =>
        resolve(item?.choice && { choice: item.choice, target });
      list.onDidAccept(() => accept(list.selectedItems[0], 'clipboard'));
      list.onDidTriggerItemButton(({ item }) => accept(item, 'editor'));
      list.onDidHide(() => resolve(undefined));
      list.show();
    });
  } finally {
    list.dispose();
  }
}
