import { t } from '@vscode/l10n';
import { parseDayZone, getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
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
import { countFormatter } from '../columns/numberTexts.ts';

/** A range divided into intervals. `start` is UTC milliseconds. */
export interface StepRange {
  readonly start: number;
  readonly stepMs: number;
  /** The start of each interval and the end of the last, if the intervals differ in length. */
  readonly edges?: Float64Array | undefined;
  /** The requested interval: "1h", "1d". */
  readonly interval: string;
}

/** The maximum number of segments or days that one sentence lists. */
const shownItems = 3;

/** Formats the coverage of one range in one zone and locale. */
export class CoverageWords {
  readonly #range: StepRange;
  readonly #zone: DisplayZone;
  readonly #locale: string;
  readonly #count: (value: number) => string;
  readonly #write: (instant: number) => string;
  /** Whether times are formatted as dates only. */
  readonly #dates: boolean;

  constructor(range: StepRange, steps: number, zone: DisplayZone, locale: string) {
    this.#range = range;
    this.#zone = getZoneOfRows(range.interval, zone);
    this.#locale = locale;
    this.#count = countFormatter(locale);
    const parts = selectTimeParts(
      createIntervalShape(range.start, range.stepMs, steps, range.edges),
      this.#zone.timeZone,
    );
    const write = timeFormatter(locale, this.#zone.timeZone, parts);
    // A column pads the day to two digits; a sentence does not.
    this.#write = instant => write(instant).replace(/^0(?=\d )/, '');
    this.#dates = !parts.time;
  }

  /**
   * Describes what is present and what is not, the most serious first: “167 of 168 hours, 1 missing: 3 May 02:00”. Intervals from
   * the archive and from the service are counted separately if there are both.
   */
  summary(coverage: Coverage): string {
    if (coverage.parts)
      return coverage.parts.map(part => t('{0}: {1}', part.title, this.summary(part.coverage))).join('; ');
    const { expected, present, missing, failed, late, notPublished, notAsked, states, archived, hours } = coverage;
    const parts = [t('{0} of {1}', this.#count(present), this.#steps(expected))];
    const add = (count: number, text: string): void => {
      if (count > 0) parts.push(text);
    };
    add(failed, t('{0} failed', this.#count(failed)));
    add(missing, t('{0} missing: {1}', this.#count(missing), this.#listed(states, intervalState.missing)));
    const shown = getDisplayStates(coverage);
    const partial = Array.from(shown.keys()).filter(day => shown[day] === partialDay);
    // “3 May 14 of 24 h, 5 May 23 of 24 h”
    const days = firstFew(partial, day => `${this.#at(day)} ${hours ? hoursText(hours, day) : ''}`);
    add(partial.length, t('{0} with some of their hours: {1}', this.#count(partial.length), days));
    add(late, t('data delayed since {0}', this.#at(Math.max(0, states.indexOf(intervalState.late)))));
    add(notAsked, t('{0} not requested', this.#count(notAsked)));
    add(notPublished, t('{0} not published yet', this.#count(notPublished)));
    const fromArchive = countArchived(states, archived, 0, states.length);
    if (fromArchive > 0 && fromArchive === present) parts.push(t('all from the archive'));
    else if (fromArchive > 0)
      parts.push(
        t('{0} from the archive, {1} from the service', this.#count(fromArchive), this.#count(present - fromArchive)),
      );
    return parts.join(', ');
  }

  /** Describes a segment: “3 May 02:00 UTC: missing”. A longer one also has its end and its length. */
  segment({ state, from, to }: CoverageSegment, { states, archived, hours, parts = [] }: Coverage): string {
    const steps = to - from;
    const note = hours && steps === 1 && state === partialDay ? hoursText(hours, from) : stepNote(state);
    const lacking = parts.filter(({ coverage }) => stepNote(coverage.states[from] ?? 0) !== undefined);
    const which = lacking.map(part => t('{0} in {1}', stepNote(part.coverage.states[from] ?? 0) ?? '', part.title));
    const what = which.join(', ') || (note ?? t('present'));
    const head = t('{0} {1}: {2}', this.#span(from, to), this.#zone.label, what);
    const texts = steps > 1 ? [head, this.#steps(steps)] : [head];
    const fromArchive = countArchived(states, archived, from, to);
    if (fromArchive > 0)
      texts.push(fromArchive === steps ? t('from the archive') : t('{0} from the archive', this.#count(fromArchive)));
    return texts.join(', ');
  }

  /** Formats the range of a segment. The end is exclusive, except for dates, where the last day is included. */
  #span(from: number, to: number): string {
    const first = this.#at(from);
    return to - from === 1 ? first : `${first} – ${this.#at(this.#dates ? to - 1 : to)}`;
  }

  #listed(states: Uint8Array, state: number): string {
    const segments = segmentsIn(states).filter(segment => segment.state === state);
    return firstFew(segments, ({ from, to }) => this.#span(from, to));
  }

  #at(step: number): string {
    return this.#write(getIntervalStart(this.#range, this.#range.start, this.#range.stepMs, step));
  }

  #steps(value: number): string {
    return stepsText(value, this.#range.interval, this.#locale);
  }
}

/** Counts the intervals that come from the archive: “24 hours”. Undefined if there are none. */
export function archivedSteps({ states, archived }: Coverage, interval: string, locale: string): string | undefined {
  const count = countArchived(states, archived, 0, states.length);
  return count === 0 ? undefined : stepsText(count, interval, locale);
}

/** “1 hour”, “24 hours”, “31 days”, “96 × 15m”; “96 rows” if the rows differ in length. */
export function stepsText(value: number, interval: string, locale: string): string {
  const written = countFormatter(locale)(value);
  if (interval === '') return value === 1 ? t('1 row') : t('{0} rows', written);
  if (interval === '1h') return value === 1 ? t('1 hour') : t('{0} hours', written);
  if (interval === '1d' || parseDayZone(interval)) return value === 1 ? t('1 day') : t('{0} days', written);
  return `${written} × ${interval}`;
}

/** “14 of 24 h” */
function hoursText({ present, expected }: DayHours, day: number): string {
  return t('{0} of {1} h', present[day] ?? 0, expected[day] ?? 0);
}

function firstFew<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  return items.slice(0, shownItems).map(textOf).join(', ') + (items.length > shownItems ? ' …' : '');
}

function countArchived(states: Uint8Array, archived: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let step = from; step < to; step++)
    count += Number(states[step] === intervalState.present && archived[step] === 1);
  return count;
}

/** Explains briefly why an interval has no row, or a day not all of its hours; undefined if it is complete. */
export function stepNote(state: number): string | undefined {
  switch (state) {
    case intervalState.missing:
      return t('missing');
    case intervalState.notPublished:
      return t('not published yet');
    case intervalState.failed:
      return t('request failed');
    case intervalState.notAsked:
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
export function segmentsIn(states: Uint8Array, parts: Coverage['parts'] = []): readonly CoverageSegment[] {
  const segments: CoverageSegment[] = [];
  let from = 0;
  for (let step = 1; step <= states.length; step++) {
    const state = states[from] ?? intervalState.present;
    if (states[step] === state && parts.every(part => part.coverage.states[step] === part.coverage.states[from]))
      continue;
    segments.push({ state, from, to: step });
    from = step;
  }
  return segments;
}

/** Returns the index of the segment that contains an interval; the first or last segment for one outside. */
export function segmentIndexAt(segments: readonly CoverageSegment[], step: number): number {
  return Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= step),
  );
}
