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
import { readView, wholeView, type PanelView } from '../shared/savedView.ts';
import { FocusKeeper } from './focusKeeper.ts';
import { goToPart } from './panelParts.ts';
import { prewarm } from './prewarm.ts';
import { showsFirstRows } from './result/panelView.ts';
import { ResultView } from './result/resultView.ts';
import { TextResult } from './result/textResult.ts';
import { plainToolbar } from './result/toolbar.ts';
import { undoOf } from './result/undoKeys.ts';
import { isOtherQuery } from './result/viewHistory.ts';
import type { SavedState } from './savedState.ts';
import type { Act } from './views/actionButtons.ts';
import { selectJson } from './views/jsonView.ts';
import { panel, type ContentState } from './views/panel.ts';

/** Maximum number of characters of an error that are sent to the host's log. */
const longestError = 4000;

/** The page of a result panel. Renders the states that the host sends, and sends it the actions of the user. */
export class Page {
  /** The channel to the host, with the handlers of its messages. */
  readonly host: Messenger<PageMethods, HostMethods>;
  readonly #root: HTMLElement;
  readonly #saved: SavedState;
  readonly #ownZone: DisplayZone | undefined;
  readonly #focusKeeper: FocusKeeper;
  readonly #pending = new Set<PanelAction>();
  #hasOpenedTab = false;
  /** Whether the panel is linked with other panels of a board. */
  #isLinked = false;
  #pointing = 0;
  /** The instant that the linked panels point to. */
  #pointed: number | undefined;
  #result: ResultView | undefined;
  readonly #text = new TextResult(() => this.#render());
  #locale = 'en';
  #namesExport = false;
  #state: ViewState | undefined;
  #content: ContentState | undefined;
  #notice: string | undefined;
  #spoken = '';
  #rendering = false;

  /** `localZone` is the time zone of the computer, which is offered but never the default. */
  constructor(
    root: HTMLElement,
    post: (message: Message) => void,
    saved: SavedState,
    ownZone: DisplayZone | undefined,
  ) {
    this.#root = root;
    this.host = new Messenger<PageMethods, HostMethods>(
      post,
      {
        init: ({ locale, strings, tab, namesExport = false }) => {
          this.#locale = locale;
          this.#namesExport = namesExport;
          if (this.#saved.hasView) this.#notifyView(this.#saved.view());
          else if (tab) this.#saveView({ ...this.#saved.view(), tab });
          config({ contents: { ...strings } });
          this.#result = undefined;
          return true;
        },
        question: question => {
          if (isOtherQuery(this.#saved.question, question)) this.#result?.history.clear();
          this.#saved.save({ question });
          this.#isLinked = question['board'] !== undefined && question['unlinked'] === undefined;
        },
        state: state => this.#show(state),
        zone: change => this.#showZone(change),
        names: ({ title, named }) => this.#showNames(title, named),
        view: saved => {
          const view = readView(saved);
          if (this.#result) this.#result.showView(view);
          else this.#saveView(view);
        },
        point: ({ instant }) => {
          this.#result?.point(instant);
          // A move that came from another panel must not be sent back to it.
          this.#pointed = this.#result?.instant;
        },
        readSelection: () => (this.#content?.view === 'table' ? this.#result?.selection : undefined),
      },
      error => this.failed(error),
    );
    this.#saved = saved;
    this.#ownZone = ownZone;
    this.#focusKeeper = new FocusKeeper(root, scrolling => this.#result?.focus(scrolling));
    // On the document, because the focus may be outside the root element.
    document.addEventListener('keydown', event => this.#pressed(event));
  }

  /** Sends the name, message and stack of an error to the host's log. */
  failed(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
    void this.host.notify('pageError', { message: text.slice(0, longestError) });
  }

  /** Redraws after fonts or colours have changed. */
  themeChanged(): void {
    if (this.#content?.view === 'table') this.#result?.themeChanged();
  }

  #show(state: ViewState): void {
    try {
      this.#setState(state);
      this.#render();
    } catch (error) {
      this.failed(error);
      const sentence = t('Cannot show this result. See the log for details.');
      const { title, tools } = state;
      this.#setState({ view: 'error', title, ...(tools && { tools }), header: [], sentence, actions: [] });
      this.#render();
    }
  }

  #setState(state: ViewState): void {
    if (state.view === 'table' && state.isHead && !this.#showsHead(state.title)) return;
    if (this.#state?.view !== state.view) this.#notice = undefined;
    this.#announceWait(state);
    const before = this.#content;
    // The first rows do not end the loading state, because the others are still to come.
    const waiting = state.view === 'table' && state.isHead && this.#state?.view === 'loading' ? this.#state : undefined;
    this.#state = waiting ? { ...waiting, content: 'partial' } : state;
    if (state.view === 'loading') {
      if (!this.#result) setTimeout(() => void this.#prepare());
      return;
    }
    this.#content = state.view === 'table' || state.view === 'json' ? state : undefined;
    if (state.view === 'json') this.#text.show(state);
    if (state.view !== 'table') return;
    const result = this.#ensureResult();
    if (before?.view !== 'table' || before.title !== state.title)
      result.table.restore(this.#saved.position(state.title) ?? { topRow: 0, row: 0, column: '' });
    result.show(state);
  }

  /** Prewarms the page while it waits for the first rows. */
  async #prepare(): Promise<void> {
    this.#ensureResult();
    try {
      await prewarm(this.#locale, () => this.#state?.view === 'loading' && !this.#content);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Whether to show the first rows before the others have arrived: only if the table opens at its top. */
  #showsHead(title: string): boolean {
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

  #showNames(title: string, named: Omit<QueryTools, 'actions'>): void {
    const state = this.#state;
    const content = this.#content;
    if (content) this.#content = namedState(content, title, named);
    if (state) this.#state = namedState<ViewState>(state, title, named);
    this.#result?.showNames(title, named);
    this.#render();
  }

  #toolbar(): TemplateResult | undefined {
    const state = this.#state;
    const content = this.#content;
    if (content?.view === 'table') return this.#ensureResult().toolbar(this.#namesExport);
    const tabs = content?.view === 'json' ? this.#text.tabs() : undefined;
    const tools = (content ?? state)?.tools;
    const waits = state?.view === 'loading';
    return tools && plainToolbar(tools, this.#act, tabs, { waits, namesExport: this.#namesExport });
  }

  /** Announces the progress text, unless only a number in it has changed, as in a countdown. */
  #announceWait(state: ViewState): void {
    const withoutNumbers = (text: string): string => text.replace(/\d+/g, '');
    if (state.view !== 'loading') this.#spoken = '';
    else if (withoutNumbers(state.detail) !== withoutNumbers(this.#spoken)) this.#spoken = state.detail;
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
        spoken: this.#spoken,
        act: this.#act,
        dismiss: () => this.#notify(undefined),
        tools: this.#toolbar(),
        body: result?.body() ?? this.#text.body(),
        footer: result?.footer() ?? '',
      };
      this.#focusKeeper.around(() => render(panel(model), this.#root));
    } finally {
      this.#rendering = false;
    }
  }

  #ensureResult(): ResultView {
    this.#result ??= new ResultView(
      {
        locale: this.#locale,
        ownZone: this.#ownZone,
        act: this.#act,
        setZone: ({ timeZone }) => void this.#orNotice(this.host.request('setZone', { timeZone })),
        requestRaw: () => void this.#showRaw(),
        tabOpened: () => this.#tabOpened(),
        pointed: instantNow => this.#point(instantNow),
        saveFile: (name, data) => void this.#orNotice(this.host.request('saveFile', { name, data })),
        copy: (text, what, html) => void this.#copy(text, what, html),
        announce: text => this.#announce(text),
        failed: error => this.failed(error),
        render: () => this.#render(),
        saveView: view => this.#saveView(view),
        savePlace: () => this.#savePlace(),
      },
      this.#saved.view(),
    );
    return this.#result;
  }

  #saveView(view: PanelView): void {
    this.#saved.save({ view: wholeView(view) });
    this.#notifyView(view);
  }

  #notifyView(view: PanelView): void {
    void this.host.notify('viewChanged', wholeView(view));
  }

  /** Notifies the host when the user opens a tab for the first time. */
  #tabOpened(): void {
    if (this.#hasOpenedTab) return;
    this.#hasOpenedTab = true;
    void this.host.notify('tabOpened', undefined);
  }

  /** Notifies the host of the instant under the pointer, at most once a frame. */
  #point(instantNow: () => number | undefined): void {
    if (!this.#isLinked || this.#pointing) return;
    this.#pointing = requestAnimationFrame(() => {
      this.#pointing = 0;
      const instant = instantNow();
      if (instant === this.#pointed) return;
      this.#pointed = instant;
      void this.host.notify('pointed', { instant });
    });
  }

  #savePlace(): void {
    const result = this.#result;
    const state = this.#state;
    if (state?.view === 'table' && result?.table.grid.element.isConnected)
      this.#saved.save({ title: state.title, place: result.table.grid.place() });
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#escape(event);
    if (event.altKey || !this.#command(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Handles the keys that work anywhere in the page, also with Caps Lock. Returns whether it handled the key, which VS Code must not handle then. */
  #command(event: KeyboardEvent): boolean {
    const { key, code, ctrlKey, metaKey, shiftKey } = event;
    if (key === 'F6' && !ctrlKey && !metaKey) return goToPart(this.#root, shiftKey);
    // `code`, because with Shift the `key` of a digit depends on the keyboard layout.
    const digit = ctrlKey && shiftKey && !metaKey ? /^Digit([1-9])$/.exec(code) : null;
    if (digit) return this.#openTab(Number(digit[1]));
    const undo = undoOf(event);
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
  #openTab(place: number): boolean {
    const tab = this.#root.querySelectorAll<HTMLElement>('[role=tab]')[place - 1];
    if (!tab || tab.closest('[inert]')) return false;
    // The tab keeps the focus if it is disabled or its content is not ready yet.
    tab.focus();
    tab.click();
    if (tab.ariaSelected === 'true') this.#focusKeeper.focusContent();
    return true;
  }

  /** Cancels the request on Escape, unless an open popup or a selection has handled the key. */
  #escape(event: KeyboardEvent): void {
    const state = this.#state;
    if (event.defaultPrevented || event.repeat || state?.view !== 'loading') return;
    if (!state.actions.some(({ action }) => action === 'cancel')) return;
    event.preventDefault();
    event.stopPropagation();
    this.#act('cancel');
  }

  async #copy(text: string, what: string, html?: string): Promise<void> {
    try {
      if (html === undefined) await navigator.clipboard.writeText(text);
      else await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text, 'text/html': html })]);
      this.#announce(t('Copied {0}', what));
    } catch (error) {
      this.failed(error);
      this.#notify(t('Cannot access the clipboard. Click in the panel and try again.'));
    }
  }

  /** Resolves to the host's reply. An error is shown as a notice, and the result is undefined. */
  async #orNotice<Reply>(reply: Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await reply;
    } catch (error) {
      this.#notify(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  async #showRaw(): Promise<void> {
    const response = await this.#orNotice(this.host.request('readResponse', undefined));
    if (response) this.#result?.showRaw(response);
  }

  readonly #act: Act = action => {
    // Ignores a second click while the first action is still running.
    if (this.#pending.has(action)) return;
    this.#pending.add(action);
    if (action === 'export' && this.#namesExport) {
      this.#namesExport = false;
      this.#render();
    }
    this.#notify(undefined);
    void this.#orNotice(this.host.request('act', { action })).then(() => this.#pending.delete(action));
  };

  #announce(text: string): void {
    this.#spoken = text;
    this.#render();
  }

  #notify(sentence: string | undefined): void {
    if (this.#notice === sentence) return;
    this.#notice = sentence;
    this.#render();
  }
}
