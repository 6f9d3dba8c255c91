import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import { cellJson } from '../../../../src/core/frame/columnKinds.ts';
import { readFolderTable } from '../../../../src/service/dataFile/folderTable.ts';
import { writeHive } from '../../../../src/service/export/hiveFolder.ts';
import { createArchiveOrigin } from '../../../../src/core/export/exportProvenance.ts';
import { readFileInReader } from '../../../../src/service/dataFile/dataFileReader.ts';
import { runJob, type FileJob, type ReaderReply } from '../../../../src/service/reader/readerJobs.ts';
import type { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { cellState, getCellState, type Frame } from '../../../../src/shared/frame.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { exportToBytes } from '../export/anyFrame.ts';
import { has, python, runText } from '../../core/snippets/tools.ts';

async function readTableIn(folder: string): Promise<FileTable & { readonly frame: Frame }> {
  const result = await readFolderTable(folder, { timeZone: 'UTC' });
  if (result.kind !== 'table' || !result.table.frame) assert.fail(result.kind);
  return { ...result.table, frame: result.table.frame };
}

/** Lists the cells of each column as JSON, or `null` for an empty cell. */
function listCells({ columns, rowCount }: Frame): Record<string, string[]> {
  const cell = (column: Frame['columns'][number], row: number): string =>
    getCellState(column, row) === cellState.value ? cellJson(column, row) : 'null';
  return Object.fromEntries(
    columns.map(column => [column.name, Array.from({ length: rowCount }, (_, row) => cell(column, row))]),
  );
}

/** Returns the reader's reply for a folder. */
async function runInProcess(folder: string): Promise<ReaderReply | undefined> {
  let reply: ReaderReply | undefined;
  await runJob({ kind: 'file', name: 'out', options: {}, sidecar: undefined, location: { folder } }, async sent => {
    if (sent.kind !== 'texts') reply = sent;
    return Promise.resolve();
  });
  return reply;
}

describe('a folder of Parquet files', () => {
  let folder: string;
  beforeEach(() => (folder = createTemporaryFolder()));

  async function write(path: string, records: Record<string, unknown>[]): Promise<void> {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), await exportToBytes({ frame: recordsToFrame(records) }, { format: 'parquet' }));
  }

  it('reads one table in the order of paths, with partitions as columns and nulls for missing columns', async () => {
    await write('region=KwaZulu%20Natal/year=2024/b.pq', [{ mw: 3, late: 'x' }]);
    await write('region=Cape/year=2023/a.parquet', [{ mw: 1 }, { mw: 2 }]);
    await write('region=__HIVE_DEFAULT_PARTITION__/year=2024/c.parquet', [{ mw: 4 }]);
    for (const ignored of ['_SUCCESS', '.hidden', 'notes.txt', '_x/a.parquet']) {
      mkdirSync(dirname(join(folder, ignored)), { recursive: true });
      writeFileSync(join(folder, ignored), 'x');
    }
    const { frame, fileRowCount, notes } = await readTableIn(folder);
    assert.deepEqual(listCells(frame), {
      mw: ['1', '2', '3', '4'],
      region: ['"Cape"', '"Cape"', '"KwaZulu Natal"', 'null'],
      year: ['2023', '2023', '2024', '2024'],
      late: ['null', 'null', '"x"', 'null'],
    });
    assert.equal(fileRowCount, 4);
    assert.deepEqual(notes, [
      'Parquet files read as one table: 3',
      'Other files of the folder, which are not read: notes.txt',
    ]);
  });

  it('rejects a folder without a Parquet file or with a damaged one, which it names', async () => {
    await assert.rejects(readTableIn(folder), { reason: 'folderWithoutParquet' });
    await assert.rejects(readTableIn(join(folder, 'none')), { reason: 'fileMissing' });
    await write('a.parquet', [{ mw: 1 }]);
    mkdirSync(join(folder, 'year=2024'));
    writeFileSync(join(folder, 'year=2024', 'b.parquet'), 'PAR1 and no more');
    await assert.rejects(readTableIn(folder), { reason: 'fileDamaged', facts: { file: 'year=2024/b.parquet' } });
    const readers = { run: async () => runInProcess(folder) } as unknown as ReaderProcesses;
    const job: FileJob = { name: 'out', options: {}, sidecar: undefined, location: { folder } };
    await assert.rejects(readFileInReader(readers, job, { signal: new AbortController().signal }), {
      facts: { file: 'year=2024/b.parquet' },
    });
  });

  it('reads at most as many rows as from a file, and counts all rows', async () => {
    const records = Array.from({ length: 300_000 }, (_, row) => ({ mw: row }));
    for (const name of ['a', 'b', 'c', 'd', 'e']) await write(`${name}.parquet`, records);
    const { frame, fileRowCount } = await readTableIn(folder);
    assert.deepEqual([frame.rowCount, fileRowCount], [1_000_000, 1_500_000]);
  });

  it('reads the rows of an exported folder, with the provenance of the whole range', async () => {
    const start = Date.UTC(2023, 0, 30);
    const records = Array.from({ length: 24 * 35 }, (_, hour) => ({
      ts: new Date(start + hour * 3_600_000).toISOString(),
      wind_mw: hour / 3,
    }));
    const key = { source: 'https://api.example.test', dataset: 'systemState', interval: '1h', params: {} };
    const span = { start, end: start + records.length * 3_600_000 };
    const frame = recordsToFrame(records);
    const origins = [createArchiveOrigin(key, span, { frame, now: span.end, meta: { meta: { source: 'synthetic' } } })];
    const clock = { sleep: () => Promise.resolve() };
    await writeHive({ folder, series: [{ ...key, frame, origins }], clock });
    const reply = await runInProcess(folder);
    assert.ok(reply?.kind === 'file' && reply.read.kind === 'table');
    const { provenance } = reply.read.fileTable.result;
    assert.deepEqual(
      [provenance.dataset, provenance.interval, provenance.start, provenance.end, reply.frame?.rowCount],
      ['systemState', '1h', span.start, span.end, records.length],
    );
    assert.match(JSON.stringify(provenance), /synthetic|SAMPLE/i);
    assert.equal(reply.read.fileTable.result.coverage?.missing, 0);
    assert.deepEqual(
      reply.frame?.columns.map(({ name }) => name),
      ['ts', 'wind_mw', 'dataset', 'interval', 'year', 'month'],
    );
  });

  it('reads the same table as pandas, if installed', async function () {
    if (!(await has(python, '-c', 'import pandas, pyarrow'))) return this.skip();
    await write('year=2024/month=01/a.parquet', [{ mw: 1.5 }, { mw: 2.5 }]);
    await write('year=2024/month=02/a.parquet', [{ mw: 3.5 }]);
    const program = `import pandas\nprint(pandas.read_parquet(${JSON.stringify(folder)}).to_json(orient="values"))`;
    const { stdout } = await runText(python, 'read.py', program);
    const cells = Object.values(listCells((await readTableIn(folder)).frame));
    assert.deepEqual(
      JSON.parse(stdout),
      cells[0]?.map((_, row) => cells.map(column => Number(column[row]))),
    );
  });
});
