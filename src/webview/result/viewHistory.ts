import { t } from '@vscode/l10n';
import { listChangedParts, type View } from '../../shared/view.ts';
import { createZoomChange } from './viewChanges.ts';

/** Maximum number of changes that can be undone. */
const maxUndoCount = 50;

/** The parts of a view that are navigation and cannot be undone. */
type NavigationPart = 'tab' | 'chosen' | 'window';

/** The undo history of a view. Tab, chosen column and zoom are not part of it. */
export class ViewHistory {
  #past: readonly View[] = [];
  #future: readonly View[] = [];
  /** The text field that the user is typing in. */
  #field: Element | undefined;

  /** Records a change. Everything typed in the same `field` until it loses the focus counts as one change. */
  record(before: View, after: View, field: Element | undefined): void {
    if (listUndoableParts(before, after).length === 0) return;
    this.#future = [];
    if (field && field === this.#field) return;
    this.#field = field;
    field?.addEventListener('blur', () => (this.#field = undefined), { once: true });
    this.#past = [...this.#past, before].slice(-maxUndoCount);
  }

  clear(): void {
    this.#past = this.#future = [];
    this.#field = undefined;
  }

  /** Returns the view before the last change; undefined if there is none. */
  undo(now: View): View | undefined {
    const index = this.#past.findLastIndex(view => listUndoableParts(view, now).length > 0);
    const view = this.#past[index];
    this.#past = this.#past.slice(0, Math.max(0, index));
    if (view) this.#future = [...this.#future, now];
    return view && keepNavigation(view, now);
  }

  /** Returns the view before the last undo; undefined if there is none. */
  redo(now: View): View | undefined {
    const view = this.#future.at(-1);
    this.#future = this.#future.slice(0, -1);
    if (view) this.#past = [...this.#past, now];
    return view && keepNavigation(view, now);
  }
}

/** Whether two saved requests of a panel are for different rows. Display options do not count. */
export function isOtherQuery(...queries: readonly Readonly<Record<string, unknown>>[]): boolean {
  const parts = ['dataset', 'range', 'interval', 'params', 'timeZone', 'connection'];
  return new Set(queries.map(query => JSON.stringify(parts.map(part => query[part])))).size > 1;
}

/** Formats the announcement of an undo, such as “Undone: sort, filters”. */
export function formatUndo(before: View, after: View | undefined, direction: 'undo' | 'redo'): string {
  if (!after) return direction === 'redo' ? t('Nothing to redo') : t('Nothing to undo');
  const labels = getPartLabels();
  const parts = [...new Set(listUndoableParts(before, after).map(part => labels[part]))].join(', ');
  return direction === 'redo' ? t('Redone: {0}', parts) : t('Undone: {0}', parts);
}

/** Returns a view of the history with the current tab, chosen column and zoom, and without empty filters. */
function keepNavigation(view: View, { tab, chosen, window }: View): View {
  const filters = Object.fromEntries(Object.entries(view.filters).filter(([, text]) => text.trim() !== ''));
  return { ...view, tab, chosen, filters, ...createZoomChange(window, view) };
}

function listUndoableParts(before: View, after: View): readonly Exclude<keyof View, NavigationPart>[] {
  return listChangedParts(before, after).filter(part => part !== 'tab' && part !== 'chosen' && part !== 'window');
}

function getPartLabels(): Readonly<Record<Exclude<keyof View, NavigationPart>, string>> {
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
