import assert from 'node:assert/strict';
import { describeResampling, resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { createExportProvenance, formatSidecar } from '../../../../src/core/export/exportProvenance.ts';
import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import { zoneNamed } from '../../../../src/core/time/zone.ts';
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
import { manyRuns } from '../../../support/manyRuns.ts';
import { seeded } from '../../../support/seeded.ts';
import { frameOf, numberColumn, timeColumn } from '../../core/filter/columns.ts';
import {
  figureColumns,
  plainBin,
  plainFigures,
  plainStarts,
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

/** Hours of some months, a part of them missing or null. */
function hoursOf(start: number, end: number, random: () => number): PlainRow[] {
  const rows: PlainRow[] = [];
  for (let at = start; at < end; at += hourMs)
    if (random() < 0.95)
      rows.push({ at, end: at + hourMs, value: random() < 0.05 ? null : Math.round(random() * 5_000_000) });
  return rows;
}

function frameOfHours(rows: readonly PlainRow[]): Frame {
  const time = timeColumn(
    'ts',
    rows.map(({ at }) => at),
  );
  const values = rows.map(({ value }) => (value === null ? null : value / 1000));
  return frameOf(time, numberColumn('wind_mw', values, power));
}

/** Writes bins of hours as the panel exports what it shows, and reads the file as the panel opens it. */
async function readBack(bins: Frame, hours: Frame, resampling: Resampling, written: Written): Promise<Result> {
  const { format, provenance: where, times = 'utc' } = written;
  const zone = zoneNamed(resampling.timeZone) ?? assert.fail();
  const options: ExportOptions = { format, dialect: 'standard', times, zone, heading: 'names', provenance: where };
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
  const table = { frame: bins, stepMs: hourMs, resampled: describeResampling(resampling) };
  const result = { frame: hours, bodies: [], coverage: undefined, provenance: provenance as unknown as Provenance };
  const facts = createExportProvenance(result, table, options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of exportChunks(createTableToWrite(table), options, facts)) chunks.push(chunk);
  const name = `days.${format}`;
  const sidecar = where === 'sidecar' ? formatSidecar(facts) : undefined;
  const request = { name, options: {}, sidecar };
  const read = await readDataFile(createBytesSource(Buffer.concat(chunks)), request, () => undefined);
  assert.ok(read.kind === 'table');
  return createFileResult(read.table, name).result;
}

function numbersOf(frame: Frame, name: string): (number | undefined)[] {
  const column = frame.columns.find(one => one.name === name);
  assert.ok(column?.kind === 'number', `${name} of ${frame.columns.map(one => one.name).join()}`);
  return Array.from(column.values, (value, row) => (getCellState(column, row) === cellState.value ? value : undefined));
}

function assertFigures(
  made: Frame,
  by: Calendar,
  timeZone: string,
  expected: Map<string, PlainFigures>,
  where: string,
): void {
  const time = made.columns[0];
  assert.ok(time?.kind === 'time', where);
  const names = Array.from(time.values, ms => plainBin(ms, by, timeZone));
  assert.deepEqual(names.toSorted(), [...expected.keys()].sort(), where);
  for (const [column, figure] of Object.entries(figureColumns))
    for (const [row, value] of numbersOf(made, column).entries()) {
      const own = expected.get(names[row] ?? '')?.[figure] ?? undefined;
      const isNear =
        own === value || Math.abs((own ?? NaN) - (value ?? NaN)) <= 1e-9 * Math.max(1, Math.abs(own ?? NaN));
      assert.ok(isNear, `${where}, ${names[row]}, ${column}: ${value}, not ${own}`);
    }
}

describe('bins of a zone, exported and opened again', () => {
  for (const written of files)
    it(`are of the same zone, and longer rows of them are those of the hours: ${written.format}, ${written.provenance}, ${written.times ?? 'UTC'}`, async () => {
      const random = seeded(17);
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
          for (let run = 0; run < manyRuns(5); run++) {
            const year = 2020 + Math.floor(random() * 4);
            const many = { '3h': 20, day: 100, week: 120, month: 300 }[size];
            // The first row that begins in a longer one, and the end of the last.
            const beginAfter = (ms: number): number => {
              const [whole = NaN] = plainStarts(longer, timeZone, ms, ms);
              return plainStarts(size, timeZone, whole, whole)[0] ?? NaN;
            };
            const start = beginAfter(Date.UTC(year, 1, 20));
            const end = beginAfter(start + many * 86_400_000);
            // In Nepal and on Lord Howe Island the service's hours begin within those of clocks.
            const first = Math.ceil(start / hourMs) * hourMs;
            const rows = hoursOf(first, end, random);
            const hours = frameOfHours(rows);
            const zone = { timeZone, label: (zoneNamed(timeZone) ?? utc).label };
            const resampling = {
              by: size,
              ...zone,
              start: first,
              end: Math.ceil(end / hourMs) * hourMs,
              stepMs: hourMs,
              names: [],
            };
            const bins = resampleFrame(hours, resampling);
            const { frame, provenance } = await readBack(bins, hours, resampling, written);
            assert.ok(frame);
            const time = frame.columns[0];
            assert.ok(time?.kind === 'time');
            const where = `${size} of ${timeZone} in ${year}`;
            assert.deepEqual([time.bins?.size, time.bins?.timeZone], [size, timeZone], where);
            assert.equal(provenance.days?.timeZone, size === 'day' ? timeZone : undefined, where);
            const state = {
              frame,
              start: provenance.start,
              interval: provenance.interval,
              zone: utc,
            } as unknown as TableState;
            const span = getIntervalSpan(state) ?? assert.fail();
            const made = resampleFrame(frame, { by: longer, ...getZoneOfBins(longer, state), ...span, names: [] });
            // A row that is longer than an hour has the hours that begin in it, and belongs where it begins itself.
            const ofRows = new Map(rows.map(row => [row.at, row]));
            const begins = Array.from(time.values);
            const steps = Array.from({ length: (resampling.end - first) / hourMs }, (_, at) => first + at * hourMs);
            const beginOf = (at: number): number => begins.findLast(begin => begin <= at) ?? NaN;
            const moved = steps.map(at => ({ at: beginOf(at), length: hourMs, row: ofRows.get(at) }));
            const of = (all: typeof moved) => all.map(({ at }) => ({ at, end: at + hourMs }));
            const known = moved.flatMap(({ at, row }) => (row ? [{ at, end: at + hourMs, value: row.value }] : []));
            assertFigures(made, longer, timeZone, plainFigures(known, of(moved), longer, timeZone), where);
          }
    });

  it('are known as days of SAST by where they begin, where the file says nothing', async () => {
    const start = Date.parse('2023-01-01T00:00+02:00');
    const rows = hoursOf(start, start + 59 * 24 * hourMs, seeded(1));
    const hours = frameOfHours(rows);
    const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
    const resampling = { by: 'day', ...sast, start, end: start + 59 * 24 * hourMs, stepMs: hourMs, names: [] } as const;
    const bins = resampleFrame(hours, resampling);
    for (const format of ['csv', 'json'] as const) {
      const { provenance, coverage } = await readBack(bins, hours, resampling, { format, provenance: 'none' });
      assert.deepEqual([provenance.interval, coverage?.present, coverage?.expected], ['1d@SAST', 59, 59]);
    }
  });
});
