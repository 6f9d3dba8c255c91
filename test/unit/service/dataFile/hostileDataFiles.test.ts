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

/** Reads it, or says why not with a reason that has a sentence; what is read keeps to the limits. */
async function readOrRefuse({ name, bytes }: HostileDataFile, ending = /\.\w+$/.exec(name)?.[0] ?? ''): Promise<void> {
  const request = { name: `a${ending}`, timeZone: 'UTC', sidecar: undefined };
  try {
    const file = await readDataFile(bytesSource(bytes), request, () => undefined);
    assert.ok(file.kind === 'table');
    const { frame } = file.table;
    if (!frame) return;
    assert.ok(frame.rowCount <= tableLimits.rows && frame.columns.length <= tableLimits.columns, name);
    for (const column of frame.columns) {
      const { length } = 'values' in column ? column.values : column.texts.codes;
      assert.equal(length, frame.rowCount, `${name}: ${column.name}`);
      if (frame.rowCount > 0) assert.ok(stateAt(column, 0) <= cellState.absent);
    }
    fileResult(file.table, name);
  } catch (error) {
    if (!(error instanceof GridError)) throw new Error(name, { cause: error });
    assert.match(error.reason, /^file/, name);
  }
}

const records = Array.from({ length: 500 }, (_, row) => ({
  ts: new Date(Date.UTC(2026, 0, 1, row)).toISOString(),
  wind_mw: row % 7 === 0 ? null : row / 3,
  note: `text ${row % 20}`,
  flag: row % 2 === 0,
}));

describe('hostile data files', () => {
  const folder = scratchFolder();

  for (const format of ['parquet', 'arrow'] as const)
    it(`read or refuse whatever is done to a file of ${format}`, async () => {
      const whole = await exported({ frame: frameOf(records) }, { format });
      for (const file of spoiltFiles(format, whole, manyRuns(250))) await readOrRefuse(file, `.${format}`);
    });

  for (const name of ['pandas.feather', 'cells.arrow', 'pyarrow.parquet'])
    it(`read or refuse whatever is done to ${name}`, async () => {
      const whole = readFileSync(join(import.meta.dirname, 'files', name));
      for (const file of spoiltFiles(name, whole, manyRuns(250))) await readOrRefuse(file, /\.\w+$/.exec(name)?.[0]);
    });

  for (const file of hostileTexts()) it(`read or refuse ${file.name}`, async () => readOrRefuse(file));

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
