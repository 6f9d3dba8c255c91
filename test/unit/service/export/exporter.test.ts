import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { exportFormats, type ExportTable } from '../../../../src/shared/exportOptions.ts';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { exportFormatDescriptors } from '../../../../src/core/export/formats.ts';
import { estimateSize, exportChunks, exportText } from '../../../../src/service/export/exporter.ts';
import { anyTable, exportToBytes, sast, standard } from './anyFrame.ts';

function createNumbers(
  rowCount: number,
  columnCount = 1,
): { readonly rowCount: number; readonly columns: readonly NumberColumn[] } {
  const values = Float64Array.from({ length: rowCount }, (_, row) => row / 3);
  const names = Array.from({ length: columnCount }, (_, index) => (index === 0 ? 'a' : `a_${index}`));
  return { rowCount, columns: names.map(name => ({ kind: 'number' as const, name, path: [name], values })) };
}

const textFormats = exportFormats.filter(format => exportFormatDescriptors[format].text);

describe('exportChunks', () => {
  for (const format of exportFormats) {
    it(`stops at the next chunk when canceled: ${format}`, async () => {
      const stop = new AbortController();
      const chunks = exportChunks(
        createTableToWrite({ frame: createNumbers(200_000) }),
        { ...standard, format },
        undefined,
        {
          signal: stop.signal,
        },
      );
      let chunkCount = 0;
      const reading = async (): Promise<void> => {
        for await (const chunk of chunks) {
          chunkCount += chunk.length;
          stop.abort();
        }
      };
      await assert.rejects(reading(), { reason: 'cancelled' });
      assert.ok(chunkCount > 0);
    });

    it(`reports progress up to all rows, and yields: ${format}`, async () => {
      const rowCount = 20_000;
      const progress: number[] = [];
      let turnCount = 0;
      let isDone = false;
      const runOtherWork = (): void => {
        turnCount++;
        if (!isDone) setImmediate(runOtherWork);
      };
      setImmediate(runOtherWork);
      const run = { onProgress: (rows: number) => progress.push(rows) };
      let chunks = 0;
      for await (const chunk of exportChunks(
        createTableToWrite({ frame: createNumbers(rowCount) }),
        { ...standard, format },
        undefined,
        run,
      ))
        chunks += chunk.length > 0 ? 1 : 0;
      isDone = true;
      assert.deepEqual(
        progress,
        [...progress].sort((a, b) => a - b),
      );
      assert.equal(progress.at(-1), rowCount);
      assert.ok(turnCount >= chunks);
    });
  }

  it('writes text in chunks of constant size', async () => {
    let longest = 0;
    for await (const chunk of exportChunks(createTableToWrite({ frame: createNumbers(100_000) }), standard))
      longest = Math.max(longest, chunk.length);
    assert.ok(longest < 50_000, `${longest} bytes`);
  });

  for (const format of textFormats)
    it(`writes fewer rows per chunk when they are long: ${format}`, async () => {
      let longest = 0;
      for await (const chunk of exportChunks(createTableToWrite({ frame: createNumbers(100, 2000) }), {
        ...standard,
        format,
      }))
        longest = Math.max(longest, chunk.length);
      assert.ok(longest < 250_000, `${longest} bytes`);
    });

  it('writes few columns of a long Parquet file per chunk', async () => {
    let turnCount = 0;
    for await (const { length } of exportChunks(createTableToWrite({ frame: createNumbers(20_000, 8) }), {
      ...standard,
      format: 'parquet',
    })) {
      assert.ok(length > 0);
      turnCount++;
    }
    assert.ok(turnCount >= 12, `${turnCount} turns`);
  });

  it('writes few columns of a wide Parquet file per chunk, and few row groups', async () => {
    const rowsDone: number[] = [];
    const chunks: Uint8Array[] = [];
    const run = { onProgress: (rows: number) => rowsDone.push(rows) };
    const frame = createNumbers(1000, 500);
    for await (const chunk of exportChunks(
      createTableToWrite({ frame }),
      { ...standard, format: 'parquet' },
      undefined,
      run,
    ))
      chunks.push(chunk);
    assert.ok(chunks.length > 10, `${chunks.length} pieces`);
    const { row_groups: groups, num_rows: rows } = parquetMetadata(new Uint8Array(Buffer.concat(chunks)).buffer);
    assert.deepEqual([groups.length, groups[0]?.columns.length, groups[0]?.num_rows, rows], [1, 500, 1000n, 1000n]);
    assert.deepEqual([rowsDone[0], rowsDone.at(-1)], [0, 1000]);
  });
});

describe('exportText', () => {
  it('returns the text of the file, without a byte order mark', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.constantFrom(...textFormats), async (table, format) => {
        const text = await exportText(createTableToWrite(table), { ...standard, format });
        assert.equal(text, (await exportToBytes(table, { format })).toString('utf8'));
      }),
    );
  });
});

describe('estimateSize', () => {
  for (const format of exportFormats)
    it(`estimates the size closely: ${format}`, async () => {
      const table: ExportTable = { frame: createNumbers(30_000) };
      const size = (await exportToBytes(table, { format })).length;
      const estimated = await estimateSize(createTableToWrite(table), { ...standard, format });
      assert.ok(estimated > size / 2 && estimated < size * 2, `${estimated} for ${size}`);
    });

  for (const format of exportFormats)
    it(`estimates the size of a wide table closely from few cells: ${format}`, async () => {
      const { rowCount, columns } = createNumbers(50, 1000);
      let cells = 0;
      const counted = columns.map(column => {
        const values = new Proxy(column.values, {
          get: (target, key) => {
            if (typeof key === 'string' && /^\d+$/.test(key)) cells++;
            const value = Reflect.get(target, key, target) as unknown;
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
        });
        return { ...column, values };
      });
      const estimated = await estimateSize(createTableToWrite({ frame: { rowCount, columns: counted } }), {
        ...standard,
        format,
      });
      assert.ok(cells <= 16_384, `${cells} cells`);
      const size = (await exportToBytes({ frame: { rowCount, columns } }, { format })).length;
      assert.ok(estimated > size / 3 && estimated < size * 3, `${estimated} for ${size}`);
    });
});

describe('the columns of an export', () => {
  const frame = recordsToFrame([
    { ts: '2026-05-03T00:00:00Z', wind_mw: 1.5, area: '=x' },
    { ts: '2026-05-03T01:00:00Z', wind_mw: null, area: 'b' },
  ]);

  it('exports the selected columns in their order, with the end of the interval', async () => {
    const table: ExportTable = {
      frame,
      columns: [1, 0, 'intervalEnd'],
      rows: Uint32Array.of(1, 0),
      intervalMs: 3_600_000,
    };
    assert.equal(
      await exportText(createTableToWrite(table), { ...standard, times: 'zone', zone: sast, heading: 'units' }),
      [
        'wind_mw,ts (SAST),interval_end (SAST)',
        ',2026-05-03T03:00:00+02:00,2026-05-03T04:00:00+02:00',
        '1.5,2026-05-03T02:00:00+02:00,2026-05-03T03:00:00+02:00',
        '',
      ].join('\r\n'),
    );
  });

  it('leaves the end of the interval empty when its length is unknown', async () => {
    const text = await exportText(createTableToWrite({ frame, columns: ['intervalEnd', 1] }), {
      ...standard,
      heading: 'none',
    });
    assert.equal(text, ',1.5\r\n,\r\n');
  });

  it('writes provenance above the columns on request', async () => {
    const provenance = {
      source: 'Grid Data Inspector',
      connection: 'x,=cmd\nb',
      dataset: 'systemState',
      range: 'last 2 hours',
      start: '2026-05-03T00:00:00Z',
      end: '2026-05-03T02:00:00Z',
      interval: '1h',
      params: { a: 'b' },
      zone: 'UTC',
      rows: 2,
    };
    const options = { ...standard, provenance: 'comment' } as const;
    const lines = (await exportText(createTableToWrite({ frame }), options, provenance)).split('\r\n');
    assert.deepEqual(lines.slice(0, 2), ['# source: Grid Data Inspector', "# connection: x,'=cmd b"]);
    assert.equal(lines.at(-4), 'ts,wind_mw,area');
    assert.ok(lines.includes('# param a: b'));
    const markdown = await exportText(
      createTableToWrite({ frame }),
      { ...options, format: 'markdown' },
      { ...provenance, range: 'a --> b' },
    );
    assert.equal(markdown.match(/-->/g)?.length, 1);
  });
});
