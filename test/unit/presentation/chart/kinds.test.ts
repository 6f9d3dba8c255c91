import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { computeRegression } from '../../../../src/presentation/chart/kinds/scatter.ts';
import { computeWindowFigures } from '../../../../src/presentation/chart/windowFigures.ts';
import { withCellRow } from '../../../../src/presentation/chart/kinds/heatmap.ts';
import { intervalState } from '../../../../src/shared/result.ts';
import type { ChartModel } from '../../../../src/presentation/chart/chartModel.ts';
import { describePoint } from '../../../../src/presentation/chart/readout.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import type { Plot } from '../../../../src/presentation/chart/plot.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { berlin, dayMs, createFrame, hourMs, numbers, createPlot, sast, start, utc } from './chartWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

type Cell = number | null;
interface Row {
  readonly instant: number;
  readonly value: Cell;
}

/** Two weeks around the end of summer time in Berlin, with holes and nulls, and years far apart. */
const autumn = Date.UTC(2025, 9, 20);
const starts = [autumn, Date.UTC(2024, 1, 26), Date.UTC(2023, 11, 29)];
const hours = fc
  .tuple(
    fc.constantFrom(...starts),
    fc.array(fc.option(fc.integer({ min: -500, max: 500 }), { freq: 6 }), { minLength: 30, maxLength: 400 }),
    fc.integer({ min: 2, max: 40 }),
  )
  .map(([start, cells, hole]) =>
    cells
      .map((value, index): Row => ({ instant: start + index * hourMs, value }))
      .filter((_, index) => index % hole !== 1),
  );
const zones = fc.constantFrom(utc, sast, berlin, { timeZone: 'America/St_Johns', label: 'NST' });

function createModePlot(mode: string, rows: readonly Row[], zone = utc, picked: Record<string, string> = {}): Plot {
  const frame = createFrame(
    [
      numbers(
        'wind_mw',
        rows.map(({ value }) => value),
      ),
    ],
    rows.map(({ instant }) => instant),
  );
  return createPlot(frame, { mode, picked }, { zone, minCoverage: 0.75 });
}

/** Returns the local time of a row, computed by Temporal. */
function getClock({ instant }: Row, timeZone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();
}

const listKnown = (rows: readonly Row[]): (Row & { value: number })[] =>
  rows.filter((row): row is Row & { value: number } => row.value !== null);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const assertNear = (actual: number | undefined, expected: number): void =>
  assert.ok(
    Object.is(actual, expected) || Math.abs((actual ?? NaN) - expected) < 1e-9 * Math.max(1, Math.abs(expected)),
    `${actual} ${expected}`,
  );

describe('the heatmap', () => {
  const check = (rows: readonly Row[], zone: typeof utc): void => {
    for (const across of ['days', 'monthOfYear', 'weekday']) {
      const plot = createModePlot('heatmap', rows, zone, { 'heatmap.across': across });
      const getPositionName = (row: Row): string => {
        const clock = getClock(row, zone.timeZone);
        if (across === 'weekday') return String(clock.dayOfWeek - 1);
        return across === 'monthOfYear' ? String(clock.month - 1) : clock.toPlainDate().toString();
      };
      const cells = Map.groupBy(listKnown(rows), row => `${getPositionName(row)} ${getClock(row, zone.timeZone).hour}`);
      let filledCount = 0;
      plot.timeline.x.forEach((x, position) => {
        const name = across === 'days' ? getPositionName({ instant: x, value: null }) : String(position);
        for (let hour = 0; hour < 24; hour++) {
          const members = cells.get(`${name} ${hour}`);
          assertNear(plot.cells?.values[position * 24 + hour], members ? mean(members.map(({ value }) => value)) : NaN);
          filledCount += Number(members !== undefined);
        }
      });
      assert.equal(filledCount, cells.size, 'number of cells with a value');
      checkHours(plot, rows, zone, across === 'days' ? undefined : getPositionName);
    }
  };

  /** Checks the number of hours in each cell, over all hours from the first row to the last. */
  const checkHours = (
    plot: Plot,
    rows: readonly Row[],
    zone: typeof utc,
    getPositionName?: (row: Row) => string,
  ): void => {
    const { hours: counted, fewHours } = plot.cells ?? {};
    assert.equal(counted !== undefined, getPositionName !== undefined, 'only cells of several hours count their hours');
    if (!counted || !getPositionName) return;
    const first = rows[0]?.instant ?? 0;
    const last = rows.at(-1)?.instant ?? 0;
    const allRows = Array.from({ length: (last - first) / hourMs + 1 }, (_, index): Row => ({
      instant: first + index * hourMs,
      value: 0,
    }));
    const getCellName = (row: Row): string => `${getPositionName(row)} ${getClock(row, zone.timeZone).hour}`;
    const expected = Map.groupBy(allRows, getCellName);
    const actual = Map.groupBy(listKnown(rows), getCellName);
    plot.timeline.x.forEach((_, position) => {
      for (let hour = 0; hour < 24; hour++) {
        const name = `${position} ${hour}`;
        const cell = position * 24 + hour;
        const knownCount = actual.get(name)?.length ?? 0;
        const totalCount = expected.get(name)?.length ?? 0;
        assert.deepEqual([counted.known[cell], counted.total[cell]], [knownCount, totalCount]);
        assert.equal(fewHours?.[cell], Number(knownCount > 0 && knownCount < totalCount * 0.75));
      }
    });
  };

  it('shows the mean of each hour of the day by day, month and weekday of the zone, and leaves other cells empty', () => {
    fc.assert(fc.property(hours, zones, check), { numRuns: scaleRunCount(60) });
  });

  it('shows the hours of real months in the correct cells', function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const column = real.heading.findIndex(name => /residual demand/i.test(name));
    const rows = real.rows.slice(0, 2500).map((cells, index): Row => {
      const text = cells[Math.max(1, column)] ?? '';
      return { instant: Date.UTC(2022, 5, 1) + index * hourMs, value: text === '' ? null : Math.round(Number(text)) };
    });
    check(rows, sast);
  });

  it('fills the cells of all hours that a row covers', () => {
    // The rows are three hours long, over two days.
    const instants = Array.from({ length: 16 }, (_, index) => start + index * 3 * hourMs);
    const frame = createFrame([numbers('wind_mw', [...instants.keys()])], instants);
    for (const across of ['days', 'weekday']) {
      const plot = createPlot(
        frame,
        { mode: 'heatmap', picked: { 'heatmap.across': across } },
        { intervalMs: 3 * hourMs },
      );
      const filled = [...(plot.cells?.values ?? [])].filter(value => !Number.isNaN(value));
      assert.deepEqual(
        filled,
        [...instants.keys()].flatMap(row => [row, row, row]),
      );
      assert.equal(
        plot.cells?.hours?.known.reduce((sum, hours) => sum + hours, 0),
        48,
      );
      if (across === 'days') assert.equal([...computeWindowFigures(plot, plot.domain).values()][0]?.energy, 120 * 3);
    }
  });

  it('counts the published hours that pass the filters, and marks cells with too few', () => {
    // The range has 40 days from 1 May: 16 have rows, and the last two are not published yet.
    const rows = Array.from({ length: 16 * 24 }, (_, hour) => hour);
    const frame = createFrame(
      [numbers('wind_mw', rows)],
      rows.map(hour => start + hour * hourMs),
    );
    const states = new Uint8Array(42 * 24).fill(intervalState.missing);
    states.fill(intervalState.present, 0, rows.length).fill(intervalState.notPublished, 40 * 24);
    const coverage = { expected: states.length, states } as unknown as ChartModel['coverage'];
    const options = { mode: 'heatmap', picked: { 'heatmap.across': 'monthOfYear' } };
    const plot = createPlot(frame, options, { minCoverage: 0.75, start, coverage });
    const may = 4;
    const june = 5;
    const countHours = ({ cells }: Plot, month: number) => [
      cells?.hours?.known[month * 24 + 12],
      cells?.hours?.total[month * 24 + 12],
    ];
    assert.deepEqual(
      [countHours(plot, may), countHours(plot, june)],
      [
        [16, 31],
        [0, 9],
      ],
    );
    assert.equal(new PlotFormatter(plot, 'en').formatPointTime(may), 'May, 12:00, 16 of 31 hours');
    assert.match(describePoint(plot, new PlotFormatter(plot, 'en'), may), /, Few hours$/);
    assert.match(plot.caption ?? '', /Cells with a mark have data for less than 75 % of their hours\.$/);
    // Half of the rows are filtered out.
    const everySecondDay = Uint32Array.from(rows.filter(row => Math.floor(row / 24) % 2));
    const filtered = createPlot(frame, options, { minCoverage: 0.75, start, coverage, rows: everySecondDay });
    assert.deepEqual(countHours(filtered, may), [8, 31 - 8]);
  });

  it('describes the cell at the crosshair, and moves the crosshair by rows', () => {
    const rows = Array.from({ length: 48 }, (_, hour): Row => ({ instant: autumn + hour * hourMs, value: hour }));
    const plot = createModePlot('heatmap', rows);
    assert.deepEqual(Array.from(withCellRow(plot, 5).layers[0]?.values ?? []), [5, 29]);
    assert.equal(withCellRow(plot, 99).cells?.row, 23);
    assert.equal(withCellRow(plot, -1).cells?.row, 0);
  });
});

describe('the overlay', () => {
  it('draws each day, week or year on a common axis, the first of a repeated hour, and their mean', () => {
    fc.assert(
      fc.property(hours, zones, fc.constantFrom('day', 'week', 'year'), (rows, zone, period) => {
        const plot = createModePlot('overlay', rows, zone, { 'overlay.period': period });
        const lines = new Map<string, Map<number, number>>();
        for (const row of listKnown(rows)) {
          const clock = getClock(row, zone.timeZone);
          const time = (clock.hour * 60 + clock.minute) * 60_000;
          const monday = clock.toPlainDate().subtract({ days: clock.dayOfWeek - 1 });
          const dayOfLeapYear =
            Temporal.PlainDate.from({ year: 2000, month: clock.month, day: clock.day }).dayOfYear - 1;
          const [name, position] = {
            day: [clock.toPlainDate().toString(), time] as const,
            week: [monday.toString(), (clock.dayOfWeek - 1) * dayMs + time] as const,
            year: [`${clock.year}-01-01`, dayOfLeapYear * dayMs + time] as const,
          }[period];
          const line = lines.get(name) ?? new Map<number, number>();
          lines.set(name, line);
          const point = Math.floor(position / hourMs);
          if (!line.has(point)) line.set(point, row.value);
          // In zones with a half-hour offset, hours begin at half past.
          assert.equal((plot.timeline.x[point] ?? NaN) % hourMs, time % hourMs);
        }
        const latest = [...lines].sort(([a], [b]) => a.localeCompare(b)).slice(-12);
        assert.deepEqual(
          plot.layers.map(({ column }) => column),
          ['mean', ...latest.map(([name]) => `wind_mw:${name}`)],
        );
        for (const [index, [, line]] of latest.entries()) {
          const values = plot.layers[index + 1]?.values ?? [];
          values.forEach((value, position) => assertNear(value, line.get(position) ?? NaN));
          assert.ok([...line.keys()].every(position => position < values.length));
        }
        plot.layers[0]?.values.forEach((value, position) => {
          const knownValues = [...lines.values()].flatMap(line => line.get(position) ?? []);
          assertNear(value, knownValues.length > 0 ? mean(knownValues) : NaN);
        });
      }),
      { numRuns: scaleRunCount(60) },
    );
  });
});

describe('the range of an overlay', () => {
  for (const [period, expectedText] of [
    ['day', '00:00 UTC to 24:00 UTC'],
    ['week', 'Monday 00:00 UTC to Sunday 24:00 UTC'],
    ['year', '01 Jan 00:00 UTC to 31 Dec 24:00 UTC'],
  ] as const)
    it(`ends with its last day: ${period}`, () => {
      const wind = numbers('wind_mw', [1, 2, 3]);
      const plot = createPlot(createFrame([wind]), { mode: 'overlay', picked: { 'overlay.period': period } });
      assert.equal(plot.axis?.formatRange(plot.domain), expectedText);
    });
});

describe('the chart of duration curves', () => {
  it('shows the value that is reached or exceeded during each share of the time', () => {
    fc.assert(
      fc.property(hours, rows => {
        const values = listKnown(rows).map(({ value }) => value);
        const plot = createModePlot('duration', rows);
        assert.equal(plot.layers.length, 1);
        const { x } = plot.timeline;
        plot.layers[0]?.values.forEach((value, point) => {
          if (values.length === 0) {
            assert.ok(Number.isNaN(value));
            return;
          }
          // All values before this point are at least as large.
          const earlierCount = Math.round(((x[point] ?? 0) / 100) * x.length);
          assert.ok(values.filter(otherValue => otherValue > value).length <= earlierCount);
          assert.ok(values.filter(otherValue => otherValue >= value).length > earlierCount);
        });
        assert.equal(x.length, Math.max(1, values.length));
        assert.deepEqual(plot.domain, { start: 0, end: 100 });
      }),
    );
  });

  it('draws one curve for each calendar year of the zone', () => {
    const rows = [-3, -2, -1, 0, 1].map((hour): Row => ({ instant: Date.UTC(2024, 0) + hour * hourMs, value: hour }));
    const values = (zone: typeof utc) =>
      createModePlot('duration', rows, zone, { 'duration.by': 'years' }).layers.map(({ label, values }) => [
        label,
        [...values],
      ]);
    assert.deepEqual(values(utc), [
      ['2023', [-1, -2, -3]],
      ['2024', [1, 1, 0]],
    ]);
    assert.deepEqual(
      values(sast).map(([label]) => label),
      ['2023', '2024'],
    );
    assert.deepEqual(values(sast)[0]?.[1], [-3, -3, -3, -3]);
  });
});

describe('the scatter', () => {
  it('draws the rows that have both values, sorted by the first value', () => {
    const frame = createFrame([numbers('wind_mw', [3, 1, null, 2]), numbers('pv_mw', [30, null, 5, 20])]);
    const plot = createPlot(frame, { mode: 'scatter', picked: { 'scatter.x': 'wind_mw', 'scatter.y': 'pv_mw' } });
    assert.deepEqual([...plot.timeline.x], [2, 3]);
    assert.deepEqual([...(plot.layers[0]?.values ?? [])], [20, 30]);
    // The description includes the time, so that an outlier can be found.
    assert.equal(
      describePoint(plot, new PlotFormatter(plot, 'en'), 0).split(':').slice(0, 2).join(':'),
      '01 May 03:00 UTC, Wind 2 MW',
    );
    assert.match(plot.caption ?? '', /PV, MW = 0 \+ 10 × Wind, MW; r² = 1.000, least squares over 2 rows/);
  });

  it('fits the same least-squares line as exact fractions', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -999, max: 999 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(points, fc.constantFrom(0, 30_000_000), (pairs, shift) => {
        const sum = (getTerm: (x: bigint, y: bigint) => bigint): bigint =>
          pairs.reduce((total, [x, y]) => total + getTerm(BigInt(x), BigInt(y)), 0n);
        const n = BigInt(pairs.length);
        const x = sum(x => x);
        const y = sum((_, y) => y);
        const xx = n * sum(x => x * x) - x * x;
        const yy = n * sum((_, y) => y * y) - y * y;
        const xy = n * sum((x, y) => x * y) - x * y;
        const fit = computeRegression(
          Float64Array.from(pairs, ([x]) => x + shift),
          Float64Array.from(pairs, ([, y]) => y),
        );
        if (xx <= 0n || yy <= 0n) {
          assert.equal(fit, undefined);
          return;
        }
        const slope = Number(xy) / Number(xx);
        assert.ok(Math.abs((fit?.slope ?? NaN) - slope) < 1e-6 * Math.max(1, Math.abs(slope)));
        assert.ok(Math.abs((fit?.rSquared ?? NaN) - Number(xy * xy) / Number(xx * yy)) < 1e-6);
      }),
    );
  });
});

describe('the chart of forecast errors', () => {
  it('shades the band between the quantiles, which has no energy in the legend', () => {
    const columns = [numbers('residual_demand_mw', [5, 7, 9]), numbers('residual_forecast_mw', [6, 6, 6])];
    const listLayers = (hidden: readonly string[]) =>
      createPlot(createFrame(columns), { mode: 'error', hidden: [...hidden] }).layers;
    const [lower, upper, error] = listLayers([]);
    assert.deepEqual(lower?.edges, [lower?.values, upper?.values]);
    assert.deepEqual(
      [lower, upper, error].map(layer => layer?.hasEnergy),
      [false, false, true],
    );
    assert.deepEqual(listLayers(['p95'])[0]?.edges.length, 1);
  });

  it('keeps the digits of small numbers without the noise of binary fractions', () => {
    const columns = [numbers('a', [0.3, 4e-8]), numbers('b', [0.1, 1e-8])];
    const picked = { 'error.actual': 'a', 'error.forecast': 'b' };
    const error = createPlot(createFrame(columns), { mode: 'error', picked }).layers[2];
    assert.deepEqual([...(error?.values ?? [])], [0.2, 3e-8]);
  });

  it('draws actual minus forecast, with the quantiles of the same hour of the day', () => {
    fc.assert(
      fc.property(
        hours,
        zones,
        fc.array(fc.option(fc.integer({ min: -500, max: 500 }), { freq: 9 }), { minLength: 400, maxLength: 400 }),
        (rows, zone, forecasts) => {
          const actual = numbers(
            'residual_demand_mw',
            rows.map(({ value }) => value),
          );
          const forecast = numbers('residual_forecast_mw', forecasts.slice(0, rows.length));
          const plot = createPlot(
            createFrame(
              [actual, forecast],
              rows.map(({ instant }) => instant),
            ),
            { mode: 'error' },
            { zone },
          );
          const errors = rows.map(({ value }, row) => {
            const otherValue = forecasts[row] ?? null;
            return value === null || otherValue === null ? null : value - otherValue;
          });
          const quantileAt = (instant: number, share: number): number => {
            const hour = getClock({ instant, value: null }, zone.timeZone).hour;
            const errorsOfHour = rows.flatMap((row, index) =>
              getClock(row, zone.timeZone).hour === hour ? (errors[index] ?? []) : [],
            );
            const sortedErrors = errorsOfHour.sort((a, b) => a - b);
            const position = (sortedErrors.length - 1) * share;
            const low = sortedErrors[Math.floor(position)] ?? NaN;
            const high = sortedErrors[Math.ceil(position)] ?? low;
            return low + (high - low) * (position - Math.floor(position));
          };
          const [p5, p95, error] = plot.layers.map(({ values }) => values);
          const { x, rows: plotRows } = plot.timeline;
          x.forEach((instant, point) => {
            const row = plotRows ? (plotRows[point] ?? -1) : point;
            const expected = row < 0 ? null : (errors[row] ?? null);
            assertNear(error?.[point], expected ?? NaN);
            assertNear(p5?.[point], expected === null ? NaN : quantileAt(instant, 0.05));
            assertNear(p95?.[point], expected === null ? NaN : quantileAt(instant, 0.95));
          });
        },
      ),
      { numRuns: 30 },
    );
  });
});
