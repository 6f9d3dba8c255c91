import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { joinResults, type JoinedResults, type SourceRows } from '../../../../src/core/join/joinResults.ts';
import { findTimeColumn } from '../../../../src/core/frame/clip.ts';
import { findZone, sast } from '../../../../src/core/time/zone.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { cellState, getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import { intervalState, type Result } from '../../../../src/shared/result.ts';
import { energy, hourCount, inferUnit, power, powerExtreme, share } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createFrame, numberColumn, textColumn, timeColumn, type Cell } from '../filter/columns.ts';
import { has, python, run } from '../snippets/tools.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2023, 4, 1);
const berlin = findZone('Europe/Berlin') ?? assert.fail();

/** A row: its time, and its cells by name. */
type Row = Readonly<Record<string, Cell>> & { readonly ts: number };

/** Creates a column of texts for names that begin with "text", else one of numbers with the unit of its name. */
function createColumn(name: string, cells: readonly Cell[]): Column {
  return name.startsWith('text') ? textColumn(name, cells) : numberColumn(name, cells, inferUnit(name));
}

function createRowsFrame(rows: readonly Row[], names: readonly string[]): Frame {
  const columns = names.map(name =>
    createColumn(
      name,
      rows.map(row => row[name]),
    ),
  );
  return createFrame(
    timeColumn(
      'ts',
      rows.map(({ ts }) => ts),
    ),
    ...columns,
  );
}

/** Reads the frame as a data file. With `hours`, the file states that it has the hours [start, start + hours). */
function readFile(
  frame: Frame,
  { hours, zones = [], name = 'base.csv' }: { hours?: number; zones?: readonly (typeof sast)[]; name?: string } = {},
): Result {
  const stated = {
    source: 'test',
    interval: '1h',
    start: formatInstant(start),
    end: formatInstant(start + (hours ?? 0) * hourMs),
  };
  const provenance = hours === undefined ? undefined : stated;
  const zone = { source: 'file' } as const;
  return createFileResult(
    { frame, fileRowCount: frame.rowCount, omitted: [], zone, provenance, notes: [], text: '' },
    name,
    zones,
  ).result;
}

/** Reads the frame as the data file plant.csv. */
function readSource(frame: Frame, zones: readonly (typeof sast)[] = []): SourceRows {
  const result = readFile(frame, { zones, name: 'plant.csv' });
  return { name: 'plant.csv', frame: result.frame ?? assert.fail(), interval: result.provenance.interval };
}

function getFrame({ result }: Pick<JoinedResults, 'result'>): Frame {
  return result.frame ?? assert.fail();
}

function readColumn(frame: Frame, name: string): Cell[] {
  const column = frame.columns.find(candidate => candidate.name === name) ?? assert.fail(name);
  return Array.from({ length: frame.rowCount }, (_, row): Cell => {
    const state = getCellState(column, row);
    if (state !== cellState.value) return state === cellState.null ? null : undefined;
    return 'texts' in column ? getText(column.texts, row) : column.values[row];
  });
}

function readRows(frame: Frame, names: readonly string[]): Cell[][] {
  const columns = ['ts', ...names].map(name => readColumn(frame, name));
  return Array.from({ length: frame.rowCount }, (_, row) => columns.map(cells => cells[row]));
}

/** Returns the states of the source's intervals, one character each. */
function readStates({ result: { coverage } }: JoinedResults): string {
  const part = coverage?.parts?.at(-1) ?? assert.fail();
  assert.equal(part.title, 'plant.csv');
  return Array.from(part.coverage.states, state => (state === intervalState.present ? '#' : '-')).join('');
}

const createHours = (count: number, first = start): Row[] =>
  Array.from({ length: count }, (_, index) => ({ ts: first + index * hourMs, thermal_mw: 100 + index }));

describe('joinResults', () => {
  describe('like a model that computes each row by itself', () => {
    const span = 12;
    const cell = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -9, max: 9 }) },
      fc.constant(null),
      fc.constant(undefined),
    );
    const names = ['wind_mw', 'wind_mwh', 'text'];

    /** Rows that begin at multiples of a length, from before the range to after it. */
    const createRows = (lengthMs: number) =>
      fc
        .array(
          fc.record({
            at: fc.integer({ min: -4, max: (span * hourMs) / lengthMs + 4 }),
            wind_mw: cell,
            wind_mwh: cell,
            text: fc.constantFrom('a', 'b', null),
          }),
          { maxLength: 30 },
        )
        .map(rows => rows.map(({ at, ...cells }): Row => ({ ...cells, ts: start + at * lengthMs })));
    const isFirst = ({ ts }: Row, index: number, rows: readonly Row[]): boolean =>
      rows.findIndex(row => row.ts === ts) === index;
    const baseRows = fc
      .array(fc.record({ at: fc.nat(span - 1), thermal_mw: cell, wind_mw: cell }), { maxLength: 14 })
      .map(rows => rows.map(({ at, ...cells }): Row => ({ ...cells, ts: start + at * hourMs })).filter(isFirst));

    const findBaseRow = (rows: readonly Row[], ts: number): Row | undefined => rows.find(row => row.ts === ts);
    const findLast = (rows: readonly Row[], matches: (row: Row) => boolean): Row | undefined =>
      rows
        .filter(matches)
        .sort((a, b) => a.ts - b.ts)
        .at(-1);

    /** Returns the cells of the source at an hour; undefined if it has none. */
    const models: Readonly<
      Record<JoinedResults['pairing'], (rows: readonly Row[], ts: number, lengthMs: number) => Cell[] | undefined>
    > = {
      sameInstant: (rows, ts) => {
        const row = findBaseRow(rows, ts);
        return row && names.map(name => row[name]);
      },
      aggregated: (rows, ts, lengthMs) => {
        const count = hourMs / lengthMs;
        const parts = Array.from({ length: count }, (_, index) =>
          findLast(rows, row => row.ts === ts + index * lengthMs),
        );
        if (parts.every(part => part === undefined)) return undefined;
        const add = (name: string): number | undefined => {
          const cells = parts.map(part => part?.[name]);
          return cells.every(value => typeof value === 'number')
            ? cells.reduce((sum, value) => sum + value, 0)
            : undefined;
        };
        const sum = add('wind_mw');
        return [sum === undefined ? null : sum / count, add('wind_mwh') ?? null, undefined];
      },
      asOf: (rows, ts, lengthMs) => {
        const row = findLast(rows, candidate => candidate.ts <= ts);
        return row && ts < row.ts + lengthMs ? [row['wind_mw'], undefined, row['text']] : undefined;
      },
    };

    function check(
      pairing: JoinedResults['pairing'],
      base: readonly Row[],
      source: readonly Row[],
      interval: string,
      lengthMs: number,
    ): void {
      const result = readFile(createRowsFrame(base, ['thermal_mw', 'wind_mw']), { hours: span });
      const joined = joinResults(result, { name: 'plant.csv', frame: createRowsFrame(source, names), interval });
      const hours = Array.from({ length: span }, (_, index) => start + index * hourMs);
      const expected = hours.flatMap(ts => {
        const baseRow = findBaseRow(base, ts);
        const cells = models[pairing](source, ts, lengthMs);
        if (!baseRow && (!cells || pairing === 'asOf')) return [];
        return [[ts, baseRow?.['thermal_mw'], baseRow?.['wind_mw'], ...(cells ?? [undefined, undefined, undefined])]];
      });
      const isUsed = source.some(({ ts }) => ts < start + span * hourMs && ts + lengthMs > start);
      if (isUsed) assert.equal(joined.pairing, pairing);
      const skipped = {
        sameInstant: [],
        aggregated: [{ column: 'text', reason: 'notNumber' }],
        asOf: [{ column: 'wind_mwh', reason: 'amountOfLongerRow' }],
      };
      if (isUsed) assert.deepEqual(joined.skipped, skipped[pairing]);
      const frame = getFrame(joined);
      const joinedNames = ['wind_mw · plant', 'wind_mwh', 'text'];
      const columns = joinedNames.filter(name => frame.columns.some(column => column.name === name));
      assert.deepEqual(
        frame.columns.map(({ name }) => name),
        ['ts', 'thermal_mw', 'wind_mw', ...columns],
      );
      assert.deepEqual(
        readRows(frame, ['thermal_mw', 'wind_mw', ...columns]),
        expected.map(row => row.filter((_, index) => index < 3 || columns.includes(joinedNames[index - 3] ?? ''))),
      );
      const states = hours.map(ts =>
        models[pairing](source, ts, lengthMs)?.some(value => value !== null && value !== undefined) ? '#' : '-',
      );
      assert.equal(readStates(joined), states.join(''));
      const { parts, ...baseCoverage } = joined.result.coverage ?? assert.fail();
      assert.deepEqual(baseCoverage, result.coverage);
      assert.deepEqual(parts?.[0], { title: 'base.csv', coverage: result.coverage });
    }

    it('joins hours at the same instant', () => {
      fc.assert(
        fc.property(baseRows, createRows(hourMs), (base, rows) =>
          check('sameInstant', base, rows.filter(isFirst), '1h', hourMs),
        ),
        { numRuns: scaleRunCount(500) },
      );
    });

    for (const [interval, lengthMs] of [
      ['30m', hourMs / 2],
      ['15m', hourMs / 4],
    ] as const)
      it(`aggregates rows of ${interval} to hours`, () => {
        fc.assert(
          fc.property(baseRows, createRows(lengthMs), (base, rows) =>
            check('aggregated', base, rows, interval, lengthMs),
          ),
          { numRuns: scaleRunCount(500) },
        );
      });

    it('repeats rows of three hours in hours', () => {
      fc.assert(
        fc.property(baseRows, createRows(3 * hourMs), (base, rows) =>
          check('asOf', base, rows.filter(isFirst), '3h', 3 * hourMs),
        ),
        { numRuns: scaleRunCount(500) },
      );
    });

    it('holds the steps of a table until the next one', () => {
      const steps = fc
        .array(
          fc.record({
            distance: fc.integer({ min: 61, max: 400 }),
            wind_mw: cell,
            wind_mwh: cell,
            text: fc.constantFrom('a', null),
          }),
          { minLength: 1, maxLength: 8 },
        )
        .map(rows => {
          let ts = start - 5 * hourMs;
          return rows.map(({ distance, ...cells }): Row => ({ ...cells, ts: (ts += distance * 60_000) }));
        });
      fc.assert(
        fc.property(baseRows, steps, (base, rows) => check('asOf', base, rows, '', Infinity)),
        { numRuns: scaleRunCount(500) },
      );
    });
  });

  describe('like DuckDB', () => {
    type Joins = Readonly<Record<string, readonly (readonly Cell[])[]>>;
    const readJson = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
    const tables = readJson('joinedTables.json') as Readonly<
      Record<string, { columns: readonly string[]; rows: readonly (readonly Cell[])[] }>
    >;
    /** The output of joinedTables.py. To write it again: `python3 joinedTables.py > joinedTables.expected.json`. */
    const expectedJoins = readJson('joinedTables.expected.json') as Joins;

    function createTableFrame(name: string): Frame {
      const { columns, rows } = tables[name] ?? assert.fail(name);
      const listCells = (column: string): Cell[] => rows.map(row => row[columns.indexOf(column)]);
      return createFrame(
        timeColumn(
          'ts',
          listCells('ts').map(text => Date.parse(String(text))),
        ),
        ...columns
          .slice(1)
          .map(column =>
            column === 'tariff' ? textColumn(column, listCells(column)) : createColumn(column, listCells(column)),
          ),
      );
    }

    /** Returns the rows with the tenth significant digit rounded, and null for absent cells, because SQL has no other gap. */
    const formatRows = (rows: readonly (readonly Cell[])[]): string[] =>
      rows.map(([ts, ...cells]) => {
        const time = typeof ts === 'number' ? formatInstant(ts) : ts;
        return [
          time,
          ...cells.map(value => (typeof value === 'number' ? value.toPrecision(10) : (value ?? null))),
        ].join(' ');
      });

    const cases = [
      { id: 'sameInstant', base: 'hours', source: 'other', interval: '1h', pairing: 'sameInstant' },
      { id: 'aggregated', base: 'hours', source: 'halfHours', interval: '30m', pairing: 'aggregated' },
      { id: 'asOf', base: 'hours', source: 'steps', interval: '', pairing: 'asOf' },
      { id: 'asOfHours', base: 'halfHours', source: 'hours', interval: '1h', pairing: 'asOf' },
    ];
    for (const { id, base, source, interval, pairing } of cases)
      it(`joins ${source} onto ${base}`, () => {
        const result = readFile(createTableFrame(base), base === 'hours' ? { hours: 24 } : {});
        const joined = joinResults(result, { name: source, frame: createTableFrame(source), interval });
        assert.equal(joined.pairing, pairing);
        const names = [...(tables[base]?.columns ?? []), ...(tables[source]?.columns ?? [])].filter(
          name => name !== 'ts',
        );
        assert.deepEqual(formatRows(readRows(getFrame(joined), names)), formatRows(expectedJoins[id] ?? []));
      });

    it('which computes the stored rows again', async function () {
      let program: string | undefined;
      for (const candidate of [python, 'python3'])
        if (await has(candidate, '-c', 'import duckdb')) program ??= candidate;
      if (program === undefined) this.skip();
      const { stdout, stderr, code } = await run(program, [join(import.meta.dirname, 'joinedTables.py')]);
      assert.equal(code, 0, stderr);
      const computed = JSON.parse(stdout) as Joins;
      assert.deepEqual(Object.keys(computed), Object.keys(expectedJoins));
      for (const [id, rows] of Object.entries(computed))
        assert.deepEqual(formatRows(rows), formatRows(expectedJoins[id] ?? []), id);
    });
  });

  it('gives a result joined to itself equal columns of the same kind, field and unit', () => {
    const rows = createHours(5)
      .filter((_, index) => index !== 2)
      .map((row, index): Row => ({
        ...row,
        wind_mwh: index === 1 ? null : index,
        text: index === 3 ? undefined : 'a',
      }));
    const result = readFile(createRowsFrame(rows, ['thermal_mw', 'wind_mwh', 'text']), { hours: 5 });
    const frame = getFrame({ result });
    const joined = joinResults(result, { name: 'plant.csv', frame, interval: '1h' });
    const twice = joinResults(joined.result, { name: 'plant.csv', frame, interval: '1h' });
    assert.deepEqual([joined.pairing, joined.skipped], ['sameInstant', []]);
    for (const column of frame.columns.slice(1))
      for (const [suffix, joinedFrame] of [
        [' · plant', getFrame(joined)],
        [' · plant · plant', getFrame(twice)],
      ] as const) {
        const name = column.name + suffix;
        assert.deepEqual(
          joinedFrame.columns.find(candidate => candidate.name === name),
          {
            ...column,
            name,
            path: [name],
            field: {
              meaning: '',
              ...column.field,
              label: `${column.field?.label ?? column.name}${suffix === ' · plant' && !column.field ? '' : ' · plant'}`,
              joinedFrom: 'plant.csv',
            },
          },
        );
      }
    assert.deepEqual(getFrame(joined).columns.slice(0, frame.columns.length), frame.columns);
    assert.deepEqual(
      twice.result.coverage?.parts?.map(({ title }) => title),
      ['base.csv', 'plant.csv', 'plant.csv'],
    );
    assert.equal(readStates(joined), '##-##');
    assert.deepEqual(joined.result.coverage?.parts?.[1]?.coverage.missingRanges, [
      [start + 2 * hourMs, start + 3 * hourMs],
    ]);
  });

  it('joins hours to days of a zone, and leaves a day without all of its hours empty', () => {
    const midnight = start - 2 * hourMs;
    const days = Array.from({ length: 4 }, (_, day): Row => ({ ts: midnight + day * dayMs, thermal_mw: day }));
    const base = readFile(createRowsFrame(days, ['thermal_mw']), { zones: [sast] });
    assert.equal(base.provenance.interval, '1d@SAST');
    const hours = createHours(96, midnight).map((row, hour): Row => ({
      ...row,
      ts: row.ts,
      wind_mwh: 1,
      wind_mw: hour === 30 ? null : Math.floor(hour / 24),
    }));
    const joined = joinResults(
      base,
      readSource(
        createRowsFrame(
          hours.filter((_, hour) => hour !== 50),
          ['wind_mw', 'wind_mwh'],
        ),
      ),
    );
    assert.equal(joined.pairing, 'aggregated');
    assert.deepEqual(readRows(getFrame(joined), ['thermal_mw', 'wind_mw', 'wind_mwh']), [
      [midnight, 0, 0, 24],
      [midnight + dayMs, 1, null, 24],
      [midnight + 2 * dayMs, 2, null, null],
      [midnight + 3 * dayMs, 3, 3, 24],
    ]);
    assert.equal(readStates(joined), '##-#');
    assert.deepEqual(findTimeColumn(getFrame(joined))?.bins, { size: 'day', ...sast });
  });

  it('fills the days of a zone of 23 and 25 hours', () => {
    for (const [month, day, count] of [
      [3, 25, 23],
      [10, 28, 25],
    ] as const) {
      const first = Date.parse(
        `2023-${String(month).padStart(2, '0')}-${day}T00:00:00${month === 3 ? '+01:00' : '+02:00'}`,
      );
      const starts = [first, first + dayMs, first + dayMs + count * hourMs];
      const base = readFile(
        createRowsFrame(
          starts.map((ts, index) => ({ ts, thermal_mw: index })),
          ['thermal_mw'],
        ),
        { zones: [berlin] },
      );
      assert.equal(base.coverage?.edges?.length, 4);
      const hours = createHours(48 + count, first).map(({ ts }): Row => ({ ts, wind_mw: 10, wind_mwh: 1 }));
      const joined = joinResults(base, readSource(createRowsFrame(hours, ['wind_mw', 'wind_mwh'])));
      assert.deepEqual(readColumn(getFrame(joined), 'wind_mw'), [10, 10, 10]);
      assert.deepEqual(readColumn(getFrame(joined), 'wind_mwh'), [24, count, 24]);
      const column = getFrame(joined).columns.find(({ name }) => name === 'wind_mw');
      assert.deepEqual(column?.kind === 'number' && [...(column.hours ?? [])], [24, count, 24]);
      assert.deepEqual(joined.result.coverage?.parts?.[1]?.coverage.edges, base.coverage.edges);
      // Days of 24 hours are neither longer nor shorter than these.
      const days = createRowsFrame([{ ts: starts[1] ?? 0, wind_mwh: 5 }], ['wind_mwh']);
      assert.equal(joinResults(base, { name: 'plant.csv', frame: days, interval: '1d' }).pairing, 'sameInstant');
    }
  });

  it('repeats days of a zone and months in their hours, but no amounts', () => {
    const midnight = start - 2 * hourMs;
    const frame = createFrame(
      timeColumn('ts', [midnight, midnight + dayMs, midnight + 3 * dayMs]),
      numberColumn('wind_mw', [10, null, 30], power),
      numberColumn('wind_mwh', [240, 480, 720], energy),
      numberColumn('share_pct', [1, 2, 3], share),
      numberColumn('of_hours', [24, 24, 24], hourCount),
      textColumn('text', ['a', 'b', 'c']),
    );
    const base = readFile(
      createRowsFrame(
        createHours(96).filter((_, hour) => hour !== 40),
        ['thermal_mw'],
      ),
      { hours: 96 },
    );
    const joined = joinResults(base, readSource(frame, [sast]));
    assert.equal(joined.pairing, 'asOf');
    assert.deepEqual(joined.skipped, [
      { column: 'wind_mwh', reason: 'amountOfLongerRow' },
      { column: 'of_hours', reason: 'amountOfLongerRow' },
    ]);
    const cells = readRows(getFrame(joined), ['wind_mw', 'share_pct', 'text']);
    assert.equal(cells.length, 95);
    for (const [ts, ...values] of cells) {
      const day = Math.floor((Number(ts) - midnight) / dayMs);
      assert.deepEqual(
        values,
        [
          [10, 1, 'a'],
          [null, 2, 'b'],
          [undefined, undefined, undefined],
          [30, 3, 'c'],
          [undefined, undefined, undefined],
        ][day],
        String(ts),
      );
    }
    // The source also covers the hour that the result lacks.
    assert.equal(readStates(joined), '#'.repeat(46) + '-'.repeat(24) + '#'.repeat(24) + '--');
    // A repeated value covers its hour, not its day.
    const column = getFrame(joined).columns.find(({ name }) => name === 'wind_mw');
    const hoursOfValues = column?.kind === 'number' && column.hours?.filter((_, row) => cells[row]?.[1] === 10);
    assert.deepEqual(hoursOfValues && [...hoursOfValues], new Array(22).fill(1));

    const months = [4, 5, 6].map(month => ({ ts: Date.UTC(2023, month, 1), wind_mw: month }));
    const hours = readFile(createRowsFrame(createHours(24 * 70), ['thermal_mw']), { hours: 24 * 70 });
    const inMonths = joinResults(hours, readSource(createRowsFrame(months, ['wind_mw'])));
    assert.deepEqual(
      readColumn(getFrame(inMonths), 'wind_mw'),
      createHours(24 * 70).map(({ ts }) => new Date(ts).getUTCMonth()),
    );
  });

  it('joins rows of several lengths by the length of each', () => {
    const createRows = (count: number, lengthMs: number, first = start): Row[] =>
      Array.from({ length: count }, (_, index) => ({ ts: first + index * lengthMs, wind_mw: index, wind_mwh: index }));
    const base = readFile(createRowsFrame(createHours(20), ['thermal_mw']), { hours: 20 });
    const joinRows = (rows: readonly Row[]): JoinedResults => {
      const source = readSource(createRowsFrame(rows, ['wind_mw', 'wind_mwh']));
      assert.equal(findTimeColumn(source.frame)?.lengths?.length, 2);
      return joinResults(base, source);
    };
    const hoursAndHalfHours = joinRows([...createRows(10, hourMs), ...createRows(20, hourMs / 2, start + 10 * hourMs)]);
    assert.equal(hoursAndHalfHours.pairing, 'aggregated');
    assert.deepEqual(readColumn(getFrame(hoursAndHalfHours), 'wind_mw'), [
      ...Array.from({ length: 10 }, (_, hour) => hour),
      ...Array.from({ length: 10 }, (_, hour) => 2 * hour + 0.5),
    ]);
    assert.deepEqual(readColumn(getFrame(hoursAndHalfHours), 'wind_mwh').slice(9, 12), [9, 1, 5]);
    const twoAndHalfHours = joinRows([
      ...createRows(5, 2 * hourMs),
      ...createRows(20, hourMs / 2, start + 10 * hourMs),
    ]);
    assert.equal(twoAndHalfHours.pairing, 'asOf');
    // A half-hour does not hold for its hour.
    assert.deepEqual(readColumn(getFrame(twoAndHalfHours), 'wind_mw'), [
      ...Array.from({ length: 10 }, (_, hour) => Math.floor(hour / 2)),
      ...new Array<undefined>(10).fill(undefined),
    ]);
  });

  it('ignores the lengths of rows outside the range', () => {
    const createRows = (count: number, lengthMs: number, first: number): Row[] =>
      Array.from({ length: count }, (_, index) => ({ ts: first + index * lengthMs, wind_mw: index }));
    const earlierDays = createRows(6, dayMs, start - 6 * dayMs);
    const hours = createRows(24, hourMs, start);
    const laterDays = createRows(6, dayMs, start + dayMs);
    const base = readFile(createRowsFrame(createHours(24), ['thermal_mw']), { hours: 24 });
    for (const rows of [
      [...earlierDays, ...hours],
      [...hours, ...laterDays],
    ]) {
      const source = readSource(createRowsFrame(rows, ['wind_mw']));
      assert.equal(findTimeColumn(source.frame)?.lengths?.length, 2);
      assert.equal(joinResults(base, source).pairing, 'sameInstant');
    }
    const ofLengths = readFile(createRowsFrame([...hours, ...laterDays], ['thermal_mw']));
    const joined = joinResults(ofLengths, { name: 'plant.csv', frame: getFrame({ result: base }), interval: '1h' });
    assert.equal(findTimeColumn(getFrame(joined))?.lengths?.length, 2);
  });

  it('aggregates only what can be: no mixed units, no sum of overlapping amounts, no mean of extremes', () => {
    const units = { codes: Uint32Array.of(0, 1), entries: [power, energy] };
    const createField = (figure: 'min' | 'max') => ({ label: '', meaning: '', unit: powerExtreme, figure });
    const frame = createFrame(
      timeColumn('ts', [start, start + hourMs / 2]),
      { ...numberColumn('mixed', [1, 2]), units },
      numberColumn('last_day_mwh', [10, 20], { ...energy, overlaps: true }),
      { ...numberColumn('low', [1, 2]), field: createField('min') },
      { ...numberColumn('high', [1, 2]), field: createField('max') },
    );
    const base = readFile(createRowsFrame(createHours(1), ['thermal_mw']), { hours: 1 });
    const joined = joinResults(base, { name: 'plant.csv', frame, interval: '30m' });
    assert.deepEqual(joined.skipped, [{ column: 'mixed', reason: 'notNumber' }]);
    assert.deepEqual(readRows(getFrame(joined), ['last_day_mwh', 'low', 'high']), [[start, 15, 1, 2]]);
  });

  it('repeats the parts of a share that are means, but not those that are amounts', () => {
    const parts = { part: Float64Array.of(1), whole: Float64Array.of(2) };
    const frame = createFrame(
      timeColumn('ts', [start]),
      { ...numberColumn('mean_pct', [50], share), parts },
      { ...numberColumn('amount_pct', [50], share), parts: { ...parts, areAmounts: true } },
    );
    const base = readFile(createRowsFrame(createHours(2), ['thermal_mw']), { hours: 2 });
    const { columns } = getFrame(joinResults(base, { name: 'plant.csv', frame, interval: '1d' }));
    assert.deepEqual(
      columns.slice(2).map(column => column.kind === 'number' && column.parts),
      [{ part: Float64Array.of(1, 1), whole: Float64Array.of(2, 2) }, undefined],
    );
  });

  it('repeats rows of hours at events that have no interval, and joins others at the same instant', () => {
    const minutes = [0, 7, 31, 62, 64, 130, 131, 200];
    const events = minutes.map(minute => ({ ts: start + minute * 60_000, thermal_mw: minute }));
    const base = readFile(createRowsFrame(events, ['thermal_mw']));
    assert.equal(base.provenance.interval, '');
    const source = { name: 'plant.csv', frame: createRowsFrame(createHours(3), ['thermal_mw']), interval: '1h' };
    const joined = joinResults(base, source);
    assert.deepEqual([joined.pairing, joined.result.coverage], ['asOf', undefined]);
    assert.deepEqual(readColumn(getFrame(joined), 'thermal_mw · plant'), [
      100,
      100,
      100,
      101,
      101,
      102,
      102,
      undefined,
    ]);
    const itself = joinResults(base, { name: 'plant.csv', frame: getFrame({ result: base }), interval: '' });
    assert.equal(itself.pairing, 'sameInstant');
    assert.deepEqual(readColumn(getFrame(itself), 'thermal_mw · plant'), minutes);
  });

  it('joins nothing from a source without rows or without rows in the range', () => {
    const base = readFile(createRowsFrame(createHours(3), ['thermal_mw']), { hours: 3 });
    for (const rows of [[], createHours(5, start + 30 * dayMs), createHours(5, start - dayMs)]) {
      const joined = joinResults(base, {
        name: 'plant.csv',
        frame: createRowsFrame(rows, ['thermal_mw', 'text']),
        interval: '1h',
      });
      assert.deepEqual(
        readRows(getFrame(joined), ['thermal_mw', 'thermal_mw · plant', 'text']),
        createHours(3).map(row => [row.ts, row['thermal_mw'], undefined, undefined]),
      );
      assert.equal(readStates(joined), '---');
    }
  });

  it('keeps intervals unpublished unless the source has them', () => {
    const base = readFile(createRowsFrame(createHours(2), ['thermal_mw']), { hours: 4 });
    const states = Uint8Array.of(0, 0, intervalState.notPublished, intervalState.notPublished);
    const coverage = { ...(base.coverage ?? assert.fail()), states };
    const source = createRowsFrame(
      [start, start + 2 * hourMs].map(ts => ({ ts, wind_mw: 1 })),
      ['wind_mw'],
    );
    const joined = joinResults({ ...base, coverage }, { name: 'plant.csv', frame: source, interval: '1h' });
    const { present, missing, notPublished } = joined.result.coverage?.parts?.[1]?.coverage ?? assert.fail();
    assert.deepEqual([present, missing, notPublished], [2, 1, 1]);
    assert.deepEqual(joined.result.coverage?.states, states);
  });

  it('computes a share of longer intervals from its energies', () => {
    const [first, second] = [start, start + hourMs / 2];
    const frame = createFrame(timeColumn('ts', [first, second]), numberColumn('wind_mw', [100, 300], power), {
      ...numberColumn('wind_pct', [50, 30], share),
      field: { label: '', meaning: '', unit: share, shareOf: 'wind_mw' },
    });
    const base = readFile(createRowsFrame([{ ts: start, wind_mw: 7 }], ['wind_mw']), { hours: 1 });
    const joined = joinResults(base, { name: 'plant.csv', frame, interval: '30m' });
    assert.deepEqual(readColumn(getFrame(joined), 'wind_pct'), [(100 * 400) / 1200]);
    // Its part is the renamed column, not the one of the result.
    assert.equal(getFrame(joined).columns.find(({ name }) => name === 'wind_pct')?.field?.shareOf, 'wind_mw · plant');
  });

  it('does not sum days that lack some of their hours', () => {
    const month = Date.UTC(2023, 5, 1);
    const base = readFile(
      createRowsFrame(
        [4, 5, 6].map(index => ({ ts: Date.UTC(2023, index, 1), thermal_mw: 1 })),
        ['thermal_mw'],
      ),
    );
    const createDays = (hoursOfLast: number): Frame => {
      const days = Array.from({ length: 30 }, (_, day) => day);
      return createFrame(
        timeColumn(
          'ts',
          days.map(day => month + day * dayMs),
        ),
        numberColumn(
          'wind_mwh',
          days.map(() => 2),
          energy,
        ),
        numberColumn(
          'hours',
          days.map(day => (day === 29 ? hoursOfLast : 24)),
          hourCount,
        ),
        numberColumn(
          'of_hours',
          days.map(() => 24),
          hourCount,
        ),
      );
    };
    const readJune = (hoursOfLast: number): Cell =>
      readColumn(
        getFrame(joinResults(base, { name: 'plant.csv', frame: createDays(hoursOfLast), interval: '1d' })),
        'wind_mwh',
      )[1];
    assert.deepEqual([readJune(24), readJune(23)], [60, null]);
    // The hour counts do not become those of the result.
    const { columns } = getFrame(joinResults(base, { name: 'plant.csv', frame: createDays(24), interval: '1d' }));
    assert.equal(
      columns.some(({ field }) => field?.unit?.text === hourCount.text),
      false,
    );
  });

  for (const [dates, prices] of [
    [['2024-06-01', '2024-09-01', '2025-06-01', '2025-09-01'], '92d'],
    [['2022-04-01', '2023-04-01', '2024-04-01', '2025-04-01'], '365d'],
    [['2024-04-01', '2025-04-01'], '365d'],
  ] as const)
    it(`holds each price of a list until the next, whatever the distance of its dates, ${prices} at ${dates.length}`, () => {
      const list = createRowsFrame(
        dates.map((date, index) => ({ ts: Date.parse(date), price: 100 + index })),
        ['price'],
      );
      const base = readFile(createRowsFrame(createHours(30, Date.UTC(2026, 2, 31)), ['thermal_mw']));
      const joined = joinResults(base, { name: 'prices.csv', frame: list, interval: prices });
      const price = getFrame(joined).columns.find(({ name }) => name === 'price');
      assert.equal(joined.pairing, 'asOf');
      assert.ok(price?.kind === 'number' && price.values.every(value => value === 99 + dates.length));
    });

  it('holds the last price of a list of quarters or years, but not other values', () => {
    const base = readFile(createRowsFrame(createHours(3, Date.UTC(2026, 10, 22)), ['thermal_mw']));
    const read = (name: string, dates: readonly number[]) => {
      const rows = dates.map((ts, index) => ({ ts, [name]: 100 + index }));
      const { frame = assert.fail(), provenance } = readFile(createRowsFrame(rows, [name]));
      const joined = joinResults(base, { name: 'prices.csv', frame, interval: provenance.interval });
      const column = getFrame(joined).columns.find(candidate => candidate.name === name);
      return column?.kind === 'number' && !column.gaps ? column.values[2] : undefined;
    };
    assert.equal(read('price_c_kwh', [Date.UTC(2026, 3, 1), Date.UTC(2026, 6, 1)]), 101);
    assert.equal(read('price_c_kwh', [Date.UTC(2024, 0, 1), Date.UTC(2025, 0, 1)]), 101);
    assert.equal(read('load_mw', [Date.UTC(2026, 3, 1), Date.UTC(2026, 6, 1)]), undefined);
  });

  it('repeats uneven readings that are closer than the rows, without rows of their own', () => {
    const base = readFile(createRowsFrame(createHours(3), ['thermal_mw']), { hours: 3 });
    const minutes = [0, 7, 25, 31, 61, 119];
    const readings = minutes.map((minute, index) => ({ ts: start + minute * 60_000, level: index }));
    const joined = joinResults(base, { name: 'a.csv', frame: createRowsFrame(readings, ['level']), interval: '' });
    const level = getFrame(joined).columns.find(({ name }) => name === 'level');
    assert.deepEqual(level?.kind === 'number' && [...level.values], [0, 3, 5]);
  });

  it('throws an error for shorter rows that last into the next row', () => {
    const base = readFile(createRowsFrame(createHours(3), ['thermal_mw']), { hours: 3 });
    const rows = Array.from({ length: 6 }, (_, index) => ({ ts: start + (index * 30 + 15) * 60_000, plant_mwh: 1 }));
    const frame = createRowsFrame(rows, ['plant_mwh']);
    assert.throws(() => joinResults(base, { name: 'plant.csv', frame, interval: '30m' }), { reason: 'otherTimes' });
  });

  it('joins a source without any rows, and renames columns with a reserved name or a known label', () => {
    const base = readFile(createRowsFrame(createHours(3), ['thermal_mw']), { hours: 3 });
    const empty = { name: 'other', frame: { rowCount: 0, columns: [] }, interval: '1h' };
    assert.deepEqual(getFrame(joinResults(base, empty)).columns, getFrame({ result: base }).columns);
    const frame = createRowsFrame(
      createHours(3).map(row => ({ ...row, cost: 1 })),
      ['thermal_mw', 'cost'],
    );
    const joined = getFrame(joinResults(base, { name: 'plant.csv', frame, interval: '1h' }, ['cost']));
    assert.deepEqual(
      joined.columns.slice(-2).map(({ name, field }) => [name, field?.label]),
      [
        ['thermal_mw · plant', 'thermal_mw'],
        ['cost · plant', 'cost'],
      ],
    );
  });

  it('throws an error for rows of the same length that begin at other times', () => {
    const base = readFile(createRowsFrame(createHours(3), ['thermal_mw']), { hours: 3 });
    const halfHourLater = createHours(3, start + 1_800_000);
    const frame = createRowsFrame(halfHourLater, ['thermal_mw']);
    assert.throws(() => joinResults(base, { name: 'plant.csv', frame, interval: '1h' }), {
      reason: 'otherTimes',
      facts: { file: 'plant.csv' },
    });
  });

  it('throws an error for rows without times, and for too many cells', () => {
    const withoutTimes = createFrame(numberColumn('a', [1]));
    const base = readFile(createRowsFrame(createHours(2), ['thermal_mw']));
    const source = { name: 'plant.csv', frame: getFrame({ result: base }), interval: '1h' };
    for (const frame of [undefined, withoutTimes])
      assert.throws(() => joinResults({ ...base, frame }, source), { reason: 'noTimes', facts: { file: 'base.csv' } });
    assert.throws(() => joinResults(base, { ...source, frame: withoutTimes }), {
      reason: 'noTimes',
      facts: { file: 'plant.csv' },
    });
    const names = Array.from({ length: 1_999 }, (_, index) => `c${index}`);
    const wide = createRowsFrame(createHours(2), names);
    assert.throws(() => joinResults(base, { ...source, frame: wide }), { reason: 'fileTooLarge' });
    assert.equal(
      getFrame(joinResults(base, { ...source, frame: { ...wide, columns: wide.columns.slice(0, -1) } })).columns.length,
      2_000,
    );
  });
});
