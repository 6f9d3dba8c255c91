import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readFileInReader } from '../../../../src/service/dataFile/dataFileReader.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { cellState, getCellState } from '../../../../src/shared/frame.ts';
import { tableLimits } from '../../../../src/shared/tableLimits.ts';
import { hostileResponses } from '../../../hostile/responses.ts';
import { sharedTexts } from '../../../hostile/parquetFiles.ts';
import { hostileTexts, damagedFiles, type HostileDataFile } from '../../../hostile/dataFiles.ts';
import { endlessFiles } from '../../../support/endlessFiles.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { exportToBytes } from '../export/anyFrame.ts';

const readers = new ReaderProcesses();
/** The libraries hang or allocate too much for some files. These end their reader process. */
const shortReaders = new ReaderProcesses({ seconds: 2, heapMb: 256, residentMb: 1_000 });

/**
 * Reads a file and checks the limits of its table. Returns the size of the table, the problem of a file without a table, or
 * the reason of the error, which must have a message.
 */
async function readOrReject(
  { name, bytes }: HostileDataFile,
  ending = /\.\w+$/.exec(name)?.[0] ?? '',
): Promise<string> {
  const request = { name: `a${ending}`, options: { timeZone: 'UTC' }, sidecar: undefined };
  try {
    const job = { ...request, location: { bytes } };
    const separateReaders = /parquet|arrow|feather/.test(ending) ? shortReaders : readers;
    const file = await readFileInReader(separateReaders, job, { signal: new AbortController().signal });
    assert.ok(file.kind === 'table');
    const { frame, problem } = file.fileTable.result;
    if (!frame) return problem ?? 'no table';
    assert.ok(frame.rowCount <= tableLimits.rows && frame.columns.length <= tableLimits.columns, name);
    for (const column of frame.columns) {
      const { length } = 'values' in column ? column.values : column.texts.codes;
      assert.equal(length, frame.rowCount, `${name}: ${column.name}`);
      if (frame.rowCount > 0) assert.ok(getCellState(column, 0) <= cellState.absent);
    }
    return `${frame.rowCount} × ${frame.columns.length}`;
  } catch (error) {
    if (!(error instanceof GridError)) throw new Error(name, { cause: error });
    assert.match(error.reason, /^file/, name);
    return error.reason;
  }
}

/** Some changes leave a valid file. */
async function checkDamagedCopies(name: string, validFile: Uint8Array, ending: string | undefined): Promise<void> {
  let readCount = 0;
  let rejectedCount = 0;
  // Some copies of a Parquet file use up the time limit of their reader.
  for (const file of damagedFiles(name, validFile, scaleRunCount(ending === '.parquet' ? 100 : 250)))
    if ((await readOrReject(file, ending)).startsWith('file')) rejectedCount++;
    else readCount++;
  assert.ok(readCount > 20 && rejectedCount > 20, `${readCount} read, ${rejectedCount} rejected`);
}

const records = Array.from({ length: 500 }, (_, row) => ({
  ts: new Date(Date.UTC(2026, 0, 1, row)).toISOString(),
  wind_mw: row % 7 === 0 ? null : row / 3,
  note: `text ${row % 20}`,
  flag: row % 2 === 0,
}));

/** The result for each hostile text: the size of its table, its problem, or the reason of the error. */
const outcomes: Readonly<Record<string, string>> = {
  '2,001 columns.csv': 'fileTooLarge',
  'a row of 2 MB.csv': 'fileTooLarge',
  'quotes without end.csv': '100000 × 2',
  'nothing but separators.csv': 'fileDamaged',
  'nothing but quotes.csv': '0 × 1',
  'nothing but line ends.csv': 'fileDamaged',
  'comments alone.csv': '0 × 1',
  'a number of 100 kB.csv': '1 × 1',
  'blanks before a number.csv': '1 × 1',
  'a heading of 500 kB.csv': '1 × 2',
  'distances without end.csv': '2 × 2',
  'brackets.json': 'fileDamaged',
  'brackets.ndjson': 'fileDamaged',
  '3,000 columns by numbers of rows.json': 'tooManyColumns',
  'an index of 100,000 brackets.json': 'nestedTooDeep',
  'histories within 100,000 others.json': 'nestedTooDeep',
  'NaN behind a million escapes.json': '1 × 2',
  'a million times NaN.json': '1000000 × 1',
  'records of other names.json': 'tooManyCells',
};

describe('hostile data files', () => {
  for (const format of ['parquet', 'arrow'] as const)
    it(`reads or rejects a damaged file, whatever the damage: ${format}`, async () => {
      const validFile = await exportToBytes({ frame: recordsToFrame(records) }, { format });
      assert.equal(await readOrReject({ name: `a.${format}`, bytes: validFile }), '500 × 4');
      await checkDamagedCopies(format, validFile, `.${format}`);
    });

  for (const [name, size] of [
    ['pandas.feather', '9000 × 4'],
    ['cells.arrow', '3 × 14'],
    ['kinds.parquet', '3 × 18'],
    ['rare.arrow', '3 × 6'],
    ['polars.arrow', '3 × 2'],
    ['pyarrow.parquet', '120 × 18'],
    ['pages-1.0.parquet', '120 × 7'],
    ['pages-2.0.parquet', '120 × 7'],
  ] as const)
    it(`reads or rejects ${name} after any damage`, async () => {
      const validFile = readFileSync(join(import.meta.dirname, 'files', name));
      assert.equal(await readOrReject({ name, bytes: validFile }), size);
      await checkDamagedCopies(name, validFile, /\.\w+$/.exec(name)?.[0]);
    });

  for (const [claim, name, edits] of [
    ['a billion repetitions of a value', 'pyarrow.parquet', [[3_791, 0xe4]]],
    [
      'a billion repetitions of an empty cell',
      'pyarrow.parquet',
      [
        [10_677, 0x80],
        [10_313, 0xf5],
      ],
    ],
    [
      'no length for its levels',
      'pyarrow.parquet',
      [
        [9_168, 0xff],
        [12_083, 0xff],
        [12_555, 0xff],
      ],
    ],
    [
      'a billion columns in a batch',
      'cells.arrow',
      [
        [541, 0x5a],
        [2_247, 0x1e],
      ],
    ],
  ] as const)
    it(`rejects a file that declares ${claim}`, async () => {
      const bytes = readFileSync(join(import.meta.dirname, 'files', name));
      for (const [offset, byte] of edits) bytes[offset] = byte;
      assert.match(await readOrReject({ name, bytes }), /^file(Damaged|TooLarge)$/);
    });

  it('skips the remaining text columns after eight that did not fit', async () => {
    const validFile = createBytesSource(sharedTexts(0.6 * tableLimits.texts, 12));
    let reads = 0;
    const readBytes = (start: number, end: number): Uint8Array<ArrayBuffer> => {
      reads++;
      return validFile.read(start, end);
    };
    const request = { name: 'a.parquet', options: { timeZone: 'UTC' }, sidecar: undefined };
    const file = await readDataFile({ ...validFile, read: readBytes }, request, () => (reads = 0));
    assert.ok(file.kind === 'table');
    assert.deepEqual([file.table.frame?.columns.length, file.table.omitted.length, reads], [1, 11, 9]);
  });

  it('decodes at most 8 GB in total', () => {
    const source = createBytesSource(new Uint8Array(100));
    source.use(8e9 - 100);
    source.read(0, 100);
    assert.throws(() => source.read(0, 1), { reason: 'fileTooLarge' });
  });

  for (const file of hostileTexts())
    it(`reads or rejects ${file.name}`, async () => assert.equal(await readOrReject(file), outcomes[file.name]));

  for (const { name, body, small = body, expected } of hostileResponses)
    it(`reads ${name} as JSON`, async () => {
      const outcome = await readOrReject({ name: 'a.json', bytes: Buffer.from(small()) });
      if (expected === 'table') assert.match(outcome, /^\d+ × \d+$/);
      else assert.equal(outcome, expected === 'damaged' ? 'fileDamaged' : expected);
    });

  if (process.platform !== 'win32')
    for (const { name, create } of endlessFiles.filter(file => !file.name.includes('GB')))
      it(`rejects ${name} without reading it`, async () => {
        const path = join(createTemporaryFolder(), 'a.csv');
        create(path);
        const request = { name: 'a.csv', options: { timeZone: 'UTC' }, sidecar: undefined, location: { path } };
        await assert.rejects(
          readFileInReader(new ReaderProcesses(), request, { signal: new AbortController().signal }),
          {
            reason: 'fileForeign',
          },
        );
      });

  it('stops reading after the time limit', async () => {
    // The reader is slow, and the file has three megabytes.
    const slow = join(createTemporaryFolder(), 'slow.cjs');
    writeFileSync(slow, "process.stdin.resume(); setInterval(() => process.stderr.write('rss 3000000\\n'), 50);");
    const request = {
      name: 'a.csv',
      options: { timeZone: 'UTC' },
      sidecar: undefined,
      location: { bytes: Buffer.from('a\n1\n') },
    };
    const { signal } = new AbortController();
    await assert.rejects(readFileInReader(new ReaderProcesses({ seconds: 1 }, slow), request, { signal }), {
      reason: 'fileTooLarge',
      facts: { detail: 'more than 30 seconds of reading', file: 'a.csv' },
    });
    await assert.rejects(readFileInReader(new ReaderProcesses({ residentMb: 1 }, slow), request, { signal }), {
      reason: 'fileTooLarge',
      facts: { detail: 'more than the memory of the reader', file: 'a.csv' },
    });
  });

  it('reads in a separate process, which ends when the caller aborts', async () => {
    const path = join(createTemporaryFolder(), 'long.csv');
    writeFileSync(path, `ts,a,b\n${'2026-01-01T00:00:00Z,1.5,text\n'.repeat(100_000)}`);
    const request = { name: 'long.csv', options: {}, sidecar: undefined, location: { path } };
    const readers = new ReaderProcesses();
    const result = await readFileInReader(readers, request, { signal: new AbortController().signal });
    assert.ok(result.kind === 'table' && result.fileTable.result.frame?.rowCount === 100_000);
    const controller = new AbortController();
    const abandoned = readFileInReader(readers, request, { signal: controller.signal });
    controller.abort();
    await assert.rejects(abandoned, { reason: 'cancelled' });
    const missing = { ...request, location: { path: join(path, 'none') } };
    await assert.rejects(readFileInReader(readers, missing, { signal: new AbortController().signal }), {
      reason: 'fileMissing',
      facts: { file: 'long.csv' },
    });
    readers.dispose();
  });
});
