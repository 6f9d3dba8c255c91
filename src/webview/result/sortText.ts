import { t } from '@vscode/l10n';
import type { SortKey } from './panelView.ts';

/** "Sorted by OCGT, descending, then by Wind, ascending"; "No longer sorted" without a key. */
export function sortText(sort: readonly SortKey[], labelOf: (column: string) => string): string {
  const [first, ...others] = sort.map(({ column, descending }) =>
    descending ? t('{0}, descending', labelOf(column)) : t('{0}, ascending', labelOf(column)),
  );
  if (first === undefined) return t('No longer sorted');
  return others.reduce((said, next) => t('{0}, then by {1}', said, next), t('Sorted by {0}', first));
}
