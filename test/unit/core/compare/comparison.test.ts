import assert from 'node:assert/strict';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { hour, formatShort } from '../range/spanText.ts';
import {
  resolveComparedQueries,
  moveComparison,
  type Comparison,
} from '../../../../src/core/compare/comparedRanges.ts';

const now = Date.parse('2024-06-15T11:28Z');
const previous: Comparison = { kind: 'previousPeriod', align: 'position' };
const weeks: Comparison = { kind: 'previousPeriod', align: 'hourOfWeek' };
const lastYear: Comparison = { kind: 'lastYear', align: 'position' };
const createRangeComparison = (text: string): Comparison => ({ kind: 'range', range: text });

function resolve(text: string, interval = '1h', timeZone = 'UTC'): ResolvedQuery {
  const resolved = resolveQuery({ dataset: 'systemState', range: text, interval, params: { a: 'b' }, timeZone }, now);
  assert.ok(resolved.ok, text);
  return resolved.value;
}

/** Resolves the compared query and returns its range. */
function resolveCompared(comparison: Comparison, text: string, interval = '1h', timeZone = 'UTC'): string | undefined {
  const comparedQuery = resolveComparedQueries(comparison, resolve(text, interval, timeZone), now)?.[0];
  return comparedQuery && `${formatShort(comparedQuery.start)} ${formatShort(comparedQuery.end)}`;
}

describe('resolveComparedQueries', () => {
  it('resolves a relation for every period and interval', () => {
    assert.equal(resolveCompared(previous, '2023-05'), '2023-04-01T00:00Z 2023-05-01T00:00Z');
    assert.equal(resolveCompared(previous, '2023-06'), '2023-05-01T00:00Z 2023-06-01T00:00Z');
    assert.equal(resolveCompared(previous, '2023-06', '1d'), '2023-05-01T00:00Z 2023-06-01T00:00Z');
    assert.equal(resolveCompared(lastYear, '2024-02-25..2024-03-02'), '2023-02-25T00:00Z 2023-03-04T00:00Z');
    assert.equal(
      resolveCompared(previous, '2023-05', '1h', 'Africa/Johannesburg'),
      '2023-03-31T22:00Z 2023-04-30T22:00Z',
    );
  });

  it('keeps the relation if an offered range has the same instants', () => {
    // "The previous week" is only offered as "the previous period". After a month it means whole weeks.
    assert.equal(resolveCompared(weeks, '2023-05-01..2023-05-07'), '2023-04-24T00:00Z 2023-05-01T00:00Z');
    assert.equal(resolveCompared(lastYear, '2023'), '2022-01-01T00:00Z 2023-01-01T00:00Z');
  });

  it('resolves a custom range at the present, with the interval and parameters of the base', () => {
    assert.equal(
      resolveCompared(createRangeComparison('yesterday'), '2023-05-03'),
      '2024-06-14T00:00Z 2024-06-15T00:00Z',
    );
    assert.equal(
      resolveCompared(createRangeComparison('2022-05-03T05:00Z..2022-05-04T05:00Z'), '2023-05-03', '1d'),
      '2022-05-03T00:00Z 2022-05-05T00:00Z',
    );
    const comparedQuery = resolveComparedQueries(previous, resolve('2023-05', '1d'), now)?.[0];
    assert.deepEqual(
      [comparedQuery?.interval, comparedQuery?.params, comparedQuery?.dataset.id],
      ['1d', { a: 'b' }, 'systemState'],
    );
  });

  it('resolves several consecutive periods, except those in the future', () => {
    const listPeriods = (comparison: Comparison, text: string): string[] =>
      (resolveComparedQueries(comparison, resolve(text), now) ?? []).map(({ range }) => range);
    assert.deepEqual(listPeriods({ kind: 'lastYear', align: 'position', count: 3 }, '2024-02'), [
      '2023-02',
      '2022-02',
      '2021-02',
    ]);
    assert.deepEqual(listPeriods({ kind: 'previousPeriod', align: 'position', count: 2 }, '2024-W12'), [
      '2024-03-11..2024-03-17',
      '2024-03-04..2024-03-10',
    ]);
    assert.deepEqual(listPeriods({ kind: 'lastYear', align: 'hourOfWeek', count: 2 }, '2024-W12'), [
      '2023-03-20..2023-03-26',
      '2022-03-21..2022-03-27',
    ]);
    // Periods are counted from the base period, so that a leap day shifts none of them.
    const sameWeeks = listPeriods({ kind: 'lastYear', align: 'hourOfWeek', count: 10 }, '2024-W12');
    assert.equal(sameWeeks.at(-1), '2014-03-17..2014-03-23');
    assert.equal(listPeriods({ kind: 'lastYear', align: 'position', count: 4 }, '2024-02-29').at(-1), '2020-02-29');
    assert.deepEqual(listPeriods({ kind: 'lastYear', align: 'position', count: 10 }, '0003'), ['0002', '0001']);
  });

  it('returns undefined when there is no period to compare with', () => {
    assert.equal(resolveCompared(previous, '2023-05', 'monthly'), undefined);
    assert.equal(resolveCompared(createRangeComparison('no range'), '2023-05'), undefined);
    assert.equal(
      resolveCompared(createRangeComparison('2024-06-15T11:10Z..'), '2023-05-03'),
      undefined,
      'no interval of it has ended',
    );
    assert.equal(resolveCompared(previous, '2024-08'), undefined, 'July has not begun');
    assert.equal(resolveCompared(previous, '0001'), undefined);
  });
});

describe('a comparison whose period is stepped', () => {
  const stepped = (comparedRange: string, base: string, direction: -1 | 1, timeZone = 'UTC'): string | undefined => {
    const moved = moveComparison(createRangeComparison(comparedRange), base, direction, {
      now,
      timeZone,
      intervalMs: hour,
    });
    return moved?.kind === 'range' ? moved.range : undefined;
  };

  it('keeps the relation when the period is stepped', () => {
    const context = { now, timeZone: 'UTC', intervalMs: hour };
    for (const relation of [previous, weeks, lastYear])
      assert.equal(moveComparison(relation, '2023-05', -1, context), relation);
  });

  for (const [comparedRange, base, earlier, later] of [
    ['2022-05', '2023-05', '2022-04', '2022-06'],
    ['2022', '2023', '2021', '2023'],
    ['2022-Q1', '2023-Q1', '2021-Q4', '2022-Q2'],
    ['2022-W18', '2023-W18', '2022-W17', '2022-W19'],
    ['2022', '2023-05', '2021-12..2022-11', '2022-02..2023-01'],
    ['2022-05', '2023-05-01..2023-05-07', '2022-04-24..2022-05-24', '2022-05-08..2022-06-07'],
    ['2022-05-01..2022-05-07', 'last 7 days', '2022-04-24..2022-04-30', '2022-05-08..2022-05-14'],
    ['2022-05-03', 'last 6 hours', '2022-05-02T18:00Z..2022-05-03T18:00Z', '2022-05-03T06:00Z..2022-05-04T06:00Z'],
    [
      '2022-05-03T05:00Z..2022-05-04T05:00Z',
      '2023-05',
      '2022-04-03T05:00Z..2022-04-04T05:00Z',
      '2022-06-03T05:00Z..2022-06-04T05:00Z',
    ],
    ['yesterday', '2023-05-03', '2024-06-13', '2024-06-15'],
    ['last 24 hours', '2023-05-03', '2024-06-13T11:00Z..2024-06-14T11:00Z', '2024-06-15T11:00Z..2024-06-16T11:00Z'],
  ] as const)
    it(`moves ${comparedRange} as far as ${base} is stepped`, () => {
      assert.equal(stepped(comparedRange, base, -1), earlier);
      assert.equal(stepped(comparedRange, base, 1), later);
    });

  it('keeps the local time when the comparison is stepped across a clock change', () => {
    assert.equal(
      stepped('2023-03-25T04:00Z..2023-03-25T08:00Z', '2023-05-03', 1, 'Europe/Berlin'),
      '2023-03-26T03:00Z..2023-03-26T07:00Z',
    );
  });

  it('removes the comparison when the calendar has no such range, or when the range is in the future', () => {
    assert.equal(stepped('2023-01-29..2023-01-31', '2023-05', 1), undefined);
    assert.equal(stepped('2023-03-31T05:00Z..2023-04-01T00:00Z', '2023-05', 1), undefined);
    assert.equal(stepped('2024-02-29', '2023', -1), undefined);
    assert.equal(stepped('2024-06', '2023-05', 1), undefined);
    assert.equal(stepped('2022-05', 'no range', 1), undefined);
    assert.equal(stepped('no range', '2022-05', 1), undefined);
  });
});
