import * as vscode from 'vscode';
import * as v from 'valibot';
import { displayLocale, translations } from '../language.ts';
import { Messenger, type Handlers } from '../../shared/messenger.ts';
import {
  panelActions,
  type DisplayZone,
  type HeaderPart,
  type HostMethods,
  type PageMethods,
  type QueryTools,
  type SettledState,
  type ShownSelection,
  type ViewState,
} from '../../shared/protocol.ts';
import { panelAnalysisSchema } from '../../core/analysis/analysisSchema.ts';
import type { SerializedView } from '../../shared/view.ts';
import { panelTypes } from '../ids.ts';
import { createWebviewPanel, isPromptOpen, setPanelTitle } from '../messages/messages.ts';
import { createPanelHtml } from './panelHtml.ts';
import { WebviewStatePublisher } from './webviewStatePublisher.ts';

/** The time that a page has to load before it is loaded again. Doubles with each attempt. */
const loadTimeoutMs = 15_000;
const maxLoads = 4;

export interface ResultPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly newNonce: () => string;
  readonly logError: (line: string) => void;
  /** Whether the user has exported a result before. */
  readonly hasExported: () => boolean;
}

/** The requests of the page that the session handles. */
export type PanelHandlers = Omit<Handlers<HostMethods>, 'ready' | 'pageError'>;

const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));
const shownColumns = v.array(v.object({ name: v.string(), isEnd: v.exactOptional(v.literal(true)) }));
const shownSelection = v.object({ rows: v.tuple([wholeNumber, wholeNumber]), columns: shownColumns });

/** The schema of the message for each method of the host. */
const messageSchemas = {
  ready: v.unknown(),
  act: v.object({ action: v.picklist(panelActions) }),
  setZone: v.object({ timeZone: v.pipe(v.string(), v.maxLength(100)) }),
  readResponse: v.unknown(),
  viewChanged: v.object({
    analysis: panelAnalysisSchema,
    display: v.record(v.string(), v.unknown()),
  }),
  tabOpened: v.unknown(),
  pointed: v.object({ instant: v.optional(v.pipe(v.number(), v.finite())) }),
  saveFile: v.object({
    name: v.pipe(v.string(), v.regex(/^[\w .()-]{1,100}\.(?:png|svg)$/)),
    data: v.pipe(v.instance(Uint8Array), v.maxLength(50_000_000)),
  }),
  pageError: v.object({ message: v.pipe(v.string(), v.maxLength(10_000)) }),
} satisfies {
  readonly [Name in keyof HostMethods]: Parameters<HostMethods[Name]> extends []
    ? v.GenericSchema
    : v.GenericSchema<unknown, Parameters<HostMethods[Name]>[0]>;
};

/** Validates a message of the page. Throws if it does not match its schema. */
function parseMessage(method: keyof HostMethods, message: unknown): unknown {
  const parsed = v.safeParse(messageSchemas[method], message);
  if (!parsed.success) throw new Error('Unknown message.');
  return parsed.output;
}

/** The content of a panel, which its session provides. */
export interface PanelContent {
  readonly state: ViewState;
  /** Returns the state that the page stores, with which the panel is restored after a restart. */
  readonly getPersistedState: () => Readonly<Record<string, unknown>>;
  readonly handlers: PanelHandlers;
  /** The tab to open first. */
  readonly tab?: 'chart' | undefined;
  /** The editor group to open the panel in; undefined for the active group. */
  readonly column?: vscode.ViewColumn | undefined;
  readonly preserveFocus?: boolean | undefined;
}

/** One webview panel. It holds the displayed state, because a page that was hidden, moved or reloaded requests it again. */
export class ResultPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #publisher: WebviewStatePublisher;
  readonly #page: Messenger<HostMethods, PageMethods>;
  #disposed = false;
  readonly #createHtml: () => string;
  #loadCount = 0;
  #loadTimer: NodeJS.Timeout | undefined;
  #isVisible: boolean;
  /** The view that the page has not received yet. */
  #pendingView: SerializedView | undefined;

  /** `restored` is the empty panel that VS Code opened after a restart. */
  constructor(deps: ResultPanelDeps, content: PanelContent, restored?: vscode.WebviewPanel) {
    const { extensionUri } = deps;
    const { state } = content;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    // A panel that opens late must not close a quick pick that the user is using.
    const { column = vscode.ViewColumn.Active, preserveFocus = isPromptOpen() || column > vscode.ViewColumn.One } =
      content;
    const showOptions = { viewColumn: column, preserveFocus };
    const panel = restored ?? createWebviewPanel(panelTypes.result, state.title, showOptions, options);
    panel.webview.options = options;
    const toWebviewUri = (file: string): string =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'result.svg');
    this.#panel = panel;
    panel.onDidDispose(() => {
      this.#disposed = true;
      clearTimeout(this.#loadTimer);
      this.#page.resolvePending();
    });
    this.#isVisible = panel.visible;
    panel.onDidChangeViewState(() => {
      if (panel.visible === this.#isVisible) return;
      this.#isVisible = panel.visible;
      // VS Code discards the page of a hidden panel and loads it again when the panel becomes visible.
      this.#loadCount = 0;
      if (panel.visible) this.#awaitPage();
    });
    const { handlers, getPersistedState } = content;
    this.#page = new Messenger<HostMethods, PageMethods>(
      // A message to a hidden page is lost: the page asks for the state when it is back.
      async message => !this.#disposed && panel.webview.postMessage(message),
      {
        ready: () => {
          this.#page.resolvePending();
          const { tab } = content;
          const namesExport = !deps.hasExported();
          const init = { locale: displayLocale(), strings: translations(), namesExport, ...(tab && { tab }) };
          // The page has loaded only if it replies: VS Code may drop messages to a page that was loaded twice.
          void this.#page.request('init', init).then(isUp => isUp && clearTimeout(this.#loadTimer));
          void this.#page.notify('persistState', getPersistedState());
          this.#sendView();
          this.#publisher.pageReady();
        },
        ...handlers,
        pageError: ({ message }) => deps.logError(`page: ${message}`),
      },
      error => deps.logError(`page: ${error instanceof Error ? error.message : String(error)}`),
      parseMessage,
    );
    this.#publisher = new WebviewStatePublisher(state, this.#page);
    panel.webview.onDidReceiveMessage((message: unknown) => this.#page.receive(message));
    this.#createHtml = () =>
      createPanelHtml({
        cspSource: panel.webview.cspSource,
        nonce: deps.newNonce(),
        scriptUris: [toWebviewUri('webview.js')],
        styleUris: [toWebviewUri('webview.css')],
        codiconsUri: toWebviewUri('codicon.css'),
        language: displayLocale(),
        title: state.title,
      });
    this.#load();
  }

  #load(): void {
    this.#panel.webview.html = this.#createHtml();
    this.#awaitPage();
  }

  /** Loads the page again if it does not report in time: the webview stays blank if a script or the first message is lost. */
  #awaitPage(): void {
    clearTimeout(this.#loadTimer);
    if (++this.#loadCount === maxLoads) return;
    const timeoutMs = loadTimeoutMs * 2 ** (this.#loadCount - 1);
    // A hidden page loads when it becomes visible.
    this.#loadTimer = setTimeout(() => this.#panel.visible && this.#load(), timeoutMs);
  }

  get active(): boolean {
    return !this.#disposed && this.#panel.active;
  }

  /** Does nothing once the panel is closed. */
  show(state: ViewState): void {
    if (this.#disposed) return;
    this.#setTitle(state.title, state.tools);
    this.#publisher.show(state);
  }

  /** Shows the same rows in another time zone; only texts change. */
  showZone(zone: DisplayZone, header: readonly HeaderPart[]): void {
    this.#publisher.showZone(zone, header);
  }

  /** Updates the names of the query; the result stays. */
  updateNames(title: string, named: Omit<QueryTools, 'actions'>): void {
    if (this.#disposed) return;
    this.#setTitle(title, named);
    this.#publisher.updateNames(title, named);
  }

  /** Sets the title. If the query or view has changed, marks it like the title of an unsaved editor. */
  #setTitle(title: string, named: Omit<QueryTools, 'actions'> | undefined): void {
    setPanelTitle(this.#panel, named?.isChanged ? `● ${title}` : title);
  }

  /** Applies a saved view. */
  showView(view: SerializedView): void {
    this.#pendingView = view;
    if (this.#publisher.isReady) this.#sendView();
  }

  #sendView(): void {
    const view = this.#pendingView;
    const onReceived = (): void => {
      if (this.#pendingView === view) this.#pendingView = undefined;
    };
    // If the page is hidden by then, it receives the view when it becomes visible.
    if (view) this.#page.request('view', view).then(onReceived, () => {});
  }

  /** The complete content that the page shows, also while newer rows load; undefined while it shows a part of a result. */
  get settled(): SettledState | undefined {
    return this.#publisher.settled;
  }

  /** Requests the selection from the page. Undefined if it is a single cell or empty, or if the page is hidden. */
  async requestSelection(): Promise<ShownSelection | undefined> {
    if (!this.#publisher.isReady || !this.#panel.visible) return undefined;
    return v.parse(v.optional(shownSelection), await this.#page.request('readSelection', undefined));
  }

  /** Has the page store the state with which the panel is restored after a restart. */
  persistState(state: Readonly<Record<string, unknown>>): void {
    if (this.#publisher.isReady) void this.#page.notify('persistState', state);
  }

  reveal(column?: vscode.ViewColumn, preserveFocus = isPromptOpen()): void {
    if (!this.#disposed) this.#panel.reveal(column, preserveFocus);
  }

  /** Marks the instant that the pointer is at in another panel. */
  showPointer(instant: number | undefined): void {
    if (this.#publisher.isReady && this.#panel.visible) void this.#page.notify('point', { instant });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.#disposed ? undefined : this.#panel.viewColumn;
  }

  onDidChangeViewState(listener: () => void): void {
    this.#panel.onDidChangeViewState(listener);
  }

  onDidDispose(listener: () => void): void {
    this.#panel.onDidDispose(listener);
  }

  dispose(): void {
    this.#panel.dispose();
  }
}
