import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { FileTable, FileReadResult } from '../../../../src/core/dataFile/fileTable.ts';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { createBytesSource, openFileSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { mass, massRate, money, moneyRate } from '../../../../src/shared/units.ts';
import type { Column } from '../../../../src/shared/frame.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { valueAt } from '../export/anyFrame.ts';
import { duckDb } from '../export/readers.ts';
import { has, python, runText } from '../../core/snippets/tools.ts';

async function readContent(content: string | Uint8Array, name: string, timeZone?: string): Promise<FileReadResult> {
  const request = { name, options: { timeZone }, sidecar: undefined };
  return readDataFile(createBytesSource(Buffer.from(content)), request, () => undefined);
}

async function readTable(content: string | Uint8Array, name: string, timeZone?: string): Promise<FileTable> {
  const file = await readContent(content, name, timeZone);
  assert.ok(file.kind === 'table');
  return file.table;
}

function findColumn({ frame }: FileTable, name: string): Column {
  const match = frame?.columns.find(known => known.name === name);
  assert.ok(match, name);
  return match;
}

function readCells(file: FileTable, name: string): unknown[] {
  return Array.from({ length: file.frame?.rowCount ?? 0 }, (_, row) => valueAt(findColumn(file, name), row));
}

describe('readDataFile with delimited files', () => {
  it('reads a decimal comma between semicolons, units and the zone in the heading', async () => {
    const file = await readTable(
      'ts (SAST);wind_mw (MW);note\r\n2026-05-01 00:00;1,5;a\r\n2026-05-01 01:00;;"x;y"\r\n',
      'a.csv',
    );
    assert.deepEqual(file.zone, { source: 'heading', timeZone: 'Africa/Johannesburg' });
    assert.deepEqual(readCells(file, 'ts'), [new Date('2026-04-30T22:00:00Z'), new Date('2026-04-30T23:00:00Z')]);
    assert.deepEqual(readCells(file, 'wind_mw'), [1.5, null]);
    assert.deepEqual(readCells(file, 'note'), ['a', 'x;y']);
  });

  it('reads kW, kWh and prices from the headings of meters, and a maximum as power without energy', async () => {
    const headings = 'ts (UTC),Import (kWh),Export [kWh],Maximum demand (kW),Price (c/kWh),Plant MW';
    const file = await readTable(`${headings}\n2026-05-01 00:00,1,2,3,4,5\n2026-05-01 01:00,1,2,3,4,5\n`, 'a.csv');
    const { result } = createFileResult(file, 'a.csv');
    assert.deepEqual(
      result.frame?.columns.slice(1).map(({ name, field }) => [name, field?.unit?.text, field?.unit?.mwhPerHour]),
      [
        ['Import', 'kWh', undefined],
        ['Export [kWh]', 'kWh', undefined],
        ['Maximum demand', 'kW', undefined],
        ['Price', 'c/kWh', undefined],
        ['Plant MW', 'MW', 1],
      ],
    );
  });

  it('reads the units of money, mass and rates that exports write', async () => {
    const units = ['R', 't', 'R/MWh', 't/MWh'];
    const headings = units.map((unit, index) => `x${index} (${unit})`).join(',');
    const file = await readTable(`ts (UTC),${headings}\n2026-05-01 00:00,1,2,3,4\n2026-05-01 01:00,1,2,3,4\n`, 'a.csv');
    assert.deepEqual(
      units.map((_, index) => findColumn(file, `x${index}`).field?.unit),
      [money, mass, moneyRate, massRate],
    );
  });

  it('requests a zone if times have no offset and nothing indicates the zone', async () => {
    const text = 'time,mw\n2026-03-29 01:30,1\n2026-03-29 02:30,2\n';
    assert.deepEqual(await readContent(text, 'a.csv'), { kind: 'needsZone', example: '2026-03-29 01:30' });
    const file = await readTable(text, 'a.csv', 'Europe/Berlin');
    assert.deepEqual(file.zone, { source: 'user', timeZone: 'Europe/Berlin' });
    // The clock skips 02:30 in this zone.
    assert.deepEqual(readCells(file, 'time'), [new Date('2026-03-29T00:30:00Z'), new Date('2026-03-29T01:00:00Z')]);
  });

  it('detects the order of day and month if only one is possible, and adds a note', async () => {
    const dayFirst = await readTable('time,mw\n10/05/2023 00:00,1\n13/05/2023 12:30,2\n', 'a.csv', 'UTC');
    assert.deepEqual(readCells(dayFirst, 'time'), [new Date('2023-05-10T00:00:00Z'), new Date('2023-05-13T12:30:00Z')]);
    assert.deepEqual(dayFirst.notes, ["Dates of 'time' such as '10/05/2023 00:00' are read with the day first."]);
    const monthFirst = await readTable('time,mw\n5/10/2023 12:00 AM,1\n5/13/2023 1:30 PM,2\n', 'a.csv', 'UTC');
    assert.deepEqual(readCells(monthFirst, 'time'), [
      new Date('2023-05-10T00:00:00Z'),
      new Date('2023-05-13T13:30:00Z'),
    ]);
    assert.deepEqual(await readContent('time,mw\n31.12.2023,1\n', 'a.csv'), {
      kind: 'needsZone',
      example: '31.12.2023',
    });
    assert.deepEqual(await readContent('time,mw\n01/02/2023,1\n01/03/2023,2\n', 'a.csv', 'UTC'), {
      kind: 'needsDateOrder',
      example: '01/02/2023',
    });
  });

  it('reads seconds and milliseconds since 1970 only in a column with the name of a time', async () => {
    const file = await readTable('Timestamp,id\n1683676800,1683676800\n1683680400000,1683680400\n', 'a.csv');
    assert.deepEqual(readCells(file, 'Timestamp'), [
      new Date('2023-05-10T00:00:00Z'),
      new Date('2023-05-10T01:00:00Z'),
    ]);
    assert.deepEqual(readCells(file, 'id'), [1_683_676_800, 1_683_680_400]);
    assert.deepEqual(file.zone, { source: 'file' });
    assert.deepEqual(readCells(await readTable('ts,mw\n2023,1\n2024,2\n', 'a.csv'), 'ts'), [2023, 2024]);
  });

  it('reads null markers among numbers as nulls, and keeps them among texts', async () => {
    const file = await readTable('mw,note,all\nNA,-,n/a\n1.5,x,NULL\n-,NA,--\n', 'a.csv');
    assert.deepEqual(readCells(file, 'mw'), [null, 1.5, null]);
    assert.deepEqual(readCells(file, 'note'), ['-', 'x', 'NA']);
    assert.deepEqual(readCells(file, 'all'), ['n/a', 'NULL', '--']);
    assert.deepEqual(file.notes, ["2 cells of 'mw' without a value: 'NA' in line 2."]);
  });

  it('reports the cell that makes a column text', async () => {
    const file = await readTable('mw;name\n1,5;a\n1.2345,5;b\n2,5;c\n', 'a.csv');
    assert.deepEqual(readCells(file, 'mw'), ['1,5', '1.2345,5', '2,5']);
    assert.deepEqual(file.notes, ["'mw' is text because of '1.2345,5' in line 3."]);
  });

  it('distinguishes the two hours that a clock repeats', async () => {
    const text = 'time,mw\n2026-10-25 01:00,1\n2026-10-25 02:00,2\n2026-10-25 02:00,3\n2026-10-25 03:00,4\n';
    const file = await readTable(text, 'a.csv', 'Europe/Berlin');
    const hours = [0, 1, 2, 3].map(hour => new Date(Date.UTC(2026, 9, 24, 23 + hour)));
    assert.deepEqual(readCells(file, 'time'), hours);
  });

  it('keeps long numbers, leading zeros and an empty text unchanged', async () => {
    const file = await readTable('id,code,empty\n12345678901234567890,007,""\n1,008,\n', 'a.csv');
    assert.deepEqual(readCells(file, 'id'), ['12345678901234567890', '1']);
    assert.deepEqual(readCells(file, 'code'), ['007', '008']);
    assert.deepEqual(readCells(file, 'empty'), ['', null]);
  });

  it('names the columns of a file without a heading, and of rows that are longer than the heading', async () => {
    const file = await readTable('2026-05-01T00:00:00Z,1\n2026-05-01T01:00:00Z,2,3\n', 'a.csv');
    assert.deepEqual(
      file.frame?.columns.map(({ name }) => name),
      ['column 1', 'column 2', 'column 3'],
    );
    assert.deepEqual(readCells(file, 'column 3'), [null, 3]);
  });
});

describe('readDataFile with files of the Eskom Data Portal', () => {
  it('reads times as South African, and uses the field names of the service if it has the same field', async () => {
    const text =
      'Date_Time,Time_Hr,Wind,Residual Demand,Total RE\n2023-01-01,0,1500.25,20000.5,1600\n2023-01-01,1,1400,20100,1500\n';
    const file = await readTable(text, 'System.csv');
    assert.deepEqual(file.zone, { source: 'portal', timeZone: 'Africa/Johannesburg' });
    assert.deepEqual(readCells(file, 'time'), [new Date('2022-12-31T22:00:00Z'), new Date('2022-12-31T23:00:00Z')]);
    assert.deepEqual(readCells(file, 'wind_mw'), [1500.25, 1400]);
    assert.deepEqual(readCells(file, 'residual_demand_mw'), [20000.5, 20100]);
    const otherTable = await readTable('Date Time Hour Beginning;Wind;PV\n2023-01-01 02:00:00;1,5;2\n', 'b.csv');
    assert.deepEqual(readCells(otherTable, 'wind_mw'), [1.5]);
  });

  it('reads hours that can be compared with a response of the service', async () => {
    const text = 'Date_Time,Time_Hr,Wind,PV\n2023-01-01,2,1500.25,1\n2023-01-01,3,1400,2\n';
    const otherFrame = (await readTable(text, 'portal.csv')).frame ?? assert.fail();
    const base = recordsToFrame([
      { ts: '2023-01-01T00:00:00Z', wind_mw: 1500, nuclear_mw: 900 },
      { ts: '2023-01-01T01:00:00Z', wind_mw: null, nuclear_mw: 900 },
      { ts: '2023-01-01T02:00:00Z', wind_mw: 1300, nuclear_mw: 900 },
    ]);
    const span = { start: Date.UTC(2023, 0, 1), end: Date.UTC(2023, 0, 2) };
    const frame = compareFrames(base, otherFrame, {
      align: { shiftMs: 0 },
      intervalMs: 3_600_000,
      timeZone: 'UTC',
      base: span,
      other: span,
      comparedWith: 'portal.csv',
      translate: (words: string) => words,
    });
    const readFirstCells = (name: string): unknown[] =>
      [0, 1, 2].map(row => valueAt(frame.columns.find(known => known.name === name) ?? assert.fail(name), row));
    assert.deepEqual(readFirstCells('wind_mw · compared'), [1500.25, 1400, undefined]);
    assert.deepEqual(readFirstCells('wind_mw · difference'), [-0.25, null, undefined]);
    assert.ok(!frame.columns.some(({ name }) => name === 'nuclear_mw · compared'));
  });

  it('reads each hour and number of the real file', async function () {
    const real = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!real) return this.skip();
    const rows = real.rows.slice(0, scaleRunCount(real.rows.length));
    const file = await readTable([real.heading, ...rows].map(line => `${line.join()}\r\n`).join(''), 'eskom.csv');
    assert.equal(file.frame?.rowCount, rows.length);
    const columnIndex = real.heading.indexOf('Nuclear Generation');
    assert.deepEqual(
      readCells(file, 'nuclear_mw'),
      rows.map(row => Number(row[columnIndex])),
    );
    const { result, intervalFrom } = createFileResult(file, 'eskom.csv');
    assert.deepEqual([result.provenance.interval, intervalFrom], ['1h', 'rows']);
  });
});

describe('readDataFile with JSON', () => {
  it('reads lines of records and an envelope like a response of the service', async () => {
    const lines = await readTable(
      '{"ts":"2026-05-01T00:00:00Z","value":1}\n\n{"ts":"2026-05-01T01:00:00Z","value":null}\n',
      'a.ndjson',
    );
    assert.deepEqual(readCells(lines, 'value'), [1, null]);
    const envelope = await readTable('{"data":[{"ts":"2026-05-01 00:00","value":2}]}', 'a.json', 'UTC');
    assert.deepEqual(readCells(envelope, 'ts'), [new Date('2026-05-01T00:00:00Z')]);
    assert.equal((await readTable('"text"', 'a.json')).problem, 'notRecords');
  });
});

describe('readDataFile with files of other programs', () => {
  const folder = createTemporaryFolder();

  it('reads the files of DuckDB in each compression', async function () {
    const runSql = await duckDb();
    if (!runSql) return this.skip();
    const select = `SELECT TIMESTAMPTZ '2026-05-01 00:00:00Z' + INTERVAL 1 HOUR * i AS ts, i / 3 AS mw, i::BIGINT AS n,
      CASE WHEN i % 7 = 0 THEN NULL ELSE 'text ' || (i % 50) END AS label, i % 2 = 0 AS flag, (i / 4)::DECIMAL(12, 2) AS price,
      [i, i + 1] AS list, {'a': i, 'b': 'x'} AS part FROM range(6050) AS t(i)`;
    for (const compression of ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli']) {
      const path = join(folder, `${compression}.parquet`);
      await runSql(`COPY (${select}) TO '${path}' (FORMAT parquet, COMPRESSION ${compression}, ROW_GROUP_SIZE 2048)`);
      const heads: FileTable[] = [];
      const file = await readDataFile(
        await openFileSource(path),
        { name: 'a.parquet', options: {}, sidecar: undefined },
        head => heads.push(head),
      );
      assert.ok(file.kind === 'table');
      const readLastCell = (name: string): unknown => valueAt(findColumn(file.table, name), 6_049);
      assert.equal(heads[0]?.frame?.rowCount, 200);
      assert.equal(valueAt(findColumn(heads[0], 'mw'), 199), 199 / 3);
      assert.deepEqual(readLastCell('ts'), new Date(Date.UTC(2026, 4, 1, 6_049)));
      assert.deepEqual(
        readCells(file.table, 'mw'),
        Array.from({ length: 6_050 }, (_, i) => i / 3),
      );
      assert.deepEqual(
        [readLastCell('n'), readLastCell('label'), readLastCell('flag'), readLastCell('price')],
        [6_049, 'text 49', false, 1512.25],
      );
      assert.equal(valueAt(findColumn(file.table, 'label'), 7), null);
      assert.deepEqual([readLastCell('list'), readLastCell('part')], ['[6049,6050]', '{"a":6049,"b":"x"}']);
    }
  });

  it('reads the Arrow files of polars in each compression, if installed', async function () {
    if (!(await has(python, '-c', 'import polars'))) return this.skip();
    const compressions = ['uncompressed', 'zstd', 'lz4'];
    const program = `import polars
frame = polars.DataFrame({"mw": [1.5, None, 3], "name": ["a", "b", None], "flag": [True, False, True], "n": [1, 2, 3]})
for compression in ${JSON.stringify(compressions)}:
    frame.write_ipc(${JSON.stringify(folder)} + f"/{compression}.arrow", compression=compression)
`;
    assert.equal((await runText(python, 'write.py', program)).code, 0);
    for (const compression of compressions) {
      const path = join(folder, `${compression}.arrow`);
      const file = await readTable(readFileSync(path), 'a.arrow');
      assert.deepEqual(
        ['mw', 'name', 'flag', 'n'].map(name => readCells(file, name)),
        [
          [1.5, null, 3],
          ['a', 'b', null],
          [true, false, true],
          [1, 2, 3],
        ],
      );
    }
  });

  it('reads an Arrow stream, with all digits of whole numbers, and dictionaries of numbers', async () => {
    const { dictionary, int16, int64, tableFromArrays, tableToIPC } = await import('@uwdata/flechette');
    const columns = { big: [2n ** 53n + 1n, 7n, null], small: [-1n, null, 2n ** 53n - 1n], unit: [3, 4, 3] };
    const types = { big: int64(), small: int64(), unit: dictionary(int16()) };
    const stream = tableToIPC(tableFromArrays(columns, { types }), { format: 'stream' });
    const file = await readTable(stream ?? new Uint8Array(), 'a.arrow');
    assert.deepEqual(
      ['big', 'small', 'unit'].map(name => readCells(file, name)),
      [
        ['9007199254740993', '7', null],
        [-1, null, 2 ** 53 - 1],
        [3, 4, 3],
      ],
    );
  });

  it('reads a Parquet file from disk like from memory, and rejects a missing file', async () => {
    const path = join(folder, 'empty.csv');
    writeFileSync(path, 'ts,mw\n');
    const request = { name: 'empty.csv', options: {}, sidecar: undefined };
    const file = await readDataFile(await openFileSource(path), request, () => undefined);
    assert.ok(file.kind === 'table' && file.table.frame?.rowCount === 0);
    await assert.rejects(openFileSource(join(folder, 'none.csv')), { reason: 'fileMissing' });
    await assert.rejects(openFileSource(folder), { reason: 'fileForeign' });
  });
});

describe('readDataFile with unexpected content', () => {
  const reasons: readonly (readonly [name: string, content: string | Uint8Array, reason: string])[] = [
    ['a.parquet', 'no Parquet at all, but long enough', 'fileForeign'],
    ['a.arrow', 'no Arrow', 'fileForeign'],
    ['a.feather', 'FEA1 and so on', 'fileUnsupported'],
    ['a.bin', 'anything', 'fileForeign'],
    ['a.csv', gzipSync('a,b\n1,2\n').subarray(0), 'fileForeign'],
    ['a.csv', '\0a,b\n1,2\n', 'fileForeign'],
    ['a.csv', '', 'fileDamaged'],
    ['a.json', '{"data": [', 'fileDamaged'],
    ['a.ndjson', '{"a":1}\n{', 'fileDamaged'],
    ['a.csv', 'Date_Time,Time_Hr,Wind,PV\n2023-12-01,0,1,2,5\n', 'fileDamaged'],
  ];
  for (const [name, content, reason] of reasons)
    it(`reports ${reason} for ${name} with ${JSON.stringify(String(content).slice(0, 20))}`, async () => {
      await assert.rejects(readContent(content, name), (error: unknown) => {
        assert.ok(error instanceof GridError, String(error));
        assert.equal(error.reason, reason);
        return true;
      });
    });

  const details: readonly (readonly [name: string, content: string | Uint8Array, detail: string])[] = [
    ['a.json', '{"data" [1]}', 'not JSON at character 8'],
    ['a.json', '{"data": [', 'not JSON'],
    ['a.json', ' ', 'empty'],
    ['a.json', Uint8Array.of(0x22, 0xff, 0x22), 'not UTF-8 text'],
    ['a.ndjson', '{"a":1}\n\n{"a":2\n{"a":3}\n', 'not JSON in line 3'],
    ['a.ndjson', '{"a":1}\r\n{"a":2}\r\n{"a":"x\r\n', 'not JSON in line 3'],
  ];
  for (const [name, content, detail] of details)
    it(`reports '${detail}' for ${name} with ${JSON.stringify(String(content))}`, async () => {
      await assert.rejects(readContent(content, name), (error: unknown) => {
        assert.ok(error instanceof GridError, String(error));
        assert.deepEqual([error.reason, error.facts.detail], ['fileDamaged', detail]);
        return true;
      });
    });
});
