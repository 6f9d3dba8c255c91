import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveRange } from '../../../../src/core/range/resolveRange.ts';
import type { Span } from '../../../../src/core/range/resolveRange.ts';
import { parseRange } from '../../../../src/core/range/parseRange.ts';
import { day, hour, minute, resolveText } from './spanText.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const zones = [
  ...['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/Sao_Paulo', 'America/Havana', 'Africa/Cairo'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland', 'America/St_Johns'],
];

const zone = fc.constantFrom(...zones);
const intervals = fc.constantFrom(undefined, minute, 15 * minute, 30 * minute, hour, 3 * hour, day, 7 * day);
const instants = fc.integer({ min: Date.UTC(1995, 0, 1) / 1000, max: Date.UTC(2037, 0, 1) / 1000 }).map(s => s * 1000);
const date = fc
  .integer({ min: Date.UTC(1995, 0, 1) / day, max: Date.UTC(2037, 0, 1) / day })
  .map(days => new Date(days * day).toISOString().slice(0, 10));

const words = fc.constantFrom(
  ...[
    'today',
    'yesterday',
    'this week',
    'last week',
    'month to date',
    'last month',
    'year to date',
    'last year',
    'ytd',
  ],
);
const rolling = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom('hours', 'days', 'weeks', 'months'))
  .map(([count, unit]) => `last ${count} ${unit}`);
const between = fc.tuple(date, date).map(days => days.sort().join('..'));
const open = date.map(text => `${text}..`);

describe('every range', () => {
  it('resolves to an end after the start, on whole intervals, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(words, rolling, between, date, open),
        instants,
        zone,
        intervals,
        (text, now, timeZone, intervalMs) => {
          const span = resolveText(text, { now, timeZone, intervalMs });
          if (!span.ok) {
            // Only an open range can begin after the present.
            assert.ok(text.endsWith('..'), text);
            assert.equal(span.problem, 'endNotAfterStart');
            return;
          }
          const { start, end } = span.value;
          const grid = Math.min(intervalMs ?? 1000, day);
          assert.ok(end > start);
          assert.ok(start % grid === 0, 'start is on the grid');
          assert.ok(end % grid === 0, 'end is on the grid');
        },
      ),
      { numRuns: scaleRunCount(500) },
    );
  });

  it('ends with the last complete interval before the present, unless no interval of the range is complete', () => {
    fc.assert(
      fc.property(
        fc.oneof(words, rolling, open),
        instants,
        zone,
        fc.constantFrom(minute, hour, day),
        (text, now, timeZone, intervalMs) => {
          const span = resolveText(text, { now, timeZone, intervalMs });
          if (!span.ok || text.startsWith('last week') || /^last (month|year)$|yesterday/.test(text)) return;
          const { start, end } = span.value;
          // A period that begins within an interval includes this interval.
          assert.ok(end <= now || (end - intervalMs <= now && end - start <= 2 * intervalMs));
        },
      ),
      { numRuns: scaleRunCount(300) },
    );
  });
});

describe('days of a time zone', () => {
  it('begins each day at the instant that Intl returns, and ends it where the next day begins', () => {
    fc.assert(
      fc.property(date, zone, (text, timeZone) => {
        const start = findFirstInstant(text, timeZone);
        const end = findFirstInstant(addDays(text, 1), timeZone);
        assert.deepEqual(resolveSpan(text, 0, timeZone, minute), { start, end });
      }),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('returns the same days for yesterday, today and ranges of days', () => {
    fc.assert(
      fc.property(instants, zone, (now, timeZone) => {
        const today = formatLocalDate(now, timeZone);
        const yesterday = addDays(today, -1);
        assert.deepEqual(
          resolveSpan('yesterday', now, timeZone, minute),
          resolveSpan(yesterday, now, timeZone, minute),
        );
        assert.equal(
          resolveSpan('today', now, timeZone, minute).start,
          resolveSpan(today, now, timeZone, minute).start,
        );
        assert.deepEqual(
          resolveSpan(`${yesterday}..${today}`, now, timeZone, minute),
          resolveSpan('yesterday..today', now, timeZone, minute),
        );
      }),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('leaves no gap or overlap between days at months, quarters and years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1995, max: 2036 }), zone, (year, timeZone) => {
        const yearSpan = resolveSpan(String(year), 0, timeZone, minute);
        for (const parts of [[1, 2, 3, 4].map(quarter => `${year}-Q${quarter}`), listMonths(year)]) {
          const spans = parts.map(text => resolveSpan(text, 0, timeZone, minute));
          assert.equal(spans[0]?.start, yearSpan.start);
          assert.equal(spans.at(-1)?.end, yearSpan.end);
          spans.slice(1).forEach((span, index) => {
            assert.equal(span.start, spans[index]?.end);
          });
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('ISO weeks', () => {
  it('numbers weeks by their Thursday', () => {
    fc.assert(
      fc.property(instants, now => {
        // The Thursday of the week decides its year. Week 1 contains the first Thursday of the year.
        const monday = Math.floor(now / day) * day - ((Math.floor(now / day) + 3) % 7) * day;
        const thursday = new Date(monday + 3 * day);
        const year = thursday.getUTCFullYear();
        const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * day)) + 1;
        const text = `${year}-W${String(week).padStart(2, '0')}`;
        assert.deepEqual(resolveSpan(text, 0, 'UTC', hour), { start: monday, end: monday + 7 * day });
        assert.equal(resolveSpan('this week', now, 'UTC', minute).start, monday);
      }),
      { numRuns: scaleRunCount(300) },
    );
  });
});

describe('instants', () => {
  it('resolves instants to the same time in every time zone', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 1, max: 10_000 }), zone, (from, hours, timeZone) => {
        const to = from + hours * hour;
        const text = `${new Date(from).toISOString()}..${new Date(to).toISOString()}`;
        assert.deepEqual(resolveSpan(text, 0, timeZone, undefined), { start: from, end: to });
      }),
    );
  });
});

function resolveSpan(text: string, now: number, timeZone: string, intervalMs: number | undefined): Span {
  const spec = parseRange(text);
  assert.ok(spec.ok, text);
  const span = resolveRange(spec.value, { now, timeZone, intervalMs });
  assert.ok(span.ok, text);
  return span.value;
}

function listMonths(year: number): string[] {
  return Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`);
}

function addDays(text: string, days: number): string {
  return new Date(Date.parse(`${text}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
}

const dateFormats = new Map(
  zones.map(timeZone => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ]),
);

function formatLocalDate(ms: number, timeZone: string): string {
  return dateFormats.get(timeZone)?.format(ms) ?? '';
}

/** Finds the first quarter of an hour that Intl formats with this date. */
function findFirstInstant(text: string, timeZone: string): number {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  for (let ms = midnight - 16 * hour; ms < midnight + 16 * hour; ms += 15 * minute)
    if (formatLocalDate(ms, timeZone) >= text) return ms;
  throw new Error(`${text} never begins in ${timeZone}`);
}
