import { formatInstant } from '../../core/time/instant.ts';
import { hourMs } from '../../shared/durations.ts';
import { type RangeQuery, parseRangeQuery, type SandboxRoute } from './endpoints.ts';
import type { Faults } from '../faults/faultInjector.ts';
import { generateHours, type HourSource, type Publication } from '../data/source.ts';
import { dataReply, jsonReply } from './reply.ts';

/** The data that is served, and how much of it is published. */
export interface PublishedData {
  readonly source: HourSource;
  readonly publication: Publication;
}

/** Responds to a request that passed authentication and throttle. */
export async function respondWithRange(
  params: URLSearchParams,
  endpoint: SandboxRoute,
  parts: PublishedData,
  headers: Readonly<Record<string, string>>,
  faults?: Faults,
): Promise<Response> {
  const query = parseRangeQuery(params, endpoint.intervals);
  if ('error' in query) return jsonReply(400, query, headers);
  const publishedEnd = parts.publication.endHour(parts.source, faults?.amount('late'));
  const delayHours = parts.publication.delayHours + (faults?.amount('late') ?? 0);
  const meta = {
    dataset: endpoint.dataset,
    interval: query.interval,
    start: formatInstant(query.start),
    end: formatInstant(query.end),
    timezone: 'UTC',
    schema_version: '1.0',
    ...endpoint.meta(query.interval),
    ...(delayHours > 0 &&
      query.end > publishedEnd * hourMs && {
        data_delay: true,
        last_available: formatInstant((publishedEnd - 1) * hourMs),
      }),
    source: parts.source.kind,
    ...(Number.isFinite(parts.source.endHour) && {
      available_from: formatInstant(parts.source.firstHour * hourMs),
      available_to: formatInstant(parts.source.endHour * hourMs),
    }),
    ...(parts.source.replayedFrom !== undefined && { replayed_from: parts.source.replayedFrom }),
    note: [parts.source.note, ...(endpoint.note ? [endpoint.note] : [])].join(' '),
  };
  return dataReply(meta, generateRecords(query, params, endpoint, parts, publishedEnd, faults), headers);
}

async function* generateRecords(
  query: RangeQuery,
  params: URLSearchParams,
  endpoint: SandboxRoute,
  { source, publication }: PublishedData,
  publishedEnd: number,
  faults: Faults | undefined,
): AsyncGenerator<readonly unknown[]> {
  const from = Math.ceil(query.start / hourMs);
  const to = Math.min(Math.ceil(query.end / hourMs), publishedEnd);
  const isDelivered = (hour: number) => !publication.holes.has(hour) && !faults?.isHole(hour);
  for await (const hours of generateHours(source, from, to))
    yield endpoint.records(
      hours.filter(({ hour }) => isDelivered(hour)),
      query.interval,
      params,
    );
}
