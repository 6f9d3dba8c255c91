import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { iconsIn, linksIn, plainTextOf, syntaxIn } from '../hostile/shownSyntax.ts';

/** A text that reached VS Code, as plain text or Markdown. */
export type Shown = string | vscode.MarkdownString;

/** More of one text is never shown, of several lines of a tooltip somewhat more. */
const longest = { text: 1_000, markdown: 10_000 };

const shownProperties = ['title', 'label', 'description', 'detail', 'tooltip', 'placeHolder', 'placeholder', 'prompt'];
const replaced = [
  ...['showErrorMessage', 'showWarningMessage', 'showInformationMessage', 'setStatusBarMessage'],
  ...['showQuickPick', 'withProgress', 'createQuickPick', 'createInputBox'],
] as const;

/**
 * Runs `act` with stand-ins for what VS Code shows, and collects all texts that reach them. Nothing is chosen: messages and
 * pickers are left.
 */
export async function textsShownBy(act: () => Promise<unknown>): Promise<Shown[]> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = replaced.map(name => [name, window[name]] as const);
  const shown: Shown[] = [];
  const left = async (...given: unknown[]): Promise<undefined> => {
    shown.push(...textsOf(given));
    return Promise.resolve(undefined);
  };
  for (const name of replaced) window[name] = left;
  window['withProgress'] = (options: unknown, task: (progress: unknown, token: unknown) => unknown) => {
    shown.push(...textsOf(options));
    const token = new vscode.CancellationTokenSource().token;
    return task({ report: (value: unknown) => shown.push(...textsOf(value)) }, token);
  };
  window['createQuickPick'] = window['createInputBox'] = () => fakeBox(shown);
  try {
    await act();
  } finally {
    for (const [name, value] of before) window[name] = value;
  }
  return shown;
}

/** A box that takes every text it is given, and is left as soon as it is shown. */
function fakeBox(shown: Shown[]): object {
  const hidden: (() => void)[] = [];
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
      hidden.push(listener);
      return listen();
    },
    show: () => {
      shown.push(...textsOf({ ...box }));
      for (const listener of hidden) listener();
    },
    hide: () => undefined,
    dispose: () => undefined,
  };
  return box;
}

/** The texts of arguments, options, items and lines of a tree, at any depth that VS Code shows. */
export function textsOf(value: unknown): Shown[] {
  if (typeof value === 'string') return [value];
  if (value instanceof vscode.MarkdownString) return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  const held = value as Record<string, unknown>;
  const nested = [...shownProperties, 'message', 'validationMessage', 'items', 'buttons', 'accessibilityInformation'];
  return nested.flatMap(name => (name in held ? textsOf(held[name]) : []));
}

/** Neither a link nor an icon nor a hidden character nor HTML, and not too long; at least one text was shown. */
export function assertInert(shown: readonly Shown[], of: string): void {
  assert.ok(shown.length > 0, `${of}: nothing is shown`);
  for (const one of shown) {
    const isMarkdown = one instanceof vscode.MarkdownString;
    const text = isMarkdown ? plainTextOf(one.value).replaceAll('\n\n', ' ') : one;
    assert.deepEqual([linksIn(text), iconsIn(text)], [[], []], `${of}: ${text.slice(0, 300)}`);
    assert.doesNotMatch(text, /\p{C}|[\n\u2028\u2029]/u, `${of}: a hidden character`);
    assert.ok(text.length <= longest[isMarkdown ? 'markdown' : 'text'], `${of}: ${text.length} characters`);
    if (!isMarkdown) continue;
    assert.deepEqual(syntaxIn(one.value), [], `${of}: ${one.value.slice(0, 300)}`);
    assert.ok(!one.isTrusted && !one.supportHtml && !one.supportThemeIcons, `${of}: trusted Markdown`);
  }
}
