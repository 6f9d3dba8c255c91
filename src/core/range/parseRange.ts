import { Temporal } from 'temporal-polyfill';
import { parseInstant } from '../instant.ts';
import type { CalendarPeriod, Parsed, Point, RangeSpec, Unit } from './rangeSpec.ts';

const named: Readonly<Record<string, RangeSpec>> = {
  today: { kind: 'toDate', period: 'day' },
  yesterday: { kind: 'previous', period: 'day' },
  'this week': { kind: 'toDate', period: 'week' },
  'week to date': { kind: 'toDate', period: 'week' },
  wtd: { kind: 'toDate', period: 'week' },
  'last week': { kind: 'previous', period: 'week' },
  'previous week': { kind: 'previous', period: 'week' },
  'this month': { kind: 'toDate', period: 'month' },
  'month to date': { kind: 'toDate', period: 'month' },
  mtd: { kind: 'toDate', period: 'month' },
  'last month': { kind: 'previous', period: 'month' },
  'previous month': { kind: 'previous', period: 'month' },
  'this year': { kind: 'toDate', period: 'year' },
  'year to date': { kind: 'toDate', period: 'year' },
  ytd: { kind: 'toDate', period: 'year' },
  'last year': { kind: 'previous', period: 'year' },
  'previous year': { kind: 'previous', period: 'year' },
};

const units: Readonly<Record<string, Unit>> = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' };

/** Twice as long as any range is written; a longer text is none, and is not read. */
export const longestRange = 100;

/** The text in the form it is kept and shown in: single spaces, words in lower case, T and Z in capitals. */
export function normaliseRange(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/…|[–—]|\s-\s|\bto\b(?! date)|\buntil\b/g, '..')
    .replace(/[\s.]+/g, between => (between.includes('..') ? '..' : between))
    .replace(/(\d)t(\d)/g, '$1T$2')
    .replace(/(\d) ?z\b/g, '$1Z')
    .replace(/q([1-4])\b/g, 'Q$1')
    .replace(/-w(\d\d)/g, '-W$1');
}

/**
 * Reads "last 36 hours", "2023-05", "2023-Q1", "2023-W07", "2023-01-01..2023-02-01", "month to date" or ISO instants with a
 * zone. A period at the end counts to its end ("2023-01..2023-03" holds all of March); an instant at the end does not
 * belong to the range. An open end ("2023-05-01..") means now.
 */
export function parseRange(text: string): Parsed<RangeSpec> {
  if (text.length > longestRange)
    return { ok: false, problem: 'notUnderstood', part: `${text.slice(0, longestRange)}…` };
  const plain = normaliseRange(text);
  if (!plain) return { ok: false, problem: 'empty' };
  const known = Object.hasOwn(named, plain) ? named[plain] : undefined;
  if (known) return { ok: true, value: known };

  const last = /^(?:the )?(?:last|past|previous) (?:(\d{1,6}) ?)?(h|hours?|d|days?|w|weeks?|m|months?|y|years?)$/.exec(
    plain,
  );
  const unit = last && units[last[2]?.charAt(0) ?? ''];
  if (unit) {
    const count = Number(last[1] ?? 1);
    return count > 0
      ? { ok: true, value: { kind: 'last', count, unit } }
      : { ok: false, problem: 'notUnderstood', part: text.trim() };
  }

  const [first = '', second, ...more] = plain.split('..').map(part => part.trim());
  if (more.length > 0 || first === '') return { ok: false, problem: 'notUnderstood', part: text.trim() };
  const from = parsePoint(first);
  if (!from.ok) return from;
  if (second === undefined) {
    if (from.value.kind === 'period') return { ok: true, value: { kind: 'between', from: from.value, to: from.value } };
    return { ok: false, problem: 'notUnderstood', part: text.trim() };
  }
  const to = second === '' ? ({ ok: true, value: { kind: 'now' } } as const) : parsePoint(second);
  return to.ok ? { ok: true, value: { kind: 'between', from: from.value, to: to.value } } : to;
}

function parsePoint(part: string): Parsed<Point> {
  if (part === 'now') return { ok: true, value: { kind: 'now' } };
  if (part === 'today') return { ok: true, value: { kind: 'relativeDay', daysAgo: 0 } };
  if (part === 'yesterday') return { ok: true, value: { kind: 'relativeDay', daysAgo: 1 } };
  // In some zone they lie in a year that is not written with four digits.
  if (/^(0000|9999)/.test(part)) return { ok: false, problem: 'noSuchDate', part };
  const period = parsePeriod(part);
  if (period) return period;

  const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|utc|sast|[+-]\d\d(?::?\d\d)?)?$/.exec(
    part,
  );
  if (!time) return { ok: false, problem: 'notUnderstood', part };
  const [, date = '', clock = '', zone] = time;
  if (zone === undefined) {
    return orNoSuchDate(part, () => ({ kind: 'local', dateTime: plainDateTime(`${date}T${clock}`) }));
  }
  const ms = parseInstant(`${date}T${clock}${offsetOf(zone)}`);
  return ms === undefined ? { ok: false, problem: 'noSuchDate', part } : { ok: true, value: { kind: 'instant', ms } };
}

function offsetOf(zone: string): string {
  if (zone === 'utc') return 'Z';
  if (zone === 'sast') return '+02:00';
  return /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
}

const lengths: Readonly<Record<CalendarPeriod, Temporal.DurationLike>> = {
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
  year: { years: 1 },
};

function parsePeriod(part: string): Parsed<Point> | undefined {
  const forms: readonly [RegExp, (match: RegExpExecArray) => Point][] = [
    [/^\d{4}$/, ([year]) => period(`${year}-01-01`, lengths.year)],
    [/^\d{4}-\d\d$/, ([month]) => period(`${month}-01`, lengths.month)],
    [/^\d{4}-\d\d-\d\d$/, ([day]) => period(day, lengths.day)],
    [
      /^(\d{4})-?Q([1-4])$/,
      m => period(`${m[1] ?? ''}-${String(Number(m[2]) * 3 - 2).padStart(2, '0')}-01`, { months: 3 }),
    ],
    [/^(\d{4})-W(\d\d)$/, m => ({ kind: 'period', first: mondayOf(Number(m[1]), Number(m[2])), length: lengths.week })],
  ];
  for (const [form, make] of forms) {
    const match = form.exec(part);
    if (match) return orNoSuchDate(part, () => make(match));
  }
  return undefined;
}

function period(first: string, length: Temporal.DurationLike): Point {
  return { kind: 'period', first: Temporal.PlainDate.from(first), length };
}

/** The Monday of an ISO 8601 week: week 1 is the one with 4 January in it. */
function mondayOf(year: number, week: number): Temporal.PlainDate {
  const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
  const monday = fourth.add({ days: (week - 1) * 7 - (fourth.dayOfWeek - 1) });
  if (monday.yearOfWeek !== year || monday.weekOfYear !== week) throw new RangeError('no such week');
  return monday;
}

/** Temporal takes second 60 for 59; a clock time that does not exist is refused like a date that does not. */
function plainDateTime(text: string): Temporal.PlainDateTime {
  if (/:60(?:\.|$)/.test(text)) throw new RangeError('no such second');
  return Temporal.PlainDateTime.from(text);
}

function orNoSuchDate(part: string, make: () => Point): Parsed<Point> {
  try {
    return { ok: true, value: make() };
  } catch {
    return { ok: false, problem: 'noSuchDate', part };
  }
}
