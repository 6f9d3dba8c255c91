import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { formatInstant } from '../time/instant.ts';
import {
  getRequestedInterval,
  createRequestParameters,
  type ResolvedQuery,
  type ServiceQuery,
} from '../query/query.ts';
import { isKeyName, isKeyText } from '../savedQueries/keyLike.ts';
import { cleanComment } from './quote.ts';
import { describeTransformations, type PanelTransformations } from './panelTransformations.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import { parseRange } from '../range/parseRange.ts';

/** The environment variable from which every snippet reads the key. */
export const keyVariable = 'GRID_DATA_API_KEY';

/** The input of a query snippet. */
export interface SnippetQuery {
  /** The base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** The query, resolved at the current time. */
  readonly query: ServiceQuery;
  /** The maximum range of one request in milliseconds; undefined if no limit is known. */
  readonly maxRangeMs?: number | undefined;
  /** A sentence that identifies the rows of a sandbox. */
  readonly sample?: string | undefined;
  /** The name of the time column; defaults to `ts`. */
  readonly timeColumn?: string | undefined;
  /** The panel's transformations of the rows. */
  readonly transformations?: PanelTransformations | undefined;
}

/** The values that the templates insert. Times are whole seconds. */
interface TemplateValues {
  readonly url: string;
  readonly path: string;
  /** Whether the URL is plain http, as for a service on this machine. */
  readonly isPlainHttp: boolean;
  /** All parameters except start and end. */
  readonly params: readonly (readonly [name: string, value: string])[];
  readonly start: number;
  readonly end: number;
  readonly startText: string;
  readonly endText: string;
  readonly relative: { readonly grid: number; readonly shift: number; readonly length: number } | undefined;
  readonly maxRangeSeconds: number;
  readonly timeColumn: string;
  /** The IANA time zone of the days to which hours are aggregated; undefined if rows are not aggregated. */
  readonly dayTimeZone?: string;
  /** A description of the query, in lines for a comment. */
  readonly comments: readonly string[];
  /** A comment on the maximum range of one request. */
  readonly maxRangeNote: string;
}

/** Maximum number of attempts at one request, and of pages of one response. */
export const maxTries = 5;
export const maxPages = 50;

/** Replaces the value of a parameter that may be a key. */
const redactedValue = 'NOT-COPIED';

/** Collects the values for a template. `isApplied`: whether the program applies the panel's transformations. */
export function createTemplateValues(snippetQuery: SnippetQuery, isApplied = false): TemplateValues {
  const { baseUrl, query, maxRangeMs, timeColumn = 'ts', sample } = snippetQuery;
  const { dataset, start, end, days, interval, timeZone } = query;
  const startText = formatInstant(start);
  const endText = formatInstant(end);
  const relative = findRelativeRange(query);
  const isSplit = maxRangeMs !== undefined && maxRangeMs < end - start;
  return {
    url: baseUrl + dataset.path,
    path: dataset.path,
    isPlainHttp: baseUrl.startsWith('http://'),
    params: createRequestParameters(query)
      .filter(([name]) => name !== 'start' && name !== 'end')
      .map(
        ([name, value]) =>
          [
            isKeyText(name) ? redactedValue : name,
            isKeyName(name) || isKeyText(value) ? redactedValue : value,
          ] as const,
      ),
    start: start / 1000,
    end: end / 1000,
    startText,
    endText,
    timeColumn,
    ...(days && { dayTimeZone: days.zone.timeZone }),
    relative: relative && toSeconds(relative),
    maxRangeSeconds: Math.max(1, Math.floor((isSplit ? maxRangeMs : end - start) / 1000)),
    comments: [
      ...(sample === undefined ? [] : [sample]),
      cleanComment(`${dataset.title}, ${query.range} (${timeZone}), interval ${getRequestedInterval(query)}`),
      ...(days
        ? [`The rows are the hours of days of ${days.zone.timeZone}. An hour belongs to the day in which it begins.`]
        : interval === '1d'
          ? ['The rows are UTC days, aggregated by the service.']
          : []),
      relative
        ? `The range is relative to the current time. When this was copied, it was ${startText} to ${endText}.`
        : isRelativeRange(query.range)
          ? `The range is ${startText} to ${endText}, as it was when this was copied.`
          : `The range is ${startText} to ${endText}, the end not included.`,
      ...(snippetQuery.transformations ? describeTransformations(snippetQuery.transformations, isApplied) : []),
    ],
    maxRangeNote: isSplit
      ? 'the maximum of the service'
      : 'the whole range; reduce it if the service rejects long ranges',
  };
}

/** Whether a range as written will mean other instants later. */
export function isRelativeRange(range: string): boolean {
  return /last|past|previous|this|to date|today|yesterday|now|td$|\.\.$/.test(range);
}

function toSeconds({ gridMs, shiftMs, lengthMs }: RelativeRange): TemplateValues['relative'] {
  return { grid: gridMs / 1000, shift: shiftMs / 1000, length: lengthMs / 1000 };
}

/** Shifts the epoch, which was a Thursday, to a Monday. */
const mondayShiftMs = 3 * dayMs;

/** A range relative to the current time, in milliseconds: it ends at floor((now + shift) / grid) × grid − shift and is `lengthMs` long. */
interface RelativeRange {
  readonly gridMs: number;
  readonly shiftMs: number;
  readonly lengthMs: number;
}

/** Converts the range of a query to a relative one; undefined if it is fixed, or depends on the calendar or clock changes. */
export function findRelativeRange(query: ResolvedQuery): RelativeRange | undefined {
  const { start, end } = query;
  const range = computeRelativeRange(query);
  const isExact = range && end - start === range.lengthMs && (end + range.shiftMs) % range.gridMs === 0;
  return isExact ? range : undefined;
}

function computeRelativeRange({ range, intervalMs, start, days, timeZone }: ResolvedQuery): RelativeRange | undefined {
  const spec = parseRange(range);
  if (!spec.ok) return undefined;
  const gridMs = Math.min(intervalMs ?? 1000, dayMs);
  const offset = getFixedOffset(timeZone, start);
  switch (spec.value.kind) {
    case 'last': {
      const { unit, count } = spec.value;
      // Whole days of a time zone do not move by the hour.
      if (days) return undefined;
      if (unit === 'months' || unit === 'years' || (unit !== 'hours' && offset === undefined)) return undefined;
      const unitMs = { hours: hourMs, days: dayMs, weeks: weekMs }[unit];
      return { gridMs, shiftMs: 0, lengthMs: Math.ceil((count * unitMs) / gridMs) * gridMs };
    }
    case 'previous': {
      const { period } = spec.value;
      if ((period !== 'day' && period !== 'week') || offset === undefined || offset % gridMs !== 0) return undefined;
      return period === 'day'
        ? { gridMs: dayMs, shiftMs: offset, lengthMs: dayMs }
        : { gridMs: weekMs, shiftMs: offset + mondayShiftMs, lengthMs: weekMs };
    }
    case 'toDate':
    case 'between':
      return undefined;
  }
}

/** Returns the offset of the time zone from UTC in milliseconds; undefined if it changes within a year before or after. */
function getFixedOffset(timeZone: string, instant: number): number | undefined {
  const from = instant - 366 * dayMs;
  const to = instant + 366 * dayMs;
  const offsets = new ZoneOffsets(timeZone);
  for (let instantInYear = from; instantInYear <= to; instantInYear += weekMs)
    if (offsets.at(instantInYear) !== offsets.at(from)) return undefined;
  return offsets.at(from);
}
