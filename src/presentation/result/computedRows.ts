import type { Analysis } from '../../shared/analysis.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { analysisOf, type PanelView, type ResultTab } from '../../shared/savedView.ts';

/** The rows of a tab that are computed from those of the result, such as events. */
export interface ComputedRows {
  /** What makes them; undefined for the numbers of a chart. */
  readonly analysis: Analysis | undefined;
  /** Named in the person's language. */
  readonly frame: Frame;
  /** Rows of the frame in their order; undefined for all as they are. */
  readonly order: Uint32Array | undefined;
  /** The zone that their times are written in. */
  readonly zone: TableState['zone'];
  /** The length of the interval of the rows that they are computed from, in milliseconds. */
  readonly step: number;
}

/** What is said of computed rows: above them, and below them in a report. */
export interface RowWords {
  readonly title: string;
  readonly sentence: string;
  /** How their figures are made. */
  readonly methods: readonly string[];
}

/** The steps before and after those that compute the rows of a tab. */
export function stepsAround(view: PanelView, tab: ResultTab): Pick<Analysis, 'derive' | 'where' | 'sort'> {
  const { derive, where } = analysisOf(view);
  const { sort = [] } = view.tables[tab] ?? {};
  return { ...(derive && { derive }), ...(where && { where }), ...(sort.length > 0 && { sort }) };
}
