import { t } from '@vscode/l10n';
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
  type ViewState,
} from '../../shared/protocol.ts';
import { analysisSchema, panelAnalysisSchema } from '../../core/analysis/analysisSchema.ts';
import type { ShownResult } from '../../core/export/shownExport.ts';
import { binSizes } from '../../shared/resampling.ts';
import type { SavedView } from '../../shared/savedView.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { unitKinds } from '../../shared/units.ts';
import type { NoReport, ReportSection } from '../../shared/report.ts';
import { GridError } from '../../core/errors.ts';
import { panelTypes } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { createWebviewPanel, isAsking, setPanelTitle } from '../messages/messages.ts';
import { panelHtml } from './panelHtml.ts';
import { WebviewStatePublisher } from './webviewStatePublisher.ts';

/** The page of a panel that is brought into sight loads anew, and is asked again. */
const mostAttempts = 6;
/** Until a page that has not come up is loaded again; twice as long for each time that it was. */
const startLimitMs = 15_000;
const mostLoads = 4;

export interface ResultPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly newNonce: () => string;
  readonly logError: (line: string) => void;
}

/** What the page asks of the session. */
export type PanelHandlers = Omit<Handlers<HostMethods>, 'ready' | 'pageError'>;

const shownColumns = v.array(v.object({ name: v.string(), isEnd: v.exactOptional(v.literal(true)) }));
const shortText = v.pipe(v.string(), v.maxLength(100));
const ofColumn = {
  name: v.string(),
  path: v.array(v.string()),
  gaps: v.exactOptional(v.instance(Uint8Array)),
  field: v.exactOptional(
    v.object({
      label: v.string(),
      meaning: v.string(),
      unit: v.exactOptional(v.object({ kind: v.picklist(unitKinds), text: v.string() })),
    }),
  ),
};
const dictionary = v.object({ codes: v.instance(Uint32Array), entries: v.array(v.string()) });
/** Rows that only the page can compute. */
const sentFrame = v.object({
  rowCount: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(tableLimits.rows)),
  columns: v.pipe(
    v.array(
      v.variant('kind', [
        v.object({
          kind: v.literal('time'),
          ...ofColumn,
          values: v.instance(Float64Array),
          received: v.exactOptional(dictionary),
          bins: v.exactOptional(v.object({ size: v.picklist(binSizes), timeZone: shortText, label: shortText })),
        }),
        v.object({ kind: v.literal('number'), ...ofColumn, values: v.instance(Float64Array) }),
        v.object({ kind: v.literal('boolean'), ...ofColumn, values: v.instance(Uint8Array) }),
        v.object({ kind: v.literal('text'), ...ofColumn, texts: dictionary }),
      ]),
    ),
    v.maxLength(tableLimits.columns),
  ),
});
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));
const shownTable = v.object({
  analysis: analysisSchema,
  columns: shownColumns,
  numbers: v.exactOptional(
    v.object({ chart: shortText, frame: sentFrame, rows: v.exactOptional(v.instance(Uint32Array)) }),
  ),
  isChanged: v.boolean(),
  selection: v.exactOptional(v.object({ rows: v.tuple([wholeNumber, wholeNumber]), columns: shownColumns })),
});

/** Within the bounds that a page keeps. */
const reportForm = v.union([
  v.object({ sentence: v.pipe(v.string(), v.maxLength(10_000)) }),
  v.object({
    title: v.string(),
    facts: v.array(v.tuple([v.string(), v.string()])),
    chart: v.exactOptional(
      v.object({ svg: v.pipe(v.string(), v.maxLength(20_000_000)), summary: v.string(), notice: v.string() }),
    ),
    tables: v.pipe(
      v.array(
        v.object({
          title: v.string(),
          caption: v.string(),
          columns: v.array(v.object({ label: v.string(), isNumber: v.boolean() })),
          rows: v.pipe(v.array(v.array(v.string())), v.maxLength(tableLimits.columns)),
        }),
      ),
      v.maxLength(3),
    ),
    methods: v.array(v.string()),
  }),
]);

/** The form of what a page sends with each method. */
const sentForms = {
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

/** Throws where a page sent something else than it should. */
function readSent(method: keyof HostMethods, sent: unknown): unknown {
  const parsed = v.safeParse(sentForms[method], sent);
  if (!parsed.success) throw new Error('Unknown message.');
  return parsed.output;
}

/** What the panel needs from the session. */
export interface PanelContent {
  readonly state: ViewState;
  /** For the page to keep: with it the panel is restored after a restart. */
  readonly question: () => Readonly<Record<string, unknown>>;
  readonly handlers: PanelHandlers;
  /** The tab to open first. */
  readonly tab?: 'chart' | undefined;
  /** The view column to open it in; undefined: the active one. */
  readonly column?: vscode.ViewColumn | undefined;
  /** The focus stays where it is. */
  readonly preserveFocus?: boolean | undefined;
}

/** One webview panel. It holds the shown state: a page that was hidden, moved or reloaded requests it again. */
export class ResultPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #publisher: WebviewStatePublisher;
  readonly #page: Messenger<HostMethods, PageMethods>;
  #disposed = false;
  readonly #html: () => string;
  #loads = 0;
  #startLimit: NodeJS.Timeout | undefined;
  #isVisible: boolean;
  /** What the page has not been told yet. */
  #view: SavedView | undefined;
  /** Resolves when there is another page, or none in sight. */
  #changed = Promise.withResolvers<undefined>();

  /** `restored`: the empty panel that VS Code brought back after a restart. */
  constructor(deps: ResultPanelDeps, content: PanelContent, restored?: vscode.WebviewPanel) {
    const { extensionUri } = deps;
    const { state } = content;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
    // A panel that opens late must not close a quick pick that the person is using.
    const { column = vscode.ViewColumn.Active, preserveFocus = isAsking() || column > vscode.ViewColumn.One } = content;
    const place = { viewColumn: column, preserveFocus };
    const panel = restored ?? createWebviewPanel(panelTypes.result, state.title, place, options);
    panel.webview.options = options;
    const uri = (file: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'result.svg');
    this.#panel = panel;
    panel.onDidDispose(() => {
      this.#disposed = true;
      clearTimeout(this.#startLimit);
      this.#page.abandon();
      this.#pageChanged();
    });
    this.#isVisible = panel.visible;
    panel.onDidChangeViewState(() => {
      if (panel.visible === this.#isVisible) return;
      this.#isVisible = panel.visible;
      // VS Code has dropped the page of one that is out of sight, and loads it anew.
      this.#loads = 0;
      if (panel.visible) this.#awaitPage();
      else this.#pageChanged();
    });
    const { handlers, question } = content;
    this.#page = new Messenger<HostMethods, PageMethods>(
      // A message to a hidden page is lost: the page asks for the state when it is back.
      async message => !this.#disposed && panel.webview.postMessage(message),
      {
        ready: () => {
          this.#page.abandon();
          const { tab } = content;
          const init = { locale: displayLocale(), strings: translations(), ...(tab && { tab }) };
          // Only a page that answers is up: VS Code may never hand on what is posted to one that another load came before.
          void this.#page.request('init', init).then(isUp => isUp && clearTimeout(this.#startLimit));
          void this.#page.notify('question', question());
          this.#sendView();
          this.#publisher.pageReady();
          this.#pageChanged();
        },
        ...handlers,
        pageError: ({ message }) => deps.logError(`page: ${message}`),
      },
      error => deps.logError(`page: ${error instanceof Error ? error.message : String(error)}`),
      readSent,
    );
    this.#publisher = new WebviewStatePublisher(state, this.#page);
    panel.webview.onDidReceiveMessage((message: unknown) => this.#page.receive(message));
    this.#html = () =>
      panelHtml({
        cspSource: panel.webview.cspSource,
        nonce: deps.newNonce(),
        scriptUris: [uri('webview.js')],
        styleUris: [uri('webview.css')],
        codiconsUri: uri('codicon.css'),
        language: displayLocale(),
        title: state.title,
      });
    this.#load();
  }

  #load(): void {
    this.#panel.webview.html = this.#html();
    this.#awaitPage();
  }

  /** Loads the page again where it does not come up: VS Code's webview stays blank where a script or the first message got lost. */
  #awaitPage(): void {
    clearTimeout(this.#startLimit);
    if (++this.#loads === mostLoads) return;
    const limit = startLimitMs * 2 ** (this.#loads - 1);
    // One that is out of sight loads when it comes back.
    this.#startLimit = setTimeout(() => this.#panel.visible && this.#load(), limit);
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

  /** The same rows in another zone: only texts change. */
  showZone(zone: DisplayZone, header: readonly HeaderPart[]): void {
    this.#publisher.showZone(zone, header);
  }

  /** The same answer to a query that is called otherwise. */
  showNames(title: string, named: Omit<QueryTools, 'actions'>): void {
    if (this.#disposed) return;
    this.#setTitle(title, named);
    this.#publisher.showNames(title, named);
  }

  /** With the mark of an editor that is not saved. */
  #setTitle(title: string, named: Omit<QueryTools, 'actions'> | undefined): void {
    setPanelTitle(this.#panel, named?.isChanged ? `● ${title}` : title);
  }

  /** As a saved query is shown. */
  showView(view: SavedView): void {
    this.#view = view;
    if (this.#publisher.isReady) this.#sendView();
  }

  #sendView(): void {
    const view = this.#view;
    const arrived = (): void => {
      if (this.#view === view) this.#view = undefined;
    };
    // A page that is hidden by then gets it when it is back.
    if (view) this.#page.request('view', view).then(arrived, () => {});
  }

  /** What the table in the page shows; undefined where there is no page in sight, or none in it. */
  async askShown(): Promise<ShownResult | undefined> {
    if (!this.#publisher.isReady || !this.#panel.visible) return undefined;
    const table = v.parse(v.optional(shownTable), await this.#page.request('readTable', undefined));
    const rows = this.#publisher.content;
    return table && rows?.view === 'table' ? { table, rows } : undefined;
  }

  /**
   * What the page shows, for a report: the panel is brought into sight, since one that is not has no page. Undefined where the panel is
   * closed. Throws GridError `cancelled` by the signal, and UnavailableError where something else is brought before it time and again.
   */
  async askReport(signal: AbortSignal): Promise<ReportSection | NoReport | undefined> {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new GridError('cancelled')));
    });
    // It may come when nothing waits for it.
    aborted.catch(() => undefined);
    for (let attempt = 0; attempt < mostAttempts && !this.#disposed; attempt++) {
      this.#panel.reveal(undefined, true);
      const changed = this.#changed.promise;
      const isThere = this.#publisher.isReady && this.#panel.visible;
      const asked = isThere ? this.#page.request('readReport', undefined) : undefined;
      const section = await Promise.race([...(asked ? [asked] : []), changed, aborted]);
      if (section) return v.parse(reportForm, section);
    }
    if (this.#disposed) return undefined;
    throw new UnavailableError(
      t('Another tab covered the result while its report was made. Leave the result in sight and try again.'),
    );
  }

  #pageChanged(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }

  /** The query changed: the page stores it, to be restored after a restart. */
  keepQuestion(question: Readonly<Record<string, unknown>>): void {
    if (this.#publisher.isReady) void this.#page.notify('question', question);
  }

  reveal(column?: vscode.ViewColumn, preserveFocus = isAsking()): void {
    if (!this.#disposed) this.#panel.reveal(column, preserveFocus);
  }

  /** Shows where the person points in another panel. */
  point(instant: number | undefined): void {
    if (this.#publisher.isReady && this.#panel.visible) void this.#page.notify('point', { instant });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.#disposed ? undefined : this.#panel.viewColumn;
  }

  onDidChangeViewState(react: () => void): void {
    this.#panel.onDidChangeViewState(react);
  }

  onDidDispose(react: () => void): void {
    this.#panel.onDidDispose(react);
  }

  dispose(): void {
    this.#panel.dispose();
  }
}
