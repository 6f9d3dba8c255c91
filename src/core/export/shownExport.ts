import type { ExportColumn, ExportTable } from '../../shared/exportOptions.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ShownColumn, ShownTable } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import type { SavedView } from '../../shared/savedView.ts';
import { analyse, type AnalysisContext } from '../analysis/analyse.ts';
import type { ResultRows } from '../analysis/resultRows.ts';
import { resampledText } from '../bins/resample.ts';
import { eventsText } from '../events/eventFrame.ts';
import { scorecardText } from '../forecast/scorecard.ts';
import { timeColumnOf } from '../frame/clip.ts';

/** What to export of a result: the table on screen, all rows as received, or the selected cells. */
export const exportScopes = ['onScreen', 'asReceived', 'selection'] as const;
export type ExportScope = (typeof exportScopes)[number];

/** The table of each scope; an empty scope is left out. */
export type ExportTables = Readonly<Partial<Record<ExportScope, ExportTable>>>;

/** A result, and its rows as received where `frame` is a comparison. */
type ExportedResult = Pick<Result, 'frame'> & { readonly received?: Frame };

/** What a page shows of a result. `rows`: what it was sent, but for the frame, whose texts are the person's. */
export interface ShownResult {
  readonly table: ShownTable;
  readonly rows: Omit<ResultRows, 'frame'>;
}

/**
 * The tables of a result and of what the page shows. `withEnds`: adds the end of each interval to the rows
 * as received.
 */
export function exportTables(
  { frame, received: ofService = frame }: ExportedResult,
  shown: ShownResult | undefined,
  context: AnalysisContext,
  stepMs: number | undefined,
  withEnds: boolean,
): ExportTables {
  if (!frame || !ofService) return {};
  const received: ExportTable = { frame: ofService, stepMs, ...(withEnds && { columns: columnsWithEnds(ofService) }) };
  if (!shown) return { asReceived: received };
  const { analysis, columns, numbers, selection } = shown.table;
  const rows = { ...shown.rows, frame };
  const analysed = analyse(rows, numbers ? { ...analysis, sort: [] } : analysis, context);
  const { resampling, events, scorecard, derived } = analysed;
  const seen = numbers?.frame ?? analysed.frame;
  const order = numbers ? numbers.rows : analysed.order;
  const cut = (rows: Uint32Array | undefined, columns: readonly ShownColumn[]): ExportTable => ({
    frame: seen,
    stepMs,
    rows,
    columns: columns.flatMap(column => placeOf(seen, column)),
    ...(resampling && { resampled: resampledText(resampling) }),
    ...(events && { events: eventsText(events) }),
    ...(derived.length > 0 && { derived: Object.fromEntries(derived.map(({ name, formula }) => [name, formula])) }),
    ...(scorecard && { scorecard: scorecardText(scorecard) }),
    ...(numbers ? { chart: numbers.chart } : analysis.summarise && { chart: 'statistics' }),
  });
  const onScreen = cut(order, columns);
  if (!selection) return { onScreen, asReceived: received };
  const [first, last] = selection.rows;
  const selected = order?.slice(first, last + 1) ?? rowsBetween(first, Math.min(last, seen.rowCount - 1));
  return { onScreen, asReceived: received, selection: cut(selected, selection.columns) };
}

function rowsBetween(first: number, last: number): Uint32Array {
  return Uint32Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/**
 * How a file with the table of that scope is shown as the panel shows the result: without what its rows went through already. Undefined where
 * its rows are those of a chart, events or scores.
 */
export function viewOfTable(view: SavedView, scope: ExportScope, shown: ShownTable | undefined): SavedView | undefined {
  if (scope === 'asReceived') return view;
  const { find, score, summarise } = shown?.analysis ?? {};
  if (shown?.numbers ?? find ?? score ?? summarise) return undefined;
  const { derive: _derive, where: _where, resample: _resample, figures: _figures, ...analysis } = view.analysis ?? {};
  return { ...view, analysis };
}

/** All columns, with the end of each interval after the time column. */
function columnsWithEnds(frame: Frame): ExportColumn[] {
  const time = timeColumnOf(frame);
  return frame.columns.flatMap((column, at): ExportColumn[] => (column === time ? [at, 'intervalEnd'] : [at]));
}

function placeOf({ columns }: Frame, { name, isEnd }: ShownColumn): ExportColumn | [] {
  if (isEnd) return 'intervalEnd';
  const at = columns.findIndex(column => column.name === name);
  return at < 0 ? [] : at;
}
