import { t } from '@vscode/l10n';
import { isRecord, type View } from '../../shared/view.ts';
import type { SortKey, TimeRange } from '../../shared/analysis.ts';

/** Returns the change of a view that zooms the chart to a window, or to the whole range. */
export function createZoomChange(window: TimeRange | undefined, { chart }: View): Partial<View> {
  return { window, chart: { ...(isRecord(chart) && chart), zoom: window } };
}

/** Whether the first received rows are also the first visible rows of the view. */
export function showsFirstRows({ tab, sort, filters, linked, derived, resample }: View): boolean {
  const isAsReceived = sort.length === 0 && derived.length === 0 && resample === undefined;
  return tab === 'table' && isAsReceived && Object.keys(filters).length === 0 && !linked;
}

/** Returns the sort keys after a click on a header, which cycles through ascending, descending and none. `additive` keeps the keys of other columns. */
export function toggleSort(sort: readonly SortKey[], column: string, additive: boolean): readonly SortKey[] {
  const sortKey = sort.find(key => key.column === column);
  const nextKey =
    sortKey === undefined
      ? { column, descending: false }
      : sortKey.descending
        ? undefined
        : { column, descending: true };
  if (!additive) return nextKey ? [nextKey] : [];
  if (sortKey === undefined) return [...sort, { column, descending: false }];
  return sort.flatMap(key => (key.column === column ? (nextKey ?? []) : key));
}

/** Formats sort keys for an announcement, such as "Sorted by OCGT, descending, then by Wind, ascending". */
export function formatSort(sort: readonly SortKey[], getLabel: (column: string) => string): string {
  const [first, ...others] = sort.map(({ column, descending }) =>
    descending ? t('{0}, descending', getLabel(column)) : t('{0}, ascending', getLabel(column)),
  );
  if (first === undefined) return t('Sorting removed');
  return others.reduce((text, nextKey) => t('{0}, then by {1}', text, nextKey), t('Sorted by {0}', first));
}
