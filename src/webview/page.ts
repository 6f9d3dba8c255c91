import { render, type TemplateResult } from 'lit';
import { config, t } from '@vscode/l10n';
import { Messenger, type Message } from '../shared/messenger.ts';
import {
  type DisplayZone,
  type HostMethods,
  type PageMethods,
  type PanelAction,
  type QueryTools,
  type ViewState,
  namedState,
} from '../shared/protocol.ts';
import { parseView, serializeFullView, type View } from '../shared/view.ts';
import { FocusKeeper } from './focusKeeper.ts';
import { focusNextPart } from './panelParts.ts';
import { prewarmPage } from './prewarm.ts';
import { showsFirstRows } from './result/viewChanges.ts';
import { ResultView } from './result/resultView.ts';
import { TextResult } from './result/textResult.ts';
import { plainToolbar } from './result/toolbar.ts';
import { parseUndoKey } from './result/undoKeys.ts';
import { isOtherQuery } from './result/viewHistory.ts';
import type { SavedState } from './savedState.ts';
import type { Act } from './views/actionButtons.ts';
import { selectJson } from './views/jsonView.ts';
import { renderPanel, type ContentState } from './views/panel.ts';

/** Maximum number of characters of an error that are sent to the host's log. */
const maxErrorLength = 4000;

/** The page of a result panel. Renders the states that the host sends, and sends it the actions of the user. */
export class Page {
  /** The channel to the host, with the handlers of its messages. */
  readonly host: Messenger<PageMethods, HostMethods>;
  readonly #root: HTMLElement;
  readonly #saved: SavedState;
  readonly #localZone: DisplayZone | undefined;
  readonly #focusKeeper: FocusKeeper;
  readonly #pending = new Set<PanelAction>();
  #hasOpenedTab = false;
  /** Whether the panel is linked with other panels of a board. */
  #isLinked = false;
  #pointedFrame = 0;
  /** The instant under the pointer in one of the linked panels. */
  #pointedInstant: number | undefined;
  #result: ResultView | undefined;
  readonly #text = new TextResult(() => this.#render());
  #locale = 'en';
  #showsExportLabel = false;
  #state: ViewState | undefined;
  #content: ContentState | undefined;
  #notice: string | undefined;
  #announcement = '';
  #rendering = false;

  /** `localZone` is the time zone of the computer, which is offered but never the default. */
  constructor(
    root: HTMLElement,
    post: (message: Message) => void,
    saved: SavedState,
    localZone: DisplayZone | undefined,
  ) {
    this.#root = root;
    this.host = new Messenger<PageMethods, HostMethods>(
      post,
      {
        init: ({ locale, strings, tab, namesExport = false }) => {
          this.#locale = locale;
          this.#showsExportLabel = namesExport;
          if (this.#saved.hasView) this.#notifyView(this.#saved.view());
          else if (tab) this.#saveView({ ...this.#saved.view(), tab });
          config({ contents: { ...strings } });
          this.#result = undefined;
          return true;
        },
        persistState: hostState => {
          if (isOtherQuery(this.#saved.hostState, hostState)) this.#result?.history.clear();
          this.#saved.saveHostState(hostState);
          this.#isLinked = hostState['board'] !== undefined && hostState['unlinked'] === undefined;
        },
        state: state => this.#show(state),
        zone: change => this.#showZone(change),
        names: ({ title, named }) => this.#showNames(title, named),
        view: saved => {
          const view = parseView(saved);
          if (this.#result) this.#result.showView(view);
          else this.#saveView(view);
        },
        point: ({ instant }) => {
          this.#result?.highlightInstant(instant);
          // A move that came from another panel must not be sent back to it.
          this.#pointedInstant = this.#result?.instant;
        },
        readSelection: () => (this.#content?.view === 'table' ? this.#result?.selection : undefined),
      },
      error => this.reportError(error),
    );
    this.#saved = saved;
    this.#localZone = localZone;
    this.#focusKeeper = new FocusKeeper(root, scrolling => this.#result?.focus(scrolling));
    // On the document, because the focus may be outside the root element.
    document.addEventListener('keydown', event => this.#onKeyDown(event));
  }

  /** Sends the name, message and stack of an error to the host's log. */
  reportError(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
    void this.host.notify('pageError', { message: text.slice(0, maxErrorLength) });
  }

  /** Redraws after fonts or colors have changed. */
  onThemeChanged(): void {
    if (this.#content?.view === 'table') this.#result?.themeChanged();
  }

  #show(state: ViewState): void {
    try {
      this.#setState(state);
      this.#render();
    } catch (error) {
      this.reportError(error);
      const sentence = t('Cannot show this result. See the log for details.');
      const { title, tools } = state;
      this.#setState({ view: 'error', title, ...(tools && { tools }), header: [], sentence, actions: [] });
      this.#render();
    }
  }

  #setState(state: ViewState): void {
    if (state.view === 'table' && state.isHead && !this.#canShowFirstRows(state.title)) return;
    if (this.#state?.view !== state.view) this.#notice = undefined;
    this.#announceWait(state);
    const previousContent = this.#content;
    // The first rows do not end the loading state, because more rows will follow.
    const loadingState =
      state.view === 'table' && state.isHead && this.#state?.view === 'loading' ? this.#state : undefined;
    this.#state = loadingState ? { ...loadingState, content: 'partial' } : state;
    if (state.view === 'loading') {
      if (!this.#result) setTimeout(() => void this.#prepare());
      return;
    }
    this.#content = state.view === 'table' || state.view === 'json' ? state : undefined;
    if (state.view === 'json') this.#text.show(state);
    if (state.view !== 'table') return;
    const result = this.#ensureResult();
    if (previousContent?.view !== 'table' || previousContent.title !== state.title)
      result.table.restore(this.#saved.position(state.title) ?? { topRow: 0, row: 0, column: '' });
    result.show(state);
  }

  /** Prewarms the page while it waits for the first rows. */
  async #prepare(): Promise<void> {
    this.#ensureResult();
    try {
      await prewarmPage(this.#locale, () => this.#state?.view === 'loading' && !this.#content);
    } catch (error) {
      this.reportError(error);
    }
  }

  /** Whether to show the first rows before the rest has arrived. They are shown only if the table opens at its top. */
  #canShowFirstRows(title: string): boolean {
    return !this.#content && !this.#saved.position(title) && showsFirstRows(this.#saved.view());
  }

  #showZone({ zone, header }: Parameters<PageMethods['zone']>[0]): void {
    const state = this.#state;
    const content = this.#content;
    if (content?.view !== 'table') return;
    this.#content = { ...content, zone, header };
    if (state?.view === 'table') this.#state = { ...state, zone, header };
    this.#result?.showZone(zone, header);
  }

  #showNames(title: string, tools: Omit<QueryTools, 'actions'>): void {
    const state = this.#state;
    const content = this.#content;
    if (content) this.#content = namedState(content, title, tools);
    if (state) this.#state = namedState<ViewState>(state, title, tools);
    this.#result?.showNames(title, tools);
    this.#render();
  }

  #toolbar(): TemplateResult | undefined {
    const state = this.#state;
    const content = this.#content;
    if (content?.view === 'table') return this.#ensureResult().toolbar(this.#showsExportLabel);
    const tabs = content?.view === 'json' ? this.#text.tabs() : undefined;
    const tools = (content ?? state)?.tools;
    const isWaiting = state?.view === 'loading';
    return tools && plainToolbar(tools, this.#act, tabs, { isWaiting, namesExport: this.#showsExportLabel });
  }

  /** Announces the progress text, unless only a number in it has changed, as in a countdown. */
  #announceWait(state: ViewState): void {
    const withoutNumbers = (text: string): string => text.replace(/\d+/g, '');
    if (state.view !== 'loading') this.#announcement = '';
    else if (withoutNumbers(state.detail) !== withoutNumbers(this.#announcement)) this.#announcement = state.detail;
  }

  #render(): void {
    const state = this.#state;
    const content = this.#content;
    // A view may request a render while it is rendered; the current render already shows the change.
    if (!state || this.#rendering) return;
    this.#rendering = true;
    try {
      const result = content?.view === 'table' ? this.#ensureResult() : undefined;
      const model = {
        state,
        content,
        title: result?.title,
        notice: this.#notice,
        announcement: this.#announcement,
        act: this.#act,
        dismiss: () => this.#setNotice(undefined),
        tools: this.#toolbar(),
        body: result?.body() ?? this.#text.body(),
        footer: result?.footer() ?? '',
      };
      this.#focusKeeper.preserveFocus(() => render(renderPanel(model), this.#root));
    } finally {
      this.#rendering = false;
    }
  }

  #ensureResult(): ResultView {
    this.#result ??= new ResultView(
      {
        locale: this.#locale,
        localZone: this.#localZone,
        act: this.#act,
        setZone: ({ timeZone }) => void this.#noticeOnError(this.host.request('setZone', { timeZone })),
        requestRaw: () => void this.#showRaw(),
        onTabOpened: () => this.#onTabOpened(),
        onPointed: getInstant => this.#notifyPointed(getInstant),
        saveFile: (name, data) => void this.#noticeOnError(this.host.request('saveFile', { name, data })),
        copy: (text, description, html) => void this.#copy(text, description, html),
        announce: text => this.#announce(text),
        onError: error => this.reportError(error),
        render: () => this.#render(),
        saveView: view => this.#saveView(view),
        savePosition: () => this.#savePosition(),
      },
      this.#saved.view(),
    );
    return this.#result;
  }

  #saveView(view: View): void {
    this.#saved.saveView(serializeFullView(view));
    this.#notifyView(view);
  }

  #notifyView(view: View): void {
    void this.host.notify('viewChanged', serializeFullView(view));
  }

  /** Notifies the host when the user opens a tab for the first time. */
  #onTabOpened(): void {
    if (this.#hasOpenedTab) return;
    this.#hasOpenedTab = true;
    void this.host.notify('tabOpened', undefined);
  }

  /** Notifies the host of the instant under the pointer, at most once a frame. */
  #notifyPointed(getInstant: () => number | undefined): void {
    if (!this.#isLinked || this.#pointedFrame) return;
    this.#pointedFrame = requestAnimationFrame(() => {
      this.#pointedFrame = 0;
      const instant = getInstant();
      if (instant === this.#pointedInstant) return;
      this.#pointedInstant = instant;
      void this.host.notify('pointed', { instant });
    });
  }

  #savePosition(): void {
    const result = this.#result;
    const state = this.#state;
    if (state?.view === 'table' && result?.table.grid.element.isConnected)
      this.#saved.savePosition(state.title, result.table.grid.position());
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#cancelOnEscape(event);
    if (event.altKey || !this.#runKeyCommand(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Handles the keys that work anywhere in the page, also with Caps Lock. Returns whether it handled the key, which VS Code must not handle then. */
  #runKeyCommand(event: KeyboardEvent): boolean {
    const { key, code, ctrlKey, metaKey, shiftKey } = event;
    if (key === 'F6' && !ctrlKey && !metaKey) return focusNextPart(this.#root, shiftKey);
    // `code`, because with Shift the `key` of a digit depends on the keyboard layout.
    const digit = ctrlKey && shiftKey && !metaKey ? /^Digit([1-9])$/.exec(code) : null;
    if (digit) return this.#openTab(Number(digit[1]));
    const undo = parseUndoKey(event);
    if (undo && this.#content?.view === 'table') this.#result?.undo(undo);
    if (undo) return this.#content?.view === 'table';
    const letter = (ctrlKey || metaKey) && !shiftKey ? key.toLowerCase() : '';
    if (letter === 'a') return selectJson(this.#root);
    const table = this.#state?.view === 'table' ? this.#result?.openTable : undefined;
    if (letter === 'f') table?.find();
    else if (key === 'F3') table?.findNext(shiftKey);
    else return false;
    return table !== undefined;
  }

  /** Opens a tab by its number and moves the focus to its content. Returns whether there is such a tab. */
  #openTab(tabNumber: number): boolean {
    const tab = this.#root.querySelectorAll<HTMLElement>('[role=tab]')[tabNumber - 1];
    if (!tab || tab.closest('[inert]')) return false;
    // The tab keeps the focus if it is disabled or its content is not ready yet.
    tab.focus();
    tab.click();
    if (tab.ariaSelected === 'true') this.#focusKeeper.focusContent();
    return true;
  }

  /** Cancels the request on Escape, unless an open popup or a selection has handled the key. */
  #cancelOnEscape(event: KeyboardEvent): void {
    const state = this.#state;
    if (event.defaultPrevented || event.repeat || state?.view !== 'loading') return;
    if (!state.actions.some(({ action }) => action === 'cancel')) return;
    event.preventDefault();
    event.stopPropagation();
    this.#act('cancel');
  }

  async #copy(text: string, description: string, html?: string): Promise<void> {
    try {
      if (html === undefined) await navigator.clipboard.writeText(text);
      else await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text, 'text/html': html })]);
      this.#announce(t('Copied {0}', description));
    } catch (error) {
      this.reportError(error);
      this.#setNotice(t('Cannot access the clipboard. Click in the panel and try again.'));
    }
  }

  /** Resolves to the host's reply. If the host fails, displays the error as a notice and resolves to undefined. */
  async #noticeOnError<Reply>(reply: Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await reply;
    } catch (error) {
      this.#setNotice(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  async #showRaw(): Promise<void> {
    const response = await this.#noticeOnError(this.host.request('readResponse', undefined));
    if (response) this.#result?.showRaw(response);
  }

  readonly #act: Act = action => {
    // Ignores a second click while the first action is still running.
    if (this.#pending.has(action)) return;
    this.#pending.add(action);
    if (action === 'export' && this.#showsExportLabel) {
      this.#showsExportLabel = false;
      this.#render();
    }
    this.#setNotice(undefined);
    void this.#noticeOnError(this.host.request('act', { action })).then(() => this.#pending.delete(action));
  };

  #announce(text: string): void {
    this.#announcement = text;
    this.#render();
  }

  #setNotice(sentence: string | undefined): void {
    if (this.#notice === sentence) return;
    this.#notice = sentence;
    this.#render();
  }
}
