import type { SortKey } from './panelView.ts';

/** The sort after a click on a header: ascending, descending, none; with `additive` the other keys stay. */
export function nextSort(sort: readonly SortKey[], column: string, additive: boolean): readonly SortKey[] {
  const own = sort.find(key => key.column === column);
  const next =
    own === undefined ? { column, descending: false } : own.descending ? undefined : { column, descending: true };
  if (!additive) return next ? [next] : [];
  if (own === undefined) return [...sort, { column, descending: false }];
  return sort.flatMap(key => (key.column === column ? (next ?? []) : key));
}
