import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stepRange, getStride } from '../../../../src/core/range/steppedRange.ts';
import type { Span } from '../../../../src/core/range/resolveRange.ts';
import { day, hour, minute, resolveText, formatShort } from './spanText.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const now = Date.parse('2023-06-15T11:28Z');
const inUtc = { now, timeZone: 'UTC', intervalMs: hour };

describe('steppedRange', () => {
  const stepBackCases: readonly (readonly [string, string])[] = [
    ['2023-05', '2023-04'],
    ['2023-01', '2022-12'],
    ['2023', '2022'],
    ['2022..2023', '2020..2021'],
    ['2023-Q1', '2022-Q4'],
    ['2023q2', '2023-Q1'],
    ['2023-W01', '2022-W52'],
    ['2023-01..2023-03', '2022-10..2022-12'],
    ['2023-01..2023-12', '2022-01..2022-12'],
    ['2023..2023-03', '2022-10..2022-12'],
    ['2023-Q1..2023-Q2', '2022-07..2022-12'],
    ['2023-03-01', '2023-02-28'],
    ['2023-05-03..2023-05-09', '2023-04-26..2023-05-02'],
    ['2023-02-01..2023-03-03', '2023-01-01..2023-01-31'],
    ['yesterday', '2023-06-13'],
    ['today', '2023-06-14'],
    ['yesterday..today', '2023-06-12..2023-06-13'],
    // This is a Thursday. The result is the Thursday a week earlier, or the same number of days earlier.
    ['Monday..Friday', '2023-05-31..2023-06-04'],
    ['last month..yesterday', '2023-03-17..2023-04-30'],
    ['last year..last month', '2020-08..2021-12'],
    ['last week', '2023-W22'],
    ['this week', '2023-W23'],
    ['last month', '2023-04'],
    ['Month to Date', '2023-05'],
    ['last year', '2021'],
    ['ytd', '2022'],
    ['last 7 days', '2023-06-01T11:00Z..2023-06-08T11:00Z'],
    ['last hour', '2023-06-15T09:00Z..2023-06-15T10:00Z'],
    ['2023-06-01T00:00Z..2023-06-02T12:00Z', '2023-05-30T12:00Z..2023-06-01T00:00Z'],
    ['2023-06-15..', '2023-06-14T13:00Z..2023-06-15T00:00Z'],
  ];
  for (const [from, to] of stepBackCases) {
    it(`steps back from ${from} to ${to}`, () => {
      assert.equal(stepRange(from, -1, inUtc), to);
    });
  }

  it('steps forward by the calendar', () => {
    assert.equal(stepRange('2023-04', 1, inUtc), '2023-05');
    assert.equal(stepRange('2023-02-28', 1, inUtc), '2023-03-01');
    assert.equal(stepRange('2022-Q4', 1, inUtc), '2023-Q1');
    assert.equal(stepRange('2022-W52', 1, inUtc), '2023-W01');
    assert.equal(stepRange('yesterday', 1, inUtc), '2023-06-15');
  });

  it('steps forward into a period that has begun, but not into a future one', () => {
    assert.equal(stepRange('2023-05', 1, inUtc), '2023-06');
    assert.equal(stepRange('2023-06', 1, inUtc), undefined);
    assert.equal(stepRange('today', 1, inUtc), undefined);
    const turnOfYear = Date.parse('2023-07-01T00:00Z');
    assert.equal(stepRange('2023-06', 1, { ...inUtc, now: turnOfYear }), undefined);
    assert.equal(stepRange('2023-06', 1, { ...inUtc, now: turnOfYear + 1 }), '2023-07');
  });

  it('counts the days of the time zone', () => {
    const lateContext = { ...inUtc, now: Date.parse('2023-06-30T22:30Z') };
    assert.equal(stepRange('2023-06', 1, lateContext), undefined);
    assert.equal(stepRange('2023-06', 1, { ...lateContext, timeZone: 'Africa/Johannesburg' }), '2023-07');
    assert.equal(stepRange('yesterday', -1, { ...lateContext, timeZone: 'Africa/Johannesburg' }), '2023-06-29');
  });

  it('keeps instants within the last complete interval', () => {
    assert.equal(stepRange('last 7 days', 1, inUtc), undefined);
    assert.equal(stepRange('2023-06-15T08:00Z..2023-06-15T10:00Z', 1, inUtc), '2023-06-15T10:00Z..2023-06-15T12:00Z');
    assert.equal(stepRange('2023-06-15T08:00Z..2023-06-15T11:00Z', 1, inUtc), undefined);
  });

  it('does not step an invalid range', () => {
    assert.equal(stepRange('next week', -1, inUtc), undefined);
    assert.equal(stepRange('2023-06..2023-05', -1, inUtc), undefined);
    assert.equal(stepRange('0000', -1, inUtc), undefined);
  });

  it('does not step a range of days that ends before it begins', () => {
    for (const text of ['2023-05-02..2023-05-01', '2023-06..2023-04', 'today..yesterday'])
      assert.equal(getStride(text, inUtc), undefined, text);
  });

  const zone = fc.constantFrom(
    ...['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/Havana', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  );
  const intervals = fc.constantFrom(undefined, 15 * minute, hour, day);
  const instants = fc
    .integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2030, 0, 1) / 1000 })
    .map(s => s * 1000);
  const date = fc
    .integer({ min: Date.UTC(2010, 0, 1) / day, max: Date.UTC(2020, 0, 1) / day })
    .map(days => new Date(days * day).toISOString().slice(0, 10));
  const period = fc.oneof(
    date,
    date.map(text => text.slice(0, 7)),
    date.map(text => text.slice(0, 4)),
    fc.tuple(date, fc.integer({ min: 1, max: 4 })).map(([text, q]) => `${text.slice(0, 4)}-Q${q}`),
    fc
      .tuple(date, fc.integer({ min: 1, max: 52 }))
      .map(([text, w]) => `${text.slice(0, 4)}-W${String(w).padStart(2, '0')}`),
    fc.tuple(date, date).map(days => days.sort().join('..')),
    fc.tuple(date, date).map(days =>
      days
        .map(text => text.slice(0, 7))
        .sort()
        .join('..'),
    ),
  );
  const rolling = fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom('hours', 'days', 'weeks', 'months'))
      .map(([count, unit]) => `last ${count} ${unit}`),
    fc.constantFrom('yesterday', 'last week', 'last month', 'last year'),
    date.map(text => `${text}..`),
    fc
      .tuple(date, fc.nat(5000))
      .map(([text, hours]) => `${text}T03:15+02:00..${formatShort(Date.parse(text) + (hours + 4) * hour)}`),
  );

  it('returns to the same instants in every time zone', () => {
    fc.assert(
      fc.property(fc.oneof(period, rolling), instants, zone, intervals, (text, now, timeZone, intervalMs) => {
        const context = { now, timeZone, intervalMs };
        const first = resolveSpan(text, context);
        if (!first) return;
        const earlierRange = stepRange(text, -1, context);
        assert.ok(earlierRange);
        const span = resolveSpan(earlierRange, context);
        assert.ok(span && span.start < first.start);
        // Days of a zone that are not whole intervals are widened at both ends, so that they overlap by less than two intervals.
        const overlap = span.end - first.start;
        assert.ok(overlap >= 0 && overlap < 2 * (intervalMs ?? 1000), `${earlierRange} and ${text}`);
        const restored = stepRange(earlierRange, 1, context);
        // A range that includes the present is only restored if one of its intervals is complete.
        if (restored === undefined) assert.ok(first.start + Math.min(intervalMs ?? 1000, day) > now);
        else assert.deepEqual(resolveSpan(restored, context), first);
      }),
      { numRuns: scaleRunCount(500) },
    );
  });
});

function resolveSpan(text: string, context: Parameters<typeof resolveText>[1]): Span | undefined {
  const span = resolveText(text, context);
  return span.ok ? span.value : undefined;
}
