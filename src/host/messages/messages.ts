import * as vscode from 'vscode';
import { toInertText } from '../../core/inertText.ts';

/*
 * All texts pass through this module to VS Code's UI: notifications, prompts, trees, tooltips, the status bar, titles, problems. VS Code
 * renders `[label](command:…)` as a link that runs a command and `$(name)` as an icon, and any text may contain untrusted parts from a
 * service, a workspace file or a link. So the functions here escape every text; the extension's own icons and links are separate arguments.
 */

/** The properties that VS Code displays as text. */
const displayedProperties = [
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

// These behave like the functions of `vscode.window`.
export const showErrorMessage = createMessageFunction('showErrorMessage');
export const showWarningMessage = createMessageFunction('showWarningMessage');
export const showInformationMessage = createMessageFunction('showInformationMessage');

function createMessageFunction(
  name: 'showErrorMessage' | 'showWarningMessage' | 'showInformationMessage',
): typeof vscode.window.showErrorMessage {
  return async (message: string, ...rest: unknown[]) =>
    vscode.window[name](toInertText(message), ...(escapeTexts(rest) as never[]));
}

/** Shows a modal confirmation. Returns whether the user pressed the button. */
export async function confirm(message: string, button: string, detail?: string): Promise<boolean> {
  const options = { modal: true, ...(detail !== undefined && { detail }) };
  return (await showWarningMessage(message, options, button)) === button;
}

export function setStatusBarMessage(text: string, hideAfterMs: number): void {
  vscode.window.setStatusBarMessage(toInertText(text), hideAfterMs);
}

/** Like the function of `vscode.window`, with an abort signal instead of a cancellation token. */
export async function withProgress<T>(
  options: vscode.ProgressOptions,
  task: (progress: vscode.Progress<{ message?: string; increment?: number }>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(escapeTexts(options), async (progress, token) => {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      return await task({ report: value => progress.report(escapeTexts(value)) }, controller.signal);
    } finally {
      subscription.dispose();
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
/** Like the function of `vscode.window`, but it stays open when it loses the focus. Set the icon of an item by its `iconPath`. */
export async function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T | T[] | undefined> {
  openBoxes.add(items);
  try {
    return await vscode.window.showQuickPick(escapeTexts(items), escapeTexts({ ...options, ignoreFocusOut: true }));
  } finally {
    openBoxes.delete(items);
  }
}

/** Like the function of `vscode.window`, but it stays open when it loses the focus. Set the icon of an item by its `iconPath`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return escapeOnSet(trackOpen(vscode.window.createQuickPick<T>()));
}

/** Like the function of `vscode.window`, but it stays open when it loses the focus. */
export function createInputBox(): vscode.InputBox {
  return escapeOnSet(trackOpen(vscode.window.createInputBox()));
}

/** Whether a quick pick or input box of this extension is open. VS Code does not report the boxes of other extensions. */
export function isPromptOpen(): boolean {
  return openBoxes.size > 0;
}

function trackOpen<T extends vscode.QuickInput>(box: T): T {
  // A panel that finishes loading takes the focus, and the user may copy a key from another window. Neither should close the box.
  box.ignoreFocusOut = true;
  const show = box.show.bind(box);
  const hide = box.hide.bind(box);
  box.show = () => {
    openBoxes.add(box);
    show();
  };
  // `onDidHide` alone would be too late, since it fires later.
  box.hide = () => {
    openBoxes.delete(box);
    hide();
  };
  box.onDidHide(() => openBoxes.delete(box));
  return box;
}

/** Like the function of `vscode.window`. */
export function createTreeView<T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> {
  return escapeOnSet(vscode.window.createTreeView(id, options));
}

/** Creates a tree item whose texts are escaped. */
export function createTreeItem(label: string, state?: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  return escapeOnSet(new vscode.TreeItem(toInertText(label), state));
}

/** Like the function of `vscode.window`. */
export function createWebviewPanel(
  ...[viewType, title, showOptions, options]: Parameters<typeof vscode.window.createWebviewPanel>
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, toInertText(title), showOptions, options);
}

export function setPanelTitle(panel: vscode.WebviewPanel, title: string): void {
  panel.title = toInertText(title);
}

/** Creates an entry of the Problems view. */
export function createDiagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  return new vscode.Diagnostic(range, toInertText(message), severity);
}

/** Creates a code lens with a command. `icon` is the name of a product icon. */
export function createCodeLens(range: vscode.Range, icon: string, command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(range, { ...escapeTexts(command), title: withIcon(icon, command.title) });
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
  item.accessibilityInformation = { label: toInertText(spoken) };
  item.backgroundColor = color;
  item.show();
}

/** Prefixes a text with a product icon, for UI elements that have no property for an icon. */
export function withIcon(icon: string, text: string): string {
  return `$(${icon}) ${toInertText(text)}`;
}

/** Creates Markdown with escaped lines, one paragraph each. The heading is bold; the link runs a command. */
export function createMarkdown(
  lines: readonly string[],
  { heading, link }: { readonly heading?: string; readonly link?: Record<'label' | 'command', string> } = {},
): vscode.MarkdownString {
  const parts = lines.map(escapeMarkdown);
  if (heading !== undefined) parts.unshift(`**${escapeMarkdown(heading)}**`);
  if (link) parts.push(`[${escapeMarkdown(link.label)}](command:${link.command})`);
  const markdown = new vscode.MarkdownString(parts.join('\n\n'));
  if (link) markdown.isTrusted = { enabledCommands: [link.command] };
  return markdown;
}

/** Escapes every ASCII punctuation character, so that no Markdown syntax is left, including bare URLs. */
function escapeMarkdown(text: string): string {
  return toInertText(text).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Wraps an object so that texts are escaped when they are set. */
function escapeOnSet<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      return typeof value === 'function' ? (value.bind(object) as unknown) : value;
    },
    set: (object, name, value: unknown) =>
      Reflect.set(object, name, displayedProperties.some(property => property === name) ? escapeTexts(value) : value),
  });
}

/** Escapes a text. In an array or object, texts are escaped in place, since the chosen item is compared by identity. */
function escapeTexts<T>(value: T): T {
  if (typeof value === 'string') return toInertText(value) as T & string;
  if (typeof value !== 'object' || value === null || value instanceof vscode.MarkdownString) return value;
  const properties = value as Record<PropertyKey, unknown>;
  for (const name of Array.isArray(value) ? value.keys() : displayedProperties) {
    const escaped = name in properties ? escapeTexts(properties[name]) : undefined;
    // Constants of VS Code, such as its Back button, cannot be changed.
    if (escaped !== properties[name]) properties[name] = escaped;
  }
  return value;
}
