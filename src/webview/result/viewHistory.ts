import { t } from '@vscode/l10n';
import { changedParts, type PanelView } from '../../shared/savedView.ts';
import { zoomedTo } from './panelView.ts';

/** So many changes can be undone. */
const maxSteps = 50;

/** Where a person stands in a view: no change of it. */
type Standing = 'tab' | 'chosen' | 'window';

/** The views before the one shown, and after it those that were undone. The tab and the zoom are no part of them. */
export class ViewHistory {
  #past: readonly PanelView[] = [];
  #future: readonly PanelView[] = [];
  /** Where the person is typing. */
  #field: Element | undefined;

  /** A change is made in `field`, a text field, or elsewhere. What is typed before the field is left is one change. */
  changed(before: PanelView, after: PanelView, field: Element | undefined): void {
    if (partsBetween(before, after).length === 0) return;
    this.#future = [];
    if (field && field === this.#field) return;
    this.#field = field;
    field?.addEventListener('blur', () => (this.#field = undefined), { once: true });
    this.#past = [...this.#past, before].slice(-maxSteps);
  }

  clear(): void {
    this.#past = this.#future = [];
    this.#field = undefined;
  }

  /** The view before the last change; undefined where there is none. */
  undo(now: PanelView): PanelView | undefined {
    const index = this.#past.findLastIndex(view => partsBetween(view, now).length > 0);
    const view = this.#past[index];
    this.#past = this.#past.slice(0, Math.max(0, index));
    if (view) this.#future = [...this.#future, now];
    return view && standing(view, now);
  }

  /** The view before the last undo; undefined where there is none. */
  redo(now: PanelView): PanelView | undefined {
    const view = this.#future.at(-1);
    this.#future = this.#future.slice(0, -1);
    if (view) this.#past = [...this.#past, now];
    return view && standing(view, now);
  }
}

/** Whether a panel asks for other rows than before, by what its page keeps of both: how they are shown is no part of that. */
export function isOtherQuery(...questions: readonly Readonly<Record<string, unknown>>[]): boolean {
  const parts = ['dataset', 'range', 'interval', 'params', 'timeZone', 'connection'];
  return new Set(questions.map(question => JSON.stringify(parts.map(part => question[part])))).size > 1;
}

/** “Undone: sort, filters”; of which parts, for a screen reader. */
export function undoText(before: PanelView, after: PanelView | undefined, way: 'undo' | 'redo'): string {
  if (!after) return way === 'redo' ? t('Nothing to redo') : t('Nothing to undo');
  const names = partNames();
  const parts = [...new Set(partsBetween(before, after).map(part => names[part]))].join(', ');
  return way === 'redo' ? t('Redone: {0}', parts) : t('Undone: {0}', parts);
}

/** A view of the history with the tab and the zoom as they are, and without filters in which nothing is typed. */
function standing(view: PanelView, { tab, chosen, window }: PanelView): PanelView {
  const filters = Object.fromEntries(Object.entries(view.filters).filter(([, text]) => text.trim() !== ''));
  return { ...view, tab, chosen, filters, ...zoomedTo(window, view) };
}

function partsBetween(one: PanelView, other: PanelView): readonly Exclude<keyof PanelView, Standing>[] {
  return changedParts(one, other).filter(part => part !== 'tab' && part !== 'chosen' && part !== 'window');
}

function partNames(): Readonly<Record<Exclude<keyof PanelView, Standing>, string>> {
  const [columns, display, resampling] = [t('columns'), t('display'), t('resampling')];
  return {
    sort: t('sort'),
    filters: t('filters'),
    arrangement: columns,
    tables: columns,
    chart: t('chart'),
    derived: t('derived columns'),
    resample: resampling,
    binFigures: resampling,
    linked: t('chart range'),
    split: display,
    hints: display,
    summaries: display,
    numbers: display,
    missingRows: display,
    intervalEnd: display,
    forecast: t('forecast'),
    events: t('events'),
    figures: t('statistics'),
  };
}
