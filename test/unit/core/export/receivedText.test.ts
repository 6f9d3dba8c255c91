import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { toCsv, toJsonRecords } from '../../../support/receivedText.ts';
import { cellState, getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import { escapeExpectedText } from '../../../support/escapeExpectedText.ts';
import { recordsWithExact } from '../decode/records.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

/** Parses the file with an independent reader. */
function readCsv(text: string): Cell[][] {
  const toCell = (value: string, { quoting }: { quoting: boolean }): Cell => ({ text: value, quoted: quoting });
  return parse(text, { cast: toCell, record_delimiter: '\r\n' }) as unknown as Cell[][];
}

describe('the CSV export', () => {
  it('writes a heading, times as received, numbers to the last digit, and empty gaps', () => {
    const frame = recordsToFrame([
      { ts: '2023-05-01T00:00:00Z', wind_mw: 0.1 + 0.2, area: 'a "b", c', on: true, tags: [1, 'x'] },
      { ts: '2023-05-01T03:00:00+02:00', wind_mw: null, area: '', on: null },
    ]);
    const lines = [
      'ts,wind_mw,area,on,tags',
      '2023-05-01T00:00:00Z,0.30000000000000004,"a ""b"", c",true,"[1,""x""]"',
      '2023-05-01T03:00:00+02:00,,"",,',
    ];
    assert.equal(toCsv(frame), lines.map(line => `${line}\r\n`).join(''));
  });

  it('escapes formulas in text, and leaves numbers unchanged', () => {
    const frame = recordsToFrame([
      { text: '=1+1', number: -5, mixed: -5 },
      { text: '-5', number: 1, mixed: '=1+1' },
    ]);
    assert.equal(toCsv(frame), `text,number,mixed\r\n'=1+1,-5,-5\r\n-5,1,"""=1+1"""\r\n`);
  });

  for (const text of ['=x', '+x', '-x', '@x', '\tx', '\rx', '\nx', '＝x', '＋x', '－x', '＠x'])
    it(`escapes ${JSON.stringify(text)} in cells and headings`, () => {
      const [heading, cells] = readCsv(toCsv(recordsToFrame([{ [text]: text }])));
      assert.deepEqual([heading?.[0]?.text, cells?.[0]?.text], [`'${text}`, `'${text}`]);
    });

  it('writes only the heading for a frame without rows', () => {
    assert.equal(toCsv({ ...recordsToFrame([{ a: 1 }]), rowCount: 0 }), 'a\r\n');
  });

  it('restores every value to the last digit', () => {
    fc.assert(
      fc.property(recordsWithExact, records => {
        const frame = recordsToFrame(records);
        if (frame.columns.length === 0) return;
        const [heading, ...rows] = readCsv(toCsv(frame));
        assert.deepEqual(
          heading?.map(({ text }) => text),
          frame.columns.map(({ name }) => toExportedText(name)),
        );
        assert.equal(rows.length, frame.rowCount);
        rows.forEach((cells, row) => assertRow(frame, row, cells));
      }),
      { numRuns: scaleRunCount(500) },
    );
  });
});

describe('the JSON export', () => {
  it('writes one record per line, as received', () => {
    const frame = recordsToFrame([
      { ts: '2023-05-01T03:00:00+02:00', a: { b: 1, c: null }, big: new ExactNumber('9007199254740993') },
      { ts: '2023-05-01T02:00:00Z', a: {}, big: 1 },
      { ts: '2023-05-01T03:00:00Z' },
    ]);
    const lines = [
      '  {"ts":"2023-05-01T03:00:00+02:00","a":{"b":1,"c":null},"big":9007199254740993}',
      '  {"ts":"2023-05-01T02:00:00Z","a":{},"big":1}',
      '  {"ts":"2023-05-01T03:00:00Z"}',
    ];
    assert.equal(toJsonRecords(frame), `[\n${lines.join(',\n')}\n]\n`);
  });

  it('keeps signs, small numbers and unusual names', () => {
    const text = '{"__proto__":-0,"":1e-300,"a":1e+21,"b.c":{"d":"\\u2028"}}';
    const exported = toJsonRecords(recordsToFrame([JSON.parse(text) as Record<string, unknown>]));
    assert.deepEqual(JSON.parse(exported), [JSON.parse(text)]);
    assert.ok(exported.includes('"__proto__":-0'));
  });

  it('writes an empty list for no rows', () => {
    assert.equal(toJsonRecords(recordsToFrame([])), '[]\n');
  });
});

function assertRow(frame: Frame, row: number, cells: readonly Cell[]): void {
  assert.equal(cells.length, frame.columns.length);
  frame.columns.forEach((column, index) => {
    const cell = cells[index];
    assert.ok(cell);
    if (getCellState(column, row) !== cellState.value) assert.deepEqual(cell, { text: '', quoted: false });
    else assertValue(column, row, cell);
  });
}

function assertValue(column: Column, row: number, cell: Cell): void {
  switch (column.kind) {
    case 'number':
      assert.ok(Object.is(Number(cell.text), column.values[row]), cell.text);
      return;
    case 'boolean':
      assert.equal(cell.text, String(column.values[row] === 1));
      return;
    case 'time':
      if (column.received) assert.equal(cell.text, getText(column.received, row));
      assert.equal(Date.parse(cell.text), column.values[row]);
      return;
    case 'text':
      assert.equal(cell.text, toExportedText(getText(column.texts, row)));
      // Without quotes, an empty text would be read as a missing value.
      assert.ok(cell.text !== '' || cell.quoted);
      return;
    case 'nested':
      assert.equal(cell.text, toExportedNested(getText(column.texts, row)));
  }
}

/** Returns the text that an export should contain: guarded against formulas, and without lone surrogates, which no file can contain. */
function toExportedText(text: string): string {
  return Buffer.from(escapeExpectedText(text)).toString();
}

/** Like `toExportedText`, except that a number among other values stays a number. */
function toExportedNested(text: string): string {
  return /^-?\d/.test(text) ? text : escapeExpectedText(text);
}
