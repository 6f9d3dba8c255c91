import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tableFromArrays, tableToIPC, timestamp, TimeUnit } from '@uwdata/flechette';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { valueAt } from '../export/anyFrame.ts';

const folder = join(import.meta.dirname, 'files');

async function parseTable(bytes: Uint8Array, name: string): Promise<FileTable> {
  const request = { name, options: { timeZone: 'UTC' }, sidecar: undefined };
  const file = await readDataFile(createBytesSource(bytes), request, () => undefined);
  assert.ok(file.kind === 'table');
  return file.table;
}

const readTable = async (name: string): Promise<FileTable> => parseTable(readFileSync(join(folder, name)), name);

function readCells({ frame }: FileTable): Readonly<Record<string, unknown[]>> {
  const { rowCount = 0, columns = [] } = frame ?? {};
  return Object.fromEntries(
    columns.map(column => [column.name, Array.from({ length: rowCount }, (_, row) => valueAt(column, row))]),
  );
}

/** The expected cells of `kinds`, which `files/write.py` writes. */
const kinds = {
  ns: [new Date(-1), new Date(1_714_521_600_123), null],
  us: [new Date(-2), new Date(1), null],
  ms: [new Date(-1), new Date(1_714_521_600_123), null],
  decimal: ['1234567890123456789.0123456789', '-0.0000000001', null],
  price: [0.35, -1_234_567.89, null],
  uint64: ['18446744073709551615', '1', null],
  uint32: [4_294_967_295, 1, null],
  clock: ['17:30:00', '00:00:00.250100', null],
  clock_ms: ['17:30:00.250', '00:00:00', null],
  duration: ['P1DT2H0.5S', '-P1D', null],
  bytes: ['616263', '00ff', null],
  four: ['61626364', '00000001', null],
  date: ['1969-12-31', '2024-05-01', null],
  unit: ['1152921504606846976', '7', null],
  nothing: [null, null, null],
  list: ['["9007199254740993",1]', '[]', null],
  parts: [
    '{"at":"1969-12-31T23:59:59.999999999","price":0.35,"took":"-P1DT1H","days":["2024-05-01",null]}',
    null,
    '{"at":null,"price":null,"took":null,"days":null}',
  ],
  map: ['[{"key":"a","value":"1152921504606846976"},{"key":"a","value":null}]', '[]', null],
};

describe('columnar files', () => {
  for (const name of ['kinds.parquet', 'kinds.arrow', 'kinds.arrows', 'old.arrows'])
    it(`reads each digit, time of day, duration and byte of ${name}, and reports truncated values`, async () => {
      const file = await readTable(name);
      assert.deepEqual(readCells(file), kinds);
      assert.deepEqual(file.omitted, []);
      assert.deepEqual(file.notes, [
        "Times of 'ns' are cut to milliseconds.",
        "Times of 'us' are cut to milliseconds.",
        "'duration' is a duration, written as in ISO 8601: P1DT2H is 1 day and 2 hours.",
      ]);
    });

  it('reads unions, run-end encoding, intervals and views of an Arrow file', async () => {
    const file = await readTable('rare.arrow');
    assert.deepEqual(readCells(file), {
      either: ['1152921504606846976', 'text', null],
      both: ['0', '1969-12-31T23:59:59.999999999Z', '1969-12-31T23:59:59.999999999Z'],
      runs: [1.5, 1.5, null],
      interval: ['P1Y2M-3DT2777H46M40.000000001S', 'PT-0.5S', null],
      view: ['[1,2]', '[]', null],
      bytes: ['00ff', Buffer.from('longer than twelve bytes').toString('hex'), null],
    });
    assert.deepEqual(file.omitted, []);
  });

  it('reads dictionaries that change within a stream or follow the rows of a file', async () => {
    const { unit } = readCells(await readTable('dictionaries.arrows'));
    assert.deepEqual(unit, [30, 40, null, 30, 50, null, 7, 8, null]);
    const file = await readTable('polars.arrow');
    assert.deepEqual(readCells(file), { unit: ['Kusile', null, 'Medupi'], took: ['P1DT2H', null, 'PT0S'] });
  });

  it('reads the index of pandas under its name, with the times of the rows', async () => {
    const file = await readTable('index.parquet');
    const hours = [0, 1, 2].map(hour => new Date(Date.UTC(2024, 4, 1, hour)));
    assert.deepEqual(readCells(file), { time: [1, 2, 3], mw: [1.5, 2.5, 3.5], 'time (2)': hours });
  });

  it('adds a note and reads no value for a time out of range', async () => {
    const types = { time: timestamp(TimeUnit.SECOND, 'UTC') };
    const bytes = tableToIPC(tableFromArrays({ time: [9e18, 0] }, { types }), { format: 'file' });
    const file = await parseTable(bytes ?? new Uint8Array(), 'a.arrow');
    assert.deepEqual(readCells(file), { time: [null, new Date(0)] });
    assert.deepEqual(file.notes, ["Times of 'time' that are more than 270,000 years away have no value."]);
  });

  const files = readdirSync(folder).filter(name => !name.endsWith('.py'));
  const cases = ['all_types_snappy.parquet', 'all_types_lz4.feather', 'all_types_stream.arrow'];
  const shared = cases.map(name => findSharedFile('cases', 'files', name) ?? []).flat();
  for (const path of [...files.map(name => join(folder, name)), ...shared])
    it(`reads, omits or reports each column of ${basename(path)}`, async () => {
      const bytes = readFileSync(path);
      const { frame, omitted, text } = await parseTable(bytes, path);
      const { columns } = JSON.parse(text) as { columns: { name: string }[] };
      const names = [...(frame?.columns ?? []), ...omitted.map(name => ({ name }))].map(({ name }) => name);
      assert.equal(names.length, columns.length, names.join());
    });

  it('rejects big-endian files', async () => {
    // https://github.com/apache/arrow/blob/main/format/Schema.fbs: a message with a schema without fields.
    const message = new Uint16Array(28);
    message.set([0xffff, 0xffff, 48, 0, 16, 0, 10, 12, 8, 10, 4, 0, 12, 0, 16, 0, 4, 1, 6, 8, 4, 0, 8, 0, 1]);
    await assert.rejects(parseTable(new Uint8Array(message.buffer), 'a.arrow'), {
      reason: 'fileUnsupported',
      facts: { detail: 'big-endian numbers' },
    });
  });
});

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type ColumnData = Parameters<ParquetWriter['write']>[0]['columnData'];
type Options = Partial<ConstructorParameters<typeof ParquetWriter>[0]>;

async function parquetFile(schema: Schema, columnData: ColumnData, options: Options = {}): Promise<Uint8Array> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ codec: 'UNCOMPRESSED', ...options, writer, schema });
  await parquet.write({ columnData });
  await parquet.finish();
  return new Uint8Array(writer.getBuffer());
}

describe('Parquet files of old writers', () => {
  it("reads LZ4 in Hadoop's framing", async () => {
    // A block of literals only, split into two frames, each with its lengths as big-endian numbers.
    const frame = (part: Uint8Array): Buffer => {
      const sizes = Buffer.alloc(8);
      sizes.writeUInt32BE(part.length, 0);
      sizes.writeUInt32BE(part.length + 1, 4);
      return Buffer.concat([sizes, Uint8Array.of(part.length << 4), part]);
    };
    const hadoop = (bytes: Uint8Array): Uint8Array => {
      const starts = Array.from({ length: Math.ceil(bytes.length / 14) }, (_, index) => index * 14);
      return Buffer.concat(starts.map(start => frame(bytes.subarray(start, start + 14))));
    };
    const root = { name: 'root', num_children: 1 };
    const bytes = await parquetFile(
      [root, { name: 'mw', type: 'DOUBLE', repetition_type: 'REQUIRED' }],
      [{ name: 'mw', data: [1.5, 2.5, 3.5, 4.5], encoding: 'PLAIN' }],
      { codec: 'LZ4', compressors: { LZ4: hadoop } },
    );
    assert.deepEqual(readCells(await parseTable(bytes, 'a.parq')), { mw: [1.5, 2.5, 3.5, 4.5] });
  });

  it('reads repeated fields without the groups of the current format', async () => {
    assert.deepEqual(readCells(await readTable('old_list_structure.parquet')), { a: ['[[1,2],[3,4]]'] });
    const repeated = readCells(await readTable('repeated_primitive_no_list.parquet'));
    assert.deepEqual(repeated['Int32_list'], ['[0,1,2,3]', '[]', '[4]', '[5,6,7,8]']);
    assert.equal(repeated['group_of_lists']?.[1], '{"Int32_list_in_group":[],"String_list_in_group":["three"]}');
    const { phoneNumbers } = readCells(await readTable('repeated_no_annotation.parquet'));
    assert.deepEqual(phoneNumbers?.slice(1, 5), [
      null,
      '{"phone":[]}',
      '{"phone":[{"number":5555555555,"kind":null}]}',
      '{"phone":[{"number":1111111111,"kind":"home"}]}',
    ]);
  });

  it('reads bytes without a type as texts if all are texts, else as hexadecimal digits', async () => {
    const element = (name: string) => ({ name, type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' }) as const;
    const texts = ['Kusile', 'é'].map(text => Buffer.from(text));
    const bytes = await parquetFile(
      [
        ...[{ name: 'root', num_children: 3 }, element('text'), element('bytes')],
        ...[{ name: 'part', repetition_type: 'REQUIRED', num_children: 1 } as const, element('name')],
      ],
      [
        { name: 'text', data: texts, encoding: 'PLAIN' },
        { name: 'bytes', data: [Buffer.from('a'), Buffer.of(0, 255)], encoding: 'PLAIN' },
        { name: 'part', data: texts.map(name => ({ name })) },
      ],
    );
    assert.deepEqual(readCells(await parseTable(bytes, 'a.pq')), {
      text: ['Kusile', 'é'],
      bytes: ['61', '00ff'],
      part: ['{"name":"Kusile"}', '{"name":"é"}'],
    });
  });
});
