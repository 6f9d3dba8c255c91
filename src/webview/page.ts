import { render, type TemplateResult } from 'lit';
import { config, t } from '@vscode/l10n';
import { usableLocale } from '../shared/formatNumber.ts';
import { namedState } from '../shared/namedState.ts';
import { Messenger, type Message } from '../shared/messenger.ts';
import type { DisplayZone, HostMethods, PageMethods, PanelAction, QueryTools, ViewState } from '../shared/protocol.ts';
import { FocusKeeper } from './focusKeeper.ts';
import { errorText } from './pageErrors.ts';
import { prewarm } from './prewarm.ts';
import { showsFirstRows } from './result/panelView.ts';
import { ResultView } from './result/resultView.ts';
import { TextResult } from './result/textResult.ts';
import { plainToolbar } from './result/toolbar.ts';
import type { SavedState } from './savedState.ts';
import { selectJson } from './views/jsonView.ts';
import { panel, type ContentState } from './views/panel.ts';

/** Shows what the host says, and tells the host what the person chose. */
export class Page {
  /** The way to the host: what it asks of the page is carried out here. */
  readonly host: Messenger<PageMethods, HostMethods>;
  readonly #root: HTMLElement;
  readonly #saved: SavedState;
  readonly #ownZone: DisplayZone | undefined;
  readonly #focusKeeper: FocusKeeper;
  readonly #pending = new Set<PanelAction>();
  #hasOpenedTab = false;
  #result: ResultView | undefined;
  readonly #text = new TextResult(() => this.#render());
  #locale = 'en';
  #state: ViewState | undefined;
  #content: ContentState | undefined;
  #notice: string | undefined;
  #spoken = '';
  #rendering = false;

  /** `ownZone`: the zone of the person's machine, offered and never used unasked. */
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
        init: ({ locale, strings }) => {
          this.#locale = usableLocale(locale);
          config({ contents: { ...strings } });
          this.#result = undefined;
        },
        question: question => this.#saved.keepQuestion(question),
        state: state => this.#show(state),
        zone: moved => this.#showZone(moved),
        names: ({ title, named }) => this.#showNames(title, named),
        readTable: () => (this.#content?.view === 'table' ? this.#result?.shownTable() : undefined),
      },
      error => this.#failed(error),
    );
    this.#saved = saved;
    this.#ownZone = ownZone;
    this.#focusKeeper = new FocusKeeper(root, scrolling => this.#result?.focus(scrolling));
    // Not on the page's own element: the keyboard may be nowhere in it.
    document.addEventListener('keydown', event => this.#pressed(event));
  }

  /** Fonts or colours changed. */
  themeChanged(): void {
    if (this.#content?.view === 'table') this.#result?.themeChanged();
  }

  #show(state: ViewState): void {
    try {
      this.#take(state);
      this.#render();
    } catch (thrown) {
      this.#failed(thrown);
      const sentence = t('Cannot show this result. See the log for details.');
      const { title, tools } = state;
      this.#take({ view: 'error', title, ...(tools && { tools }), header: [], sentence, actions: [] });
      this.#render();
    }
  }

  #take(state: ViewState): void {
    if (state.view === 'table' && state.isHead && !this.#beginsAtTheTop(state.title)) return;
    if (this.#state?.view !== state.view) this.#notice = undefined;
    this.#speak(state);
    const before = this.#content;
    // What is waited for goes on: the rest of the rows.
    const goesOn = state.view === 'table' && state.isHead && this.#state?.view === 'loading' ? this.#state : undefined;
    this.#state = goesOn ? { ...goesOn, content: 'partial' } : state;
    if (state.view === 'loading') {
      // What can be done before the rows are there need not be done after.
      if (!this.#result) setTimeout(() => void this.#prepare());
      return;
    }
    this.#content = state.view === 'table' || state.view === 'json' ? state : undefined;
    if (state.view === 'json') this.#text.show(state);
    if (state.view !== 'table') return;
    const result = this.#resultNow();
    if (before?.view !== 'table' || before.title !== state.title)
      result.table.restore(this.#saved.place(state.title) ?? { topRow: 0, row: 0, column: '' });
    result.show(state);
  }

  /** Makes ready what the first rows will need. */
  async #prepare(): Promise<void> {
    this.#resultNow();
    try {
      await prewarm(this.#locale, () => this.#state?.view === 'loading' && !this.#content);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Whether a person looks at the first rows first; where not, a result is shown once it is whole. */
  #beginsAtTheTop(title: string): boolean {
    return !this.#content && !this.#saved.place(title) && showsFirstRows(this.#saved.view());
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
    if (content?.view === 'table') return this.#resultNow().toolbar();
    const tabs = content?.view === 'json' ? this.#text.tabs() : undefined;
    const tools = (content ?? state)?.tools;
    const waits = state?.view === 'loading';
    return tools && plainToolbar(tools, action => void this.#act(action), { tabs, waits });
  }

  /** A countdown in the detail is not read out again and again: only words that change are. */
  #speak(state: ViewState): void {
    if (state.view !== 'loading') this.#spoken = '';
    else if (wordsOf(state.detail) !== wordsOf(this.#spoken)) this.#spoken = state.detail;
  }

  #render(): void {
    const state = this.#state;
    const content = this.#content;
    // What is shown may report back while it is drawn: that comes with the drawing under way.
    if (!state || this.#rendering) return;
    this.#rendering = true;
    try {
      const result = content?.view === 'table' ? this.#resultNow() : undefined;
      const act = (action: PanelAction) => void this.#act(action);
      const model = {
        state,
        content,
        notice: this.#notice,
        spoken: this.#spoken,
        act,
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

  #resultNow(): ResultView {
    this.#result ??= new ResultView(
      {
        locale: this.#locale,
        ownZone: this.#ownZone,
        act: action => void this.#act(action),
        setZone: ({ timeZone }) => void this.#ask('setZone', { timeZone }),
        askRaw: () => void this.#showRaw(),
        tabOpened: () => this.#tellTabOpened(),
        saveFile: (name, data) => void this.#ask('saveFile', { name, data }),
        copy: (text, what) => void this.#copy(text, what),
        announce: text => this.#say(text),
        failed: error => this.#failed(error),
        render: () => this.#render(),
        keepView: view => this.#saved.keepView(view),
        keepPlace: () => this.#keepPlace(),
      },
      this.#saved.view(),
    );
    return this.#result;
  }

  #tellTabOpened(): void {
    if (this.#hasOpenedTab) return;
    this.#hasOpenedTab = true;
    void this.host.notify('tabOpened', undefined);
  }

  #keepPlace(): void {
    const result = this.#result;
    const state = this.#state;
    if (state?.view === 'table' && result?.table.grid.element.isConnected)
      this.#saved.keepPlace(state.title, result.table.grid.place());
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#escape(event);
    if (event.altKey || !this.#command(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What a key means wherever the keyboard is in the page, with Caps Lock too: VS Code does not hear of it. Returns whether it means anything. */
  #command({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
    const letter = (ctrlKey || metaKey) && !shiftKey ? key.toLowerCase() : '';
    if (letter === 'a') return selectJson(this.#root);
    const table = this.#state?.view === 'table' ? this.#result?.table : undefined;
    if (letter === 'f') table?.find();
    else if (key === 'F3') table?.findNext(shiftKey);
    else return false;
    return table !== undefined;
  }

  /** Stops what is waited for. Whatever is open or selected takes the key first. */
  #escape(event: KeyboardEvent): void {
    const state = this.#state;
    if (event.defaultPrevented || event.repeat || state?.view !== 'loading') return;
    if (!state.actions.some(({ action }) => action === 'cancel')) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#act('cancel');
  }

  async #copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#say(t('Copied {0}', what));
    } catch (error) {
      this.#failed(error);
      this.#notify(t('Cannot access the clipboard. Click in the panel and try again.'));
    }
  }

  /** Resolves to what the host gives; to undefined where it refuses, which is shown. */
  async #ask<Name extends keyof HostMethods>(...call: Parameters<typeof this.host.request<Name>>) {
    try {
      return await this.host.request(...call);
    } catch (error) {
      this.#notify(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  async #showRaw(): Promise<void> {
    const response = await this.#ask('readResponse', undefined);
    if (response) this.#result?.showRaw(response);
  }

  async #act(action: PanelAction): Promise<void> {
    // A second click while the first is under way would only ask for the same again.
    if (this.#pending.has(action)) return;
    this.#pending.add(action);
    this.#notify(undefined);
    await this.#ask('act', { action });
    this.#pending.delete(action);
  }

  #say(text: string): void {
    this.#spoken = text;
    this.#render();
  }

  #failed(error: unknown): void {
    void this.host.notify('pageError', { message: errorText(error) });
  }

  #notify(sentence: string | undefined): void {
    if (this.#notice === sentence) return;
    this.#notice = sentence;
    this.#render();
  }
}

function wordsOf(text: string): string {
  return text.replace(/\d+/g, '');
}
