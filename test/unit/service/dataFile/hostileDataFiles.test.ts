import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { fileResult } from '../../../../src/core/dataFile/fileResult.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { bytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readFileInThread } from '../../../../src/service/dataFile/dataFileReader.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { cellState, stateAt } from '../../../../src/shared/frame.ts';
import { tableLimits } from '../../../../src/shared/tableLimits.ts';
import { hostileTexts, spoiltFiles, type HostileDataFile } from '../../../hostile/dataFiles.ts';
import { manyRuns } from '../../../support/manyRuns.ts';
import { exported } from '../export/anyFrame.ts';
import { scratchFolder } from '../export/readers.ts';

/**
 * Reads it, or says why not with a reason that has a sentence; what is read keeps to the limits. Returns the size of the table, the
 * problem of a file without one, or the reason.
 */
async function readOrRefuse(
  { name, bytes }: HostileDataFile,
  ending = /\.\w+$/.exec(name)?.[0] ?? '',
): Promise<string> {
  const request = { name: `a${ending}`, timeZone: 'UTC', sidecar: undefined };
  try {
    const file = await readDataFile(bytesSource(bytes), request, () => undefined);
    assert.ok(file.kind === 'table');
    const { frame } = file.table;
    if (!frame) return file.table.problem ?? 'no table';
    assert.ok(frame.rowCount <= tableLimits.rows && frame.columns.length <= tableLimits.columns, name);
    for (const column of frame.columns) {
      const { length } = 'values' in column ? column.values : column.texts.codes;
      assert.equal(length, frame.rowCount, `${name}: ${column.name}`);
      if (frame.rowCount > 0) assert.ok(stateAt(column, 0) <= cellState.absent);
    }
    fileResult(file.table, name);
    return `${frame.rowCount} × ${frame.columns.length}`;
  } catch (error) {
    if (!(error instanceof GridError)) throw new Error(name, { cause: error });
    assert.match(error.reason, /^file/, name);
    return error.reason;
  }
}

const records = Array.from({ length: 500 }, (_, row) => ({
  ts: new Date(Date.UTC(2026, 0, 1, row)).toISOString(),
  wind_mw: row % 7 === 0 ? null : row / 3,
  note: `text ${row % 20}`,
  flag: row % 2 === 0,
}));

/** What comes of each hostile text: the size of its table, its problem, or the reason that it is refused. */
const outcomes: Readonly<Record<string, string>> = {
  '2,001 columns.csv': 'fileTooLarge',
  'a row of 2 MB.csv': 'fileDamaged',
  'quotes without end.csv': 'fileDamaged',
  'nothing but separators.csv': '500 × 1901',
  'nothing but quotes.csv': 'fileDamaged',
  'nothing but line ends.csv': '0 × 0',
  'comments alone.csv': '98999 × 1',
  'a number of 100 kB.csv': '1 × 1',
  'blanks before a number.csv': '1 × 1',
  'a heading of 500 kB.csv': '1 × 2',
  'distances without end.csv': '2 × 2',
  'brackets.json': 'fileDamaged',
  'brackets.ndjson': 'fileDamaged',
  'records of other names.json': 'tooManyCells',
};

describe('hostile data files', () => {
  const folder = scratchFolder();

  for (const format of ['parquet', 'arrow'] as const)
    it(`read or refuse whatever is done to a file of ${format}`, async () => {
      const whole = await exported({ frame: frameOf(records) }, { format });
      assert.equal(await readOrRefuse({ name: `a.${format}`, bytes: whole }), '500 × 4');
      for (const file of spoiltFiles(format, whole, manyRuns(250))) await readOrRefuse(file, `.${format}`);
    });

  for (const [name, size] of [
    ['pandas.feather', '9000 × 4'],
    ['cells.arrow', '3 × 12'],
    ['pyarrow.parquet', '120 × 18'],
  ] as const)
    it(`read or refuse whatever is done to ${name}`, async () => {
      const whole = readFileSync(join(import.meta.dirname, 'files', name));
      assert.equal(await readOrRefuse({ name, bytes: whole }), size);
      for (const file of spoiltFiles(name, whole, manyRuns(250))) await readOrRefuse(file, /\.\w+$/.exec(name)?.[0]);
    });

  for (const file of hostileTexts())
    it(`read or refuse ${file.name}`, async () => assert.equal(await readOrRefuse(file), outcomes[file.name]));

  it('end after a while where a few bytes say that a value comes a billion times', async () => {
    const bytes = readFileSync(join(import.meta.dirname, 'files', 'pyarrow.parquet'));
    bytes[3791] = 0xe4;
    const request = { name: 'a.parquet', timeZone: 'UTC', sidecar: undefined, from: { bytes } };
    await assert.rejects(readFileInThread(request, { signal: new AbortController().signal, limitMs: 1_000 }), {
      reason: 'fileTooLarge',
      facts: { detail: 'more than five minutes of reading' },
    });
  });

  it('are read in a thread, which leaves this one free and ends when nobody waits for it', async () => {
    const path = folder.path('long.csv');
    writeFileSync(path, `ts,a,b\n${'2026-01-01T00:00:00Z,1.5,text\n'.repeat(100_000)}`);
    const request = { name: 'long.csv', timeZone: undefined, sidecar: undefined, from: { path } };
    const [here, everywhere] = [process.threadCpuUsage(), process.cpuUsage()];
    const read = await readFileInThread(request, { signal: new AbortController().signal });
    const [own, all] = [process.threadCpuUsage(here), process.cpuUsage(everywhere)];
    assert.ok(read.kind === 'table' && read.table.frame?.rowCount === 100_000);
    assert.ok(own.user < all.user / 4, `${own.user} of ${all.user} µs in this thread`);
    const left = new AbortController();
    const abandoned = readFileInThread(request, { signal: left.signal });
    left.abort();
    await assert.rejects(abandoned, { reason: 'cancelled' });
    const missing = { ...request, from: { path: join(path, 'none') } };
    await assert.rejects(readFileInThread(missing, { signal: new AbortController().signal }), {
      reason: 'fileMissing',
    });
  });
});
