import { t } from '@vscode/l10n';
import { parseDayZone, getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { createIntervalShape, selectTimeParts } from '../../shared/formatTime.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import {
  partialDay,
  getDisplayStates,
  getIntervalStart,
  intervalState,
  type Coverage,
  type DayHours,
} from '../../shared/result.ts';
import { createCountFormatter } from '../columns/numberColumnFormat.ts';

/** A range divided into intervals. `start` is UTC milliseconds. */
export interface IntervalRange {
  readonly start: number;
  readonly intervalMs: number;
  /** The start of each interval and the end of the last, if the intervals differ in length. */
  readonly edges?: Float64Array | undefined;
  /** The requested interval: "1h", "1d". */
  readonly interval: string;
}

/** The maximum number of segments or days that one sentence lists. */
const maxListedItems = 3;

/** Formats the coverage of one range in one zone and locale. */
export class CoverageFormatter {
  readonly #range: IntervalRange;
  readonly #zone: DisplayZone;
  readonly #locale: string;
  readonly #formatCount: (value: number) => string;
  readonly #formatInstant: (instant: number) => string;
  /** Whether times are formatted as dates only. */
  readonly #isDateOnly: boolean;

  constructor(range: IntervalRange, intervalCount: number, zone: DisplayZone, locale: string) {
    this.#range = range;
    this.#zone = getZoneOfRows(range.interval, zone);
    this.#locale = locale;
    this.#formatCount = createCountFormatter(locale);
    const parts = selectTimeParts(
      createIntervalShape(range.start, range.intervalMs, intervalCount, range.edges),
      this.#zone.timeZone,
    );
    const formatTime = createTimeFormatter(locale, this.#zone.timeZone, parts);
    // A column pads the day to two digits; a sentence does not.
    this.#formatInstant = instant => formatTime(instant).replace(/^0(?=\d )/, '');
    this.#isDateOnly = !parts.time;
  }

  /**
   * Describes what is present and what is not, the most serious first: “167 of 168 hours, 1 missing: 3 May 02:00”. Intervals from
   * the archive and from the service are counted separately if there are both.
   */
  formatSummary(coverage: Coverage): string {
    if (coverage.parts)
      return coverage.parts.map(part => t('{0}: {1}', part.title, this.formatSummary(part.coverage))).join('; ');
    const { expected, present, missing, failed, late, notPublished, notRequested, states, archived, hours } = coverage;
    const parts = [t('{0} of {1}', this.#formatCount(present), this.#formatIntervals(expected))];
    const addPart = (count: number, text: string): void => {
      if (count > 0) parts.push(text);
    };
    addPart(failed, t('{0} failed', this.#formatCount(failed)));
    addPart(
      missing,
      t('{0} missing: {1}', this.#formatCount(missing), this.#listRanges(states, intervalState.missing)),
    );
    const displayStates = getDisplayStates(coverage);
    const partial = Array.from(displayStates.keys()).filter(day => displayStates[day] === partialDay);
    // “3 May 14 of 24 h, 5 May 23 of 24 h”
    const days = formatFirst(partial, day => `${this.#formatStart(day)} ${hours ? formatDayHours(hours, day) : ''}`);
    addPart(partial.length, t('{0} with some of their hours: {1}', this.#formatCount(partial.length), days));
    addPart(late, t('data delayed since {0}', this.#formatStart(Math.max(0, states.indexOf(intervalState.late)))));
    addPart(notRequested, t('{0} not requested', this.#formatCount(notRequested)));
    addPart(notPublished, t('{0} not published yet', this.#formatCount(notPublished)));
    const fromArchive = countArchived(states, archived, 0, states.length);
    if (fromArchive > 0 && fromArchive === present) parts.push(t('all from the archive'));
    else if (fromArchive > 0)
      parts.push(
        t(
          '{0} from the archive, {1} from the service',
          this.#formatCount(fromArchive),
          this.#formatCount(present - fromArchive),
        ),
      );
    return parts.join(', ');
  }

  /** Describes a segment: “3 May 02:00 UTC: missing”. A longer one also has its end and its length. */
  formatSegment({ state, from, to }: CoverageSegment, { states, archived, hours, parts = [] }: Coverage): string {
    const intervalCount = to - from;
    const note =
      hours && intervalCount === 1 && state === partialDay ? formatDayHours(hours, from) : describeIntervalState(state);
    const incompleteParts = parts.filter(
      ({ coverage }) => describeIntervalState(coverage.states[from] ?? 0) !== undefined,
    );
    const partNotes = incompleteParts.map(part =>
      t('{0} in {1}', describeIntervalState(part.coverage.states[from] ?? 0) ?? '', part.title),
    );
    const notes = state === partialDay || partNotes.length === 0 ? [note ?? t('present'), ...partNotes] : partNotes;
    const description = notes.join(', ');
    const heading = t('{0} {1}: {2}', this.#formatRange(from, to), this.#zone.label, description);
    const texts = intervalCount > 1 ? [heading, this.#formatIntervals(intervalCount)] : [heading];
    const fromArchive = countArchived(states, archived, from, to);
    if (fromArchive > 0)
      texts.push(
        fromArchive === intervalCount
          ? t('from the archive')
          : t('{0} from the archive', this.#formatCount(fromArchive)),
      );
    return texts.join(', ');
  }

  /** Formats the range of a segment. The end is exclusive, except for dates, where the last day is included. */
  #formatRange(from: number, to: number): string {
    const first = this.#formatStart(from);
    return to - from === 1 ? first : `${first} – ${this.#formatStart(this.#isDateOnly ? to - 1 : to)}`;
  }

  #listRanges(states: Uint8Array, state: number): string {
    const segments = listSegments(states).filter(formatSegment => formatSegment.state === state);
    return formatFirst(segments, ({ from, to }) => this.#formatRange(from, to));
  }

  #formatStart(index: number): string {
    return this.#formatInstant(getIntervalStart(this.#range, this.#range.start, this.#range.intervalMs, index));
  }

  #formatIntervals(value: number): string {
    return formatIntervalCount(value, this.#range.interval, this.#locale);
  }
}

/** Counts the intervals that come from the archive, such as “24 hours”. Returns undefined if there are none. */
export function formatArchivedIntervals(
  { states, archived }: Coverage,
  interval: string,
  locale: string,
): string | undefined {
  const count = countArchived(states, archived, 0, states.length);
  return count === 0 ? undefined : formatIntervalCount(count, interval, locale);
}

/** Formats a number of intervals: “1 hour”, “24 hours”, “31 days”, “96 × 15m”, or “96 rows” if the rows differ in length. */
export function formatIntervalCount(value: number, interval: string, locale: string): string {
  const formattedCount = createCountFormatter(locale)(value);
  if (interval === '') return value === 1 ? t('1 row') : t('{0} rows', formattedCount);
  if (interval === '1h') return value === 1 ? t('1 hour') : t('{0} hours', formattedCount);
  if (interval === '1d' || parseDayZone(interval)) return value === 1 ? t('1 day') : t('{0} days', formattedCount);
  return `${formattedCount} × ${interval}`;
}

/** Formats how many hours of a day have a row, such as “14 of 24 h”. */
function formatDayHours({ present, expected }: DayHours, day: number): string {
  return t('{0} of {1} h', present[day] ?? 0, expected[day] ?? 0);
}

function formatFirst<Item>(items: readonly Item[], format: (item: Item) => string): string {
  return items.slice(0, maxListedItems).map(format).join(', ') + (items.length > maxListedItems ? ' …' : '');
}

function countArchived(states: Uint8Array, archived: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index++)
    count += Number(states[index] === intervalState.present && archived[index] === 1);
  return count;
}

/** Explains briefly why an interval has no row, or why a day does not have all of its hours. Returns undefined if it is complete. */
export function describeIntervalState(state: number): string | undefined {
  switch (state) {
    case intervalState.missing:
      return t('missing');
    case intervalState.notPublished:
      return t('not published yet');
    case intervalState.failed:
      return t('request failed');
    case intervalState.notRequested:
      return t('not requested');
    case intervalState.late:
      return t('data delayed');
    case partialDay:
      return t('some of the hours');
    default:
      return undefined;
  }
}

/** The consecutive intervals [from, to) in one state. */
export interface CoverageSegment {
  readonly state: number;
  readonly from: number;
  readonly to: number;
}

/** Divides all intervals into segments, in order. The intervals of a segment also share one state in each of `parts`. */
export function listSegments(states: Uint8Array, parts: Coverage['parts'] = []): readonly CoverageSegment[] {
  const segments: CoverageSegment[] = [];
  let from = 0;
  for (let index = 1; index <= states.length; index++) {
    const state = states[from] ?? intervalState.present;
    if (states[index] === state && parts.every(part => part.coverage.states[index] === part.coverage.states[from]))
      continue;
    segments.push({ state, from, to: index });
    from = index;
  }
  return segments;
}

/** Returns the index of the segment that contains an interval; the first or last segment for one outside. */
export function findSegmentIndex(segments: readonly CoverageSegment[], index: number): number {
  return Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= index),
  );
}
