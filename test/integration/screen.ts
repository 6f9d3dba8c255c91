import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findIcons, findLinks, toPlainText, findMarkdownSyntax } from '../hostile/renderedSyntax.ts';

/** A text passed to VS Code, as plain text or Markdown. */
export type Shown = string | vscode.MarkdownString;

/** The maximum lengths of a text and of a tooltip with several lines. */
const maxLength = { text: 1_000, markdown: 10_000 };

const shownProperties = ['title', 'label', 'description', 'detail', 'tooltip', 'placeHolder', 'placeholder', 'prompt'];
const replacedMembers = [
  ...['showErrorMessage', 'showWarningMessage', 'showInformationMessage', 'setStatusBarMessage'],
  ...['showQuickPick', 'withProgress', 'createQuickPick', 'createInputBox'],
] as const;

/** Runs `act` with fakes of VS Code's messages and pickers, and collects all texts passed to them. The fakes return no choice. */
export async function captureShownTexts(act: () => Promise<unknown>): Promise<Shown[]> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const originals = replacedMembers.map(name => [name, window[name]] as const);
  const texts: Shown[] = [];
  const recordAndCancel = async (...args: unknown[]): Promise<undefined> => {
    texts.push(...collectTexts(args));
    return Promise.resolve(undefined);
  };
  for (const name of replacedMembers) window[name] = recordAndCancel;
  window['withProgress'] = (options: unknown, task: (progress: unknown, token: unknown) => unknown) => {
    texts.push(...collectTexts(options));
    const token = new vscode.CancellationTokenSource().token;
    return task({ report: (value: unknown) => texts.push(...collectTexts(value)) }, token);
  };
  window['createQuickPick'] = window['createInputBox'] = () => fakeBox(texts);
  try {
    await act();
  } finally {
    for (const [name, value] of originals) window[name] = value;
  }
  return texts;
}

/** Creates a box that records its texts and is canceled as soon as it is shown. */
function fakeBox(texts: Shown[]): object {
  const hideListeners: (() => void)[] = [];
  const listen = (): vscode.Disposable => new vscode.Disposable(() => undefined);
  const box = {
    value: '',
    items: [],
    activeItems: [],
    selectedItems: [],
    buttons: [],
    onDidAccept: listen,
    onDidChangeValue: listen,
    onDidTriggerButton: listen,
    onDidTriggerItemButton: listen,
    onDidHide: (listener: () => void) => {
      hideListeners.push(listener);
      return listen();
    },
    show: () => {
      texts.push(...collectTexts({ ...box }));
      for (const listener of hideListeners) listener();
    },
    hide: () => undefined,
    dispose: () => undefined,
  };
  return box;
}

/** Collects the texts of arguments, options and tree items, including nested ones that VS Code displays. */
export function collectTexts(value: unknown): Shown[] {
  if (typeof value === 'string') return [value];
  if (value instanceof vscode.MarkdownString) return [value];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Record<string, unknown>;
  const nested = [...shownProperties, 'message', 'validationMessage', 'items', 'buttons', 'accessibilityInformation'];
  return nested.flatMap(name => (name in record ? collectTexts(record[name]) : []));
}

/** Asserts that texts were shown, none of them too long or with a link, an icon, a hidden character or HTML. */
export function assertInert(texts: readonly Shown[], context: string): void {
  assert.ok(texts.length > 0, `${context}: no text is shown`);
  for (const shownText of texts) {
    const isMarkdown = shownText instanceof vscode.MarkdownString;
    const text = isMarkdown ? toPlainText(shownText.value).replaceAll('\n\n', ' ') : shownText;
    assert.deepEqual([findLinks(text), findIcons(text)], [[], []], `${context}: ${text.slice(0, 300)}`);
    assert.doesNotMatch(text, /\p{C}|[\n\u2028\u2029]/u, `${context}: a hidden character`);
    assert.ok(text.length <= maxLength[isMarkdown ? 'markdown' : 'text'], `${context}: ${text.length} characters`);
    if (!isMarkdown) continue;
    assert.deepEqual(findMarkdownSyntax(shownText.value), [], `${context}: ${shownText.value.slice(0, 300)}`);
    assert.ok(
      !shownText.isTrusted && !shownText.supportHtml && !shownText.supportThemeIcons,
      `${context}: trusted Markdown`,
    );
  }
}
