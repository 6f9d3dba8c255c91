import { t } from '@vscode/l10n';
import type { Column } from '../../shared/frame.ts';
import { unitOf } from '../../shared/units.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { translate } from '../translate.ts';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import { visibleLine } from './visibleText.ts';

/** Formats a column's label with its unit, such as "Thermal, MW". */
export function labelWithUnit({ label, unit }: Pick<GridColumn, 'label' | 'unit'>): string {
  return unit ? `${label}, ${unit}` : label;
}

type ColumnHeader = Pick<GridColumn, 'name' | 'label' | 'unit' | 'meaning' | 'headerTooltip'>;

/** Creates the header of a column from its field, or from the service's name if the field is unknown. */
export function createColumnHeader(column: Column): ColumnHeader {
  const { name, field } = column;
  const unit = unitOf(field).text;
  const nameText = field?.isDerived ? t('Derived') : visibleLine(name, 2000);
  const { meaning, source, joinedFrom } = field ?? {};
  const facts = [
    unit ? `${nameText} · ${unit}` : nameText,
    meaning,
    source !== undefined && t('Source: {0}', visibleLine(translate(source), derivedLimits.source)),
    joinedFrom !== undefined && t('From {0}', visibleLine(joinedFrom, 200)),
  ];
  return {
    name,
    label: field?.label ?? (visibleLine(name, 200) || t('(no name)')),
    unit,
    ...(field && { meaning: field.meaning }),
    headerTooltip: facts.filter(Boolean).join('\n'),
  };
}
