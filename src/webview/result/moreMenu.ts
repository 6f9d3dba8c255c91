import { t } from '@vscode/l10n';
import type { ActionOffer } from '../../shared/protocol.ts';
import type { MenuItem } from '../grid/popupMenu.ts';
import type { Act } from '../views/actionButtons.ts';
import type { NumberStyle } from '../columns/numberTexts.ts';
import type { PanelView } from './panelView.ts';

export interface MoreMenuModel {
  readonly actions: readonly ActionOffer[];
  readonly act: Act;
  readonly view: PanelView;
  readonly change: (change: Partial<PanelView>) => void;
  readonly find: () => void;
  readonly pickColumns: () => void;
  readonly reset: () => void;
}

/** What is not in the toolbar's row: the host's further actions, and how the table shows things. */
export function moreMenu({ actions, act, view, change, find, pickColumns, reset }: MoreMenuModel): MenuItem[] {
  const flag = (label: string, name: 'missingRows' | 'intervalEnd' | 'hints' | 'linked'): MenuItem => ({
    label,
    checked: view[name],
    run: () => change({ [name]: !view[name] }),
  });
  const numbers = (label: string, style: NumberStyle): MenuItem => ({
    label,
    checked: view.numbers === style,
    run: () => change({ numbers: style }),
  });
  return [
    ...actions.map(({ action, label }) => ({ label, run: () => act(action) })),
    { label: t('Find…'), shortcut: 'Ctrl+F', run: find, separatorBefore: true },
    { label: t('Choose Columns…'), run: pickColumns },
    { ...flag(t('Missing Steps as Rows'), 'missingRows'), separatorBefore: true },
    flag(t('End of Interval as Column'), 'intervalEnd'),
    flag(t('Hints in Cells'), 'hints'),
    flag(t('Only What the Chart Shows'), 'linked'),
    { ...numbers(t('Numbers as in My Language'), 'locale'), separatorBefore: true },
    numbers(t('Numbers With Decimal Point'), 'plain'),
    numbers(t('Numbers With All Digits'), 'full'),
    { label: t('Reset View'), run: reset, separatorBefore: true },
  ];
}
