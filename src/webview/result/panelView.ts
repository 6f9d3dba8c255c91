import { t } from '@vscode/l10n';
import { isRecord, type PanelView } from '../../shared/savedView.ts';
import type { SortKey, TimeWindow } from '../../shared/analysis.ts';

/** The chart shows a window of time, or all. */
export function zoomedTo(window: TimeWindow | undefined, { chart }: PanelView): Partial<PanelView> {
  return { window, chart: { ...(isRecord(chart) && chart), zoom: window } };
}

/** Whether the first rows received are the first rows shown. */
export function showsFirstRows({ tab, sort, filters, linked, derived, resample }: PanelView): boolean {
  const isAsReceived = sort.length === 0 && derived.length === 0 && resample === undefined;
  return tab === 'table' && isAsReceived && Object.keys(filters).length === 0 && !linked;
}

/** The sort after a click on a header: ascending, descending, none; with `additive` the other keys stay. */
export function nextSort(sort: readonly SortKey[], column: string, additive: boolean): readonly SortKey[] {
  const own = sort.find(key => key.column === column);
  const next =
    own === undefined ? { column, descending: false } : own.descending ? undefined : { column, descending: true };
  if (!additive) return next ? [next] : [];
  if (own === undefined) return [...sort, { column, descending: false }];
  return sort.flatMap(key => (key.column === column ? (next ?? []) : key));
}

/** "Sorted by OCGT, descending, then by Wind, ascending"; "No longer sorted" without a key. */
export function sortText(sort: readonly SortKey[], labelOf: (column: string) => string): string {
  const [first, ...others] = sort.map(({ column, descending }) =>
    descending ? t('{0}, descending', labelOf(column)) : t('{0}, ascending', labelOf(column)),
  );
  if (first === undefined) return t('No longer sorted');
  return others.reduce((text, next) => t('{0}, then by {1}', text, next), t('Sorted by {0}', first));
}
