import assert from 'node:assert/strict';
import { readSheet } from 'read-excel-file/node';
import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import { exportChunks } from '../../../../src/service/export/exporter.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import { exportToBytes, standard } from './anyFrame.ts';
import { zipText } from './zipText.ts';

describe('the limits of Excel', () => {
  async function assertRejected(frame: Frame): Promise<void> {
    let writtenChunks = 0;
    const write = async (): Promise<void> => {
      for await (const { length } of exportChunks(createTableToWrite({ frame }), { ...standard, format: 'xlsx' }))
        writtenChunks += length;
    };
    await assert.rejects(write, { name: 'ExcelLimitError' });
    assert.equal(writtenChunks, 0);
  }
  const createTextFrame = (...entries: string[]): Frame => {
    const codes = Uint32Array.from(entries.keys());
    return { rowCount: entries.length, columns: [{ kind: 'text', name: 'a', path: ['a'], texts: { codes, entries } }] };
  };

  it("reports Excel's limits before anything is written", async () => {
    await assertRejected({ rowCount: 1_048_576, columns: [] });
    const column: Column = { kind: 'number', name: 'a', path: ['a'], values: new Float64Array() };
    await assertRejected({ rowCount: 0, columns: new Array<Column>(16_385).fill(column) });
    await assertRejected(createTextFrame('a', 'b'.repeat(32_768)));
  });

  it('counts only rows that are written', async () => {
    const frame = createTextFrame('a', 'b'.repeat(32_767), 'c'.repeat(32_768));
    const bytes = await exportToBytes({ frame, rows: Uint32Array.of(0, 1) }, { format: 'xlsx' });
    assert.deepEqual(await readSheet(bytes), [['a'], ['a'], ['b'.repeat(32_767)]]);
  });

  it('names the last of 16,384 columns', async () => {
    const columns = Array.from({ length: 16_384 }, (_, index): Column => {
      return { kind: 'number', name: `n${index}`, path: [`n${index}`], values: Float64Array.of(index) };
    });
    const sheet = zipText(
      await exportToBytes({ frame: { rowCount: 1, columns } }, { format: 'xlsx' }),
      'xl/worksheets/sheet1.xml',
    );
    const findAddress = (value: number) => new RegExp(`<c r="([A-Z]+)2"[^>]*><v>${value}</v>`).exec(sheet)?.[1];
    assert.deepEqual([0, 25, 26, 701, 702, 16_383].map(findAddress), ['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
    assert.match(sheet, /<autoFilter ref="A1:XFD2"\/>/);
  });
});
