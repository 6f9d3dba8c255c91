import { formatInstant } from '../../core/time/instant.ts';
import { hourMs } from '../../shared/durations.ts';
import { type RangeQuery, readRangeQuery, type SandboxRoute } from './endpoints.ts';
import type { Faults } from '../faults/faultInjector.ts';
import { hoursBetween, type HourSource, type Publication } from '../data/source.ts';
import { dataReply, jsonReply } from './reply.ts';

/** The data that is served, and what of it is published. */
export interface ViewParts {
  readonly source: HourSource;
  readonly publication: Publication;
}

/** Answers a request that authentication and limits have accepted. */
export async function viewRange(
  params: URLSearchParams,
  endpoint: SandboxRoute,
  parts: ViewParts,
  headers: Readonly<Record<string, string>>,
  faults?: Faults,
): Promise<Response> {
  const query = readRangeQuery(params, endpoint.intervals);
  if ('error' in query) return jsonReply(400, query, headers);
  const published = parts.publication.endHour(parts.source, faults?.amount('late'));
  const late = parts.publication.delayHours + (faults?.amount('late') ?? 0);
  const meta = {
    dataset: endpoint.dataset,
    interval: query.interval,
    start: formatInstant(query.start),
    end: formatInstant(query.end),
    timezone: 'UTC',
    schema_version: '1.0',
    ...endpoint.meta(query.interval),
    ...(late > 0 &&
      query.end > published * hourMs && { data_delay: true, last_available: formatInstant((published - 1) * hourMs) }),
    source: parts.source.kind,
    ...(Number.isFinite(parts.source.endHour) && {
      available_from: formatInstant(parts.source.firstHour * hourMs),
      available_to: formatInstant(parts.source.endHour * hourMs),
    }),
    ...(parts.source.replayedFrom !== undefined && { replayed_from: parts.source.replayedFrom }),
    note: [parts.source.note, ...(endpoint.note ? [endpoint.note] : [])].join(' '),
  };
  return dataReply(meta, recordsOf(query, params, endpoint, parts, published, faults), headers);
}

async function* recordsOf(
  query: RangeQuery,
  params: URLSearchParams,
  endpoint: SandboxRoute,
  { source, publication }: ViewParts,
  published: number,
  faults: Faults | undefined,
): AsyncGenerator<readonly unknown[]> {
  const from = Math.ceil(query.start / hourMs);
  const to = Math.min(Math.ceil(query.end / hourMs), published);
  const isThere = (hour: number) => !publication.holes.has(hour) && !faults?.isHole(hour);
  for await (const hours of hoursBetween(source, from, to))
    yield endpoint.records(
      hours.filter(({ hour }) => isThere(hour)),
      query.interval,
      params,
    );
}
