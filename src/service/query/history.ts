import { formatInstantRange } from '../../core/compare/periods.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { GridError, catchGridError } from '../../core/errors.ts';
import { listComparedSpans } from '../../core/events/findUnusual.ts';
import { concatFrames } from '../../core/frame/frames.ts';
import { getRequestedInterval, resolveQuery, type ResolvedQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { EventChoiceKind, EventRule } from '../../shared/eventSearch.ts';
import type { Frame } from '../../shared/frame.ts';
import type { History, Result } from '../../shared/result.ts';
import type { QueryEngine } from './queryEngine.ts';

/** Dependencies for reading earlier rows. */
export interface HistoryDeps {
  readonly engine: Pick<QueryEngine, 'run'>;
  /** Returns the current time by the connection's service, UTC milliseconds. */
  readonly nowAt: (connection: Connection) => number;
}

/** The query of a result. */
interface HistoryRequest {
  readonly query: ResolvedQuery;
  readonly connection: Connection;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds earlier rows from the archive to a result if the kind of search compares with them. No request is sent. A result without rows, or with
 * rows of unknown length, is returned unchanged.
 */
export async function addHistory<AnyResult extends Result>(
  result: AnyResult,
  kind: EventRule['kind'] | EventChoiceKind | undefined,
  { query, connection, signal }: HistoryRequest,
  deps: HistoryDeps,
): Promise<AnyResult> {
  if (kind !== 'unusual' || !result.frame?.rowCount || query.intervalMs === undefined) return result;
  // A relative range may now resolve to other hours than when the query ran.
  const history = await readHistory(result.provenance, { query, connection, signal }, deps);
  return { ...result, history };
}

async function readHistory(
  span: Span,
  { query, connection, signal }: HistoryRequest,
  { engine, nowAt }: HistoryDeps,
): Promise<History> {
  const { dataset, params, timeZone } = query;
  const frames: Frame[] = [];
  let missingRange: string | undefined;
  const { earlier: earlierYears, recent } = listComparedSpans(span);
  for (const range of [...earlierYears, recent]) {
    const rangeText = formatInstantRange(range);
    const interval = getRequestedInterval(query);
    const earlierQuery = resolveQuery(
      { dataset: dataset.id, range: rangeText, interval, params, timeZone },
      nowAt(connection),
    );
    if (!earlierQuery.ok) continue;
    const earlierResult = await catchGridError(
      engine.run(earlierQuery.value, connection, { refresh: 'never', signal }).result,
    );
    if (earlierResult instanceof GridError) continue;
    const { notRequested = 0 } = earlierResult.coverage?.hours?.counts ?? earlierResult.coverage ?? {};
    if (range === recent && notRequested > 0) missingRange = rangeText;
    if (earlierResult.frame?.rowCount) frames.push(earlierResult.frame);
  }
  return { frame: concatFrames(frames), ...(missingRange !== undefined && { missingRange }) };
}
