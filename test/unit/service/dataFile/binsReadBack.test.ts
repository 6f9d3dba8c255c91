import assert from 'node:assert/strict';
import { describeResampling, resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { createExportProvenance, formatSidecar } from '../../../../src/core/export/exportProvenance.ts';
import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import { findZone } from '../../../../src/core/time/zone.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { exportChunks } from '../../../../src/service/export/exporter.ts';
import type { ExportOptions } from '../../../../src/shared/exportOptions.ts';
import { cellState, getCellState, type Frame } from '../../../../src/shared/frame.ts';
import type { Resampling } from '../../../../src/shared/resampling.ts';
import type { Provenance, Result } from '../../../../src/shared/result.ts';
import { power } from '../../../../src/shared/units.ts';
import type { TableState } from '../../../../src/shared/protocol.ts';
import { getIntervalSpan, getZoneOfBins } from '../../../../src/core/analysis/rowIntervals.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';
import { createFrame, numberColumn, timeColumn } from '../../core/filter/columns.ts';
import {
  figureColumns,
  getBinName,
  computeBinFigures,
  findBinStarts,
  type Calendar,
  type PlainFigures,
  type PlainRow,
} from '../../core/bins/plainRows.ts';

const hourMs = 3_600_000;
const utc = { timeZone: 'UTC', label: 'UTC' };

interface Written {
  readonly format: 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet' | 'arrow';
  readonly provenance: ExportOptions['provenance'];
  readonly times?: ExportOptions['times'];
}
const files: readonly Written[] = [
  { format: 'csv', provenance: 'comment' },
  { format: 'csv', provenance: 'comment', times: 'zone' },
  { format: 'csv', provenance: 'sidecar' },
  { format: 'tsv', provenance: 'sidecar', times: 'zone' },
  { format: 'json', provenance: 'sidecar' },
  { format: 'ndjson', provenance: 'sidecar', times: 'zone' },
  { format: 'parquet', provenance: 'none' },
  { format: 'arrow', provenance: 'none' },
];

/** Creates the hours of some months, some of them missing or null. */
function createHours(start: number, end: number, random: () => number): PlainRow[] {
  const rows: PlainRow[] = [];
  for (let ms = start; ms < end; ms += hourMs)
    if (random() < 0.95)
      rows.push({ start: ms, end: ms + hourMs, value: random() < 0.05 ? null : Math.round(random() * 5_000_000) });
  return rows;
}

function createFrameOfHours(rows: readonly PlainRow[]): Frame {
  const time = timeColumn(
    'ts',
    rows.map(({ start }) => start),
  );
  const values = rows.map(({ value }) => (value === null ? null : value / 1000));
  return createFrame(time, numberColumn('wind_mw', values, power));
}

/** Exports bins of hours like the panel, and reads the file like the panel. */
async function exportAndRead(
  bins: Frame,
  hours: Frame,
  resampling: Resampling,
  exportOptions: Written,
): Promise<Result> {
  const { format, provenance: provenanceForm, times = 'utc' } = exportOptions;
  const zone = findZone(resampling.timeZone) ?? assert.fail();
  const options: ExportOptions = {
    format,
    dialect: 'standard',
    times,
    zone,
    heading: 'names',
    provenance: provenanceForm,
  };
  const { start, end } = resampling;
  const provenance = {
    connection: 'Grid',
    dataset: 'systemState',
    range: 'all',
    start,
    end,
    interval: '1h',
    params: {},
    meta: {},
  };
  const table = { frame: bins, intervalMs: hourMs, resampled: describeResampling(resampling) };
  const result = { frame: hours, bodies: [], coverage: undefined, provenance: provenance as unknown as Provenance };
  const facts = createExportProvenance(result, table, options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of exportChunks(createTableToWrite(table), options, facts)) chunks.push(chunk);
  const name = `days.${format}`;
  const sidecar = provenanceForm === 'sidecar' ? formatSidecar(facts) : undefined;
  const request = { name, options: {}, sidecar };
  const file = await readDataFile(createBytesSource(Buffer.concat(chunks)), request, () => undefined);
  assert.ok(file.kind === 'table');
  return createFileResult(file.table, name).result;
}

function getNumbers(frame: Frame, name: string): (number | undefined)[] {
  const column = frame.columns.find(candidate => candidate.name === name);
  assert.ok(column?.kind === 'number', `${name} of ${frame.columns.map(candidate => candidate.name).join()}`);
  return Array.from(column.values, (value, row) => (getCellState(column, row) === cellState.value ? value : undefined));
}

function assertFigures(
  resampled: Frame,
  by: Calendar,
  timeZone: string,
  expected: Map<string, PlainFigures>,
  description: string,
): void {
  const time = resampled.columns[0];
  assert.ok(time?.kind === 'time', description);
  const names = Array.from(time.values, ms => getBinName(ms, by, timeZone));
  assert.deepEqual(names.toSorted(), [...expected.keys()].sort(), description);
  for (const [column, figure] of Object.entries(figureColumns))
    for (const [row, value] of getNumbers(resampled, column).entries()) {
      const actual = expected.get(names[row] ?? '')?.[figure] ?? undefined;
      const isNear =
        actual === value || Math.abs((actual ?? NaN) - (value ?? NaN)) <= 1e-9 * Math.max(1, Math.abs(actual ?? NaN));
      assert.ok(isNear, `${description}, ${names[row]}, ${column}: ${value}, not ${actual}`);
    }
}

describe('bins of a time zone that are exported and read back', () => {
  for (const exportOptions of files)
    it(`keeps the time zone, and resamples like the original hours: ${exportOptions.format}, ${exportOptions.provenance}, ${exportOptions.times ?? 'UTC'}`, async () => {
      const random = createSeededRandom(17);
      const zones = [
        'Africa/Johannesburg',
        'Europe/Berlin',
        'America/New_York',
        'Asia/Kathmandu',
        'Australia/Lord_Howe',
      ];
      const sizes = { '3h': 'week', day: 'month', week: 'quarter', month: 'year' } as const;
      for (const timeZone of zones)
        for (const [size, longer] of Object.entries(sizes) as [keyof typeof sizes, Calendar][])
          for (let run = 0; run < scaleRunCount(5); run++) {
            const year = 2020 + Math.floor(random() * 4);
            const rowCount = { '3h': 20, day: 100, week: 120, month: 300 }[size];
            // Returns the start of the first bin within the next longer bin.
            const findStartAfter = (ms: number): number => {
              const [longStart = NaN] = findBinStarts(longer, timeZone, ms, ms);
              return findBinStarts(size, timeZone, longStart, longStart)[0] ?? NaN;
            };
            const start = findStartAfter(Date.UTC(year, 1, 20));
            const end = findStartAfter(start + rowCount * 86_400_000);
            // In Nepal and on Lord Howe Island, UTC hours begin within hours of local time.
            const first = Math.ceil(start / hourMs) * hourMs;
            const rows = createHours(first, end, random);
            const hours = createFrameOfHours(rows);
            const zone = { timeZone, label: (findZone(timeZone) ?? utc).label };
            const resampling = {
              by: size,
              ...zone,
              start: first,
              end: Math.ceil(end / hourMs) * hourMs,
              intervalMs: hourMs,
              names: [],
            };
            const bins = resampleFrame(hours, resampling);
            const { frame, provenance } = await exportAndRead(bins, hours, resampling, exportOptions);
            assert.ok(frame);
            const time = frame.columns[0];
            assert.ok(time?.kind === 'time');
            const description = `${size} of ${timeZone} in ${year}`;
            assert.deepEqual([time.bins?.size, time.bins?.timeZone], [size, timeZone], description);
            assert.equal(provenance.days?.timeZone, size === 'day' ? timeZone : undefined, description);
            const state = {
              frame,
              start: provenance.start,
              interval: provenance.interval,
              zone: utc,
            } as unknown as TableState;
            const span = getIntervalSpan(state) ?? assert.fail();
            const resampled = resampleFrame(frame, { by: longer, ...getZoneOfBins(longer, state), ...span, names: [] });
            // A longer row contains the hours that begin in it, and belongs to the bin in which it begins.
            const rowsByStart = new Map(rows.map(row => [row.start, row]));
            const starts = Array.from(time.values);
            const instants = Array.from(
              { length: (resampling.end - first) / hourMs },
              (_, index) => first + index * hourMs,
            );
            const findStart = (ms: number): number => starts.findLast(start => start <= ms) ?? NaN;
            const movedHours = instants.map(ms => ({ start: findStart(ms), row: rowsByStart.get(ms) }));
            const intervals = movedHours.map(({ start }) => ({ start, end: start + hourMs }));
            const known = movedHours.flatMap(({ start, row }) =>
              row ? [{ start, end: start + hourMs, value: row.value }] : [],
            );
            assertFigures(
              resampled,
              longer,
              timeZone,
              computeBinFigures(known, intervals, longer, timeZone),
              description,
            );
          }
    });

  it('recognizes days of SAST by their starts if the file does not name the time zone', async () => {
    const start = Date.parse('2023-01-01T00:00+02:00');
    const rows = createHours(start, start + 59 * 24 * hourMs, createSeededRandom(1));
    const hours = createFrameOfHours(rows);
    const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
    const resampling = {
      by: 'day',
      ...sast,
      start,
      end: start + 59 * 24 * hourMs,
      intervalMs: hourMs,
      names: [],
    } as const;
    const bins = resampleFrame(hours, resampling);
    for (const format of ['csv', 'json'] as const) {
      const { provenance, coverage } = await exportAndRead(bins, hours, resampling, { format, provenance: 'none' });
      assert.deepEqual([provenance.interval, coverage?.present, coverage?.expected], ['1d@SAST', 59, 59]);
    }
  });
});
