import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { valueAt } from '../export/anyFrame.ts';

const exportsFolder = join(import.meta.dirname, '../../../support/earlierVersions/exports');
const hour = 3_600_000;
const start = Date.UTC(2026, 4, 1);
const names = [
  ...['hours.parquet', 'hours.arrow', 'hours.json', 'hours.ndjson'],
  ...['standard.csv', 'semicolon.csv', 'hours.tsv'],
];

/** These files never change. They have eight hours, four of them with a row, one of which has no value. */
describe('exports of version 0.1.0', () => {
  for (const name of names)
    it(`opens with rows, interval, origin and missing hours: ${name}`, async () => {
      const path = join(exportsFolder, name);
      const sidecarPath = `${path}.meta.json`;
      const sidecar = existsSync(sidecarPath) ? readFileSync(sidecarPath, 'utf8') : undefined;
      const file = await readDataFile(
        createBytesSource(readFileSync(path)),
        { name, options: {}, sidecar },
        () => undefined,
      );
      assert.ok(file.kind === 'table');
      const { result, intervalFrom } = createFileResult(file.table, name);
      const cells = result.frame?.columns.map(column => [0, 1, 2, 3].map(row => valueAt(column, row)));
      assert.deepEqual(cells, [
        [0, 3, 4, 6].map(index => new Date(start + index * hour)),
        [1000, 1000.75, null, 1001.5],
        ['calm', 'calm', 'windy, later', 'windy, later'],
      ]);
      assert.deepEqual([result.provenance.interval, intervalFrom], ['1h', 'provenance']);
      assert.equal(result.provenance.connection, `${name} (Ops)`);
      assert.deepEqual(
        result.coverage?.missingRanges.map(range => range.map(ms => (ms - start) / hour)),
        [
          [1, 3],
          [5, 6],
          [7, 8],
        ],
      );
    });
});
