import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { valueAt } from '../export/anyFrame.ts';

/** Reads a file that `files/write.py` has written. */
async function readTable(name: string): Promise<FileTable> {
  const bytes = readFileSync(join(import.meta.dirname, 'files', name));
  const file = await readDataFile(createBytesSource(bytes), { name, options: {}, sidecar: undefined }, () => undefined);
  assert.ok(file.kind === 'table');
  return file.table;
}

function readCells({ frame }: FileTable, name: string): unknown[] {
  const column = frame?.columns.find(known => known.name === name) ?? assert.fail(name);
  return Array.from({ length: frame?.rowCount ?? 0 }, (_, row) => valueAt(column, row));
}

const times = <Value>(count: number, computeValue: (row: number) => Value): Value[] =>
  Array.from({ length: count }, (_, row) => computeValue(row));

describe('files of other programs', () => {
  it('reads a Feather file of pandas, whose buffers are frames of several linked blocks', async () => {
    const file = await readTable('pandas.feather');
    const rows = 9_000;
    assert.equal(file.fileRowCount, rows);
    assert.deepEqual(file.omitted, []);
    assert.deepEqual(file.zone, { source: 'file' });
    const start = Date.UTC(2023, 11, 31, 22);
    assert.deepEqual(
      readCells(file, 'time'),
      times(rows, row => new Date(start + (row % 500) * 3_600_000)),
    );
    assert.deepEqual(
      readCells(file, 'hour'),
      times(rows, row => (row % 7 ? row % 24 : null)),
    );
    const stations = times(rows, row => `station ${Math.floor(row / 500)}`);
    assert.deepEqual(readCells(file, 'name'), stations);
    assert.deepEqual(readCells(file, 'text'), stations);
  });

  it('reads a Parquet file of pyarrow in each codec and encoding, with decimals, nanoseconds and nested cells', async () => {
    const file = await readTable('pyarrow.parquet');
    const rows = 120;
    assert.deepEqual(file.omitted, []);
    // The times are rounded down to whole milliseconds.
    assert.deepEqual(
      readCells(file, 'ns'),
      times(rows, row => new Date(1_714_521_600_123 + row * 3_600_000)),
    );
    for (const codec of ['snappy', 'gzip', 'brotli', 'zstd', 'lz4', 'none'])
      assert.deepEqual(
        readCells(file, codec),
        times(rows, row => (row % 5 ? row / 4 : null)),
        codec,
      );
    assert.deepEqual(
      readCells(file, 'dictionary'),
      times(rows, row => `unit ${row % 3}`),
    );
    assert.deepEqual(
      readCells(file, 'packed'),
      times(rows, row => row * row - 100),
    );
    assert.deepEqual(
      readCells(file, 'delta_length'),
      times(rows, row => `text ${row}`),
    );
    assert.deepEqual(
      readCells(file, 'delta'),
      times(rows, row => `text ${String(row).padStart(5, '0')}`),
    );
    assert.deepEqual(
      readCells(file, 'split'),
      times(rows, row => row / 8),
    );
    for (const name of ['decimal', 'wide'])
      assert.deepEqual(
        readCells(file, name),
        times(rows, row => row / 100),
        name,
      );
    assert.deepEqual(
      readCells(file, 'day'),
      times(rows, row => `2024-05-${String(1 + (row % 28)).padStart(2, '0')}`),
    );
    assert.deepEqual(
      readCells(file, 'list'),
      times(rows, row => (row % 4 ? `[${row},null]` : null)),
    );
    assert.deepEqual(
      readCells(file, 'struct'),
      times(rows, row => `{"a":${row},"b":{"c":"t${row % 2}"}}`),
    );
    // A double cannot represent all of them.
    assert.deepEqual(
      readCells(file, 'big'),
      times(rows, row => String(2n ** 53n + BigInt(row))),
    );
  });

  for (const version of ['1.0', '2.0'])
    it(`reads columns of several pages with nulls, of version ${version}`, async () => {
      const file = await readTable(`pages-${version}.parquet`);
      const expected: Readonly<Record<string, (row: number) => unknown>> = {
        packed: row => (row % 3 === 0 ? null : row * row - 100),
        delta: row => (row % 3 === 1 ? null : `text ${String(row).padStart(5, '0')}`),
        delta_length: row => (row % 4 === 1 ? null : `text ${row}`),
        split: row => (row % 5 === 2 ? null : row / 8),
        flag: row => (row % 4 === 0 ? null : row % 7 < 3),
        unit: row => (row % 6 === 0 ? null : `unit ${row % 5}`),
        list: row => (row % 4 === 0 ? null : JSON.stringify([row, null].slice(0, row % 3))),
      };
      for (const [name, computeValue] of Object.entries(expected))
        assert.deepEqual(readCells(file, name), times(120, computeValue), name);
    });

  it('reads a Feather file with numbers and times of each kind', async () => {
    const file = await readTable('types.feather');
    assert.deepEqual(file.omitted, []);
    const integerTypes = [8, 16, 32, 64].flatMap(bits => [`int${bits}`, `uint${bits}`]);
    for (const name of [...integerTypes, 'float16', 'float32', 'float64'])
      assert.deepEqual(readCells(file, name), [1, 2, 3], name);
    const days = times(3, row => new Date(Date.UTC(2024, 0, 1 + row)));
    for (const name of ['s', 'ms', 'us', 'ns']) assert.deepEqual(readCells(file, name), days, name);
    // In a table with instants, dates are texts.
    for (const name of ['date32', 'date64'])
      assert.deepEqual(readCells(file, name), ['2024-01-01', '2024-01-02', '2024-01-03'], name);
    assert.deepEqual(readCells(file, 'list'), ['[1]', '[1]', '[1]']);
    assert.deepEqual(readCells(file, 'decimal'), [1.25, 1.25, 1.25]);
    assert.deepEqual(readCells(file, 'last'), ['a', 'b', null]);
  });

  it('reads an Arrow file with views of texts, decimals, nested cells, times of day and a column without values', async () => {
    const file = await readTable('cells.arrow');
    assert.deepEqual(file.omitted, []);
    const known: Readonly<Record<string, unknown[]>> = {
      view: ['twelve bytes', 'longer than twelve bytes: é', null],
      again: [null, '', 'the second column of views'],
      decimal: [-1.25, null, 0.07],
      // A double cannot represent all digits of the first.
      wide: ['12345678901234567890.5', '-0.5', null],
      small: [1.5, -0.5, 99.9],
      numbers: ['[1,null]', null, '[]'],
      texts: ['["a","b"]', '["longer than twelve bytes"]', null],
      pair: ['[1.5,2.5]', null, '[null,0.5]'],
      object: ['{"on":true,"at":"2024-01-01T12:00:00.000","in":[{"mw":1.5}]}', null, '{"on":null,"at":null,"in":null}'],
      map: ['[{"key":"a","value":1}]', null, '[]'],
      nothing: [null, null, null],
      clock: ['12:00:00', '12:00:00', '12:00:00'],
      last: [1, 2, 3],
    };
    for (const [name, expected] of Object.entries(known)) assert.deepEqual(readCells(file, name), expected, name);
  });

  it('reads the 12-byte times of old Parquet files', async () => {
    const file = await readTable('int96.parquet');
    assert.deepEqual(
      readCells(file, 'time'),
      times(48, row => new Date(1_714_521_600_123 + row * 3_600_000)),
    );
    assert.deepEqual(
      readCells(file, 'mw'),
      times(48, row => (row % 5 ? row / 4 : null)),
    );
  });
});
