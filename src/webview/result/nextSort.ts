import type { SortKey } from './panelView.ts';
import { t } from '@vscode/l10n';

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
  return others.reduce((said, next) => t('{0}, then by {1}', said, next), t('Sorted by {0}', first));
}
