import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readSheet } from 'read-excel-file/node';
import { GridError } from '../../../../src/core/errors.ts';
import { writtenTable } from '../../../../src/core/export/exportTable.ts';
import { excelChunksInThread } from '../../../../src/service/export/excelThread.ts';
import type { ExportOptions, ExportTable } from '../../../../src/shared/exportOptions.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import { standard } from './anyFrame.ts';
import { scratchFolder } from './readers.ts';
import { zipTexts } from './zipText.ts';

const options: ExportOptions = { ...standard, format: 'xlsx', heading: 'units' };
const rowCount = 6000;

/** More cells than are written without a thread. */
function hours(): Frame {
  const columns: Column[] = [
    {
      kind: 'time',
      name: 'ts',
      path: ['ts'],
      values: Float64Array.from({ length: rowCount }, (_, row) => row * 3.6e6),
    },
    {
      ...{
        kind: 'number',
        name: 'demand',
        path: ['demand'],
        values: Float64Array.from({ length: rowCount }, Math.sqrt),
      },
      values: Float64Array.from({ length: rowCount }, (_, row) => row / 3),
      gaps: Uint8Array.from({ length: rowCount }, (_, row) => (row % 100 === 7 ? 1 : 0)),
    },
    {
      ...{ kind: 'text', name: 'outlook', path: ['outlook'] },
      texts: { codes: Uint32Array.from({ length: rowCount }, (_, row) => row % 2), entries: ['dry', '=wet'] },
    },
  ];
  return { rowCount, columns };
}

interface Written {
  readonly bytes: Buffer;
  /** Rows done of each chunk that has no bytes: those of a thread that is at work. */
  readonly told: readonly number[];
}

async function write(table: ExportTable, file?: string, signal?: AbortSignal): Promise<Written> {
  const [pieces, told]: [Uint8Array[], number[]] = [[], []];
  for await (const { bytes, rowsDone } of excelChunksInThread(writtenTable(table), options, undefined, signal, file)) {
    pieces.push(bytes);
    if (bytes.length === 0) told.push(rowsDone);
  }
  return { bytes: Buffer.concat(pieces), told };
}

describe('Excel in a thread', () => {
  const scratch = scratchFolder();
  const script = (name: string, code: string): string => {
    const file = scratch.path(name);
    writeFileSync(file, code);
    return file;
  };

  it('round-trips a workbook from a thread, reports progress, and leaves the frame unchanged', async () => {
    const frame = hours();
    const { bytes, told } = await write({
      frame,
      rows: Uint32Array.from({ length: rowCount }, (_, at) => rowCount - 1 - at),
    });
    const [heading, ...rows] = (await readSheet(bytes)) as unknown[][];
    assert.deepEqual(heading, ['ts (UTC)', 'demand', 'outlook']);
    assert.equal(rows.length, rowCount);
    for (const [at, cells] of rows.entries()) {
      const row = rowCount - 1 - at;
      const demand = row % 100 === 7 ? null : row / 3;
      assert.deepEqual(cells.slice(1), [demand, row % 2 === 0 ? 'dry' : '=wet']);
    }
    assert.deepEqual(frame, hours());
    assert.ok(told.length > 2);
    assert.deepEqual(
      told,
      [...new Set(told)].sort((a, b) => a - b),
    );
  });

  it('writes a table of one column in a thread', async () => {
    const values = Float64Array.from({ length: 12_000 }, (_, row) => row);
    const demand: Column = { kind: 'number', name: 'demand', path: ['demand'], values };
    const { bytes, told } = await write({ frame: { rowCount: values.length, columns: [demand] } });
    const [, ...rows] = (await readSheet(bytes)) as unknown[][];
    assert.deepEqual(rows.flat(), [...values]);
    assert.ok(told.length > 0);
  });

  it('transfers many texts in pieces, and reads all back', async () => {
    const entries = Array.from({ length: rowCount }, (_, row) => `hour ${row}`);
    const codes = Uint32Array.from(entries.keys());
    const texts = (name: string): Column => ({ kind: 'text', name, path: [name], texts: { codes, entries } });
    const table = { frame: { rowCount, columns: [texts('first'), ...hours().columns, texts('last')] } };
    const [, ...rows] = (await readSheet((await write(table)).bytes)) as unknown[][];
    for (const [at, cells] of rows.entries())
      assert.deepEqual([cells[0], cells[3], cells[4]], [`hour ${at}`, at % 2 === 0 ? 'dry' : '=wet', `hour ${at}`]);

    const counting = script(
      'counting.mjs',
      `import { parentPort } from 'node:worker_threads';
       parentPort.postMessage({ kind: 'ready' });
       parentPort.on('message', part => {
         const rowsDone = part.kind ? part.texts?.entries.length ?? 0 : part.length;
         parentPort.postMessage({ kind: 'chunk', chunk: { bytes: new Uint8Array(), rowsDone } });
         if (part.name === 'last') parentPort.postMessage({ kind: 'done' });
       });`,
    );
    const { told: textsOfMessages } = await write(table, counting);
    assert.equal(
      textsOfMessages.reduce((sum, count) => sum + count),
      2 * rowCount + 2,
    );
    assert.ok(Math.max(...textsOfMessages) < rowCount, textsOfMessages.join());
  });

  it('writes the same on the main thread when no worker thread starts', async () => {
    const files = [
      scratch.path('missing.mjs'),
      './not/absolute',
      script('broken.mjs', 'throw new Error("no")'),
      script('mute.mjs', ''),
    ];
    const apart = zipTexts((await write({ frame: hours() })).bytes);
    for (const file of files) {
      const { bytes, told } = await write({ frame: hours() }, file);
      assert.deepEqual(told, [], file);
      assert.equal(zipTexts(bytes), apart, file);
    }
  });

  it('stops at once when canceled, whatever the thread does', async () => {
    const busy = script(
      'busy.mjs',
      `import { parentPort } from 'node:worker_threads';
       parentPort.postMessage({ kind: 'ready' });
       parentPort.once('message', () => {
         parentPort.postMessage({ kind: 'chunk', chunk: { bytes: new Uint8Array(), rowsDone: 1 } });
         for (;;);
       });`,
    );
    const stop = new AbortController();
    const chunks = excelChunksInThread(writtenTable({ frame: hours() }), options, undefined, stop.signal, busy);
    const first = await chunks.next();
    assert.ok(first.done !== true && first.value.rowsDone === 1);
    const next = chunks.next();
    stop.abort();
    await assert.rejects(next, new GridError('cancelled'));
    assert.deepEqual(await chunks.next(), { done: true, value: undefined });
  });

  for (const [what, code] of [
    ['says', "parentPort.postMessage({ kind: 'error', error: new Error('no paper') })"],
    ['throws', "throw new Error('no paper')"],
  ] as const)
    it(`fails with the error that the thread ${what}`, async () => {
      const failing = script(
        `${what}.mjs`,
        `import { parentPort } from 'node:worker_threads';
         parentPort.postMessage({ kind: 'ready' });
         parentPort.once('message', () => { ${code} });`,
      );
      await assert.rejects(write({ frame: hours() }, failing), { message: 'no paper' });
    });

  it('fails when the thread ends early, or its sheet grows too large', async () => {
    const ready = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ kind: 'ready' });";
    await assert.rejects(write({ frame: hours() }, script('early.mjs', ready)), /ended before its end/);
    const long = `${ready} parentPort.postMessage({ kind: 'error', error: new RangeError('Invalid string length') });`;
    await assert.rejects(write({ frame: hours() }, script('long.mjs', long)), { limit: 'size' });
  });
});

describe('the limits of Excel', () => {
  const none = new Float64Array();
  const refused = (table: ExportTable): Promise<void> => assert.rejects(write(table), { name: 'ExcelLimitError' });
  const texts = (...entries: string[]): Frame => {
    const codes = Uint32Array.from(entries.keys());
    return { rowCount: entries.length, columns: [{ kind: 'text', name: 'a', path: ['a'], texts: { codes, entries } }] };
  };

  it("reports Excel's limits before anything is written", async () => {
    await refused({ frame: { rowCount: 1_048_576, columns: [] } });
    const column: Column = { kind: 'number', name: 'a', path: ['a'], values: none };
    await refused({ frame: { rowCount: 0, columns: new Array<Column>(16_385).fill(column) } });
    await refused({ frame: texts('a', 'b'.repeat(32_768)) });
  });

  it('counts only what is written', async () => {
    const frame = texts('a', 'b'.repeat(32_767), 'c'.repeat(32_768));
    const { bytes } = await write({ frame, rows: Uint32Array.of(0, 1) });
    assert.deepEqual(await readSheet(bytes), [['a'], ['a'], ['b'.repeat(32_767)]]);
  });
});
