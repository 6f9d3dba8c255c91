import assert from 'node:assert/strict';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { findShareParts } from '../../../../src/core/bins/binSums.ts';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { createExportProvenance } from '../../../../src/core/export/exportProvenance.ts';
import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import { findZone } from '../../../../src/core/time/zone.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { exportChunks } from '../../../../src/service/export/exporter.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { ExportOptions } from '../../../../src/shared/exportOptions.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import type { Provenance } from '../../../../src/shared/result.ts';
import { getMean } from '../../../../src/core/statistics/summaryFrame.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { columnStatistics } from '../../webview/statistics/columns.ts';
import { createFrame, numberColumn, timeColumn } from '../../core/filter/columns.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2024, 2, 11);
const hours = 14 * 24;
/** Creates a week; that of the week before has almost no hydro power in some hours, as in real data. */
const hydro = Array.from({ length: hours }, (_, hour) => (hour % 24 < 3 && hour < 168 ? 0.5 : 100 + (hour % 24)));
const renewable = hydro.map((mw, hour) => mw + (hour % 7) * 30);
const share = renewable.map((mw, hour) => (100 * mw) / (9_000 + (hour % 24) * 300));

function createWeek(week: number): Frame {
  const rows = Array.from({ length: 168 }, (_, hour) => 168 * week + hour);
  const described = (name: string, values: readonly number[]): NumberColumn => {
    const field = systemStateFields.get(name);
    return {
      ...numberColumn(
        name,
        rows.map(row => values[row] ?? NaN),
      ),
      ...(field && { field }),
    };
  };
  const time = timeColumn(
    'ts',
    rows.map(row => start + row * hourMs),
  );
  return createFrame(
    time,
    described('hydro_water_mw', hydro),
    described('total_re_mw', renewable),
    described('renewable_share_pct', share),
  );
}

const week = (number: number) => ({ start: start + number * 168 * hourMs, end: start + (number + 1) * 168 * hourMs });
const options = {
  align: 'position',
  timeZone: 'UTC',
  intervalMs: hourMs,
  comparedWith: 'previous period',
  translate: fillIn,
  base: week(1),
  other: week(0),
} as const;
const comparison = compareFrames(createWeek(1), createWeek(0), options);

async function exportAndRead(
  frame: Frame,
  exportOptions: Pick<ExportOptions, 'format' | 'provenance'>,
  resampled?: string,
) {
  const options = { ...exportOptions, dialect: 'standard', times: 'utc', heading: 'names' } as const;
  const zone = findZone('UTC') ?? assert.fail();
  const provenance = { ...week(1), dataset: 'systemState', interval: '1h', range: 'x', params: {}, meta: {} };
  const table = { frame, intervalMs: hourMs, ...(resampled !== undefined && { resampled }) };
  const result = { frame, bodies: [], coverage: undefined, provenance: provenance as unknown as Provenance };
  const against = { ...week(0), name: 'previous period', coverage: undefined };
  const facts = createExportProvenance(result, table, { ...options, zone }, { against: [against] });
  const chunks: Uint8Array[] = [];
  for await (const chunk of exportChunks(createTableToWrite(table), { ...options, zone }, facts)) chunks.push(chunk);
  const name = `weeks.${exportOptions.format}`;
  const request = { name, options: {}, sidecar: undefined };
  const file = await readDataFile(createBytesSource(Buffer.concat(chunks)), request, () => undefined);
  assert.ok(file.kind === 'table');
  return createFileResult(file.table, name).result.frame ?? assert.fail();
}

function getNumberColumn(frame: Frame, name: string): NumberColumn {
  const column = frame.columns.find(candidate => candidate.name === name);
  assert.ok(column?.kind === 'number', `${name} of ${frame.columns.map(candidate => candidate.name).join()}`);
  return column;
}

function computeMean(frame: Frame, name: string): number | undefined {
  const column = getNumberColumn(frame, name);
  const parts = findShareParts(frame, column);
  return getMean(column, columnStatistics(column, undefined, undefined, parts, hourMs));
}

const sumValues = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
function assertNear(actual: number | undefined, expected: number, description: string): void {
  assert.ok(Math.abs((actual ?? NaN) - expected) < 1e-6, `${description}: ${actual}, not ${expected}`);
}

describe('a comparison that is exported and read back', () => {
  const files = [
    { format: 'csv', provenance: 'comment' },
    { format: 'csv', provenance: 'none' },
    { format: 'json', provenance: 'none' },
    { format: 'parquet', provenance: 'none' },
    { format: 'arrow', provenance: 'none' },
  ] as const;
  const previousWeek = hydro.slice(0, 168);
  const currentWeek = hydro.slice(168);
  for (const exportOptions of files)
    it(`keeps changes of energies and differences of shares: ${exportOptions.format}, ${exportOptions.provenance}`, async () => {
      const frame = await exportAndRead(comparison, exportOptions);
      const description = `${exportOptions.format}, ${exportOptions.provenance}`;
      assertNear(
        computeMean(frame, 'hydro_water_mw · percent'),
        (100 * (sumValues(currentWeek) - sumValues(previousWeek))) / sumValues(previousWeek),
        description,
      );
      const [base, compared, difference] = ['', ' · compared', ' · difference'].map(suffix =>
        computeMean(frame, `renewable_share_pct${suffix}`),
      );
      assertNear(difference, (base ?? NaN) - (compared ?? NaN), description);
      for (const column of comparison.columns) {
        const readColumn = frame.columns.find(({ name }) => name === column.name) ?? assert.fail(column.name);
        assert.deepEqual(readColumn.field?.unit, column.field?.unit, column.name);
        const { role, baseName } = readColumn.kind === 'number' ? (readColumn.field?.comparison ?? {}) : {};
        if (column.kind === 'number')
          assert.deepEqual(
            [role, baseName],
            [column.field?.comparison?.role, column.field?.comparison?.baseName],
            column.name,
          );
      }
    });

  it('computes no mean change if the energies were not exported', async () => {
    const columns = comparison.columns.filter(({ name }) => name === 'ts' || name.endsWith(' · percent'));
    const frame = await exportAndRead({ ...comparison, columns }, { format: 'csv', provenance: 'comment' });
    assert.equal(computeMean(frame, 'hydro_water_mw · percent'), undefined);
  });

  it('computes daily means over the hours of each period', async () => {
    const span = { start: week(1).start, end: week(1).end, intervalMs: hourMs };
    const resampling = { by: 'day', timeZone: 'UTC', label: 'UTC', ...span, names: [] } as const;
    // A day of the compared week has missing hours.
    const comparedWeek = { ...createWeek(0), columns: createWeek(0).columns.map(addGaps) };
    const withMissingHours = compareFrames(createWeek(1), comparedWeek, options);
    const bins = resampleFrame(withMissingHours, resampling);
    const frame = await exportAndRead(bins, { format: 'csv', provenance: 'comment' }, 'days of UTC');
    const known = hydro.slice(10, 168);
    assertNear(computeMean(frame, 'hydro_water_mw · compared'), sumValues(known) / known.length, 'compared');
    const column = getNumberColumn(frame, 'hydro_water_mw · compared');
    assert.equal(getCellState(column, 0), cellState.value);
    assertNear(column.hours?.[0], 14, 'hours');
  });
});

function addGaps<Column extends Frame['columns'][number]>(column: Column): Column {
  if (column.kind !== 'number') return column;
  return {
    ...column,
    gaps: Uint8Array.from({ length: 168 }, (_, row) => (row < 10 ? cellState.null : cellState.value)),
  };
}
