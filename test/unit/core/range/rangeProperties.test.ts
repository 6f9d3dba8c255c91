import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveRange } from '../../../../src/core/range/resolveRange.ts';
import type { Span } from '../../../../src/core/range/resolveRange.ts';
import { parseRange } from '../../../../src/core/range/parseRange.ts';
import { day, hour, minute, resolveText } from './spanText.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const zones = [
  ...['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/Sao_Paulo', 'America/Havana', 'Africa/Cairo'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland', 'America/St_Johns'],
];

const zone = fc.constantFrom(...zones);
const step = fc.constantFrom(undefined, minute, 15 * minute, 30 * minute, hour, 3 * hour, day, 7 * day);
const moment = fc.integer({ min: Date.UTC(1995, 0, 1) / 1000, max: Date.UTC(2037, 0, 1) / 1000 }).map(s => s * 1000);
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
  it('resolves to an end after the start, on whole steps, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(words, rolling, between, date, open), moment, zone, step, (text, now, timeZone, stepMs) => {
        const span = resolveText(text, { now, timeZone, stepMs });
        if (!span.ok) {
          // Only an open range can begin after the present.
          assert.ok(text.endsWith('..'), text);
          assert.equal(span.problem, 'endNotAfterStart');
          return;
        }
        const { start, end } = span.value;
        const grid = Math.min(stepMs ?? 1000, day);
        assert.ok(end > start);
        assert.ok(start % grid === 0, 'start is on the grid');
        assert.ok(end % grid === 0, 'end is on the grid');
      }),
      { numRuns: manyRuns(500) },
    );
  });

  it('requests only finished steps of a range up to the present, unless none of its own is over', () => {
    fc.assert(
      fc.property(
        fc.oneof(words, rolling, open),
        moment,
        zone,
        fc.constantFrom(minute, hour, day),
        (text, now, z, s) => {
          const span = resolveText(text, { now, timeZone: z, stepMs: s });
          if (!span.ok || text.startsWith('last week') || /^last (month|year)$|yesterday/.test(text)) return;
          const { start, end } = span.value;
          // A period that begins within a step has that step, too.
          assert.ok(end <= now || (end - s <= now && end - start <= 2 * s));
        },
      ),
      { numRuns: manyRuns(300) },
    );
  });
});

describe('days of a zone', () => {
  it('starts each day at the instant Intl gives, and ends it where the next starts', () => {
    fc.assert(
      fc.property(date, zone, (text, timeZone) => {
        const [start, end] = [firstInstant(text, timeZone), firstInstant(dateAfter(text, 1), timeZone)];
        assert.deepEqual(spanOf(text, 0, timeZone, minute), { start, end });
      }),
      { numRuns: manyRuns(200) },
    );
  });

  it('resolves yesterday, today and day ranges to the same days', () => {
    fc.assert(
      fc.property(moment, zone, (now, timeZone) => {
        const today = localDate(now, timeZone);
        const yesterday = dateAfter(today, -1);
        assert.deepEqual(spanOf('yesterday', now, timeZone, minute), spanOf(yesterday, now, timeZone, minute));
        assert.equal(spanOf('today', now, timeZone, minute).start, spanOf(today, now, timeZone, minute).start);
        assert.deepEqual(
          spanOf(`${yesterday}..${today}`, now, timeZone, minute),
          spanOf('yesterday..today', now, timeZone, minute),
        );
      }),
      { numRuns: manyRuns(200) },
    );
  });

  it('leaves no gap and no overlap between months, quarters and years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1995, max: 2036 }), zone, (year, timeZone) => {
        const whole = spanOf(String(year), 0, timeZone, minute);
        for (const parts of [[1, 2, 3, 4].map(q => `${year}-Q${q}`), months(year)]) {
          const spans = parts.map(text => spanOf(text, 0, timeZone, minute));
          assert.equal(spans[0]?.start, whole.start);
          assert.equal(spans.at(-1)?.end, whole.end);
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
  it('numbers ISO weeks by their Thursday', () => {
    fc.assert(
      fc.property(moment, now => {
        // The Thursday of the week decides its year; week 1 is the one with the year's first Thursday.
        const monday = Math.floor(now / day) * day - ((Math.floor(now / day) + 3) % 7) * day;
        const thursday = new Date(monday + 3 * day);
        const year = thursday.getUTCFullYear();
        const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * day)) + 1;
        const text = `${year}-W${String(week).padStart(2, '0')}`;
        assert.deepEqual(spanOf(text, 0, 'UTC', hour), { start: monday, end: monday + 7 * day });
        assert.equal(spanOf('this week', now, 'UTC', minute).start, monday);
      }),
      { numRuns: manyRuns(300) },
    );
  });
});

describe('instants', () => {
  it('resolves instants the same in every time zone', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 10_000 }), zone, (from, hours, timeZone) => {
        const to = from + hours * hour;
        const text = `${new Date(from).toISOString()}..${new Date(to).toISOString()}`;
        assert.deepEqual(spanOf(text, 0, timeZone, undefined), { start: from, end: to });
      }),
    );
  });
});

function spanOf(text: string, now: number, timeZone: string, stepMs: number | undefined): Span {
  const spec = parseRange(text);
  assert.ok(spec.ok, text);
  const span = resolveRange(spec.value, { now, timeZone, stepMs });
  assert.ok(span.ok, text);
  return span.value;
}

function months(year: number): string[] {
  return Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`);
}

function dateAfter(text: string, days: number): string {
  return new Date(Date.parse(`${text}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
}

const formats = new Map(
  zones.map(timeZone => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ]),
);

function localDate(ms: number, timeZone: string): string {
  return formats.get(timeZone)?.format(ms) ?? '';
}

/** By looking: the first quarter of an hour that Intl dates so. */
function firstInstant(text: string, timeZone: string): number {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  for (let ms = midnight - 16 * hour; ms < midnight + 16 * hour; ms += 15 * minute)
    if (localDate(ms, timeZone) >= text) return ms;
  throw new Error(`${text} never begins in ${timeZone}`);
}
