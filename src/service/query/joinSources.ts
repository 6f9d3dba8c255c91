import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Tariff } from '../../shared/resampling.ts';
import { createDerivation, deriveColumns } from '../../core/formula/deriveColumns.ts';
import { getSourceName } from '../../core/analysis/describeAnalysis.ts';
import { GridError } from '../../core/errors.ts';
import { joinResults, type JoinedResults, type SourceRows } from '../../core/join/joinResults.ts';
import { createInstalledCapacityFrame } from '../../core/pack/installedCapacity.ts';
import { getIntervalMs } from '../../core/query/catalogue.ts';
import { resolveQuery, type ResolvedQuery } from '../../core/query/query.ts';
import { isSandboxData } from '../../core/query/serviceMeta.ts';
import type { FileSource, JoinSource, QuerySource } from '../../shared/analysis.ts';
import type { Provenance, Result } from '../../shared/result.ts';

/** Gets the rows of sources. Both functions throw a GridError if the source cannot be used. */
export interface SourceLoader {
  readonly loadFile: (source: FileSource) => Promise<JoinedFile>;
  /** Runs a query for the range of the base rows. */
  readonly runQuery: (source: QuerySource) => Promise<Result>;
  /** Custom tariffs, for the columns of a query; omitted for Eskom's. */
  readonly tariffs?: readonly Tariff[] | undefined;
}

/** A file that was read to be joined. */
export interface JoinedFile {
  readonly result: Result;
  /** The source as it would be added now: with the hash of the content and the options that were used. */
  readonly source: FileSource;
  /** How it was read, such as its time zone and rows that were skipped, each as a text in the user's language. */
  readonly remarks: readonly string[];
}

/** How a source was joined. */
export interface JoinedSource {
  readonly source: JoinSource;
  /** Why its columns are missing. */
  readonly error?: GridError;
  readonly pairing?: JoinedResults['pairing'];
  /** The columns that could not be joined. */
  readonly skipped?: JoinedResults['skipped'];
  readonly remarks?: readonly string[];
  /** The source as it would be added now, if its content or options are not those that the user added. */
  readonly changedTo?: FileSource;
  /** Why the columns of a compared period are missing. */
  readonly comparedError?: GridError;
}

/** A result with the columns of other sources. */
export interface JoinedResult extends Result {
  /** Omitted if no source was joined. */
  readonly joined?: readonly JoinedSource[];
}

/**
 * Joins the columns of sources to a result. If a source cannot be loaded or joined, its columns are missing and `joined` has the error.
 * Throws a GridError only for `cancelled`. `reservedNames`: names that no joined column may have, such as those of derived columns.
 */
export async function joinSources(
  base: Result,
  sources: readonly JoinSource[],
  loader: SourceLoader,
  reservedNames: readonly string[] = [],
): Promise<JoinedResult> {
  let result = base;
  const joined: JoinedSource[] = [];
  for (const source of sources) {
    try {
      const { rows, provenance, failedColumns = [], ...reading } = await loadSource(source, loader);
      // Each join takes up to 0.1 s for ten years of quarter-hours.
      await setImmediate();
      if (provenance) result = { ...result, provenance: addRequests(result.provenance, provenance) };
      const { result: joinedResult, skipped, pairing } = joinResults(result, rows, reservedNames);
      result = joinedResult;
      joined.push({ source, pairing, skipped: [...skipped, ...failedColumns], ...reading });
    } catch (error) {
      if (!(error instanceof GridError) || error.reason === 'cancelled') throw error;
      const { requestsSpent = 0 } = error.facts;
      const { provenance } = result;
      result = { ...result, provenance: { ...provenance, requestsSpent: provenance.requestsSpent + requestsSpent } };
      joined.push({ source, error });
    }
  }
  return joined.length > 0 ? { ...result, joined } : result;
}

/** Creates a function that reads each file once, so that the periods of a comparison have the same content. */
export function createFileCache(loadFile: SourceLoader['loadFile']): SourceLoader['loadFile'] {
  const files = new Map<FileSource, Promise<JoinedFile>>();
  return async source => {
    const file = files.get(source) ?? loadFile(source);
    files.set(source, file);
    return file;
  };
}

/**
 * Resolves a joined query for the range of another query. Undefined if there is no such dataset, interval or parameter. `now`: UTC
 * milliseconds.
 */
export function resolveSourceQuery(
  { dataset, interval, params }: QuerySource,
  { range, timeZone }: ResolvedQuery,
  now: number,
): ResolvedQuery | undefined {
  const resolved = resolveQuery({ dataset, range, interval, params, timeZone }, now);
  return resolved.ok ? resolved.value : undefined;
}

/** Rows with the provenance of a query, or with how a file was read. */
interface LoadedRows extends Pick<JoinedSource, 'remarks' | 'changedTo'> {
  readonly rows: SourceRows;
  readonly provenance?: Provenance;
  /** The derived columns of a query whose formulas do not fit its rows. */
  readonly failedColumns?: JoinedResults['skipped'];
}

async function loadSource(source: JoinSource, loader: SourceLoader): Promise<LoadedRows> {
  const name = getSourceName(source);
  if (source.kind === 'installedCapacity')
    return { rows: { name, frame: createInstalledCapacityFrame(), interval: '' } };
  if (source.kind === 'file') {
    const { result, source: present, remarks } = await loader.loadFile(source);
    const hasChanged = !isDeepStrictEqual(present, source);
    return { rows: getRows(name, result), remarks, ...(hasChanged && { changedTo: present }) };
  }
  const result = await loader.runQuery(source);
  const rows = getRows(name, result);
  const { provenance } = result;
  if (!source.derive) return { rows, provenance };
  const { tariffs } = loader;
  const timedRows = { frame: rows.frame, intervalMs: getIntervalMs(rows.interval), tariffs };
  const { frame, errors } = deriveColumns(rows.frame, createDerivation(timedRows, source.derive));
  const failedColumns = [...errors.keys()].map(column => ({ column, reason: 'formula' as const }));
  return { rows: { ...rows, frame }, provenance, failedColumns };
}

function getRows(name: string, { frame, provenance }: Result): SourceRows {
  if (!frame) throw new GridError('damagedResponse', { detail: 'the response is not a table' });
  return { name, frame, interval: provenance.interval };
}

/** Adds the requests and the failure of another run to the provenance of a result. */
export function addRequests(base: Provenance, other: Provenance): Provenance {
  const failure = base.failure ?? other.failure;
  return {
    ...base,
    ...(isSandboxData(other) && { sample: true }),
    requestsSpent: base.requestsSpent + other.requestsSpent,
    requests: [...(base.requests ?? []), ...(other.requests ?? [])],
    ...(failure && { failure: { ...failure, ranges: [base, other].flatMap(part => part.failure?.ranges ?? []) } }),
  };
}

/** Describes a source in English, for an export: a file with the hash of the content that was read. */
export function describeJoinedSource({ source, changedTo }: JoinedSource): string {
  const name = getSourceName(source);
  if (source.kind === 'file') return `${name} (SHA-256 ${(changedTo ?? source).sha256})`;
  return source.kind === 'query'
    ? `${name} (${source.dataset}${source.connection === undefined ? '' : ` of ${source.connection}`})`
    : name;
}
