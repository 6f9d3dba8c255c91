import type { ExportColumn, ExportTable } from '../../shared/exportOptions.ts';
import type { Frame } from '../../shared/frame.ts';
import type { Result } from '../../shared/result.ts';
import { resampledText, resampleSteps } from '../bins/resample.ts';
import { eventsText, eventSteps } from '../events/eventFrame.ts';
import { deriveColumnsSteps } from '../formula/deriveColumns.ts';
import { scorecardSteps, scorecardText } from '../forecast/scorecard.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { withMissingRowsSteps } from '../frame/frames.ts';
import type { Steps } from '../time/steps.ts';
import type { Analysis, ShownCells, ShownColumn, ShownTable } from '../../shared/protocol.ts';
import type { SavedView } from '../../shared/savedView.ts';

/** What to export of a result: the table on screen, all rows as received, or the selected cells. */
export const exportScopes = ['onScreen', 'asReceived', 'selection'] as const;
export type ExportScope = (typeof exportScopes)[number];

/** The table of each scope; an empty scope is left out. */
export type ExportTables = Readonly<Partial<Record<ExportScope, ExportTable>>>;

/** A result, and its rows as received where `frame` is a comparison. */
type ExportedResult = Pick<Result, 'frame' | 'coverage' | 'provenance'> & { readonly received?: Frame };

/**
 * The tables of a result and of what the page shows, in steps of a few milliseconds. `withEnds`: adds the end of each interval to the rows
 * as received. Throws a RangeError where the page shows rows of another result.
 */
export function* exportTableSteps(
  { frame, received: ofService = frame, coverage, provenance }: ExportedResult,
  shown: ShownTable | undefined,
  stepMs: number | undefined,
  withEnds: boolean,
): Steps<ExportTables> {
  if (!frame || !ofService) return {};
  const received: ExportTable = { frame: ofService, stepMs, ...(withEnds && { columns: columnsWithEnds(ofService) }) };
  if (!shown) return { asReceived: received };
  const { numbers, resampling, events, scorecard, derivation } = shown;
  const { frame: whole } = derivation ? yield* deriveColumnsSteps(frame, derivation) : { frame };
  const made = whole.columns
    .slice(frame.columns.length)
    .map(({ name, field }) => [name, field?.meaning ?? ''] as const);
  const missing = shown.missingRows && coverage && stepMs !== undefined;
  let seen = whole;
  if (numbers) seen = numbers.frame;
  else if (resampling) seen = yield* resampleSteps(whole, resampling);
  else if (events) seen = yield* eventSteps(whole, events);
  else if (scorecard) seen = yield* scorecardSteps(whole, scorecard);
  else if (missing) seen = (yield* withMissingRowsSteps(whole, coverage, provenance.start, stepMs)).frame;
  if (seen.rowCount !== shown.rowCount) throw new RangeError('The page shows other rows than those of the result.');
  const cut = ({ rows, columns }: ShownCells): ExportTable => ({
    frame: seen,
    stepMs,
    rows,
    columns: columns.flatMap(column => placeOf(seen, column)),
    ...(resampling && { resampled: resampledText(resampling) }),
    ...(events && { events: eventsText(events) }),
    ...(made.length > 0 && { derived: Object.fromEntries(made) }),
    ...(scorecard && { scorecard: scorecardText(scorecard) }),
    ...(numbers && { chart: numbers.chart }),
  });
  const { selection } = shown;
  return { onScreen: cut(shown), asReceived: received, ...(selection && { selection: cut(selection) }) };
}

/**
 * How a file with the table of that scope is shown as the panel shows the result: without what its rows went through already. Undefined where
 * its rows are those of a chart or an analysis.
 */
export function viewOfTable(
  view: SavedView,
  scope: ExportScope,
  { numbers, events, scorecard }: Analysis = {},
): SavedView | undefined {
  if (scope === 'asReceived') return view;
  if (numbers ?? events ?? scorecard) return undefined;
  const done = ['filters', 'derived', 'resample'];
  return Object.fromEntries(Object.entries(view).filter(([name]) => !done.includes(name)));
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
