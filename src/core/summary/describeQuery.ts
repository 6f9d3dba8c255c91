import {
  partialDay,
  getDisplayStates,
  type Coverage,
  type Provenance,
  type Result,
  type Revisions,
} from '../../shared/result.ts';
import { createIsoDateFormatter, parseDayZone } from '../bins/dayInterval.ts';
import { getIntervalMs } from '../query/catalogue.ts';
import { formatDataSentence } from '../query/serviceMeta.ts';
import { quoteForModel } from './modelText.ts';
import { cellState, getCellState, getText, type Column } from '../../shared/frame.ts';
import { formatInstant } from '../time/instant.ts';
import { utc } from '../time/zone.ts';
import type { Span } from '../range/resolveRange.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';

/**
 * Describes the query with its time zone and instants, its coverage and its provenance, in at most about 2,500 characters. `countsRows` adds
 * the number of rows.
 */
export function describeQuery({ provenance, coverage, frame, revisions }: Result, countsRows = true): string[] {
  const { dataset, range, interval, days, params, connection } = provenance;
  const dataNotice = formatDataSentence(provenance);
  const paramTexts = Object.entries(params)
    .slice(0, 6)
    .map(([name, value]) => ` ${quoteForModel(name, 30)}=${quoteForModel(value, 30)}`);
  return [
    ...(dataNotice === undefined ? [] : [`${dataNotice} Say so wherever you use it.`]),
    `${dataset}, range ${quoteForModel(range, 80)}, interval ${quoteForModel(interval)}${paramTexts.join('')}, connection ${quoteForModel(connection, 40)}.`,
    ...describeTimes(provenance),
    ...(frame && countsRows ? [`${frame.rowCount} rows.`] : []),
    ...(coverage ? [formatCoverage(coverage, provenance)] : []),
    ...(coverage?.parts ?? []).map(part => `${part.title}: ${formatCoverage(part.coverage, provenance)}`),
    ...(revisions ? [formatRevisions(revisions, days ? '1h' : interval)] : []),
    ...describeSource(provenance),
  ];
}

/** Formats the coverage: `Coverage: 167 of 168 hours; 1 missing: 2026-11-14T07:00Z.` Missing hours are counted by reason. */
function formatCoverage(coverage: Coverage, provenance: Provenance): string {
  const { expected, present, missing, missingRanges, notPublished, failed, notRequested, late } = coverage;
  const unit = getIntervalNoun(provenance.interval);
  const partial = coverage.hours ? getDisplayStates(coverage).filter(state => state === partialDay).length : 0;
  const gapNotes = [
    missing > 0 ? `${missing} missing: ${formatIntervals(missingRanges, missing, provenance)}` : '',
    notPublished > 0 ? `${notPublished} not published yet` : '',
    failed > 0 ? `${failed} could not be fetched` : '',
    notRequested > 0 ? `${notRequested} not in the archive and not requested` : '',
    late > 0 ? `${late} delayed by the service` : '',
    partial > 0 ? `${partial} with only some of their hours` : '',
  ].filter(Boolean);
  return `Coverage: ${[`${present} of ${expected} ${unit} have a row`, ...gapNotes].join('; ')}.`;
}

function formatRevisions({ revised, withdrawn, since }: Revisions, interval: string): string {
  return `Since ${formatMinute(since)} the service has revised ${revised} and withdrawn ${withdrawn} ${getIntervalNoun(interval)} of these.`;
}

/** Describes the range, and the time zone of all days and times. */
function describeTimes(provenance: Provenance): string[] {
  const { interval, days } = provenance;
  const range = formatSpan(provenance, provenance);
  if (days)
    return [
      `From ${range} (both days included). Each row is a day of ${days.label}, identified by its date there and computed from its hours: "hours" of "of_hours" have data, means are over hours with a value, *_mwh is their energy. Times with a Z are UTC. Intervals below are hours.`,
    ];
  const times = `From ${range} (UTC; the end is excluded). All times here are UTC, each the beginning of its interval.`;
  if (interval !== '1d') return [times];
  const start = range.includes('T') ? times : `From ${range} (both days included). Times with a Z are UTC.`;
  return [
    `${start} Each row is a UTC day, aggregated by the service; "hours" of "of_hours" have data, if that is known.`,
  ];
}

function getIntervalNoun(interval: string): string {
  if (parseDayZone(interval)) return 'days';
  return { '1h': 'hours', '1d': 'days' }[interval] ?? 'intervals';
}

function formatIntervals(intervals: Coverage['missingRanges'], missing: number, provenance: Provenance): string {
  const texts = intervals.map(([start, end]) => formatSpan({ start, end }, provenance));
  // Days with a clock change are an hour shorter or longer.
  const intervalMs = getIntervalMs(provenance.interval) ?? hourMs;
  const listed = intervals.reduce((count, [start, end]) => count + Math.round((end - start) / intervalMs), 0);
  return `${texts.join(', ')}${listed < missing ? ' (the first intervals)' : ''}`;
}

/**
 * Formats a span: `2026-11-14T05:00Z to 2026-11-14T07:00Z`; for days the first and the last one: `2026-11-14 to 2026-11-16`, or
 * `2026-11-14` for a single day.
 */
function formatSpan({ start, end }: Span, provenance: Provenance): string {
  const { formatStart, formatEnd } = createRowTimes(provenance);
  const [first, last] = [formatStart(start), formatEnd(end)];
  return first === last ? first : `${first} to ${last}`;
}

/** Formats the times of rows. Rows of days have dates in the time zone of the days, other rows have UTC instants. */
export interface RowTimes {
  readonly formatStart: (ms: number) => string;
  /** Formats an exclusive end. For days, this is the date of the last day. */
  readonly formatEnd: (ms: number) => string;
}

/** `dayZone`: the time zone of rows that are days or longer, unless they are the service's own days. */
export function createRowTimes({ interval, days }: Provenance, dayZone = days?.timeZone): RowTimes {
  const formatDate = createIsoDateFormatter(dayZone ?? utc.timeZone);
  const isDate = (ms: number): boolean => dayZone !== undefined || (interval === '1d' && ms % dayMs === 0);
  return {
    formatStart: ms => (isDate(ms) ? formatDate(ms) : formatMinute(ms)),
    formatEnd: ms => (isDate(ms) ? formatDate(ms - 1) : formatMinute(ms)),
  };
}

function describeSource(provenance: Provenance): string[] {
  const { requestsSpent, archivedIntervals, fetchedAt, nextPublication, failure, incomplete } = provenance;
  const fetched = fetchedAt === undefined ? 'never fetched' : `fetched ${formatMinute(fetchedAt)}`;
  const serviceMessage = failure?.detail ? `, the service says ${quoteForModel(failure.detail, 200)}` : '';
  return [
    `Requests spent: ${requestsSpent}; intervals from the archive: ${archivedIntervals}; ${fetched}; a request before ${formatMinute(nextPublication)} returns nothing new.`,
    ...(failure ? [`A part failed: ${failure.reason}${serviceMessage}.`] : []),
    ...(incomplete ? ['The service has more rows than it sent. Request a shorter range.'] : []),
  ];
}

/**
 * Formats a cell for a language model: numbers with six significant digits, `null` for a null, `-` for an absent field. `formatTime` formats
 * instants.
 */
export function formatCell(column: Column, row: number, formatTime: (ms: number) => string): string {
  const state = getCellState(column, row);
  if (state === cellState.absent) return '-';
  if (state === cellState.null) return 'null';
  switch (column.kind) {
    case 'time':
      return formatTime(column.values[row] ?? NaN);
    case 'number':
      return formatFigure(column.values[row] ?? NaN);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'text':
    case 'nested':
      return quoteForModel(getText(column.texts, row), 40);
  }
}

/** Formats an instant: `2026-11-14T05:00Z`, with seconds if they are not 0; `-` if there is none. */
export function formatMinute(ms: number): string {
  if (Math.abs(ms) > 8.64e15 || Number.isNaN(ms)) return '-';
  return formatInstant(ms).replace(/:00Z$/, 'Z');
}

/** Formats a number with six significant digits. */
export function formatFigure(value: number): string {
  return String(Number(value.toPrecision(6)));
}
