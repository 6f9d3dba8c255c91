import assert from 'node:assert/strict';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import { findPortalColumn } from '../../../../src/core/portal/portalColumns.ts';
import { takeRows } from '../../../../src/core/frame/clip.ts';
import type { Column, ColumnComparison, FieldInfo, NumberColumn } from '../../../../src/shared/frame.ts';
import {
  energyChange,
  hourCount,
  index,
  power,
  powerDifference,
  share,
  type Unit,
} from '../../../../src/shared/units.ts';
import type { GridColumn } from '../../../../src/presentation/table/gridColumn.ts';
import { createGridColumns } from '../../../../src/presentation/columns/createGridColumns.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const start = Date.UTC(2026, 10, 14, 5);

function createColumns(...columns: Column[]) {
  return createGridColumns({ rowCount: 2, columns }, 'en', utc);
}

function time(values: number[], parts: Partial<Column> = {}): Column {
  const field = systemStateFields.get('ts');
  return {
    kind: 'time',
    name: 'ts',
    path: ['ts'],
    values: Float64Array.from(values),
    ...(field && { field }),
    ...parts,
  } as Column;
}

describe('createGridColumns', () => {
  it('puts the time first and keeps the order of the others', () => {
    const number = (name: string): Column => ({ kind: 'number', name, path: [name], values: new Float64Array(2) });
    const columns = createColumns(number('a'), time([start, start + 3_600_000]), number('b'));
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['ts', 'a', 'b'],
    );
  });

  it('titles known fields, and unknown ones as received', () => {
    const known = systemStateFields.get('wind_mw');
    const [wind, unknownColumn] = createColumns(
      {
        kind: 'number',
        name: 'wind_mw',
        path: ['wind_mw'],
        values: new Float64Array(2),
        ...(known && { field: known }),
      },
      { kind: 'number', name: 'wind_kmh', path: ['wind_kmh'], values: new Float64Array(2) },
    );
    assert.deepEqual([wind?.label, wind?.unit, wind?.headerTooltip], ['Wind', 'MW', 'wind_mw · MW\nWind generation']);
    assert.deepEqual(
      [unknownColumn?.label, unknownColumn?.unit, unknownColumn?.headerTooltip],
      ['wind_kmh', '', 'wind_kmh'],
    );
  });

  it('puts derived and joined columns, and what a comparison adds to them, after the time and the hours of a row', () => {
    const createNumber = (name: string, field?: Partial<FieldInfo>): Column => ({
      kind: 'number',
      name,
      path: [name],
      values: new Float64Array(2),
      ...(field && { field: { label: name, meaning: '', ...field } }),
    });
    const comparison = { role: 'compared', rangeName: 'last year' } as const;
    const columns = createColumns(
      createNumber('wind_mw'),
      createNumber('wind_mw · compared', { comparison: { ...comparison, baseName: 'wind_mw' } }),
      createNumber('plant', { joinedFrom: 'plant.csv' }),
      createNumber('plant · compared', { comparison: { ...comparison, baseName: 'plant' } }),
      createNumber('hours', { unit: hourCount }),
      createNumber('cost', { isDerived: true }),
    );
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['hours', 'plant', 'plant · compared', 'cost', 'wind_mw', 'wind_mw · compared'],
    );
  });

  it('shows the source of a meaning that the service does not document', () => {
    const { name = '', field } = findPortalColumn('Total UCLF') ?? {};
    const [column] = createColumns({
      kind: 'number',
      name,
      path: [name],
      values: new Float64Array(2),
      ...(field && { field }),
    });
    assert.deepEqual(column?.headerTooltip.split('\n'), [
      'Total UCLF · MW',
      field?.meaning,
      `Source: ${field?.source}`,
    ]);
  });

  it('names the source of a derived column below its formula', () => {
    const field = { label: 'cost', meaning: 'wind_mw * 2', source: 'NERSA\u202e, 2025', isDerived: true } as const;
    const [cost] = createColumns({ kind: 'number', name: 'cost', path: [], values: new Float64Array(2), field });
    assert.equal(cost?.headerTooltip, 'Derived\nwind_mw * 2\nSource: NERSA[U+202E], 2025');
  });

  it('shows hidden characters of texts and names, and copies them as received', () => {
    const entries = ['invoice\u202egnp.exe\u202c', 'a\u0000\u200b\r\nb\t\ud800'];
    const [text] = createColumns({
      kind: 'text',
      name: 'Mega\u2066watt',
      path: [],
      texts: { codes: Uint32Array.from([0, 1]), entries },
    });
    assert.deepEqual([text?.label, text?.headerTooltip], ['Mega[U+2066]watt', 'Mega[U+2066]watt']);
    assert.deepEqual(
      [text?.text(0), text?.text(1)],
      ['invoice[U+202E]gnp.exe[U+202C]', 'a[U+0000][U+200B]↵b\t[U+D800]'],
    );
    assert.equal(text?.formatTooltip(0), text?.text(0));
    assert.deepEqual(new Set(text?.samples), new Set([text?.text(0), text?.text(1)]));
    assert.deepEqual([text?.exact(0), text?.exact(1)], entries);
  });

  it('leaves letters of any script and combined emoji unchanged', () => {
    const entries = ['שלום 电力', '👩🏽\u200d🔧 ❤\ufe0f 👨\u200d👩\u200d👧'];
    const [text] = createColumns({
      kind: 'text',
      name: 't',
      path: ['t'],
      texts: { codes: Uint32Array.from([0, 1]), entries },
    });
    assert.deepEqual([text?.text(0), text?.text(1)], entries);
  });

  it('distinguishes null, absent, zero and empty text', () => {
    const [number, text] = createColumns(
      { kind: 'number', name: 'n', path: ['n'], values: Float64Array.from([7, 0]), gaps: Uint8Array.from([1, 0]) },
      {
        kind: 'text',
        name: 't',
        path: ['t'],
        texts: { codes: Uint32Array.from([0, 0]), entries: [''] },
        gaps: Uint8Array.from([2, 0]),
      },
    );
    assert.deepEqual([number?.text(0), number?.spoken?.(0), number?.exact(0)], ['', 'null', '']);
    assert.deepEqual([number?.text(1), number?.spoken?.(1), number?.exact(1)], ['0', undefined, '0']);
    assert.deepEqual([text?.text(0), text?.spoken?.(0)], ['', 'absent']);
    assert.deepEqual([text?.text(1), text?.spoken?.(1)], ['', 'empty text']);
  });

  it('shows the exact number in the tooltip only if rounding hides digits', () => {
    const [column] = createColumns({ kind: 'number', name: 'n', path: ['n'], values: Float64Array.from([1 / 3, 0.5]) });
    assert.deepEqual([column?.text(0), column?.formatTooltip(0)], ['0.333', String(1 / 3)]);
    assert.deepEqual([column?.text(1), column?.formatTooltip(1)], ['0.500', '']);
  });

  const numbers = (
    name: string,
    unit: Unit | undefined,
    values: readonly number[],
    more: Partial<NumberColumn> = {},
  ) => {
    const field = { label: name, meaning: '', ...(unit && { unit }), ...more.field };
    return { kind: 'number', name, path: [name], values: Float64Array.from(values), ...more, field } as const;
  };
  const firstTexts = (columns: readonly GridColumn[]) => columns.map(column => column.text(0));

  it('rounds a value, the compared value and their difference to the same digits', () => {
    const createCompareField = (role: ColumnComparison['role']) => ({
      field: { label: '', meaning: '', comparison: { role, baseName: 'a', rangeName: 'b' } },
    });
    const columns = createColumns(
      numbers('a', power, [1200.5, 7]),
      numbers('a · compared', power, [90.25, 7], createCompareField('compared')),
      numbers('a · difference', powerDifference, [10.25, 0.4], createCompareField('difference')),
      numbers('a · percent', energyChange, [0.864, 1], createCompareField('percent')),
      numbers('other', power, [90.25, 7]),
    );
    assert.deepEqual(firstTexts(columns), ['1,201', '90', '10', '0.9', '90.3']);
    assert.deepEqual([columns[2]?.text(1), columns[2]?.formatTooltip(1)], ['~0', '0.4']);
  });

  it('rounds computed columns of a unit to the same digits', () => {
    const columns = [
      numbers('bias', powerDifference, [-12.345, 1]),
      numbers('rmse', power, [512.3, 1]),
      numbers('ratio', undefined, [0.123, 1]),
      numbers('count', undefined, [700, 1]),
    ];
    const gridColumns = createGridColumns({ rowCount: 2, columns }, 'en', utc, undefined, { areComputed: true });
    assert.deepEqual(firstTexts(gridColumns), ['-12', '512', '0.12', '700']);
  });

  it('rounds each row of a summary by the unit of its column', () => {
    const units = { codes: Uint32Array.from([1, 0, 2, 3]), entries: [share, power, index, hourCount] };
    const columns = [
      numbers('mean', undefined, [20_412.66, 11.843, 0.4172, 8.5], { units }),
      numbers('min', undefined, [0.25, 0.004, 0.1, 8], { units }),
      numbers('max', undefined, [26_118.3, 30.25, 0.912, 9], { units }),
      numbers('values', undefined, [168, 168, 168, 2]),
    ];
    const gridColumns = createGridColumns({ rowCount: 4, columns }, 'en', utc, undefined, { areComputed: true });
    const rows = [0, 1, 2, 3].map(row => gridColumns.map(column => column.text(row)));
    assert.deepEqual(rows, [
      ['20,413', '~0', '26,118', '168'],
      ['11.8', '~0.0', '30.3', '168'],
      ['0.42', '0.10', '0.91', '168'],
      ['8.5', '8.0', '9.0', '2'],
    ]);
    const takenRows = takeRows({ rowCount: 4, columns }, Uint32Array.of(3, 1));
    const columnsOfTakenRows = createGridColumns(takenRows, 'en', utc, undefined, { areComputed: true });
    assert.deepEqual(
      columnsOfTakenRows.map(column => column.text(1)),
      rows[1],
    );
  });

  it('searches the displayed texts and the digits that they hide', () => {
    const [column] = createColumns(numbers('a', power, [1200.5, 7], { gaps: Uint8Array.of(0, 1) }));
    assert.deepEqual([column?.searched?.(0), column?.searched?.(1)], ['1,201\n1200.5', '']);
  });

  it('titles a column by the interval of its rows', () => {
    const label = (...instants: number[]) => createColumns(time(instants))[0]?.label;
    const midnight = Date.UTC(2026, 10, 14);
    assert.equal(label(start, start + 3_600_000), 'Hour (UTC)');
    assert.equal(label(midnight, midnight + 86_400_000), 'Day (UTC)');
    assert.equal(label(start, start + 1_800_000), 'Time (UTC)');
  });

  it('copies the instant as received', () => {
    const received = { codes: Uint32Array.from([0, 0]), entries: ['2026-11-14T07:00+02:00'] };
    assert.equal(createColumns(time([start, start], { received }))[0]?.exact(0), '2026-11-14T07:00+02:00');
    assert.equal(createColumns(time([start, start]))[0]?.exact(0), '2026-11-14T05:00:00Z');
  });
});

describe('createGridColumns with options', () => {
  const hourly = { rowCount: 2, columns: [time([start, start + 3_600_000])] };

  it('shows the end of the interval next to its start, and sorts by the start', () => {
    const columns = createGridColumns(hourly, 'en', utc, undefined, { intervalEnd: true });
    const until = columns[1];
    assert.deepEqual([until?.name, until?.source, until?.label], ['ts:until', 'ts', 'Until (UTC)']);
    assert.deepEqual([until?.text(1), until?.exact(1)], ['14 Nov 07:00', '2026-11-14T07:00:00Z']);
    const single = { rowCount: 1, columns: [time([start])] };
    assert.equal(createGridColumns(single, 'en', utc, undefined, { intervalEnd: true }).length, 1);
  });

  it('labels hours as hour-beginning, and days as UTC days', () => {
    assert.match(
      createGridColumns(hourly, 'en', utc)[0]?.headerTooltip ?? '',
      /^Hour-beginning: a row at 05:00 is the hour from 05:00/m,
    );
    const midnight = Date.UTC(2026, 10, 14);
    const daily = { rowCount: 2, columns: [time([midnight, midnight + 86_400_000])] };
    const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
    const [day] = createGridColumns(daily, 'en', sast, 86_400_000);
    assert.deepEqual([day?.label, day?.text(0)], ['Day (UTC)', '14 Nov']);
    assert.match(day?.headerTooltip ?? '', /^Days are UTC days/m);
  });

  it('marks a single cell with too few hours if its row has enough', () => {
    const hourMs = 3_600_000;
    const values = (count: number): NumberColumn['values'] => Float64Array.from({ length: count }, () => 10);
    const power = (name: string, isKnown: (hour: number) => boolean): Column => {
      const field = systemStateFields.get(name);
      const gaps = Uint8Array.from({ length: 72 }, (_, hour) => (isKnown(hour) ? 0 : 1));
      return { kind: 'number', name, path: [name], values: values(72), gaps, ...(field && { field }) };
    };
    const day = Date.UTC(2026, 10, 14);
    const hours = time(Array.from({ length: 72 }, (_, hour) => day + hour * hourMs));
    // Wind has a value in one hour of the first day, in 20 of the second, and in none of the third.
    const columns = [
      hours,
      power('wind_mw', hour => hour === 3 || (hour >= 24 && hour < 44)),
      power('pv_mw', () => true),
    ];
    const span = { start: day, end: day + 72 * hourMs, intervalMs: hourMs };
    const days = resampleFrame(
      { rowCount: 72, columns },
      { by: 'day', timeZone: 'UTC', label: 'UTC', names: [], ...span },
    );
    const gridColumns = createGridColumns(days, 'en', utc, 24 * hourMs, { minCoverage: 0.75 });
    const cells = (name: string) => {
      const column = gridColumns.find(gridColumn => gridColumn.name === name);
      return [0, 1, 2].map(row => [column?.badge?.(row)?.text.trim(), column?.formatTooltip(row)]);
    };
    const expectedCells = [
      ['few', '1 of 24 hours have data: less than 75 %'],
      ['', '20 of 24 hours have data'],
    ];
    assert.deepEqual(cells('wind_mw').slice(0, 2), expectedCells);
    assert.deepEqual(cells('wind_mwh').slice(0, 2), expectedCells);
    assert.deepEqual(cells('wind_mw')[2], ['', 'null: the service sent no value']);
    assert.deepEqual(cells('pv_mw'), Array(3).fill([undefined, '']));
    assert.deepEqual(cells('hours'), Array(3).fill(['', '24 of 24 hours have data']));
  });

  it('shows when the minimum and maximum of a row first occurred, in the displayed zone, except for gaps', () => {
    const hourMs = 3_600_000;
    const day = Date.UTC(2026, 10, 14);
    const values = Float64Array.from({ length: 48 }, (_, hour) => (hour === 5 || hour === 7 ? 90 : hour));
    const gaps = Uint8Array.from(values, (_, hour) => (hour < 24 ? 0 : 1));
    const field = systemStateFields.get('wind_mw');
    const wind = { kind: 'number', name: 'wind_mw', path: ['wind_mw'], values, gaps, ...(field && { field }) } as const;
    const hours = time(Array.from(values, (_, hour) => day + hour * hourMs));
    const span = { start: day, end: day + 48 * hourMs, intervalMs: hourMs };
    const days = resampleFrame(
      { rowCount: 48, columns: [hours, wind] },
      { by: 'day', timeZone: 'UTC', label: 'UTC', names: [], ...span },
    );
    const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
    const gridColumns = createGridColumns(days, 'en', sast);
    const tooltips = (name: string) =>
      [0, 1].map(row => gridColumns.find(gridColumn => gridColumn.name === name)?.formatTooltip(row));
    const gap = 'null: the service sent no value';
    assert.deepEqual(tooltips('wind_max_mw'), ['First at 14 Nov 2026 07:00 SAST (UTC+2)', gap]);
    assert.deepEqual(tooltips('wind_min_mw'), ['First at 14 Nov 2026 02:00 SAST (UTC+2)', gap]);
    assert.deepEqual(tooltips('wind_mw'), ['', gap]);
  });
});
