import { t } from '@vscode/l10n';
import { demandField, stressField } from '../../shared/fields.ts';
import type { Frame } from '../../shared/frame.ts';
import { createColumnHeader, labelWithUnit } from '../columns/columnHeader.ts';
import { listNumberColumns } from '../../core/frame/chartColumns.ts';
import type { ChartOptions } from './chartModel.ts';

/** A setting of a kind of chart, apart from its columns. */
export interface ChartChoice {
  /** Stored with the panel: "heatmap.column". */
  readonly id: string;
  /** Translated, like the names of the options. */
  readonly name: string;
  /** The first option is the default. */
  readonly options: readonly { readonly id: string; readonly name: string }[];
}

/** A choice with the id of its selected option. */
export type SelectedChoice = ChartChoice & { readonly selectedId: string };

/** Selects the stored option of each choice. If no valid option is stored, selects the first one. The id is empty if there are no options. */
export function resolveChoices(choices: readonly ChartChoice[] = [], { picked }: ChartOptions): SelectedChoice[] {
  return choices.map(choice => {
    const { id, options } = choice;
    return { ...choice, selectedId: (options.find(option => option.id === picked[id]) ?? options[0])?.id ?? '' };
  });
}

/** Creates a choice of numeric columns. `preferredColumn` is listed first; its default is residual demand. */
export function createColumnChoice(
  frame: Frame,
  id: string,
  name = t('Column'),
  preferredColumn?: string,
): ChartChoice {
  const preferredColumns = [preferredColumn ?? demandField, stressField];
  const rank = (column: string): number =>
    preferredColumns.includes(column) ? preferredColumns.indexOf(column) : preferredColumns.length;
  const columns = listNumberColumns(frame).toSorted((a, b) => rank(a.name) - rank(b.name));
  const options = columns.map(column => ({ id: column.name, name: labelWithUnit(createColumnHeader(column)) }));
  return { id, name, options };
}
