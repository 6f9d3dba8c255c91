import * as vscode from 'vscode';
import type { HostMessage, PageMessage, PanelAction, ViewState } from '../../shared/protocol.ts';
import { panelTypes } from '../ids.ts';
import { answer } from './pageChannel.ts';
import { panelHtml } from './panelHtml.ts';

export interface ResultPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly newNonce: () => string;
  readonly logError: (line: string) => void;
}

/** One webview panel. It holds the state that is shown, so that a page hidden, moved or reloaded pulls it again. */
export class ResultPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #logError: (line: string) => void;
  #state: ViewState;
  /** The rows that stay on the page while it loads: a page that comes back needs them first. */
  #content: ViewState | undefined;
  #ready = false;
  #disposed = false;

  constructor(deps: ResultPanelDeps, state: ViewState, act: (action: PanelAction) => void) {
    const { extensionUri } = deps;
    const roots = ['dist', 'media'].map(folder => vscode.Uri.joinPath(extensionUri, folder));
    const panel = vscode.window.createWebviewPanel(panelTypes.result, state.title, vscode.ViewColumn.Active, {
      enableScripts: true,
      enableForms: false,
      localResourceRoots: roots,
    });
    const uri = (...path: string[]): string =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'result.svg');
    this.#panel = panel;
    panel.onDidDispose(() => {
      this.#disposed = true;
    });
    this.#state = state;
    this.#logError = deps.logError;
    panel.webview.onDidReceiveMessage((raw: unknown) => answer(raw, message => this.#handle(message, act), this.#post));
    panel.webview.html = panelHtml({
      cspSource: panel.webview.cspSource,
      nonce: deps.newNonce(),
      scriptUri: uri('dist', 'webview.js'),
      styleUris: { panel: uri('media', 'panel.css'), codicons: uri('dist', 'codicon.css') },
      language: vscode.env.language,
      title: state.title,
    });
  }

  get active(): boolean {
    return !this.#disposed && this.#panel.active;
  }

  /** Nothing for a panel that was closed: what comes late has nowhere to go. */
  show(state: ViewState): void {
    if (this.#disposed) return;
    this.#state = state;
    if (state.view !== 'loading') this.#content = state;
    this.#panel.title = state.title;
    if (this.#ready) this.#post({ type: 'state', state });
  }

  reveal(): void {
    if (!this.#disposed) this.#panel.reveal();
  }

  onDidDispose(react: () => void): void {
    this.#panel.onDidDispose(react);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #handle(message: PageMessage, act: (action: PanelAction) => void): void {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#post({ type: 'init', locale: vscode.env.language, strings: pageStrings() });
        if (this.#content && this.#state.view === 'loading') this.#post({ type: 'state', state: this.#content });
        this.#post({ type: 'state', state: this.#state });
        return;
      case 'act':
        act(message.action);
        return;
      case 'pageError':
        this.#logError(`page: ${message.message}`);
    }
  }

  /** A post to a page that is gone or hidden is lost by design: it pulls the state when it is back. */
  readonly #post = (message: HostMessage): void => void this.#panel.webview.postMessage(message);
}

/** VS Code's bundle holds texts or, with comments for translators, objects; the page wants texts. */
function pageStrings(): Record<string, string> | undefined {
  const bundle = vscode.l10n.bundle as Readonly<Record<string, string | { readonly message: string }>> | undefined;
  if (!bundle) return undefined;
  return Object.fromEntries(
    Object.entries(bundle).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
}
