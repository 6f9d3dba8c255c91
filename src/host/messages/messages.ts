import * as vscode from 'vscode';
import { inertText } from '../../core/inertText.ts';

/*
 * All texts reach VS Code's own surfaces through here: notifications, prompts, trees, tooltips, the status bar, titles, problems. VS Code turns
 * `[label](command:…)` into links that run commands and `$(name)` into icons, and any text may hold words from outside: of a
 * service, a workspace's file or a link. So all that passes here is made inert; an icon or a link of our own is an argument.
 */

/** The properties that VS Code shows. */
const shownProperties = [
  'title',
  'label',
  'description',
  'detail',
  'tooltip',
  'placeHolder',
  'placeholder',
  'prompt',
  'message',
  'validationMessage',
  'items',
  'buttons',
  'accessibilityInformation',
] as const;

/** The open quick picks and input boxes. */
const openBoxes = new Set<unknown>();

// Each as the function of `vscode.window`.
export const showErrorMessage = messageFunction('showErrorMessage');
export const showWarningMessage = messageFunction('showWarningMessage');
export const showInformationMessage = messageFunction('showInformationMessage');

function messageFunction(
  name: 'showErrorMessage' | 'showWarningMessage' | 'showInformationMessage',
): typeof vscode.window.showErrorMessage {
  return async (message: string, ...rest: unknown[]) =>
    vscode.window[name](inertText(message), ...(inert(rest) as never[]));
}

/** Asks in a dialog before something is done; whether the person pressed the button. */
export async function confirm(question: string, button: string, detail?: string): Promise<boolean> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  return (await showWarningMessage(question, options, button)) === button;
}

export function setStatusBarMessage(text: string, hideAfterMs: number): void {
  vscode.window.setStatusBarMessage(inertText(text), hideAfterMs);
}

/** As the function of `vscode.window`; a person's Cancel aborts the signal. */
export async function withProgress<T>(
  options: vscode.ProgressOptions,
  task: (progress: vscode.Progress<{ message?: string; increment?: number }>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(inert(options), async (progress, token) => {
    const stop = new AbortController();
    const listening = token.onCancellationRequested(() => stop.abort());
    try {
      return await task({ report: value => progress.report(inert(value)) }, stop.signal);
    } finally {
      listening.dispose();
    }
  });
}

export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { readonly canPickMany: true },
): Promise<T[] | undefined>;
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | undefined>;
/** As the function of `vscode.window`; an icon of an item is its `iconPath`. It stays until it is answered or left. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | T[] | undefined> {
  openBoxes.add(items);
  try {
    return await vscode.window.showQuickPick(inert(items), inert({ ...options, ignoreFocusOut: true }));
  } finally {
    openBoxes.delete(items);
  }
}

/** As the function of `vscode.window`; an icon of an item is its `iconPath`. It stays until it is answered or left. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return inertProperties(noted(vscode.window.createQuickPick<T>()));
}

/** As the function of `vscode.window`. It stays until it is answered or left. */
export function createInputBox(): vscode.InputBox {
  return inertProperties(noted(vscode.window.createInputBox()));
}

/** Whether a quick pick or an input box of ours is open: VS Code does not report others. */
export function isAsking(): boolean {
  return openBoxes.size > 0;
}

function noted<T extends vscode.QuickInput>(box: T): T {
  // A panel that finishes loading takes the focus, and a key is fetched from another window: neither answers the question.
  box.ignoreFocusOut = true;
  const [show, hide] = [box.show.bind(box), box.hide.bind(box)];
  box.show = () => {
    openBoxes.add(box);
    show();
  };
  // `onDidHide` fires later.
  box.hide = () => {
    openBoxes.delete(box);
    hide();
  };
  box.onDidHide(() => openBoxes.delete(box));
  return box;
}

/** As the function of `vscode.window`. */
export function createTreeView<T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> {
  return inertProperties(vscode.window.createTreeView(id, options));
}

/** A line of a tree. */
export function createTreeItem(label: string, state?: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  return inertProperties(new vscode.TreeItem(inertText(label), state));
}

/** As the function of `vscode.window`. */
export function createWebviewPanel(
  ...[viewType, title, place, options]: Parameters<typeof vscode.window.createWebviewPanel>
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, inertText(title), place, options);
}

export function setPanelTitle(panel: vscode.WebviewPanel, title: string): void {
  panel.title = inertText(title);
}

/** A line of the list of problems. */
export function createDiagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  return new vscode.Diagnostic(range, inertText(message), severity);
}

/** A command over a line of a text. `icon`: the name of a product icon. */
export function createCodeLens(range: vscode.Range, icon: string, command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(range, { ...inert(command), title: withIcon(icon, command.title) });
}

export interface StatusBarText {
  /** The name of a product icon. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: vscode.MarkdownString;
  /** The text for a screen reader. */
  readonly spoken: string;
  readonly color?: vscode.ThemeColor | undefined;
}

export function showStatusBarText(
  item: vscode.StatusBarItem,
  { icon, text, tooltip, spoken, color }: StatusBarText,
): void {
  item.text = withIcon(icon, text);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: inertText(spoken) };
  item.backgroundColor = color;
  item.show();
}

/** A text with an icon of our own, where there is no other place for one. */
export function withIcon(icon: string, text: string): string {
  return `$(${icon}) ${inertText(text)}`;
}

/** The lines of a tooltip or message as Markdown that reads none of them as Markdown; a heading is bold, a link of our own runs a command. */
export function createMarkdown(
  lines: readonly string[],
  { heading, link }: { readonly heading?: string; readonly link?: Record<'label' | 'command', string> } = {},
): vscode.MarkdownString {
  const parts = lines.map(markdownText);
  if (heading !== undefined) parts.unshift(`**${markdownText(heading)}**`);
  if (link) parts.push(`[${markdownText(link.label)}](command:${link.command})`);
  const markdown = new vscode.MarkdownString(parts.join('\n\n'));
  if (link) markdown.isTrusted = { enabledCommands: [link.command] };
  return markdown;
}

/** Every ASCII punctuation character escaped, which Markdown allows: no syntax is left, that of bare addresses included. */
function markdownText(text: string): string {
  return inertText(text).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** An object whose texts are made inert when they are set. */
function inertProperties<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      return typeof value === 'function' ? (value.bind(object) as unknown) : value;
    },
    set: (object, name, value: unknown) =>
      Reflect.set(object, name, shownProperties.some(shown => shown === name) ? inert(value) : value),
  });
}

/** A text made inert; an array or object with its texts made inert in place, since what a person chooses is compared by identity. */
function inert<T>(value: T): T {
  if (typeof value === 'string') return inertText(value) as T & string;
  if (typeof value !== 'object' || value === null || value instanceof vscode.MarkdownString) return value;
  const held = value as Record<PropertyKey, unknown>;
  for (const name of Array.isArray(value) ? value.keys() : shownProperties) {
    const made = name in held ? inert(held[name]) : undefined;
    // Constants of VS Code, such as its Back button, cannot be changed.
    if (made !== held[name]) held[name] = made;
  }
  return value;
}
