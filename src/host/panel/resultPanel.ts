import * as vscode from 'vscode';
import type {
  DisplayZone,
  HeaderPart,
  HostMessage,
  PageMessage,
  QueryTools,
  ViewState,
} from '../../shared/protocol.ts';
import type { RequestTrace } from '../../shared/result.ts';
import type { ShownTable } from '../../shared/shownTable.ts';
import { panelTypes } from '../ids.ts';
import { createWebviewPanel, isAsking, setPanelTitle } from '../messages.ts';
import { answer } from './pageChannel.ts';
import { panelHtml } from './panelHtml.ts';
import { ShownRequests } from './shownRequests.ts';
import { StateMail } from './stateMail.ts';

/** One stylesheet for each part of the page. */
const styles = ['panel.css', 'result.css', 'grid.css', 'chart.css', 'statistics.css', 'coverage.css'];

export interface ResultPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly newNonce: () => string;
  readonly logError: (line: string) => void;
}

/** What the person does in the page. */
export type PageEvent = Exclude<PageMessage, { readonly type: 'ready' | 'pageError' | 'shown' }>;

/** What the panel needs of whoever fills it. */
export interface PanelContent {
  readonly state: ViewState;
  /** For the page to keep: with it the panel is restored after a restart. */
  readonly question: () => Readonly<Record<string, unknown>>;
  readonly take: (event: PageEvent) => void;
}

/** One webview panel. It holds the state that is shown, so that a page hidden, moved or reloaded pulls it again. */
export class ResultPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #logError: (line: string) => void;
  readonly #mail: StateMail;
  readonly #shown = new ShownRequests();
  #disposed = false;

  /** `restored`: the empty panel that VS Code brought back after a restart. */
  constructor(deps: ResultPanelDeps, content: PanelContent, restored?: vscode.WebviewPanel) {
    const { extensionUri } = deps;
    const { state } = content;
    const roots = ['dist', 'media'].map(folder => vscode.Uri.joinPath(extensionUri, folder));
    const options = { enableScripts: true, enableForms: false, localResourceRoots: roots };
    // Who answers a question by now is not to lose it to a panel that comes late.
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: isAsking() };
    const panel = restored ?? createWebviewPanel(panelTypes.result, state.title, place, options);
    panel.webview.options = options;
    const uri = (...path: string[]): string =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'result.svg');
    this.#panel = panel;
    panel.onDidDispose(() => {
      this.#disposed = true;
      this.#shown.forget();
    });
    this.#mail = new StateMail(state, this.#post);
    this.#logError = deps.logError;
    panel.webview.onDidReceiveMessage((raw: unknown) =>
      answer(
        raw,
        message => this.#handle(message, content),
        message => void this.#post(message),
      ),
    );
    panel.webview.html = panelHtml({
      cspSource: panel.webview.cspSource,
      nonce: deps.newNonce(),
      scriptUri: uri('dist', 'webview.js'),
      styleUris: styles.map(file => uri('media', file)),
      codiconsUri: uri('dist', 'codicon.css'),
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
    setPanelTitle(this.#panel, state.title);
    this.#mail.show(state);
  }

  /** The same rows in another zone: only the words change. */
  showZone(zone: DisplayZone, header: readonly HeaderPart[]): void {
    this.#mail.showZone(zone, header);
  }

  /** The same answer to a query that is called otherwise. */
  showNames(title: string, named: Omit<QueryTools, 'actions'>): void {
    if (this.#disposed) return;
    setPanelTitle(this.#panel, title);
    this.#mail.showNames(title, named);
  }

  /** What the table in the page shows; undefined where there is no page in sight, or none in it. */
  async askShown(): Promise<ShownTable | undefined> {
    if (!this.#mail.isReady || !this.#panel.visible) return undefined;
    return this.#shown.ask(ticket => this.#post({ type: 'askShown', ticket }));
  }

  /** The text of the response; the page asked for it. */
  showRaw(text: string, requests: readonly RequestTrace[]): void {
    if (this.#mail.isReady) void this.#post({ type: 'raw', text, requests });
  }

  /** The question changed: the page keeps it from now on. */
  keepQuestion(question: Readonly<Record<string, unknown>>): void {
    if (this.#mail.isReady) void this.#post({ type: 'question', question });
  }

  reveal(): void {
    if (!this.#disposed) this.#panel.reveal(undefined, isAsking());
  }

  onDidDispose(react: () => void): void {
    this.#panel.onDidDispose(react);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #handle(message: PageMessage, { question, take }: PanelContent): void {
    switch (message.type) {
      case 'ready':
        this.#shown.forget();
        void this.#post({ type: 'init', locale: vscode.env.language, strings: pageStrings() });
        void this.#post({ type: 'question', question: question() });
        this.#mail.pageReady();
        return;
      case 'pageError':
        this.#logError(`page: ${message.message}`);
        return;
      case 'shown':
        this.#shown.answer(message.ticket, message.shown);
        return;
      default:
        take(message);
    }
  }

  /** A post to a page that is gone or hidden is lost by design: it pulls the state when it is back. */
  readonly #post = async (message: HostMessage): Promise<boolean> =>
    !this.#disposed && this.#panel.webview.postMessage(message);
}

/** VS Code's bundle holds texts or, with comments for translators, objects; the page wants texts. */
function pageStrings(): Record<string, string> | undefined {
  const bundle = vscode.l10n.bundle as Readonly<Record<string, string | { readonly message: string }>> | undefined;
  if (!bundle) return undefined;
  return Object.fromEntries(
    Object.entries(bundle).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
}
