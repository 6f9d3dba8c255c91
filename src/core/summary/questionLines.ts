import {
  partialDay,
  shownStates,
  type Coverage,
  type Provenance,
  type Result,
  type Revisions,
} from '../../shared/result.ts';
import { isoDates, zoneOfDays } from '../bins/dayInterval.ts';
import { dataLine } from '../query/serviceMeta.ts';
import { serviceText } from './modelText.ts';
import { cellState, stateAt, textAt, type Column } from '../../shared/frame.ts';
import { formatInstant } from '../time/instant.ts';
import { utc } from '../time/zone.ts';
import type { Span } from '../range/resolveRange.ts';
import { dayMs } from '../../shared/durations.ts';
import { numberText } from '../export/cellWriter.ts';

/** Describes the query with its time zone and instants, its coverage and its provenance, in at most about 2,500 characters. */
export function questionLines({ provenance, coverage, frame, revisions }: Result): string[] {
  const { dataset, range, interval, days, params, connection } = provenance;
  const line = dataLine(provenance);
  const extra = Object.entries(params)
    .slice(0, 6)
    .map(([name, value]) => ` ${serviceText(name, 30)}=${serviceText(value, 30)}`);
  return [
    ...(line === undefined ? [] : [`${line} Say so wherever you use it.`]),
    `${dataset}, range ${serviceText(range, 80)}, interval ${serviceText(interval)}${extra.join('')}, connection ${serviceText(connection, 40)}.`,
    ...timeLines(provenance),
    ...(frame ? [`${frame.rowCount} rows.`] : []),
    ...(coverage ? [coverageLine(coverage, provenance)] : []),
    ...(coverage?.parts ?? []).map(part => `${part.title}: ${coverageLine(part.coverage, provenance)}`),
    ...(revisions ? [revisionsLine(revisions, days ? '1h' : interval)] : []),
    ...sourceLines(provenance),
  ];
}

/** Formats the coverage: `Coverage: 167 of 168 hours; 1 missing: 2026-11-14T07:00Z.` Missing hours are counted by reason. */
function coverageLine(coverage: Coverage, provenance: Provenance): string {
  const { expected, present, missing, missingStretches, notPublished, failed, notAsked, late } = coverage;
  const unit = stepWord(provenance.interval);
  const partial = coverage.hours ? shownStates(coverage).filter(state => state === partialDay).length : 0;
  const remarks = [
    missing > 0 ? `${missing} missing: ${intervalsText(missingStretches, missing, provenance)}` : '',
    notPublished > 0 ? `${notPublished} not published yet` : '',
    failed > 0 ? `${failed} could not be fetched` : '',
    notAsked > 0 ? `${notAsked} not in the archive and not requested` : '',
    late > 0 ? `${late} late at the service, which fills them in later` : '',
    partial > 0 ? `${partial} with some of their hours alone` : '',
  ].filter(Boolean);
  return `Coverage: ${[`${present} of ${expected} ${unit} have a row`, ...remarks].join('; ')}.`;
}

function revisionsLine({ revised, withdrawn, since }: Revisions, interval: string): string {
  return `Since ${instantText(since)} the service has revised ${revised} and withdrawn ${withdrawn} ${stepWord(interval)} of these.`;
}

/** Describes the range, and the time zone of all days and times. */
function timeLines(provenance: Provenance): string[] {
  const { interval, days } = provenance;
  const range = spanText(provenance, provenance);
  if (days)
    return [
      `From ${range} (both days included). Each row is a day of ${days.label}, named by its date there and made from its hours: "hours" of "of_hours" have data, means are over hours with a value, *_mwh is their energy. Times with a Z are UTC. Intervals below are hours.`,
    ];
  const times = `From ${range} (UTC; the end does not belong to it). All times here are UTC, each the beginning of its interval.`;
  if (interval !== '1d') return [times];
  const start = range.includes('T') ? times : `From ${range} (both days included). Times with a Z are UTC.`;
  return [
    `${start} Each row is a day of UTC, as the service makes it; "hours" of "of_hours" have data, where that is known.`,
  ];
}

function stepWord(interval: string): string {
  if (zoneOfDays(interval)) return 'days';
  return { '1h': 'hours', '1d': 'days' }[interval] ?? 'intervals';
}

function intervalsText(intervals: Coverage['missingStretches'], missing: number, provenance: Provenance): string {
  const texts = intervals.map(([start, end]) => spanText({ start, end }, provenance));
  return `${texts.join(', ')}${intervals.length < missing ? ' (the first intervals)' : ''}`;
}

/**
 * Formats a span: `2026-11-14T05:00Z to 2026-11-14T07:00Z`; for days the first and the last one: `2026-11-14 to 2026-11-16`, or
 * `2026-11-14` for a single day.
 */
function spanText({ start, end }: Span, provenance: Provenance): string {
  const write = rowTimes(provenance);
  const lastDay = end - (provenance.days ? 1 : dayMs);
  const last = write(end).includes('T') ? end : lastDay;
  return write(start) === write(last) ? write(start) : `${write(start)} to ${write(last)}`;
}

/**
 * Returns a function that formats the start of a row: for days the date in their time zone, which `describeQuery` names, otherwise the
 * instant.
 */
export function rowTimes({ interval, days }: Provenance): (ms: number) => string {
  if (days) return isoDates(days.timeZone);
  const dateOf = isoDates(utc.timeZone);
  return ms => (interval === '1d' && ms % dayMs === 0 ? dateOf(ms) : instantText(ms));
}

function sourceLines(provenance: Provenance): string[] {
  const { requestsSpent, stepsKept, fetchedAt, nextPublication, failure, incomplete } = provenance;
  const fetched = fetchedAt === undefined ? 'never fetched' : `fetched ${instantText(fetchedAt)}`;
  const said = failure?.detail ? `, the service says ${serviceText(failure.detail, 200)}` : '';
  return [
    `Requests spent: ${requestsSpent}; intervals from the archive: ${stepsKept}; ${fetched}; asking again before ${instantText(nextPublication)} brings nothing new.`,
    ...(failure ? [`A part failed: ${failure.reason}${said}.`] : []),
    ...(incomplete ? ['The service has more rows than it sent; ask for a shorter range.'] : []),
  ];
}

/**
 * Formats a cell for a language model: numbers with all digits, `null` for a null, `-` for an absent field. `timeText` formats instants.
 */
export function cellText(column: Column, row: number, timeText: (ms: number) => string): string {
  const state = stateAt(column, row);
  if (state === cellState.absent) return '-';
  if (state === cellState.null) return 'null';
  switch (column.kind) {
    case 'time':
      return timeText(column.values[row] ?? NaN);
    case 'number':
      return numberText(column.values[row] ?? NaN);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'text':
    case 'nested':
      return serviceText(textAt(column.texts, row), 40);
  }
}

/** Formats an instant: `2026-11-14T05:00Z`, with seconds if they are not 0; `-` if there is none. */
export function instantText(ms: number): string {
  if (Math.abs(ms) > 8.64e15 || Number.isNaN(ms)) return '-';
  return formatInstant(ms).replace(/:00Z$/, 'Z');
}

/** Formats a computed figure with six significant digits. */
export function figureText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
