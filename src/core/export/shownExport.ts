import type { ExportColumn, ExportTable } from '../../shared/exportOptions.ts';
import type { Frame } from '../../shared/frame.ts';
import type { Result } from '../../shared/result.ts';
import type { ShownCells, ShownColumn, ShownTable } from '../../shared/shownTable.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { withMissingRowsSteps } from '../frame/missingRows.ts';
import type { Steps } from '../time/steps.ts';

/** What of a result leaves: all of it as the service sent it, the table as it stands on screen, or the cells selected there. */
export const exportScopes = ['onScreen', 'asReceived', 'selection'] as const;
export type ExportScope = (typeof exportScopes)[number];

/** The tables a result can leave as; a scope that there is nothing of is left out. */
export type ExportTables = Readonly<Partial<Record<ExportScope, ExportTable>>>;

/** A result, and its rows as they came where `frame` has those of another range beside them. */
export type ExportedResult = Pick<Result, 'frame' | 'coverage' | 'provenance'> & { readonly received?: Frame };

/**
 * The tables of a result and of what a page shows of it, in steps of a few milliseconds. `withEnds`: what is received gets the end of each interval as well;
 * on screen it is there or not. Throws a RangeError where the page shows other rows than those of the result.
 */
export function* exportTableSteps(
  { frame, received: ofService = frame, coverage, provenance }: ExportedResult,
  shown: ShownTable | undefined,
  stepMs: number | undefined,
  withEnds: boolean,
): Steps<ExportTables> {
  if (!frame || !ofService) return {};
  const received: ExportTable = {
    frame: ofService,
    stepMs,
    ...(withEnds && { columns: columnsWithEnds(ofService) }),
  };
  if (!shown) return { asReceived: received };
  const missing = shown.missingRows && coverage && stepMs !== undefined;
  const seen = missing ? (yield* withMissingRowsSteps(frame, coverage, provenance.start, stepMs)).frame : frame;
  if (seen.rowCount !== shown.rowCount) throw new RangeError('The page shows other rows than those of the result.');
  const cut = ({ rows, columns }: ShownCells): ExportTable => ({
    frame: seen,
    stepMs,
    rows,
    columns: columns.flatMap(column => placeOf(seen, column)),
  });
  const { selection } = shown;
  return { onScreen: cut(shown), asReceived: received, ...(selection && { selection: cut(selection) }) };
}

/** The end stands beside the beginning; where there is no time, there is no end. */
function columnsWithEnds(frame: Frame): ExportColumn[] {
  const time = timeColumnOf(frame);
  return frame.columns.flatMap((column, at): ExportColumn[] => (column === time ? [at, 'intervalEnd'] : [at]));
}

function placeOf({ columns }: Frame, { name, isEnd }: ShownColumn): ExportColumn | [] {
  if (isEnd) return 'intervalEnd';
  const at = columns.findIndex(column => column.name === name);
  return at < 0 ? [] : at;
}
