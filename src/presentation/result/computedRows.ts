import type { Analysis } from '../../shared/analysis.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { toAnalysis, type View, type ResultTab } from '../../shared/view.ts';

/** The table of a tab that computes its rows from the result, such as Events. */
export interface ComputedRows {
  /** The analysis that computes the rows. Undefined for the data of a chart. */
  readonly analysis: Analysis | undefined;
  /** A frame with translated columns. */
  readonly frame: Frame;
  /** The indexes of the displayed rows, in display order. Undefined if all rows are displayed in the order of the frame. */
  readonly order: Uint32Array | undefined;
  /** The time zone for formatting times. */
  readonly zone: TableState['zone'];
  /** The interval of the rows of the result, in milliseconds. */
  readonly intervalMs: number;
}

/** The texts of a tab. Its page shows them above the table, and a report below it. */
export interface TabTexts {
  readonly title: string;
  readonly sentence: string;
  /** Sentences that define the figures. */
  readonly methods: readonly string[];
}

/** Returns the parts of an analysis that all such tabs have: derived columns, filters and the sort order of the tab. */
export function getCommonAnalysis(view: View, tab: ResultTab): Pick<Analysis, 'derive' | 'where' | 'sort'> {
  const { derive, where } = toAnalysis(view);
  const { sort = [] } = view.tables[tab] ?? {};
  return { ...(derive && { derive }), ...(where && { where }), ...(sort.length > 0 && { sort }) };
}
