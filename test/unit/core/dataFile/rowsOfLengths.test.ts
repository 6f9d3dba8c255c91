import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { analyse, listResamplingChoices } from '../../../../src/core/analysis/analyse.ts';
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
import { selectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { seeded } from '../../../support/seeded.ts';
import { profileOf } from '../../../../src/webview/statistics/profileOf.ts';
import { sharedFile } from '../../../support/shared.ts';
import { frameOf, numberColumn, timeColumn } from '../filter/columns.ts';
import { dayMs, fileOf, hourMs, minuteMs, numbersOf, resultRowsOf, rowsOf, start } from './fileOfLengths.ts';

const energyName = getFigureName('mw', 'energy');
const context = { locale: 'en', say: formatEnglish };
type File = ReturnType<typeof fileOf>;

const statistics = (frame: Frame, name = 'mw') =>
  computeStatistics({ frame, intervalMs: undefined }, numbersOf(frame, name));
const analysed = (file: File, analysis: Analysis) => analyse(resultRowsOf(file), analysis, context);
const sum = (values: Iterable<number>): number => Array.from(values).reduce((all, value) => all + value, 0);
const valuesOf = (frame: Frame, name: string): number[] => [...numbersOf(frame, name).values];

/** 24 hours, then 96 quarters of an hour. */
const constant = rowsOf([24, 60, 1_000], [96, 15, 1_000]);
const changed = rowsOf([24, 60, 1_000], [96, 15, 2_000]);

describe('rows of several lengths', () => {
  it('are read of a file of 60 and then 15 minutes as 48,000 MWh, without a missing hour', async function () {
    const path = sharedFile('cases', 'files', 'mixed_resolution_60_15.csv');
    if (path === undefined) return this.skip();
    const request = { name: 'mixed.csv', options: {}, sidecar: undefined };
    const read = await readDataFile(createBytesSource(await readFile(path)), request, () => undefined);
    const { result } = createFileResult(read.kind === 'table' ? read.table : assert.fail(), 'mixed.csv');
    assert.deepEqual(statistics(result.frame ?? assert.fail()).energy, { mwh: 48_000, hours: 48 });
    assert.deepEqual([result.coverage?.expected, result.coverage?.missing], [120, 0]);
  });

  it('count for their own length in energies and means, of all rows and of those selected', () => {
    const { frame, result, intervalFrom } = fileOf(changed);
    const { energy, summary } = statistics(frame);
    assert.deepEqual([energy, summary?.mean], [{ mwh: 72_000, hours: 48 }, 1_500]);
    const rows = Uint32Array.of(22, 23, 24, 25);
    const { figures } = selectionStats([numbersOf(frame, 'mw')], rows);
    assert.deepEqual([figures?.energy, figures?.mean], [{ mwh: 3_000, hours: 2.5 }, 1_200]);
    assert.deepEqual([result.provenance.interval, intervalFrom], ['', undefined]);
    assert.deepEqual([result.provenance.start, result.provenance.end], [start, start + 2 * dayMs]);
  });

  it('are resampled by their own lengths', () => {
    const file = fileOf(changed);
    const of = (resample: NonNullable<Analysis['resample']>) => analysed(file, { resample }).frame;
    assert.deepEqual(valuesOf(of('day'), 'mw'), [1_000, 2_000]);
    assert.deepEqual(valuesOf(of('day'), energyName), [24_000, 48_000]);
    assert.deepEqual(
      [valuesOf(of('day'), 'hours'), valuesOf(of('day'), 'of_hours')],
      [
        [24, 24],
        [24, 24],
      ],
    );
    const ofHours = of('hourOfDay');
    assert.ok(valuesOf(ofHours, 'mw').every(mean => mean === 1_500));
    assert.ok(valuesOf(ofHours, 'of_hours').every(hours => hours === 2));
    assert.deepEqual(valuesOf(of('month'), energyName), [24_000, 48_000]);
    assert.deepEqual(valuesOf(of('week'), energyName), [72_000]);
    // The rest of the week, before and after.
    assert.deepEqual(valuesOf(of('week'), 'of_hours'), [168]);
    assert.ok(!listResamplingChoices(resultRowsOf(fileOf(rowsOf([20, 1_440, 1], [96, 15, 1])))).includes('hourOfDay'));
  });

  it('are missing by the length that they would have', () => {
    const missing = [5, 6, 40, 41, 42];
    const file = fileOf(changed.filter((_, row) => !missing.includes(row)));
    const { coverage } = file.result;
    assert.deepEqual([coverage?.expected, coverage?.present, coverage?.missing], [120, 115, 5]);
    const quarter = start + dayMs + 16 * 15 * minuteMs;
    assert.deepEqual(coverage?.missingStretches, [
      [start + 5 * hourMs, start + 7 * hourMs],
      [quarter, quarter + 45 * minuteMs],
    ]);
    assert.deepEqual(statistics(file.frame).energy, { mwh: 70_000 - 1_500, hours: 48 - 2.75 });
    const days = analysed(file, { resample: 'day' }).frame;
    assert.deepEqual(
      [valuesOf(days, 'hours'), valuesOf(days, 'of_hours')],
      [
        [22, 23.25],
        [24, 24],
      ],
    );
    const whole = analysed(file, { missing: true }).frame;
    assert.deepEqual(
      [...(whole.columns[0] as { values: Float64Array }).values],
      changed.map(({ at }) => at),
    );
    assert.deepEqual(statistics(whole).energy, statistics(file.frame).energy);
  });

  it('count once where several begin in one interval, the last of them', () => {
    const twice = [...changed.slice(0, 24), ...changed.slice(20, 24), ...changed.slice(24), ...changed.slice(24, 28)];
    const odd = { at: start + 9.5 * hourMs, minutes: 0, mw: 1_000 };
    const file = fileOf([...twice, odd].reverse());
    assert.deepEqual(statistics(file.frame).energy, { mwh: 72_000, hours: 48 });
    assert.deepEqual(valuesOf(analysed(file, { resample: 'day' }).frame, energyName), [24_000, 48_000]);
  });

  it('have the same energy in any resampling, whatever is missing', () => {
    const stretch = fc.tuple(fc.integer({ min: 24, max: 120 }), fc.constantFrom(10, 15, 30, 60, 180, 1_440));
    const drawn = fc.tuple(fc.array(stretch, { minLength: 2, maxLength: 4 }), fc.integer());
    const by = fc.constantFrom('day', 'week', 'month', 'year', 'weekday', 'monthOfYear', 'season');
    fc.assert(
      fc.property(drawn, by, fc.boolean(), ([stretches, seed], resample, backwards) => {
        const random = seeded(seed);
        const unlike = stretches.filter(([, minutes], at) => minutes !== stretches[at - 1]?.[1]);
        fc.pre(unlike.length > 1);
        const all = rowsOf(...unlike.map(([count, minutes]) => [count, minutes, 750] as const));
        // Whole are the first and last rows of each length: others tell its border.
        const isEdge = (row: number): boolean =>
          [-4, -3, -2, -1, 1, 2, 3, 4].some(by => all[row + by]?.minutes !== all[row]?.minutes);
        const rows = all.filter((_, row) => isEdge(row) || random() > 0.02);
        const hours = sum(rows.map(({ minutes }) => minutes)) / 60;
        const file = fileOf(backwards ? rows.toReversed() : rows);
        const { energy, summary } = statistics(file.frame);
        assert.ok(Math.abs((energy?.mwh ?? NaN) - 750 * hours) < 1e-6 * hours, `${energy?.mwh} of ${750 * hours}`);
        assert.equal(summary?.mean, 750);
        assert.equal(file.result.coverage?.missing, all.length - rows.length);
        const longer = analysed(file, { resample }).frame;
        if (longer.columns.length === 0 || longer === file.frame) return;
        assert.ok(Math.abs(sum(valuesOf(longer, energyName)) - 750 * hours) < 1e-6 * hours);
        assert.ok(valuesOf(longer, 'mw').every(mean => mean === 750));
        assert.ok(Math.abs(sum(valuesOf(longer, 'hours')) - hours) < 1e-6);
      }),
    );
  });

  it('have energies that are those of their whole rows', () => {
    const mwh = numberColumn(
      'mwh',
      constant.map(({ minutes }) => (1_000 * minutes) / 60),
      energy,
    );
    const file = fileOf(constant, [mwh]);
    const { summary } = statistics(file.frame, 'mwh');
    assert.deepEqual([summary?.sum, summary?.mean], [48_000, 400]);
    assert.deepEqual(valuesOf(analysed(file, { resample: 'day' }).frame, 'mwh'), [24_000, 24_000]);
  });

  it('are runs of events as long as they are, also over rows that are missing', () => {
    // Over 500 from the last two hours on, for three quarters, then two unknown ones, then another.
    const levels = rowsOf([24, 60, 100], [96, 15, 100]).map((row, at) => ({
      ...row,
      mw: at >= 22 && at < 30 ? 900 : 100,
    }));
    const file = fileOf(levels.filter((_, row) => row !== 27 && row !== 28));
    const find = { rule: { kind: 'condition', condition: 'mw > 500' }, column: 'mw' } as const;
    const { frame, problems } = analysed(file, { find });
    assert.deepEqual(problems, []);
    assert.deepEqual(valuesOf(frame, 'of_hours'), [3.5]);
    assert.deepEqual(valuesOf(frame, 'hours'), [3]);
    assert.deepEqual(valuesOf(frame, energyName), [2_700]);
    const [from, until] = frame.columns.map(column => ('values' in column ? column.values[0] : undefined));
    assert.deepEqual([from, until], [start + 22 * hourMs, start + dayMs + 90 * minuteMs]);
    // 12 unknown quarters last three hours, 13 more than that.
    for (const [count, expected] of [
      [12, 1],
      [13, 2],
    ] as const) {
      const high = constant.filter((_, row) => row < 30 || row >= 30 + count);
      assert.equal(analysed(fileOf(high), { find }).frame.rowCount, expected);
    }
    for (const rule of [
      { kind: 'peak' },
      { kind: 'ramp', value: 1, hours: 1 },
      { kind: 'unusual', by: 'row' },
    ] as const)
      assert.deepEqual(analysed(file, { find: { rule, column: 'mw' } }).problems, [
        'Peaks, ramps and unusual rows need rows of one length.',
      ]);
  });

  it('weigh as much as they last in the score of a forecast', () => {
    const rows = rowsOf([48, 60, 1_000], [192, 15, 1_000]);
    const forecast = numberColumn(
      'forecast',
      rows.map(({ minutes }, row) => (row === 3 ? null : minutes === 60 ? 900 : 700)),
      power,
    );
    const file = fileOf(rows, [forecast]);
    const { frame } = analysed(file, { score: { actual: 'mw', forecast: 'forecast', by: 'hourOfDay' } });
    const of = (name: string): number | undefined => valuesOf(frame, name)[0];
    assert.deepEqual([of('hours'), of('of_hours')], [95, 96]);
    assert.ok(Math.abs((of('bias_mw') ?? NaN) - (47 * 100 + 48 * 300) / 95) < 1e-9);
    assert.deepEqual(valuesOf(frame, 'of_hours').slice(1, 3), [4, 4]);
  });

  it('take persistence from the row of the same length a day before', () => {
    const rows = rowsOf([48, 60, 0], [192, 15, 0]).map((row, at) => ({
      ...row,
      mw: Math.floor(row.at / dayMs) * 10 + at * 0,
    }));
    const forecast = numberColumn(
      'forecast',
      rows.map(({ mw }) => mw - 5),
      power,
    );
    const { frame } = analysed(fileOf(rows, [forecast]), { score: { actual: 'mw', forecast: 'forecast', by: 'all' } });
    // Against 10 from the day before, of the second day of each length; none of the third day, whose day before has hours.
    assert.deepEqual(valuesOf(frame, 'skill_24h_pct'), [50]);
  });

  it('are beside the hours of another result with the hours that they count for', () => {
    const { frame: other } = fileOf(changed);
    const hours = Array.from({ length: 48 }, (_, hour) => start + hour * hourMs);
    const base = frameOf(
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
    const compared = compareFrames(base, other, { ...options, base: span, other: span });
    const { energy: ofFile, summary } = statistics(compared, 'mw · compared');
    // A quarter of each of the later hours.
    assert.deepEqual([ofFile, summary?.mean], [{ mwh: 24_000 + 24 * 0.25 * 2_000, hours: 30 }, 36_000 / 30]);
    assert.equal(statistics(compared, 'mw · difference').energy, undefined);
    assert.ok(!compared.columns.some(({ name }) => name === 'mw · percent'));
  });

  it('end where they end, in an export', () => {
    const { frame } = fileOf(constant);
    const { columns } = createTableToWrite({ frame, columns: [0, 'intervalEnd'] });
    const ends = columns[1]?.kind === 'time' ? [...columns[1].values] : [];
    assert.deepEqual(
      ends,
      constant.map(({ at, minutes }) => at + minutes * minuteMs),
    );
  });

  it('have the same lengths and missing rows when their export is opened again', () => {
    const rows = changed.filter((_, row) => row !== 7 && row !== 60);
    const { result, frame } = fileOf(rows);
    const options = { times: 'utc', zone: { timeZone: 'UTC', label: 'UTC' } } as const;
    const written = createExportProvenance(result, { frame, stepMs: undefined }, options);
    const provenance = parseProvenance(JSON.stringify(written));
    const [time] = frame.columns;
    const plain = frameOf(timeColumn('ts', time && 'values' in time ? [...time.values] : []), numbersOf(frame, 'mw'));
    const table = { rowsOfFile: rows.length, leftOut: [], zone: undefined, notes: [], text: '' };
    const again = createFileResult({ ...table, frame: plain, provenance }, 'a.parquet').result;
    assert.deepEqual(again.frame?.columns, frame.columns);
    assert.deepEqual(again.coverage, result.coverage);
  });

  it('count for their lengths, too, where the metadata of a file say that it is of all times, or of none of them', () => {
    for (const [from, until] of [
      ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'],
      ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'],
    ] as const) {
      const provenance = parseProvenance(JSON.stringify({ source: 'Grid Data Inspector', start: from, end: until }));
      const { frame } = fileOf(changed, [], provenance);
      assert.deepEqual(statistics(frame).energy, { mwh: 72_000, hours: 48 });
    }
  });

  it('have daily profiles in which each counts for its own length', () => {
    const { frame } = fileOf(changed);
    const profile = profileOf(numbersOf(frame, 'mw'), { frame, rows: undefined, step: hourMs, timeZone: 'UTC' });
    assert.deepEqual('hours' in profile && profile.hours.map(({ mean }) => mean), Array<number>(24).fill(1_500));
  });

  it('have no functions of time, and are not resampled by a program', () => {
    const file = fileOf(constant);
    const derive = [
      { name: 'm', formula: 'mean(mw, 24h)' },
      { name: 'k', formula: 'mw / 1000' },
    ];
    const { problems, derived } = analysed(file, { derive });
    assert.deepEqual([problems.length, derived.length], [1, 1]);
    assert.match(problems[0] ?? '', /needs rows of equal length/);
    const { resampling } = analysed(file, { resample: 'day' });
    const steps = translateTransformations(
      file.frame,
      { ...(resampling && { resampling }) },
      { timeZone: 'UTC', locale: 'en', start, end: start + 2 * dayMs },
    );
    assert.deepEqual([steps?.sql, steps?.applied, steps?.notApplied.length], [[], [], 1]);
  });
});
