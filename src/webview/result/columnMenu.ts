import { t } from '@vscode/l10n';
import type { MenuItem } from '../grid/popupMenu.ts';
import type { SortKey } from './panelView.ts';

/** What a column's menu works on. */
export interface ColumnMenuModel {
  /** Field name. */
  readonly column: string;
  readonly sort: readonly SortKey[];
  readonly filtered: boolean;
  readonly isNumber: boolean;
  readonly canHide: boolean;
  readonly setSort: (sort: readonly SortKey[]) => void;
  readonly editFilter: () => void;
  readonly removeFilter: () => void;
  readonly hide: () => void;
  readonly freeze: () => void;
  readonly unfreeze: () => void;
  readonly fit: () => void;
  readonly fitAll: () => void;
  readonly pickColumns: () => void;
  readonly chart: () => void;
  readonly statistics: () => void;
}

/** Everything that can be done with one column. */
export function columnMenu(model: ColumnMenuModel): MenuItem[] {
  const { column, sort, setSort } = model;
  const own = sort.find(key => key.column === column);
  const others = sort.filter(key => key.column !== column);
  const by = (descending: boolean) => () => setSort([{ column, descending }]);
  const item = (label: string, run: () => void, more: Partial<MenuItem> = {}): MenuItem => ({ label, run, ...more });
  return [
    item(t('Sort Ascending'), by(false), { checked: own?.descending === false }),
    item(t('Sort Descending'), by(true), { checked: own?.descending === true }),
    item(t('Add to Sort'), () => setSort([...others, { column, descending: false }]), {
      disabled: own !== undefined || sort.length === 0,
    }),
    item(t('Remove From Sort'), () => setSort(others), { disabled: !own }),
    item(model.filtered ? t('Edit Filter…') : t('Filter…'), model.editFilter, { separatorBefore: true }),
    item(t('Remove Filter'), model.removeFilter, { disabled: !model.filtered }),
    item(t('Show in Chart'), model.chart, { separatorBefore: true, disabled: !model.isNumber }),
    item(t('Show Statistics'), model.statistics, { disabled: !model.isNumber }),
    item(t('Freeze up to Here'), model.freeze, { separatorBefore: true }),
    item(t('Unfreeze Columns'), model.unfreeze),
    item(t('Fit to Content'), model.fit),
    item(t('Fit All Columns'), model.fitAll),
    item(t('Hide Column'), model.hide, { separatorBefore: true, disabled: !model.canHide }),
    item(t('Choose Columns…'), model.pickColumns),
  ];
}
