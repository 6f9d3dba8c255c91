import { parseInstant } from '../../core/time/instant.ts';

/** A requested range: [start, end) in UTC milliseconds. */
export interface RangeQuery {
  readonly start: number;
  readonly end: number;
  readonly interval: string;
}

/** The body of a 400. */
interface QueryFault {
  readonly error: 'missing_params' | 'unsupported_interval' | 'invalid_datetime' | 'bad_request';
  readonly detail: string;
}

/** Reads start, end and interval in the order in which the service checks them; other parameters are ignored. */
export function readRangeQuery(params: URLSearchParams, intervals: readonly string[]): RangeQuery | QueryFault {
  const startText = lastOf(params, 'start');
  const endText = lastOf(params, 'end');
  if (startText === undefined || endText === undefined)
    return { error: 'missing_params', detail: 'start and end datetime are required ISO-8601' };
  const interval = lastOf(params, 'interval') ?? '1h';
  if (!intervals.includes(interval)) {
    const supported = intervals.toSorted().map(known => `'${known}'`);
    return {
      error: 'unsupported_interval',
      detail: `interval=${interval} not supported. Supported: [${supported.join(', ')}]`,
    };
  }
  const start = lenientInstant(startText);
  const end = lenientInstant(endText);
  if (start === undefined || end === undefined)
    return { error: 'invalid_datetime', detail: 'start/end datetimes must be ISO-8601 datetimes' };
  if (start >= end) return { error: 'bad_request', detail: 'start datetime must be < end datetime' };
  return { start, end, interval };
}

/** Whether grid-stress records should include their four components. */
export function wantsComponents(params: URLSearchParams): boolean {
  return ['1', 'true', 'yes'].includes(lastOf(params, 'components')?.toLowerCase() ?? '');
}

/** ISO 8601 as the service takes it: a text without a zone is UTC, a date alone is its midnight. */
function lenientInstant(text: string): number | undefined {
  return parseInstant(text) ?? parseInstant(`${text}Z`) ?? parseInstant(`${text}T00:00Z`);
}

/** Of a parameter given twice the last counts, as in Django. */
function lastOf(params: URLSearchParams, name: string): string | undefined {
  return params.getAll(name).at(-1);
}
