import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../../../src/shared/importOptions.ts';
import { findTimeColumn } from '../../../../src/core/frame/clip.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { valueAt } from '../export/anyFrame.ts';

/** The first and the last time in UTC, the row count and some cells of each file, with the import options that it needs. */
const cases: readonly (readonly [
  file: string,
  rows: number,
  first: string,
  last: string,
  columns?: Readonly<Record<string, readonly unknown[]>>,
  options?: ImportOptions,
])[] = [
  ['station_build_up.csv', 12, '2026-06-09T22:00', '2026-06-10T09:00', { Eskom_OCGT_SCO_Pumping: [-1.5] }],
  ['eskom_system_hourly_2023.csv', 2, '2023-10-20T22:00', '2023-10-20T23:00', { residual_demand_mw: [20571.908] }],
  ['eskom_weekly_eaf.csv', 2, '2023-12-31T22:00', '2024-01-07T22:00', { 'Weekly EAF': [55.1, 54.9] }],
  ['mixed_eol_crlf_first.csv', 4, '2023-01-01T00:00', '2023-01-01T03:00', { mw: [1, 2, 3, 4] }],
  ['eia930_style.csv', 2, '2023-01-01T05:00', '2023-01-13T06:00', { Demand: [84321, null] }],
  [
    'ercot_hour_ending.csv',
    4,
    '2024-11-03T05:00',
    '2024-11-04T05:00',
    { Price: [19.64, 18, 17, 20] },
    { timeZone: 'America/Chicago', dateOrder: 'month first' },
  ],
  [
    'entsoe_mtu_new.csv',
    4,
    '2025-10-25T23:00',
    '2025-10-26T02:00',
    { 'Day-ahead Price (EUR/MWh)': [61.12, 0, 22.11, null] },
  ],
  ['hour_24.csv', 3, '2023-01-01T01:00', '2023-01-02T00:00', { mw: [1, 2, 24] }, { timeZone: 'UTC' }],
  ['short_offset.csv', 2, '2022-12-31T22:00', '2022-12-31T23:00', { mw: [1, 2] }],
  ['utc_suffix.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { mw: [1, 2] }],
  ['all_quoted_missing.csv', 3, '2023-01-01T00:00', '2023-01-01T02:00', { mw: [1, null, 3] }],
  ['excel_errors.csv', 3, '2023-01-01T00:00', '2023-01-01T02:00', { mw: [null, 5, null] }],
  ['ne_entsoe.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { mw: [null, 5] }],
  [
    'pandas_inf_True_NaT.csv',
    2,
    '2023-01-01T00:00',
    '2023-01-01T01:00',
    { mw: [Infinity, -Infinity], flag: [true, false] },
  ],
  ['plus_signs.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { mw: [5.2, -3] }],
  ['percent.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { share: [52, 48.5] }],
  ['thousands_quoted.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { mw: [1234.5, 12345] }],
  ['title_lines.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { price: [2, 3] }],
  ['hash_only_comment.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { mw: [1, 2] }],
  ['header_twice.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { mw: [1, 2] }],
  ['units_row_below_header.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { load: [1, 2], price: [10, 20] }],
  ['totals_row.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { mw: [1, 2] }],
  ['stray_quote.csv', 2, '2023-01-01T00:00', '2023-01-01T01:00', { comment: ['5" pipe', 'ok'] }],
  ['pandas_categorical_ints.feather', 3, '2023-01-01T00:00', '2023-01-01T02:00', { unit_no: [1, 2, 1] }],
  ...['all_types_snappy.parquet', 'all_types_lz4.feather', 'all_types_stream.arrow'].map(
    file =>
      [
        file,
        3,
        '2023-01-01T00:00',
        '2023-01-01T01:00',
        {
          dec_38_10: ['1234567890123456789.0123456789', '-0.0000000001', null],
          u64: ['18446744073709551615', '9007199254740993', null],
          time_of_day: ['17:30:00', '23:59:59.999999', null],
        },
        { timeZone: 'UTC' },
      ] as const,
  ),
];

async function readTable(file: string, options: ImportOptions = {}): Promise<FileTable> {
  const source = createBytesSource(readFileSync(findSharedFile('cases', 'files', file) ?? assert.fail()));
  const result = await readDataFile(source, { name: file, options, sidecar: undefined }, () => undefined);
  assert.ok(result.kind === 'table', result.kind);
  return result.table;
}

describe('files of public reports', () => {
  before(function () {
    if (findSharedFile('cases', 'files')) return;
    console.log('      skipped: no cases here (set GRID_DATA_SHARED to the folder that holds cases/)');
    this.skip();
  });

  for (const [file, rows, first, last, columns = {}, options] of cases)
    it(`reads ${file}`, async () => {
      const { frame, omitted } = await readTable(file, options);
      assert.deepEqual([frame?.rowCount, omitted], [rows, []]);
      const time = (frame && findTimeColumn(frame)) ?? assert.fail('no time');
      const known = time.values.filter((_, row) => valueAt(time, row) instanceof Date);
      const ends = [known[0] ?? NaN, known.at(-1) ?? NaN].map(ms => new Date(ms).toISOString().slice(0, 16));
      assert.deepEqual(ends, [first, last]);
      for (const [name, cells] of Object.entries(columns)) {
        const column = frame?.columns.find(candidate => candidate.name === name) ?? assert.fail(name);
        assert.deepEqual(
          cells.map((_, row) => valueAt(column, row)),
          cells,
          name,
        );
      }
    });

  it('reads all columns of the station build-up, and names a web page by its title', async () => {
    assert.equal((await readTable('station_build_up.csv')).frame?.columns.length, 21);
    await assert.rejects(readTable('html_404.csv'), {
      reason: 'fileForeign',
      facts: { detail: "a web page: 'Page not found - Eskom'" },
    });
  });
});
