import { render } from 'lit';
import { config, t } from '@vscode/l10n';
import { usableLocale } from '../shared/formatLocale.ts';
import type { HostMessage, PanelAction, ViewState } from '../shared/protocol.ts';
import { gridDataOf } from './columns/gridDataOf.ts';
import { FocusKeeper } from './focusKeeper.ts';
import { DataGrid } from './grid/dataGrid.ts';
import type { HostLink } from './hostLink.ts';
import { errorText } from './pageErrors.ts';
import type { SavedPlace } from './savedPlace.ts';
import { panel } from './views/panel.ts';
import type { ContentState } from './views/panel.ts';
import { sizeText } from './views/sizeText.ts';

/** Shows what the host says, and tells the host what the person chose. */
export class Page {
  private readonly root: HTMLElement;
  private readonly link: HostLink;
  private readonly saved: SavedPlace;
  private readonly focusKeeper: FocusKeeper;
  private readonly pending = new Set<PanelAction>();
  private grid: DataGrid | undefined;
  private locale = 'en';
  private state: ViewState | undefined;
  private content: ContentState | undefined;
  private notice: string | undefined;
  private spoken = '';

  constructor(root: HTMLElement, link: HostLink, saved: SavedPlace) {
    this.root = root;
    this.link = link;
    this.saved = saved;
    this.focusKeeper = new FocusKeeper(root, () => this.grid?.focus());
  }

  /** Takes one message of the host. What fails here is shown and goes to the log. */
  receive(message: HostMessage): void {
    switch (message.type) {
      case 'init':
        this.locale = usableLocale(message.locale);
        config({ contents: { ...message.strings } });
        this.grid = undefined;
        return;
      case 'state': {
        this.show(message.state);
        return;
      }
      case 'reply': {
        this.link.settle(message);
        return;
      }
    }
  }

  /** Fonts or colours changed. */
  themeChanged(): void {
    if (this.content?.view === 'table') this.grid?.fontsChanged();
  }

  private show(state: ViewState): void {
    try {
      this.take(state);
      this.render();
    } catch (thrown) {
      void this.link.request({ type: 'pageError', message: errorText(thrown) });
      const sentence = t('This result cannot be shown. The log says why.');
      this.take({ view: 'error', title: state.title, header: [], sentence, actions: [] });
      this.render();
    }
  }

  private take(state: ViewState): void {
    if (this.state?.view !== state.view) this.notice = undefined;
    this.speak(state);
    const before = this.content;
    this.state = state;
    if (state.view === 'loading') return;
    this.content = state.view === 'table' || state.view === 'json' ? state : undefined;
    if (state.view !== 'table') return;
    const place =
      before?.view === 'table' && before.title === state.title
        ? this.gridNow().place()
        : this.saved.restore(state.title);
    const data = gridDataOf(state.frame, this.locale, state.zone, state.step);
    // The grid measures itself: it must stand in the page before it is filled.
    this.render();
    this.gridNow().show(data, place);
  }

  /** A countdown in the detail is not read out again and again: only words that change are. */
  private speak(state: ViewState): void {
    if (state.view !== 'loading') this.spoken = '';
    else if (wordsOf(state.detail) !== wordsOf(this.spoken)) this.spoken = state.detail;
  }

  private render(): void {
    const { state } = this;
    if (!state) return;
    const grid = this.gridNow().element;
    const { content, notice, spoken } = this;
    const act = (action: PanelAction) => void this.act(action);
    const dismiss = () => this.notify(undefined);
    const model = { state, content, notice, spoken, footer: this.footer(), grid, act, dismiss };
    this.focusKeeper.around(() => render(panel(model), this.root));
  }

  private footer(): string {
    if (this.content?.view !== 'table') return '';
    const { frame } = this.content;
    return sizeText(frame.rowCount, frame.columns.length, this.locale);
  }

  private gridNow(): DataGrid {
    this.grid ??= new DataGrid(
      { copy: text => void this.copy(text), settled: () => this.savePlace() },
      t('Result table'),
    );
    return this.grid;
  }

  private savePlace(): void {
    if (this.state?.view === 'table' && this.grid) this.saved.save(this.state.title, this.grid.place());
  }

  private async copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text);
    this.spoken = t('Copied {0}', text);
    this.render();
  }

  private async act(action: PanelAction): Promise<void> {
    // A second click while the first is under way would only ask for the same again.
    if (this.pending.has(action)) return;
    this.pending.add(action);
    this.notify(undefined);
    const error = await this.link.request({ type: 'act', action });
    this.pending.delete(action);
    if (error !== undefined) this.notify(error);
  }

  private notify(sentence: string | undefined): void {
    if (this.notice === sentence) return;
    this.notice = sentence;
    this.render();
  }
}

function wordsOf(text: string): string {
  return text.replace(/\d+/g, '');
}
