import assert from 'node:assert/strict';
import fc from 'fast-check';
import { analyse } from '../../../../src/core/analysis/analyse.ts';
import { formatEnglish } from '../../../../src/core/bins/binSums.ts';
import { listComparedSpans, minComparedValues, weeksBefore } from '../../../../src/core/events/findUnusual.ts';
import { sast } from '../../../../src/core/time/zone.ts';
import type { Analysis } from '../../../../src/shared/analysis.ts';
import { dayMs, hourMs, weekMs } from '../../../../src/shared/durations.ts';
import type { UnusualBin } from '../../../../src/shared/eventSearch.ts';
import { getText, type Frame } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { manyRuns } from '../../../support/manyRuns.ts';
import { sharedCells } from '../../../support/shared.ts';
import { frameOf, numberColumn, timeColumn, type Cell } from '../filter/columns.ts';

/** Instants in UTC milliseconds, and the value of the hour that begins then. */
type Hours = readonly (readonly [at: number, value: Cell])[];

const framed = (hours: Hours): Frame =>
  frameOf(
    timeColumn(
      'ts',
      hours.map(([at]) => at),
    ),
    numberColumn(
      'wind_mw',
      hours.map(([, value]) => value),
      power,
    ),
  );

interface Found {
  readonly start: string;
  readonly value: number;
  readonly usual: number;
  readonly difference: number;
  readonly rank: number;
  readonly of: number;
  readonly percentile: number;
  readonly reason: string;
}

interface Asked {
  readonly by: UnusualBin;
  readonly zone?: { readonly timeZone: string; readonly label: string };
  readonly analysis?: Analysis;
}

function unusual(hours: Hours, history: Hours, { by, zone = sast, analysis }: Asked) {
  const frame = framed(hours);
  const start = hours[0]?.[0] ?? NaN;
  const rows = { frame, history: framed(history), interval: '1h', step: hourMs, start, coverage: undefined, zone };
  const find = { rule: { kind: 'unusual', by }, column: 'wind_mw' } as const;
  const made = analyse(rows, { find, ...analysis }, { locale: 'en', say: formatEnglish });
  assert.deepEqual(made.problems, []);
  const cell = (name: string, row: number): number => {
    const column = made.frame.columns.find(one => one.name === name);
    return column?.kind === 'number' || column?.kind === 'time' ? (column.values[row] ?? NaN) : NaN;
  };
  const found = Array.from({ length: made.frame.rowCount }, (_, row): Found => {
    const reason = made.frame.columns.find(({ name }) => name === 'reason');
    const number = (name: string): number => cell(name, row);
    return {
      start: new Date(number('start')).toISOString(),
      value: number('wind_mw'),
      usual: number('usual'),
      difference: number('difference'),
      rank: number('rank'),
      of: number('of'),
      percentile: number('percentile'),
      reason: reason?.kind === 'text' ? getText(reason.texts, row) : '',
    };
  });
  return { found, unjudged: made.events?.unusual?.unjudged };
}

/** Creates hours from an instant on. */
const series = (from: number, count: number, valueAt: (at: number) => Cell): Hours =>
  Array.from({ length: count }, (_, hour) => [from + hour * hourMs, valueAt(from + hour * hourMs)] as const);

const monday = Date.parse('2026-11-16T00:00+02:00');

describe('unusual rows', () => {
  it('are ranked among the same hour of previous weeks, the furthest beyond them first, with the reason in words', () => {
    const history = series(monday - 8 * weekMs, 8 * 168, at => 1000 + 10 * Math.round((monday - at) / weekMs));
    // The first hour is within the previous ones, the second above all, the third below all, and the fourth as usual.
    const { found, unjudged } = unusual(
      series(monday, 4, at => [1075, 1500, 900, 1045][(at - monday) / hourMs]),
      history,
      { by: 'row' },
    );
    assert.equal(unjudged, 0);
    assert.deepEqual(found, [
      {
        start: '2026-11-15T23:00:00.000Z',
        value: 1500,
        usual: 1045,
        difference: 455,
        rank: 1,
        of: 9,
        percentile: 100,
        reason: 'Highest Monday 01:00 of 9: 455 MW above the typical 1,045 MW',
      },
      {
        start: '2026-11-16T00:00:00.000Z',
        value: 900,
        usual: 1045,
        difference: -145,
        rank: 9,
        of: 9,
        percentile: 0,
        reason: 'Lowest Monday 02:00 of 9: 145 MW below the typical 1,045 MW',
      },
      {
        start: '2026-11-15T22:00:00.000Z',
        value: 1075,
        usual: 1045,
        difference: 30,
        rank: 2,
        of: 9,
        percentile: 87.5,
        reason: 'Monday 00:00: 2 of 9, from the highest: 30 MW above the typical 1,045 MW',
      },
      {
        start: '2026-11-16T01:00:00.000Z',
        value: 1045,
        usual: 1045,
        difference: 0,
        rank: 5,
        of: 9,
        percentile: 50,
        reason: 'Monday 03:00: 5 of 9, from the highest: typical',
      },
    ]);
  });

  it('omits an hour without a value or with too few to compare with', () => {
    const history = series(monday - 8 * weekMs, 8 * 168, at => ((monday - at) / weekMs > 3 ? null : 5));
    const few = unusual(
      series(monday, 2, () => 7),
      history,
      { by: 'row' },
    );
    assert.deepEqual([few.found, few.unjudged], [[], 2], String(minComparedValues));
    const full = series(monday - 8 * weekMs, 8 * 168, () => 5);
    const { found, unjudged } = unusual(
      series(monday, 2, at => (at === monday ? null : 5)),
      full,
      { by: 'row' },
    );
    assert.deepEqual([found.length, unjudged], [1, 1]);
    assert.deepEqual(
      unusual(
        series(monday, 2, () => 7),
        [],
        { by: 'row' },
      ).unjudged,
      2,
      'no history',
    );
  });

  it('compares whole days, the first with hours from before the range, and not the one that is under way', () => {
    const noon = monday + 12 * hourMs;
    const history = series(monday - 8 * weekMs, 8 * 168 + 12, at => (at < monday ? 10 : 34));
    const { found, unjudged } = unusual(
      series(noon, 14, () => 10),
      history,
      { by: 'day' },
    );
    assert.deepEqual(
      found.map(({ start, value, reason }) => [start, value, reason]),
      [['2026-11-15T22:00:00.000Z', 22, 'Highest Monday of 9: 12 MW above the typical 10 MW']],
    );
    assert.equal(unjudged, 1);
  });

  it('compares weeks with weeks and months with the same months, since when only where every year between is known', () => {
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
    const whole = series(from, hours, at => means[new Date(at + 2 * hourMs).getUTCFullYear()]);
    const may = Date.UTC(2026, 4, 1) - 2 * hourMs;
    const at = (one: Hours, ...years: number[]): Hours =>
      one.filter(([ms]) => !years.includes(new Date(ms + 2 * hourMs).getUTCFullYear()));
    const rows = whole.filter(([ms]) => ms >= may);
    const before = whole.filter(([ms]) => ms < may);
    const reasons = (history: Hours) => unusual(rows, history, { by: 'month' }).found.map(({ reason }) => reason);
    assert.deepEqual(reasons(before), ['Lowest May since 2019: 23 MW below the typical 83 MW']);
    assert.deepEqual(reasons(at(before, 2021)), ['May: 6 of 7, from the highest: 23.5 MW below the typical 83.5 MW']);
    assert.deepEqual(reasons(at(before, 2019)), ['Lowest May of 7: 23.5 MW below the typical 83.5 MW']);
    const weeks = unusual(rows.slice(0, 24 * 14), before, { by: 'week' }).found;
    assert.ok(
      weeks.length > 0 && weeks.every(({ reason }) => /^(?:Highest|Lowest) week in 8 weeks|^week: /.test(reason)),
    );
  });

  it('claims previous weeks alone where an earlier year was beyond', () => {
    const year = 52 * weekMs;
    const history = [...series(monday - year, 24, () => 2000), ...series(monday - 8 * weekMs, 8 * 168, () => 1000)];
    const { found } = unusual(
      series(monday, 1, () => 1500),
      history,
      { by: 'row' },
    );
    assert.deepEqual(
      found.map(({ reason, of }) => [reason, of]),
      [['Highest Monday 00:00 in 8 weeks: 500 MW above the typical 1,000 MW', 10]],
    );
  });

  it('claims no weeks that are not known one after the other', () => {
    const known = [1, 2, 3, 8].flatMap(weeks => series(monday - weeks * weekMs, 1, () => 1000));
    const history = [...series(monday - 52 * weekMs, 1, () => 2000), ...known.toReversed()];
    const [first] = unusual(
      series(monday, 1, () => 1500),
      history,
      { by: 'row' },
    ).found;
    assert.equal(first?.reason, 'Monday 00:00: 2 of 6, from the highest: 500 MW above the typical 1,000 MW');
  });

  it('count an instant once, by its last row', () => {
    const history = series(monday - 8 * weekMs, 8 * 168, () => 1000);
    const twice: Hours = [
      [monday, 2000],
      [monday, 2500],
    ];
    assert.deepEqual(
      unusual(twice, history, { by: 'row' }).found.map(({ value }) => value),
      [2500],
    );
  });

  it('names a public holiday, and compares by the clocks of the zone', () => {
    const heritage = Date.parse('2026-09-24T00:00+02:00');
    const flat = series(heritage - 8 * weekMs, 8 * 168, () => 5);
    const [first] = unusual(
      series(heritage, 1, () => 4),
      flat,
      { by: 'row' },
    ).found;
    assert.equal(first?.reason, 'Lowest Thursday 00:00 of 9: 1 MW below the typical 5 MW; Heritage Day');
    // Clocks in Berlin went back on 25 October: eight o'clock is an hour later in UTC than in the previous weeks.
    const berlin = { timeZone: 'Europe/Berlin', label: 'Berlin' };
    const at = Date.parse('2026-10-26T08:00+01:00');
    const summer = series(at - 8 * weekMs - 24 * hourMs, 8 * 168, ms => new Date(ms).getUTCHours());
    assert.equal(
      unusual(
        series(at, 1, () => 6),
        summer,
        { by: 'row', zone: berlin },
      ).found[0]?.difference,
      0,
    );
    assert.equal(
      unusual(
        series(at, 1, () => 6),
        summer,
        { by: 'row' },
      ).found[0]?.difference,
      -1,
    );
  });

  it('are looked for in the rows that pass the filters, before resampling too', () => {
    const where = { ts: '17:00-20:00' };
    const history = series(monday - 8 * weekMs, 8 * 168, at => new Date(at + 2 * hourMs).getUTCHours());
    const rows = series(monday, 24, at => new Date(at + 2 * hourMs).getUTCHours());
    const ofDays = unusual(rows, history, { by: 'day', analysis: { where } }).found;
    assert.deepEqual(
      ofDays.map(({ value, difference }) => [value, difference]),
      [[18, 0]],
    );
    assert.equal(unusual(rows, history, { by: 'row', analysis: { where } }).found.length, 3);
    // Excluded rows still serve as comparison.
    const high = unusual(rows, history, { by: 'row', analysis: { where: { wind_mw: '>20' } } }).found;
    assert.deepEqual(
      high.map(({ value, of }) => [value, of]),
      [21, 22, 23].map(value => [value, 9]),
    );
  });

  it('are derived with the history: a rolling mean does not start afresh with the range', () => {
    const history = series(monday - 8 * weekMs, 8 * 168, () => 10);
    const analysis: Analysis = {
      derive: [{ name: 'smooth', formula: 'mean(wind_mw, 3h)' }],
      find: { rule: { kind: 'unusual', by: 'row' }, column: 'smooth' },
    };
    const frame = framed(series(monday, 1, () => 40));
    const rows = { frame, history: framed(history), interval: '1h', step: hourMs, start: monday, coverage: undefined };
    const made = analyse({ ...rows, zone: sast }, analysis, { locale: 'en', say: formatEnglish });
    const smooth = made.frame.columns.find(({ name }) => name === 'smooth');
    assert.deepEqual(smooth?.kind === 'number' && [...smooth.values], [20]);
  });

  it('are those of a model that looks up each hour by its wall clock', () => {
    const value = fc.option(fc.integer({ min: 0, max: 6 }), { freq: 6, nil: null });
    fc.assert(
      fc.property(fc.array(value, { minLength: 9 * 4, maxLength: 9 * 4 }), cells => {
        // Four hours of each of nine Mondays.
        const hours = cells.map(
          (cell, at) => [monday + (Math.floor(at / 4) - 8) * weekMs + (at % 4) * hourMs, cell] as const,
        );
        const { found, unjudged } = unusual(hours.slice(32), hours.slice(0, 32), { by: 'row' });
        const expected = hours.slice(32).flatMap(([at, cell], hour) => {
          const others = cells.slice(0, 32).filter((one, index): one is number => index % 4 === hour && one !== null);
          if (cell === null || others.length < minComparedValues) return [];
          const sorted = [...others].sort((a, b) => a - b);
          const median =
            ((sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN) +
              (sorted[Math.ceil((sorted.length - 1) / 2)] ?? NaN)) /
            2;
          const beyond = Math.max(0, cell - Math.max(...others), Math.min(...others) - cell);
          const rank = 1 + others.filter(one => one > cell).length;
          return [{ at, beyond, difference: cell - median, rank, of: others.length + 1 }];
        });
        expected.sort((a, b) => b.beyond - a.beyond || Math.abs(b.difference) - Math.abs(a.difference) || a.at - b.at);
        assert.deepEqual(
          found.map(({ start, difference, rank, of }) => [Date.parse(start), difference, rank, of]),
          expected.map(({ at, difference, rank, of }) => [at, difference, rank, of]),
        );
        assert.equal(unjudged, 4 - expected.length);
      }),
      { numRuns: manyRuns(300) },
    );
  });

  it('name the day of 2024 on which the country was on holiday, in real hours', function () {
    const real = sharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const place = real.heading.indexOf('Residual Demand');
    const hours = real.rows.map(([date = '', clock = '', ...cells]): Hours[number] => {
      const text = cells[place - 2] ?? '';
      return [Date.parse(`${date}T${clock}+02:00`), text === '' ? null : Number(text)];
    });
    const [from, until] = [Date.parse('2024-03-18T00:00+02:00'), Date.parse('2024-03-25T00:00+02:00')];
    const rows = hours.filter(([at]) => at >= from && at < until);
    const history = hours.filter(([at]) => at < from);
    const { found } = unusual(rows, history, { by: 'row' });
    assert.equal(found.length, 168);
    assert.deepEqual(
      found.slice(0, 2).map(({ start, value, usual, of, reason }) => ({ start, value, usual, of, reason })),
      [
        // The expected figures come from pandas.
        {
          start: '2024-03-21T04:00:00.000Z',
          value: 22826.102,
          usual: 25377.381,
          of: 12,
          reason: 'Lowest Thursday 06:00 of 12: 2,551 MW below the typical 25,377 MW; Human Rights Day',
        },
        {
          start: '2024-03-22T04:00:00.000Z',
          value: 23315.054,
          usual: 25864.534,
          of: 12,
          reason: 'Lowest Friday 06:00 of 12: 2,549 MW below the typical 25,865 MW',
        },
      ],
    );
  });

  it('need previous weeks and the same time of ten years, in spans that do not overlap', () => {
    const week = listComparedSpans({ start: monday, end: monday + weekMs });
    assert.equal(week.earlier.length, 10);
    assert.deepEqual(week.recent, { start: monday - (weeksBefore + 1) * weekMs, end: monday });
    for (const { start, end } of [
      { start: monday, end: monday + hourMs },
      { start: monday - 400 * dayMs, end: monday },
    ]) {
      const { earlier, recent } = listComparedSpans({ start, end });
      assert.deepEqual(recent, { start: start - (weeksBefore + 1) * weekMs, end: start }, 'never swallowed by a year');
      const spans = [...earlier, recent];
      assert.ok(spans.every((span, at) => span.start < span.end && span.start >= (spans[at - 1]?.end ?? -Infinity)));
      assert.ok(spans.every(span => span.end <= start && span.start % hourMs === 0));
    }
  });
});
