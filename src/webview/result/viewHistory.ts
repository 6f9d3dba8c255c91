import { t } from '@vscode/l10n';
import { listChangedParts, type View } from '../../shared/view.ts';
import { createZoomChange } from './viewChanges.ts';

/** Maximum number of changes that can be undone. */
const maxUndoCount = 50;

/** The parts of a view that are navigation and cannot be undone. */
type NavigationPart = 'tab' | 'selectedColumn' | 'window';

/** The undo history of a view. Changes of the tab, the selected column and the zoom are not recorded. */
export class ViewHistory {
  #past: readonly View[] = [];
  #future: readonly View[] = [];
  /** The text field that the user is typing in. */
  #field: Element | undefined;

  /** Records a change. Everything typed in the same `field` until it loses the focus is one change. */
  record(previous: View, next: View, field: Element | undefined): void {
    if (listUndoableParts(previous, next).length === 0) return;
    this.#future = [];
    if (field && field === this.#field) return;
    this.#field = field;
    field?.addEventListener('blur', () => (this.#field = undefined), { once: true });
    this.#past = [...this.#past, previous].slice(-maxUndoCount);
  }

  clear(): void {
    this.#past = this.#future = [];
    this.#field = undefined;
  }

  /** Returns the view before the last change; undefined if there is none. */
  undo(current: View): View | undefined {
    const index = this.#past.findLastIndex(view => listUndoableParts(view, current).length > 0);
    const view = this.#past[index];
    this.#past = this.#past.slice(0, Math.max(0, index));
    if (view) this.#future = [...this.#future, current];
    return view && keepNavigation(view, current);
  }

  /** Returns the view before the last undo; undefined if there is none. */
  redo(current: View): View | undefined {
    const view = this.#future.at(-1);
    this.#future = this.#future.slice(0, -1);
    if (view) this.#past = [...this.#past, current];
    return view && keepNavigation(view, current);
  }
}

/** Whether two saved requests of a panel are for different rows. Display options do not count. */
export function isOtherQuery(...queries: readonly Readonly<Record<string, unknown>>[]): boolean {
  const parts = ['dataset', 'range', 'interval', 'params', 'timeZone', 'connection'];
  return new Set(queries.map(query => JSON.stringify(parts.map(part => query[part])))).size > 1;
}

/** Formats the announcement of an undo, such as “Undone: sort, filters”. */
export function formatUndo(previous: View, next: View | undefined, direction: 'undo' | 'redo'): string {
  if (!next) return direction === 'redo' ? t('Nothing to redo') : t('Nothing to undo');
  const labels = getPartLabels();
  const parts = [...new Set(listUndoableParts(previous, next).map(part => labels[part]))].join(', ');
  return direction === 'redo' ? t('Redone: {0}', parts) : t('Undone: {0}', parts);
}

/** Combines a view from the history with the current tab, selected column and zoom. Removes empty filters. */
function keepNavigation(view: View, { tab, selectedColumn, window }: View): View {
  const filters = Object.fromEntries(Object.entries(view.filters).filter(([, text]) => text.trim() !== ''));
  return { ...view, tab, selectedColumn, filters, ...createZoomChange(window, view) };
}

function listUndoableParts(previous: View, next: View): readonly Exclude<keyof View, NavigationPart>[] {
  return listChangedParts(previous, next).filter(
    part => part !== 'tab' && part !== 'selectedColumn' && part !== 'window',
  );
}

function getPartLabels(): Readonly<Record<Exclude<keyof View, NavigationPart>, string>> {
  const columns = t('columns');
  const display = t('display');
  const resampling = t('resampling');
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
