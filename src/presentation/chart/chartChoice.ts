import { t } from '@vscode/l10n';
import { demandField, stressField } from '../../shared/fields.ts';
import type { Frame } from '../../shared/frame.ts';
import { columnHeader, labelWithUnit } from '../columns/columnHeader.ts';
import { numberColumns } from '../../core/frame/chartColumns.ts';
import type { ChartOptions } from './chartModel.ts';

/** Something to choose for a kind of chart, beside its columns. */
export interface ChartChoice {
  /** Kept with the panel: "heatmap.column". */
  readonly id: string;
  /** In the person's language, as the names of the options. */
  readonly name: string;
  /** The first is what nobody has chosen. */
  readonly options: readonly { readonly id: string; readonly name: string }[];
}

/** A choice, and the id of what is chosen. */
export type MadeChoice = ChartChoice & { readonly chosen: string };

/** Without a choice made, or where that is no longer offered, the first; empty where there is none to choose. */
export function withChosen(choices: readonly ChartChoice[] = [], { picked }: ChartOptions): MadeChoice[] {
  return choices.map(choice => {
    const { id, options } = choice;
    return { ...choice, chosen: (options.find(option => option.id === picked[id]) ?? options[0])?.id ?? '' };
  });
}

/** One of the columns that can be drawn; `first` before the others, without it what a chart is mostly about. */
export function columnChoice(frame: Frame, id: string, name = t('Column'), first?: string): ChartChoice {
  const wanted = [first ?? demandField, stressField];
  const rank = (column: string): number => (wanted.includes(column) ? wanted.indexOf(column) : wanted.length);
  const columns = numberColumns(frame).toSorted((a, b) => rank(a.name) - rank(b.name));
  const options = columns.map(column => ({ id: column.name, name: labelWithUnit(columnHeader(column)) }));
  return { id, name, options };
}
