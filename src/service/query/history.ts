import { instantsText } from '../../core/compare/periods.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { GridError, orFailure } from '../../core/errors.ts';
import { comparedSpans } from '../../core/events/unusual.ts';
import { concatFrames } from '../../core/frame/frames.ts';
import { requestedInterval, resolveQuery, type ResolvedQuery } from '../../core/query/query.ts';
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
interface AskedHistory {
  readonly query: ResolvedQuery;
  readonly connection: Connection;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds earlier rows from the archive to a result if the kind of search compares with them. No request is sent. A result without rows, or with
 * rows of unknown length, is returned unchanged.
 */
export async function withHistory<Received extends Result>(
  result: Received,
  kind: EventRule['kind'] | EventChoiceKind | undefined,
  { query, connection, signal }: AskedHistory,
  deps: HistoryDeps,
): Promise<Received> {
  if (kind !== 'unusual' || !result.frame?.rowCount || query.stepMs === undefined) return result;
  // A relative range may resolve to other hours by now.
  const history = await readHistory(result.provenance, { query, connection, signal }, deps);
  return { ...result, history };
}

async function readHistory(
  span: Span,
  { query, connection, signal }: AskedHistory,
  { engine, nowAt }: HistoryDeps,
): Promise<History> {
  const { dataset, params, timeZone } = query;
  const frames: Frame[] = [];
  let lacking: string | undefined;
  const { earlier: ofYears, recent } = comparedSpans(span);
  for (const one of [...ofYears, recent]) {
    const range = instantsText(one);
    const interval = requestedInterval(query);
    const earlier = resolveQuery({ dataset: dataset.id, range, interval, params, timeZone }, nowAt(connection));
    if (!earlier.ok) continue;
    const read = await orFailure(engine.run(earlier.value, connection, { refresh: 'never', signal }).result);
    if (read instanceof GridError) continue;
    const { notAsked = 0 } = read.coverage?.hours?.counts ?? read.coverage ?? {};
    if (one === recent && notAsked > 0) lacking = range;
    if (read.frame?.rowCount) frames.push(read.frame);
  }
  return { frame: concatFrames(frames), ...(lacking !== undefined && { lacking }) };
}
