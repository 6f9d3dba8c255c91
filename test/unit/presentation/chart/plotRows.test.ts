import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { cellState, getCellState, getText, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { hourCount, unitOf } from '../../../../src/shared/units.ts';
import type { ChartModel, ChartOptions, TimeWindow } from '../../../../src/presentation/chart/chartModel.ts';
import { tabulatePlot } from '../../../../src/presentation/chart/plotRows.ts';
import { berlin, createFrame, hourMs, numbers, createPlot, sast, start, utc } from './chartWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

type Cell = number | null;
interface Row {
  readonly instant: number;
  readonly demand: Cell;
  readonly wind: Cell;
}
/** A cell for comparison: a number or an instant, a text, "null" or "absent". */
type CellText = number | string;

const cell = fc.option(fc.integer({ min: -500, max: 500 }), { freq: 6 });
/** Hours around the end of summer time in Berlin, with holes and nulls. */
const hours = fc
  .tuple(fc.array(fc.tuple(cell, cell), { minLength: 30, maxLength: 300 }), fc.integer({ min: 2, max: 40 }))
  .map(([cells, hole]) =>
    cells
      .map(([demand, wind], index): Row => ({ instant: Date.UTC(2025, 9, 20) + index * hourMs, demand, wind }))
      .filter((_, index) => index % hole !== 1),
  );
const zones = fc.constantFrom(utc, sast, berlin);

function createColumns(rows: readonly Row[]): NumberColumn[] {
  return [
    numbers(
      'residual_demand_mw',
      rows.map(({ demand }) => demand),
    ),
    numbers(
      'wind_mw',
      rows.map(({ wind }) => wind),
    ),
  ];
}

const buildFrame = (rows: readonly Row[]): Frame =>
  createFrame(
    createColumns(rows),
    rows.map(({ instant }) => instant),
  );

function tabulate(frame: Frame, options: Partial<ChartOptions>, model: Partial<ChartModel> = {}, window?: TimeWindow) {
  const plot = createPlot(frame, options, model);
  const table = tabulatePlot(plot, frame, window ?? plot.domain);
  const readRow = (row: number): CellText[] =>
    table.columns.map(column => {
      if (getCellState(column, row) !== cellState.value)
        return getCellState(column, row) === cellState.null ? 'null' : 'absent';
      if (column.kind === 'text') return getText(column.texts, row);
      return column.kind === 'nested' ? '' : (column.values[row] ?? NaN);
    });
  const names = table.columns.map(({ name }) => name);
  return { table, names, rows: Array.from({ length: table.rowCount }, (_, row) => readRow(row)) };
}

const formatCell = (value: Cell | undefined): CellText => value ?? 'null';
const getClock = (instant: number, timeZone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function assertNear(actual: readonly (readonly CellText[])[], expected: readonly (readonly CellText[])[]): void {
  assert.equal(actual.length, expected.length);
  const isNear = (first: CellText | undefined, second: CellText): boolean =>
    first === second || (typeof first === 'number' && typeof second === 'number' && Math.abs(first - second) < 1e-6);
  actual.forEach((row, index) =>
    assert.ok(
      expected[index]?.every((expectedCell, column) => isNear(row[column], expectedCell)),
      `row ${index}: ${row.join()}`,
    ),
  );
}

describe('the table of a chart', () => {
  it('has the exact numbers and gaps of the visible series in the window', () => {
    fc.assert(
      fc.property(hours, fc.nat(400), fc.nat(400), (rows, from, length) => {
        const window = {
          start: (rows[0]?.instant ?? 0) + from * hourMs,
          end: (rows[0]?.instant ?? 0) + (from + length) * hourMs,
        };
        const rowsInWindow = rows.filter(({ instant }) => instant >= window.start && instant <= window.end);
        const tabulated = tabulate(buildFrame(rows), {}, {}, window);
        assert.deepEqual(tabulated.names, ['ts', 'residual_demand_mw', 'wind_mw']);
        assert.deepEqual(
          tabulated.rows,
          rowsInWindow.map(({ instant, demand, wind }) => [instant, formatCell(demand), formatCell(wind)]),
        );
        const visibleOnly = tabulate(buildFrame(rows), { hidden: ['residual_demand_mw'] }, {}, window);
        assert.deepEqual(
          visibleOnly.rows,
          rowsInWindow.map(({ instant, wind }) => [instant, formatCell(wind)]),
        );
        const [, demand] = tabulated.table.columns;
        assert.equal(unitOf(demand?.field).mwhPerHour, 1, 'a power column has energy');
      }),
      { numRuns: scaleRunCount(60) },
    );
  });

  it('has only the filtered rows, with an absent field as absent', () => {
    const rows = [1, 2, 3, 4].map((value, index): Row => ({
      instant: start + index * hourMs,
      demand: value,
      wind: value,
    }));
    const frame = buildFrame(rows);
    const [time, demand, wind] = frame.columns as [Frame['columns'][0], NumberColumn, NumberColumn];
    const absent = { ...wind, gaps: Uint8Array.of(0, cellState.absent, 0, 0) };
    const model = { rows: Uint32Array.of(3, 1) };
    const { rows: actual } = tabulate({ ...frame, columns: [time, demand, absent] }, {}, model);
    assert.deepEqual(actual, [
      [start + hourMs, 2, 'absent'],
      [start + 3 * hourMs, 4, 4],
    ]);
  });

  it('includes values that a logarithmic axis cannot show', () => {
    const { rows } = tabulate(createFrame([numbers('wind_mw', [-5, 0, 10])]), { picked: { 'lines.scale': 'log' } });
    assert.deepEqual(
      rows.map(([, value]) => value),
      [-5, 0, 10],
    );
  });

  it('has the parts of a stack and their total, which is null if a part is missing, also in percent', () => {
    const parts = [
      numbers('thermal_mw', [10.1, 11, null, 0]),
      numbers('pv_mw', [0.2, null, null, 0]),
      numbers('wind_mw', [0, 0, 0, 0]),
    ];
    const power = tabulate(createFrame(parts), { mode: 'mix' });
    assert.deepEqual(
      power.rows.map(([, ...cells]) => cells),
      [
        [10.1, 0.2, 0, 10.3],
        [11, 'null', 0, 'null'],
        ['null', 'null', 0, 'null'],
        [0, 0, 0, 0],
      ],
    );
    assert.equal(power.names.at(-1), 'total');
    const percent = tabulate(createFrame(parts), { mode: 'mix', picked: { 'mix.scale': 'percent' } });
    assertNear(
      percent.rows.map(([, ...cells]) => cells),
      [
        [(10.1 / 10.3) * 100, (0.2 / 10.3) * 100, 0, 100],
        ...Array<CellText[]>(3).fill(Array<CellText>(4).fill('null')),
      ],
    );
    assert.deepEqual(unitOf(percent.table.columns[1]?.field), { kind: 'share', text: '%' });
  });

  it('has a row for each day and a column for each hour of a heatmap', () => {
    fc.assert(
      fc.property(hours, zones, (rows, zone) => {
        const { rows: actual, names, table } = tabulate(buildFrame(rows), { mode: 'heatmap' }, { zone });
        const known = rows.filter(({ demand }) => demand !== null);
        const days = new Map<string, Map<number, number[]>>();
        for (const { instant, demand } of known) {
          const clock = getClock(instant, zone.timeZone);
          const day = days.get(clock.toPlainDate().toString()) ?? new Map<number, number[]>();
          days.set(clock.toPlainDate().toString(), day.set(clock.hour, [...(day.get(clock.hour) ?? []), demand ?? 0]));
        }
        const dates = new Set(
          actual.map(([instant]) => getClock(Number(instant), zone.timeZone).toPlainDate().toString()),
        );
        for (const date of days.keys()) assert.ok(dates.has(date), date);
        assertNear(
          actual,
          actual.map(([instant = NaN]) => {
            const day = days.get(getClock(Number(instant), zone.timeZone).toPlainDate().toString());
            const cells = Array.from({ length: 24 }, (_, hour) => day?.get(hour));
            return [instant, ...cells.map((values): CellText => (values ? mean(values) : 'null'))];
          }),
        );
        assert.deepEqual([names[1], names[24]], ['residual_demand_mw 00:00', 'residual_demand_mw 23:00']);
        assert.equal(unitOf(table.columns[1]?.field).mwhPerHour, undefined, 'an hour column has no energy');
      }),
      { numRuns: 30 },
    );
  });

  it('labels rows by clock time, month, share of the time or value, like the axis', () => {
    fc.assert(
      fc.property(hours, zones, (rows, zone) => {
        const frame = buildFrame(rows);
        const overlay = tabulate(frame, { mode: 'overlay' }, { zone });
        assert.deepEqual([overlay.rows.length, overlay.rows[17]?.[0]], [24, `17:00 ${zone.label}`]);
        const findFirst = (date: string, hour: number): Cell | undefined =>
          rows.find(({ instant, demand }) => {
            const clock = getClock(instant, zone.timeZone);
            return demand !== null && clock.hour === hour && clock.toPlainDate().toString() === date;
          })?.demand;
        overlay.names
          .slice(2)
          .forEach((name, index) =>
            overlay.rows.forEach((cells, hour) =>
              assert.equal(cells[index + 2], formatCell(findFirst(name.slice(-10), hour))),
            ),
          );

        const months = tabulate(frame, { mode: 'heatmap', picked: { 'heatmap.across': 'monthOfYear' } }, { zone });
        assert.deepEqual([months.rows.length, months.rows[9]?.[0]], [12, 'October']);

        const values = rows.flatMap(({ demand }) => demand ?? []).sort((a, b) => b - a);
        const duration = tabulate(frame, { mode: 'duration', columns: ['residual_demand_mw'] });
        if (values.length > 0)
          assertNear(
            duration.rows,
            values.map((value, index) => [(index / values.length) * 100, value]),
          );
        assert.equal(duration.table.columns[0]?.field?.unit?.text, '%');
      }),
      { numRuns: 30 },
    );
  });

  it('has both values of each dot of a scatter plot, and its regression line', () => {
    fc.assert(
      fc.property(hours, rows => {
        const picked = { 'scatter.x': 'wind_mw', 'scatter.y': 'residual_demand_mw' };
        const tabulated = tabulate(buildFrame(rows), { mode: 'scatter', picked });
        const timedDots = rows.flatMap(({ instant, wind, demand }) =>
          wind === null || demand === null ? [] : [[instant, wind, demand]],
        );
        const sortRows = (table: readonly (readonly CellText[])[]): string[] =>
          table.map(row => row.slice(0, 3).join()).sort();
        assert.deepEqual(sortRows(tabulated.rows), sortRows(timedDots));
        assert.deepEqual(tabulated.names.slice(0, 3), ['ts', 'wind_mw', 'residual_demand_mw']);
        const actual = tabulated.rows.map(row => row.slice(1));
        const names = tabulated.names.slice(1);
        const dots = timedDots.map(row => row.slice(1));
        if (names.length < 3) return;
        const meanX = mean(dots.map(([x = 0]) => x));
        const meanY = mean(dots.map(([, y = 0]) => y));
        const slope =
          dots.reduce((sum, [x = 0, y = 0]) => sum + (x - meanX) * (y - meanY), 0) /
          dots.reduce((sum, [x = 0]) => sum + (x - meanX) ** 2, 0);
        assertNear(
          actual.map(([, , line = NaN]) => [line]),
          actual.map(([x]) => [meanY + slope * (Number(x) - meanX)]),
        );
      }),
      { numRuns: scaleRunCount(60) },
    );
  });

  it('gives columns with the same name different names', () => {
    const error = numbers('error', [1, 2], unitOf(numbers('wind_mw', []).field));
    const frame = createFrame([numbers('residual_demand_mw', [5, 7]), error]);
    const picked = { 'error.actual': 'residual_demand_mw', 'error.forecast': 'error' };
    const tabulated = tabulate(frame, { mode: 'error', picked });
    assert.deepEqual(tabulated.names, ['ts', 'p5', 'p95', 'error']);
    assert.deepEqual(
      tabulated.rows.map(cells => cells.at(-1)),
      [4, 5],
      'the errors, not the column of that name',
    );
    const sameColumns = tabulate(frame, { mode: 'scatter', picked: { 'scatter.x': 'error', 'scatter.y': 'error' } });
    assert.deepEqual(sameColumns.names, ['ts', 'error', 'error (2)', 'regression']);
  });

  it('marks the rows that cover too few hours', () => {
    const frame = createFrame([
      numbers('wind_mw', [5, 6, 7]),
      numbers('hours', [24, 17, 18], hourCount),
      numbers('of_hours', [24, 24, 24], hourCount),
    ]);
    const { rows, names } = tabulate(frame, { columns: ['wind_mw'] }, { minCoverage: 0.75, isResampled: true });
    assert.deepEqual(names, ['ts', 'wind_mw', 'few_hours']);
    assert.deepEqual(
      rows.map(cells => cells.slice(1)),
      [
        [5, 0],
        [6, 1],
        [7, 0],
      ],
    );
  });
});
