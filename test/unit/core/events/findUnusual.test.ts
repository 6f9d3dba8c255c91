import assert from 'node:assert/strict';
import fc from 'fast-check';
import { analyze } from '../../../../src/core/analysis/analyze.ts';
import { formatEnglish } from '../../../../src/core/bins/binSums.ts';
import { listComparedSpans, minComparedValues, weeksBefore } from '../../../../src/core/events/findUnusual.ts';
import { sast } from '../../../../src/core/time/zone.ts';
import type { Analysis } from '../../../../src/shared/analysis.ts';
import { dayMs, hourMs, weekMs } from '../../../../src/shared/durations.ts';
import type { UnusualBin } from '../../../../src/shared/eventSearch.ts';
import { getText, type Frame } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { createFrame, numberColumn, timeColumn, type Cell } from '../filter/columns.ts';

/** Instants in UTC milliseconds, and the value of the hour that begins then. */
type Hours = readonly (readonly [ms: number, value: Cell])[];

const buildFrame = (hours: Hours): Frame =>
  createFrame(
    timeColumn(
      'ts',
      hours.map(([ms]) => ms),
    ),
    numberColumn(
      'wind_mw',
      hours.map(([, value]) => value),
      power,
    ),
  );

interface UnusualRow {
  readonly start: string;
  readonly value: number;
  readonly typical: number;
  readonly difference: number;
  readonly rank: number;
  readonly comparedCount: number;
  readonly percentile: number;
  readonly reason: string;
}

interface SearchOptions {
  readonly by: UnusualBin;
  readonly zone?: { readonly timeZone: string; readonly label: string };
  readonly analysis?: Analysis;
}

function findUnusualRows(hours: Hours, history: Hours, { by, zone = sast, analysis }: SearchOptions) {
  const frame = buildFrame(hours);
  const start = hours[0]?.[0] ?? NaN;
  const rows = {
    frame,
    history: buildFrame(history),
    interval: '1h',
    intervalMs: hourMs,
    start,
    coverage: undefined,
    zone,
  };
  const find = { rule: { kind: 'unusual', by }, column: 'wind_mw' } as const;
  const analyzed = analyze(rows, { find, ...analysis }, { locale: 'en', translate: formatEnglish });
  assert.deepEqual(analyzed.problems, []);
  const readCell = (name: string, row: number): number => {
    const column = analyzed.frame.columns.find(candidate => candidate.name === name);
    return column?.kind === 'number' || column?.kind === 'time' ? (column.values[row] ?? NaN) : NaN;
  };
  const unusualRows = Array.from({ length: analyzed.frame.rowCount }, (_, row): UnusualRow => {
    const readText = analyzed.frame.columns.find(({ name }) => name === 'reason');
    const readNumber = (name: string): number => readCell(name, row);
    return {
      start: new Date(readNumber('start')).toISOString(),
      value: readNumber('wind_mw'),
      typical: readNumber('usual'),
      difference: readNumber('difference'),
      rank: readNumber('rank'),
      comparedCount: readNumber('of'),
      percentile: readNumber('percentile'),
      reason: readText?.kind === 'text' ? getText(readText.texts, row) : '',
    };
  });
  return { found: unusualRows, unrated: analyzed.events?.unusual?.unrated };
}

/** Creates hours from an instant on. */
const createHours = (from: number, count: number, valueAt: (ms: number) => Cell): Hours =>
  Array.from({ length: count }, (_, hour) => [from + hour * hourMs, valueAt(from + hour * hourMs)] as const);

const monday = Date.parse('2026-11-16T00:00+02:00');

describe('unusual rows', () => {
  it('ranks rows against the same hour of previous weeks, with the reason in words', () => {
    const history = createHours(monday - 8 * weekMs, 8 * 168, ms => 1000 + 10 * Math.round((monday - ms) / weekMs));
    // The first hour is within the range of the previous ones, the second above it, the third below it, and the fourth is typical.
    const { found, unrated } = findUnusualRows(
      createHours(monday, 4, ms => [1075, 1500, 900, 1045][(ms - monday) / hourMs]),
      history,
      { by: 'row' },
    );
    assert.equal(unrated, 0);
    assert.deepEqual(found, [
      {
        start: '2026-11-15T23:00:00.000Z',
        value: 1500,
        typical: 1045,
        difference: 455,
        rank: 1,
        comparedCount: 9,
        percentile: 100,
        reason: 'Highest Monday 01:00 of 9: 455 MW above the typical 1,045 MW',
      },
      {
        start: '2026-11-16T00:00:00.000Z',
        value: 900,
        typical: 1045,
        difference: -145,
        rank: 9,
        comparedCount: 9,
        percentile: 0,
        reason: 'Lowest Monday 02:00 of 9: 145 MW below the typical 1,045 MW',
      },
      {
        start: '2026-11-15T22:00:00.000Z',
        value: 1075,
        typical: 1045,
        difference: 30,
        rank: 2,
        comparedCount: 9,
        percentile: 87.5,
        reason: 'Monday 00:00: 2 of 9, from the highest: 30 MW above the typical 1,045 MW',
      },
      {
        start: '2026-11-16T01:00:00.000Z',
        value: 1045,
        typical: 1045,
        difference: 0,
        rank: 5,
        comparedCount: 9,
        percentile: 50,
        reason: 'Monday 03:00: 5 of 9, from the highest: typical',
      },
    ]);
  });

  it('excludes an hour without a value or with too few hours to compare with', () => {
    const history = createHours(monday - 8 * weekMs, 8 * 168, ms => ((monday - ms) / weekMs > 3 ? null : 5));
    const withFewWeeks = findUnusualRows(
      createHours(monday, 2, () => 7),
      history,
      { by: 'row' },
    );
    assert.deepEqual([withFewWeeks.found, withFewWeeks.unrated], [[], 2], String(minComparedValues));
    const completeHistory = createHours(monday - 8 * weekMs, 8 * 168, () => 5);
    const { found, unrated } = findUnusualRows(
      createHours(monday, 2, ms => (ms === monday ? null : 5)),
      completeHistory,
      { by: 'row' },
    );
    assert.deepEqual([found.length, unrated], [1, 1]);
    assert.deepEqual(
      findUnusualRows(
        createHours(monday, 2, () => 7),
        [],
        { by: 'row' },
      ).unrated,
      2,
      'no history',
    );
  });

  it('compares whole days, the first one with hours before the range, and excludes the incomplete day', () => {
    const noon = monday + 12 * hourMs;
    const history = createHours(monday - 8 * weekMs, 8 * 168 + 12, ms => (ms < monday ? 10 : 34));
    const { found, unrated } = findUnusualRows(
      createHours(noon, 14, () => 10),
      history,
      { by: 'day' },
    );
    assert.deepEqual(
      found.map(({ start, value, reason }) => [start, value, reason]),
      [['2026-11-15T22:00:00.000Z', 22, 'Highest Monday of 9: 12 MW above the typical 10 MW']],
    );
    assert.equal(unrated, 1);
  });

  it('compares weeks with weeks and months with the same months, and names a year only if all years since are known', () => {
    const from = Date.UTC(2019, 0, 1) - 2 * hourMs;
    const hours = (Date.UTC(2026, 5, 1) - Date.UTC(2019, 0, 1)) / hourMs;
    const means: Readonly<Record<number, number>> = {
      2019: 50,
      2020: 90,
      2021: 80,
      2022: 85,
      2023: 84,
      2024: 83,
      2025: 82,
      2026: 60,
    };
    const createYears = createHours(from, hours, ms => means[new Date(ms + 2 * hourMs).getUTCFullYear()]);
    const may = Date.UTC(2026, 4, 1) - 2 * hourMs;
    const selectYears = (list: Hours, ...years: number[]): Hours =>
      list.filter(([ms]) => !years.includes(new Date(ms + 2 * hourMs).getUTCFullYear()));
    const rows = createYears.filter(([ms]) => ms >= may);
    const earlierYears = createYears.filter(([ms]) => ms < may);
    const findReasons = (history: Hours) =>
      findUnusualRows(rows, history, { by: 'month' }).found.map(({ reason }) => reason);
    assert.deepEqual(findReasons(earlierYears), ['Lowest May since 2019: 23 MW below the typical 83 MW']);
    assert.deepEqual(findReasons(selectYears(earlierYears, 2021)), [
      'May: 6 of 7, from the highest: 23.5 MW below the typical 83.5 MW',
    ]);
    assert.deepEqual(findReasons(selectYears(earlierYears, 2019)), [
      'Lowest May of 7: 23.5 MW below the typical 83.5 MW',
    ]);
    const weeks = findUnusualRows(rows.slice(0, 24 * 14), earlierYears, { by: 'week' }).found;
    assert.ok(
      weeks.length > 0 && weeks.every(({ reason }) => /^(?:Highest|Lowest) week in 8 weeks|^week: /.test(reason)),
    );
  });

  it('names only the previous weeks if an earlier year exceeded the value', () => {
    const year = 52 * weekMs;
    const history = [
      ...createHours(monday - year, 24, () => 2000),
      ...createHours(monday - 8 * weekMs, 8 * 168, () => 1000),
    ];
    const { found } = findUnusualRows(
      createHours(monday, 1, () => 1500),
      history,
      { by: 'row' },
    );
    assert.deepEqual(
      found.map(({ reason, comparedCount }) => [reason, comparedCount]),
      [['Highest Monday 00:00 in 8 weeks: 500 MW above the typical 1,000 MW', 10]],
    );
  });

  it('names no number of weeks if one of them is unknown', () => {
    const weeksWithGap = [1, 2, 3, 8].flatMap(weeks => createHours(monday - weeks * weekMs, 1, () => 1000));
    const history = [...createHours(monday - 52 * weekMs, 1, () => 2000), ...weeksWithGap.toReversed()];
    const [first] = findUnusualRows(
      createHours(monday, 1, () => 1500),
      history,
      { by: 'row' },
    ).found;
    assert.equal(first?.reason, 'Monday 00:00: 2 of 6, from the highest: 500 MW above the typical 1,000 MW');
  });

  it('counts an instant once, by its last row', () => {
    const history = createHours(monday - 8 * weekMs, 8 * 168, () => 1000);
    const withDuplicate: Hours = [
      [monday, 2000],
      [monday, 2500],
    ];
    assert.deepEqual(
      findUnusualRows(withDuplicate, history, { by: 'row' }).found.map(({ value }) => value),
      [2500],
    );
  });

  it('names a public holiday, and compares by the local time of the zone', () => {
    const heritage = Date.parse('2026-09-24T00:00+02:00');
    const flat = createHours(heritage - 8 * weekMs, 8 * 168, () => 5);
    const [first] = findUnusualRows(
      createHours(heritage, 1, () => 4),
      flat,
      { by: 'row' },
    ).found;
    assert.equal(first?.reason, 'Lowest Thursday 00:00 of 9: 1 MW below the typical 5 MW; Heritage Day');
    // Clocks in Berlin went back on 25 October, so that 8:00 is an hour later in UTC than in the previous weeks.
    const berlin = { timeZone: 'Europe/Berlin', label: 'Berlin' };
    const start = Date.parse('2026-10-26T08:00+01:00');
    const summer = createHours(start - 8 * weekMs - 24 * hourMs, 8 * 168, ms => new Date(ms).getUTCHours());
    assert.equal(
      findUnusualRows(
        createHours(start, 1, () => 6),
        summer,
        { by: 'row', zone: berlin },
      ).found[0]?.difference,
      0,
    );
    assert.equal(
      findUnusualRows(
        createHours(start, 1, () => 6),
        summer,
        { by: 'row' },
      ).found[0]?.difference,
      -1,
    );
  });

  it('searches the rows that pass the filters, also before resampling', () => {
    const filters = { ts: '17:00-20:00' };
    const history = createHours(monday - 8 * weekMs, 8 * 168, ms => new Date(ms + 2 * hourMs).getUTCHours());
    const rows = createHours(monday, 24, ms => new Date(ms + 2 * hourMs).getUTCHours());
    const unusualDays = findUnusualRows(rows, history, { by: 'day', analysis: { where: filters } }).found;
    assert.deepEqual(
      unusualDays.map(({ value, difference }) => [value, difference]),
      [[18, 0]],
    );
    assert.equal(findUnusualRows(rows, history, { by: 'row', analysis: { where: filters } }).found.length, 3);
    // Excluded rows are still compared with.
    const high = findUnusualRows(rows, history, { by: 'row', analysis: { where: { wind_mw: '>20' } } }).found;
    assert.deepEqual(
      high.map(({ value, comparedCount }) => [value, comparedCount]),
      [21, 22, 23].map(value => [value, 9]),
    );
  });

  it('derives columns over the history, so that a rolling mean is complete from the start of the range', () => {
    const history = createHours(monday - 8 * weekMs, 8 * 168, () => 10);
    const analysis: Analysis = {
      derive: [{ name: 'smooth', formula: 'mean(wind_mw, 3h)' }],
      find: { rule: { kind: 'unusual', by: 'row' }, column: 'smooth' },
    };
    const frame = buildFrame(createHours(monday, 1, () => 40));
    const rows = {
      frame,
      history: buildFrame(history),
      interval: '1h',
      intervalMs: hourMs,
      start: monday,
      coverage: undefined,
    };
    const analyzed = analyze({ ...rows, zone: sast }, analysis, { locale: 'en', translate: formatEnglish });
    const smooth = analyzed.frame.columns.find(({ name }) => name === 'smooth');
    assert.deepEqual(smooth?.kind === 'number' && [...smooth.values], [20]);
  });

  it('matches a model that looks up each hour by its local time', () => {
    const value = fc.option(fc.integer({ min: 0, max: 6 }), { freq: 6, nil: null });
    fc.assert(
      fc.property(fc.array(value, { minLength: 9 * 4, maxLength: 9 * 4 }), cells => {
        // Four hours of each of nine Mondays.
        const hours = cells.map(
          (cell, index) => [monday + (Math.floor(index / 4) - 8) * weekMs + (index % 4) * hourMs, cell] as const,
        );
        const { found, unrated } = findUnusualRows(hours.slice(32), hours.slice(0, 32), { by: 'row' });
        const expected = hours.slice(32).flatMap(([ms, cell], hour) => {
          const comparedValues = cells
            .slice(0, 32)
            .filter((candidate, index): candidate is number => index % 4 === hour && candidate !== null);
          if (cell === null || comparedValues.length < minComparedValues) return [];
          const sorted = [...comparedValues].sort((a, b) => a - b);
          const median =
            ((sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN) +
              (sorted[Math.ceil((sorted.length - 1) / 2)] ?? NaN)) /
            2;
          const beyond = Math.max(0, cell - Math.max(...comparedValues), Math.min(...comparedValues) - cell);
          const rank = 1 + comparedValues.filter(candidate => candidate > cell).length;
          return [{ at: ms, beyond, difference: cell - median, rank, of: comparedValues.length + 1 }];
        });
        expected.sort((a, b) => b.beyond - a.beyond || Math.abs(b.difference) - Math.abs(a.difference) || a.at - b.at);
        assert.deepEqual(
          found.map(({ start, difference, rank, comparedCount }) => [
            Date.parse(start),
            difference,
            rank,
            comparedCount,
          ]),
          expected.map(({ at, difference, rank, of }) => [at, difference, rank, of]),
        );
        assert.equal(unrated, 4 - expected.length);
      }),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('finds the public holiday of 2024 in real hours', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const column = real.heading.indexOf('Residual Demand');
    const hours = real.rows.map(([date = '', clock = '', ...cells]): Hours[number] => {
      const text = cells[column - 2] ?? '';
      return [Date.parse(`${date}T${clock}+02:00`), text === '' ? null : Number(text)];
    });
    const from = Date.parse('2024-03-18T00:00+02:00');
    const until = Date.parse('2024-03-25T00:00+02:00');
    const rows = hours.filter(([ms]) => ms >= from && ms < until);
    const history = hours.filter(([ms]) => ms < from);
    const { found } = findUnusualRows(rows, history, { by: 'row' });
    assert.equal(found.length, 168);
    assert.deepEqual(
      found
        .slice(0, 2)
        .map(({ start, value, typical, comparedCount, reason }) => ({ start, value, typical, comparedCount, reason })),
      [
        // The expected figures were computed with pandas.
        {
          start: '2024-03-21T04:00:00.000Z',
          value: 22826.102,
          typical: 25377.381,
          comparedCount: 12,
          reason: 'Lowest Thursday 06:00 of 12: 2,551 MW below the typical 25,377 MW; Human Rights Day',
        },
        {
          start: '2024-03-22T04:00:00.000Z',
          value: 23315.054,
          typical: 25864.534,
          comparedCount: 12,
          reason: 'Lowest Friday 06:00 of 12: 2,549 MW below the typical 25,865 MW',
        },
      ],
    );
  });

  it('requires previous weeks and the same time in ten years, in ranges that do not overlap', () => {
    const week = listComparedSpans({ start: monday, end: monday + weekMs });
    assert.equal(week.earlier.length, 10);
    assert.deepEqual(week.recent, { start: monday - (weeksBefore + 1) * weekMs, end: monday });
    for (const { start, end } of [
      { start: monday, end: monday + hourMs },
      { start: monday - 400 * dayMs, end: monday },
    ]) {
      const { earlier, recent } = listComparedSpans({ start, end });
      assert.deepEqual(
        recent,
        { start: start - (weeksBefore + 1) * weekMs, end: start },
        'the recent weeks stay separate from earlier years',
      );
      const spans = [...earlier, recent];
      assert.ok(
        spans.every((span, index) => span.start < span.end && span.start >= (spans[index - 1]?.end ?? -Infinity)),
      );
      assert.ok(spans.every(span => span.end <= start && span.start % hourMs === 0));
    }
  });
});
