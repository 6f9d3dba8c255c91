import type { Analysis } from '../../shared/analysis.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { toAnalysis, type View, type ResultTab } from '../../shared/view.ts';

/** The table of a tab that computes its rows from the rows of the result, such as Events. */
export interface ComputedRows {
  /** The analysis that computes the rows; undefined for the numbers of a chart. */
  readonly analysis: Analysis | undefined;
  /** A frame with translated columns. */
  readonly frame: Frame;
  /** Frame rows in display order; undefined for all rows in the order of the frame. */
  readonly order: Uint32Array | undefined;
  /** The zone in which the times are formatted. */
  readonly zone: TableState['zone'];
  /** The interval of the source rows in milliseconds. */
  readonly intervalMs: number;
}

/** The texts of a tab: above its table, and below it in a report. */
export interface TabTexts {
  readonly title: string;
  readonly sentence: string;
  /** Sentences that define the figures. */
  readonly methods: readonly string[];
}

/** The parts of an analysis that every computed tab needs: derived columns, filters and the tab's sort order. */
export function getCommonAnalysis(view: View, tab: ResultTab): Pick<Analysis, 'derive' | 'where' | 'sort'> {
  const { derive, where } = toAnalysis(view);
  const { sort = [] } = view.tables[tab] ?? {};
  return { ...(derive && { derive }), ...(where && { where }), ...(sort.length > 0 && { sort }) };
}
