import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { analyze, listResamplingChoices } from '../../../../src/core/analysis/analyze.ts';
import { getFigureName } from '../../../../src/core/bins/binFrame.ts';
import { formatEnglish } from '../../../../src/core/bins/binSums.ts';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import { parseProvenance } from '../../../../src/core/dataFile/fileProvenance.ts';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { createExportProvenance } from '../../../../src/core/export/exportProvenance.ts';
import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import { translateTransformations } from '../../../../src/core/snippets/panelTransformations.ts';
import { computeStatistics } from '../../../../src/core/statistics/summaryFrame.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import type { Analysis } from '../../../../src/shared/analysis.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { energy, power } from '../../../../src/shared/units.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';
import { getProfile } from '../../../../src/webview/statistics/profile.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import {
  dayMs,
  createFile,
  hourMs,
  minuteMs,
  getNumberColumn,
  toResultRows,
  createRows,
  start,
} from './fileOfLengths.ts';

const energyName = getFigureName('mw', 'energy');
const context = { locale: 'en', translate: formatEnglish };
type File = ReturnType<typeof createFile>;

const getStatistics = (frame: Frame, name = 'mw') =>
  computeStatistics({ frame, intervalMs: undefined }, getNumberColumn(frame, name));
const analyzeFile = (file: File, analysis: Analysis) => analyze(toResultRows(file), analysis, context);
const sum = (values: Iterable<number>): number => Array.from(values).reduce((total, value) => total + value, 0);
const readValues = (frame: Frame, name: string): number[] => [...getNumberColumn(frame, name).values];

/** A day of 24 hours, followed by a day of 96 quarter hours. */
const constant = createRows([24, 60, 1_000], [96, 15, 1_000]);
const changed = createRows([24, 60, 1_000], [96, 15, 2_000]);

describe('rows of several lengths', () => {
  it('reads 48,000 MWh without a missing hour from a file of 60-minute and 15-minute rows', async function () {
    const path = findSharedFile('cases', 'files', 'mixed_resolution_60_15.csv');
    if (path === undefined) return this.skip();
    const request = { name: 'mixed.csv', options: {}, sidecar: undefined };
    const file = await readDataFile(createBytesSource(await readFile(path)), request, () => undefined);
    const { result } = createFileResult(file.kind === 'table' ? file.table : assert.fail(), 'mixed.csv');
    assert.deepEqual(getStatistics(result.frame ?? assert.fail()).energy, { mwh: 48_000, hours: 48 });
    assert.deepEqual([result.coverage?.expected, result.coverage?.missing], [120, 0]);
  });

  it('weights each row by its length in energies and means, of all rows and of a selection', () => {
    const { frame, result, intervalFrom } = createFile(changed);
    const { energy, summary } = getStatistics(frame);
    assert.deepEqual([energy, summary?.mean], [{ mwh: 72_000, hours: 48 }, 1_500]);
    const rows = Uint32Array.of(22, 23, 24, 25);
    const { figures } = computeSelectionStats([getNumberColumn(frame, 'mw')], rows);
    assert.deepEqual([figures?.energy, figures?.mean], [{ mwh: 3_000, hours: 2.5 }, 1_200]);
    assert.deepEqual([result.provenance.interval, intervalFrom], ['', undefined]);
    assert.deepEqual([result.provenance.start, result.provenance.end], [start, start + 2 * dayMs]);
  });

  it('resamples rows by their own lengths', () => {
    const file = createFile(changed);
    const resample = (resample: NonNullable<Analysis['resample']>) => analyzeFile(file, { resample }).frame;
    assert.deepEqual(readValues(resample('day'), 'mw'), [1_000, 2_000]);
    assert.deepEqual(readValues(resample('day'), energyName), [24_000, 48_000]);
    assert.deepEqual(
      [readValues(resample('day'), 'hours'), readValues(resample('day'), 'of_hours')],
      [
        [24, 24],
        [24, 24],
      ],
    );
    const hoursOfDay = resample('hourOfDay');
    assert.ok(readValues(hoursOfDay, 'mw').every(mean => mean === 1_500));
    assert.ok(readValues(hoursOfDay, 'of_hours').every(hours => hours === 2));
    assert.deepEqual(readValues(resample('month'), energyName), [24_000, 48_000]);
    assert.deepEqual(readValues(resample('week'), energyName), [72_000]);
    // The rest of the week is missing, before and after the rows.
    assert.deepEqual(readValues(resample('week'), 'of_hours'), [168]);
    assert.ok(
      !listResamplingChoices(toResultRows(createFile(createRows([20, 1_440, 1], [96, 15, 1])))).includes('hourOfDay'),
    );
  });

  it('reports missing rows with the length that they would have', () => {
    const missing = [5, 6, 40, 41, 42];
    const file = createFile(changed.filter((_, row) => !missing.includes(row)));
    const { coverage } = file.result;
    assert.deepEqual([coverage?.expected, coverage?.present, coverage?.missing], [120, 115, 5]);
    const quarter = start + dayMs + 16 * 15 * minuteMs;
    assert.deepEqual(coverage?.missingRanges, [
      [start + 5 * hourMs, start + 7 * hourMs],
      [quarter, quarter + 45 * minuteMs],
    ]);
    assert.deepEqual(getStatistics(file.frame).energy, { mwh: 70_000 - 1_500, hours: 48 - 2.75 });
    const days = analyzeFile(file, { resample: 'day' }).frame;
    assert.deepEqual(
      [readValues(days, 'hours'), readValues(days, 'of_hours')],
      [
        [22, 23.25],
        [24, 24],
      ],
    );
    const withMissing = analyzeFile(file, { missing: true }).frame;
    assert.deepEqual(
      [...(withMissing.columns[0] as { values: Float64Array }).values],
      changed.map(row => row.start),
    );
    assert.deepEqual(getStatistics(withMissing).energy, getStatistics(file.frame).energy);
  });

  it('counts each interval once, by its last row', () => {
    const withDuplicates = [
      ...changed.slice(0, 24),
      ...changed.slice(20, 24),
      ...changed.slice(24),
      ...changed.slice(24, 28),
    ];
    const irregularRow = { start: start + 9.5 * hourMs, minutes: 0, mw: 1_000 };
    const file = createFile([...withDuplicates, irregularRow].reverse());
    assert.deepEqual(getStatistics(file.frame).energy, { mwh: 72_000, hours: 48 });
    assert.deepEqual(readValues(analyzeFile(file, { resample: 'day' }).frame, energyName), [24_000, 48_000]);
  });

  it('preserves the total energy in any resampling, whatever is missing', () => {
    const rowRun = fc.tuple(fc.integer({ min: 24, max: 120 }), fc.constantFrom(10, 15, 30, 60, 180, 1_440));
    const generatedRuns = fc.tuple(fc.array(rowRun, { minLength: 2, maxLength: 4 }), fc.integer());
    const resamplings = fc.constantFrom('day', 'week', 'month', 'year', 'weekday', 'monthOfYear', 'season');
    fc.assert(
      fc.property(generatedRuns, resamplings, fc.boolean(), ([runs, seed], resample, isReversed) => {
        const random = createSeededRandom(seed);
        const distinctRuns = runs.filter(([, minutes], index) => minutes !== runs[index - 1]?.[1]);
        fc.pre(distinctRuns.length > 1);
        const rowsOfAllRuns = createRows(...distinctRuns.map(([count, minutes]) => [count, minutes, 750] as const));
        // The first and last rows of each length are present, because the others would not determine its limits.
        const isEdge = (row: number): boolean =>
          [-4, -3, -2, -1, 1, 2, 3, 4].some(
            offset => rowsOfAllRuns[row + offset]?.minutes !== rowsOfAllRuns[row]?.minutes,
          );
        const rows = rowsOfAllRuns.filter((_, row) => isEdge(row) || random() > 0.02);
        const hours = sum(rows.map(({ minutes }) => minutes)) / 60;
        const file = createFile(isReversed ? rows.toReversed() : rows);
        const { energy, summary } = getStatistics(file.frame);
        assert.ok(Math.abs((energy?.mwh ?? NaN) - 750 * hours) < 1e-6 * hours, `${energy?.mwh} of ${750 * hours}`);
        assert.equal(summary?.mean, 750);
        assert.equal(file.result.coverage?.missing, rowsOfAllRuns.length - rows.length);
        const longer = analyzeFile(file, { resample }).frame;
        if (longer.columns.length === 0 || longer === file.frame) return;
        assert.ok(Math.abs(sum(readValues(longer, energyName)) - 750 * hours) < 1e-6 * hours);
        assert.ok(readValues(longer, 'mw').every(mean => mean === 750));
        assert.ok(Math.abs(sum(readValues(longer, 'hours')) - hours) < 1e-6);
      }),
    );
  });

  it('calculates the same energies as from whole rows', () => {
    const mwh = numberColumn(
      'mwh',
      constant.map(({ minutes }) => (1_000 * minutes) / 60),
      energy,
    );
    const file = createFile(constant, [mwh]);
    const { summary } = getStatistics(file.frame, 'mwh');
    assert.deepEqual([summary?.sum, summary?.mean], [48_000, 400]);
    assert.deepEqual(readValues(analyzeFile(file, { resample: 'day' }).frame, 'mwh'), [24_000, 24_000]);
  });

  it('finds events whose length is the sum of their rows, also across missing rows', () => {
    // The values exceed 500 from the last two hours on, for three quarters, then two are unknown, then one more exceeds it.
    const levels = createRows([24, 60, 100], [96, 15, 100]).map((row, index) => ({
      ...row,
      mw: index >= 22 && index < 30 ? 900 : 100,
    }));
    const file = createFile(levels.filter((_, row) => row !== 27 && row !== 28));
    const find = { rule: { kind: 'condition', condition: 'mw > 500' }, column: 'mw' } as const;
    const { frame, problems } = analyzeFile(file, { find });
    assert.deepEqual(problems, []);
    assert.deepEqual(readValues(frame, 'of_hours'), [3.5]);
    assert.deepEqual(readValues(frame, 'hours'), [3]);
    assert.deepEqual(readValues(frame, energyName), [2_700]);
    const [from, until] = frame.columns.map(column => ('values' in column ? column.values[0] : undefined));
    assert.deepEqual([from, until], [start + 22 * hourMs, start + dayMs + 90 * minuteMs]);
    // Twelve unknown quarter hours last three hours; thirteen last longer.
    for (const [count, expected] of [
      [12, 1],
      [13, 2],
    ] as const) {
      const high = constant.filter((_, row) => row < 30 || row >= 30 + count);
      assert.equal(analyzeFile(createFile(high), { find }).frame.rowCount, expected);
    }
    for (const rule of [
      { kind: 'peak' },
      { kind: 'ramp', value: 1, hours: 1 },
      { kind: 'unusual', by: 'row' },
    ] as const)
      assert.deepEqual(analyzeFile(file, { find: { rule, column: 'mw' } }).problems, [
        'Peaks, ramps and unusual rows need rows of one length.',
      ]);
  });

  it('weights rows by their length in the score of a forecast', () => {
    const rows = createRows([48, 60, 1_000], [192, 15, 1_000]);
    const forecast = numberColumn(
      'forecast',
      rows.map(({ minutes }, row) => (row === 3 ? null : minutes === 60 ? 900 : 700)),
      power,
    );
    const file = createFile(rows, [forecast]);
    const { frame } = analyzeFile(file, { score: { actual: 'mw', forecast: 'forecast', by: 'hourOfDay' } });
    const readFigure = (name: string): number | undefined => readValues(frame, name)[0];
    assert.deepEqual([readFigure('hours'), readFigure('of_hours')], [95, 96]);
    assert.ok(Math.abs((readFigure('bias_mw') ?? NaN) - (47 * 100 + 48 * 300) / 95) < 1e-9);
    assert.deepEqual(readValues(frame, 'of_hours').slice(1, 3), [4, 4]);
  });

  it('uses the row of the same length a day before for persistence', () => {
    const rows = createRows([48, 60, 0], [192, 15, 0]).map((row, index) => ({
      ...row,
      mw: Math.floor(row.start / dayMs) * 10 + index * 0,
    }));
    const forecast = numberColumn(
      'forecast',
      rows.map(({ mw }) => mw - 5),
      power,
    );
    const { frame } = analyzeFile(createFile(rows, [forecast]), {
      score: { actual: 'mw', forecast: 'forecast', by: 'all' },
    });
    // The second day of each length is compared with 10 of the day before. On the third day there is none, because the day before has hours.
    assert.deepEqual(readValues(frame, 'skill_24h_pct'), [50]);
  });

  it('compares rows with the hours of another result, with the hours for which they count', () => {
    const { frame: hourlyFrame } = createFile(changed);
    const hours = Array.from({ length: 48 }, (_, hour) => start + hour * hourMs);
    const base = createFrame(
      timeColumn('ts', hours),
      numberColumn(
        'mw',
        hours.map(() => 3_000),
        power,
      ),
    );
    const span = { start, end: start + 2 * dayMs };
    const options = {
      align: { shiftMs: 0 },
      intervalMs: hourMs,
      timeZone: 'UTC',
      comparedWith: 'a',
      translate: formatEnglish,
    };
    const comparison = compareFrames(base, hourlyFrame, { ...options, base: span, other: span });
    const { energy: fileEnergy, summary } = getStatistics(comparison, 'mw · compared');
    // Each row covers a quarter of one of the later hours.
    assert.deepEqual([fileEnergy, summary?.mean], [{ mwh: 24_000 + 24 * 0.25 * 2_000, hours: 30 }, 36_000 / 30]);
    assert.equal(getStatistics(comparison, 'mw · difference').energy, undefined);
    assert.ok(!comparison.columns.some(({ name }) => name === 'mw · percent'));
  });

  it('exports rows with their ends', () => {
    const { frame } = createFile(constant);
    const { columns } = createTableToWrite({ frame, columns: [0, 'intervalEnd'] });
    const ends = columns[1]?.kind === 'time' ? [...columns[1].values] : [];
    assert.deepEqual(
      ends,
      constant.map(row => row.start + row.minutes * minuteMs),
    );
  });

  it('restores lengths and missing rows when an export is opened again', () => {
    const rows = changed.filter((_, row) => row !== 7 && row !== 60);
    const { result, frame } = createFile(rows);
    const options = { times: 'utc', zone: { timeZone: 'UTC', label: 'UTC' } } as const;
    const exportProvenance = createExportProvenance(result, { frame, intervalMs: undefined }, options);
    const provenance = parseProvenance(JSON.stringify(exportProvenance));
    const [time] = frame.columns;
    const exportedFrame = createFrame(
      timeColumn('ts', time && 'values' in time ? [...time.values] : []),
      getNumberColumn(frame, 'mw'),
    );
    const table = { fileRowCount: rows.length, omitted: [], zone: undefined, notes: [], text: '' };
    const reopened = createFileResult({ ...table, frame: exportedFrame, provenance }, 'a.parquet').result;
    assert.deepEqual(reopened.frame?.columns, frame.columns);
    assert.deepEqual(reopened.coverage, result.coverage);
  });

  it('weights rows by their lengths even if the metadata of a file claims one interval or an unknown one', () => {
    for (const [from, until] of [
      ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'],
      ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'],
    ] as const) {
      const provenance = parseProvenance(JSON.stringify({ source: 'Grid Data Inspector', start: from, end: until }));
      const { frame } = createFile(changed, [], provenance);
      assert.deepEqual(getStatistics(frame).energy, { mwh: 72_000, hours: 48 });
    }
  });

  it('weights each row by its length in daily profiles', () => {
    const { frame } = createFile(changed);
    const profile = getProfile(getNumberColumn(frame, 'mw'), {
      frame,
      rows: undefined,
      intervalMs: hourMs,
      timeZone: 'UTC',
    });
    assert.deepEqual('hours' in profile && profile.hours.map(({ mean }) => mean), Array<number>(24).fill(1_500));
  });

  it('rejects functions of time, and does not resample such rows in generated programs', () => {
    const file = createFile(constant);
    const derive = [
      { name: 'm', formula: 'mean(mw, 24h)' },
      { name: 'k', formula: 'mw / 1000' },
    ];
    const { problems, derived } = analyzeFile(file, { derive });
    assert.deepEqual([problems.length, derived.length], [1, 1]);
    assert.match(problems[0] ?? '', /needs rows of equal length/);
    const { resampling } = analyzeFile(file, { resample: 'day' });
    const transformations = translateTransformations(
      file.frame,
      { ...(resampling && { resampling }) },
      { timeZone: 'UTC', locale: 'en', start, end: start + 2 * dayMs },
    );
    assert.deepEqual([transformations?.sql, transformations?.applied, transformations?.notApplied.length], [[], [], 1]);
  });
});
