import assert from 'node:assert/strict';
import { readSheet } from 'read-excel-file/node';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import { createTextLayout } from '../../../../src/core/export/formats.ts';
import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import { dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { describeExportedData, detectFormat } from '../../../../src/core/snippets/exportedData.ts';
import {
  exportFormats,
  type ExportOptions,
  type ExportProvenance,
  type ExportTable,
} from '../../../../src/shared/exportOptions.ts';
import { exportToBytes, sast, standard } from '../../service/export/anyFrame.ts';

const rows = [{ wind_mw: 2, ts: '2023-05-01T00:00:00Z', residual_demand_mw: 20_000 }];
const fields = findDataset('systemState')?.fields ?? new Map();
const table: ExportTable = { frame: describeFields(recordsToFrame(rows), fields), intervalMs: 3_600_000 };
const options: ExportOptions = { ...standard, zone: sast };
const provenance = { connection: 'Ours; x', rows: 1, params: {} } as unknown as ExportProvenance;

describe('the description of exported data for programs', () => {
  it('names the columns like the heading of an Excel file', async () => {
    for (const heading of ['names', 'units'] as const) {
      const excel = { ...options, format: 'xlsx', heading } as const;
      const data = describeExportedData(createTableToWrite(table), excel);
      const [writtenHeading = []] = (await readSheet(await exportToBytes(table, excel))) as unknown[][];
      assert.equal(data?.timeColumn, 'Hour (SAST)');
      assert.equal(data.valueColumn, 'Residual demand (MW)');
      assert.ok(
        writtenHeading.includes(data.timeColumn) && writtenHeading.includes(data.valueColumn),
        String(writtenHeading),
      );
    }
  });

  it('includes the UTC times of an Excel file that has them', () => {
    const berlin = { timeZone: 'Europe/Berlin', label: 'Berlin' };
    const hours = [{ ts: '2023-10-29T00:00:00Z' }, { ts: '2023-10-29T01:00:00Z' }];
    const data = describeExportedData(createTableToWrite({ frame: recordsToFrame(hours) }), {
      ...options,
      format: 'xlsx',
      zone: berlin,
    });
    assert.ok(data);
    assert.deepEqual([data.timeColumn, data.timeZone, data.datesTimeZone], ['ts (UTC)', 'Europe/Berlin', 'UTC']);
    for (const engine of ['pandas', 'polars', 'duckdb'] as const)
      assert.match(
        dataSnippets[engine].write({ ...data, path: 'x.xlsx' }),
        /tz_localize\("UTC"|time_zone\("UTC", a|timezone\('UTC'/,
      );
  });

  it('matches the description in the file', () => {
    for (const format of ['csv', 'tsv'] as const)
      for (const heading of ['names', 'units'] as const)
        for (const dialect of ['standard', 'semicolon'] as const)
          for (const provenanceForm of ['none', 'comment'] as const) {
            const exportOptions = { ...options, format, heading, dialect, provenance: provenanceForm };
            const { head, rows: cells } =
              createTextLayout(createTableToWrite(table), exportOptions, provenance) ?? assert.fail();
            const {
              dialect: knownDialect = 'standard',
              columns: names = [],
              ...data
            } = describeExportedData(createTableToWrite(table), exportOptions) ?? assert.fail();
            const separator = format === 'tsv' ? '\t' : dialect === 'semicolon' ? ';' : ',';
            assert.ok(head.trimEnd().endsWith(names.join(separator)), head);
            assert.deepEqual(
              { ...data, dialect: knownDialect },
              { ...detectFormat(head + cells([0]), format), form: format, timeZone: sast.timeZone },
            );
          }
  });

  it('describes days as days, in every format and in the heading of a file', () => {
    const days = { frame: recordsToFrame(rows.map(row => ({ ...row, hours: 21, of_hours: 24 }))) };
    for (const format of exportFormats)
      for (const heading of ['names', 'units'] as const) {
        const exportOptions = { ...options, format, heading };
        assert.equal(describeExportedData(createTableToWrite(table), exportOptions)?.isDaily, undefined);
        if (format !== 'markdown')
          assert.equal(describeExportedData(createTableToWrite(days), exportOptions)?.isDaily, true);
        if (format !== 'csv' && format !== 'tsv') continue;
        const { head, rows: cells } =
          createTextLayout(createTableToWrite(days), exportOptions, provenance) ?? assert.fail();
        assert.equal(detectFormat(head + cells([0]), format).isDaily, true);
      }
  });

  it('describes no time column when it is hidden, even with an end-of-interval column', () => {
    for (const format of exportFormats)
      for (const columns of [[0, 2] as const, [0, 2, 'intervalEnd'] as const]) {
        const data = describeExportedData(createTableToWrite({ ...table, columns }), { ...options, format });
        assert.equal(data?.timeColumn, undefined);
        const valueColumn = { markdown: undefined, xlsx: 'Residual demand (MW)' as const };
        assert.equal(data?.valueColumn, format in valueColumn ? valueColumn[format as 'xlsx'] : 'residual_demand_mw');
      }
  });

  it('returns undefined without a heading, or for a format that no snippet reads', () => {
    const listUnreadable = (heading: ExportOptions['heading']): string[] =>
      exportFormats.filter(
        format => describeExportedData(createTableToWrite(table), { ...options, format, heading }) === undefined,
      );
    assert.deepEqual(listUnreadable('none'), ['xlsx', 'csv', 'tsv', 'markdown']);
    assert.deepEqual(listUnreadable('names'), ['markdown']);
  });
});
