import { t } from '@vscode/l10n';
import type { CopyFormat } from '../copy/copyText.ts';
import type { MenuItem } from '../grid/popupMenu.ts';

export interface CellMenuModel {
  readonly copy: (format: CopyFormat, headers: boolean) => () => void;
  readonly selectAll: () => void;
  /** Shows only the rows with the focused value, or only the others. */
  readonly filter: (sign: '=' | '!=') => void;
}

/** What can be done with the selected cells. */
export function cellMenu({ copy, selectAll, filter }: CellMenuModel): MenuItem[] {
  return [
    { label: t('Copy'), shortcut: 'Ctrl+C', run: copy('tsv', false) },
    { label: t('Copy With Headers'), shortcut: 'Ctrl+Shift+C', run: copy('tsv', true) },
    { label: t('Copy as CSV'), run: copy('csv', true) },
    { label: t('Copy as JSON'), run: copy('json', true) },
    { label: t('Copy as Markdown'), run: copy('markdown', true) },
    { label: t('Select All'), shortcut: 'Ctrl+A', run: selectAll, separatorBefore: true },
    { label: t('Only This Value'), run: () => filter('='), separatorBefore: true },
    { label: t('Without This Value'), run: () => filter('!=') },
  ];
}
