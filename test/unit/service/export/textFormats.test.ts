import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { ExportOptions, ExportTable } from '../../../../src/shared/exportOptions.ts';
import type { Column } from '../../../../src/shared/frame.ts';
import { escapeExpectedText } from '../../../support/escapeExpectedText.ts';
import { anyTable, exportToBytes, listRowIndexes, valueAt } from './anyFrame.ts';

interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

const forms = {
  standard: { options: { format: 'csv', dialect: 'standard' }, delimiter: ',', record_delimiter: '\r\n' },
  semicolon: { options: { format: 'csv', dialect: 'semicolon' }, delimiter: ';', record_delimiter: '\r\n' },
  tsv: { options: { format: 'tsv' }, delimiter: '\t', record_delimiter: '\n' },
} as const satisfies Record<string, { options: Partial<ExportOptions>; delimiter: string; record_delimiter: string }>;

function checkCell(column: Column, row: number, { text, quoted }: Cell, decimal: string): void {
  const value = valueAt(column, row);
  if (value == null) assert.deepEqual({ text, quoted }, { text: '', quoted: false });
  else if (typeof value === 'number')
    assert.ok(Object.is(Number(text.replace(decimal, '.')), value), `${text} is not ${value}`);
  else if (value instanceof Date) assert.equal(Date.parse(text), value.getTime());
  else if (typeof value === 'boolean') assert.equal(text, String(value));
  else assert.equal(text, escapeExpectedText(value as string));
  if (value === '') assert.ok(quoted);
}

describe('delimited text', () => {
  for (const [name, { options, delimiter, record_delimiter }] of Object.entries(forms))
    it(`round-trips through another reader: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyTable, async table => {
          const text = (await exportToBytes(table, options)).toString('utf8');
          assert.equal(text.startsWith('\uFEFF'), name === 'semicolon');
          const castCell = (value: string, { quoting }: { quoting: boolean }): Cell => ({
            text: value,
            quoted: quoting,
          });
          // The mark is removed here, since the reader's option would also remove one of the heading.
          const plain = name === 'semicolon' ? text.slice(1) : text;
          const [heading, ...rows] = parse(plain, {
            cast: castCell,
            delimiter,
            record_delimiter,
          }) as unknown as Cell[][];
          const { columns } = table.frame;
          assert.deepEqual(
            heading?.map(cell => cell.text),
            columns.map(column => escapeExpectedText(column.name)),
          );
          const rowIndexes = listRowIndexes(table);
          assert.equal(rows.length, rowIndexes.length);
          for (const [position, rowIndex] of rowIndexes.entries())
            for (const [index, column] of columns.entries())
              checkCell(
                column,
                rowIndex,
                rows[position]?.[index] ?? { text: '?', quoted: false },
                name === 'semicolon' ? ',' : '.',
              );
        }),
      );
    });
});

/** Creates the record of a row, by assignment to objects without a prototype. */
function toRecord({ frame }: ExportTable, row: number): Map<string, unknown> {
  const record = new Map<string, unknown>();
  const usedNames = new Set<string>();
  for (const column of frame.columns) {
    let key = column.name;
    for (let count = 2; usedNames.has(key); count++) key = `${column.name} (${count})`;
    usedNames.add(key);
    const value = valueAt(column, row);
    if (value !== undefined) record.set(key, value === null ? null : toJsonValue(column, value));
  }
  return record;
}

function toJsonValue(column: Column, value: unknown): unknown {
  if (column.kind === 'nested') return JSON.parse(value as string);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value instanceof Date ? value.getTime() : value;
}

function checkRecords(table: ExportTable, records: readonly Record<string, unknown>[]): void {
  const times = new Set(table.frame.columns.filter(({ kind }) => kind === 'time'));
  const rowIndexes = listRowIndexes(table);
  assert.equal(records.length, rowIndexes.length);
  for (const [position, rowIndex] of rowIndexes.entries()) {
    const expectedRecord = toRecord(table, rowIndex);
    const actualRecord = new Map(Object.entries(records[position] ?? {}));
    assert.deepEqual(new Set(actualRecord.keys()), new Set(expectedRecord.keys()));
    for (const [key, value] of expectedRecord) {
      const actualValue = actualRecord.get(key);
      const isTime = typeof value === 'number' && typeof actualValue === 'string' && times.size > 0;
      assert.deepEqual(isTime ? Date.parse(actualValue) : actualValue, value);
    }
  }
}

describe('JSON', () => {
  // V8's JSON.parse sometimes reads an escaped name as another that it has read before, here or in another test.
  const plainNames = anyTable.filter(({ frame }) =>
    frame.columns.every(({ name }) => JSON.stringify(name) === `"${name}"`),
  );

  it('escapes names as JSON does', async () => {
    const names = ['"', '\\', 'a\n"b', '\u2028'];
    const columns = names.map((name): Column => ({ kind: 'number', name, path: [name], values: Float64Array.of(1) }));
    const text = (await exportToBytes({ frame: { rowCount: 1, columns } }, { format: 'ndjson' })).toString('utf8');
    assert.equal(text, '{"\\"":1,"\\\\":1,"a\\n\\"b":1,"\u2028":1}\n');
  });

  it('round-trips as an array of records', async () => {
    await fc.assert(
      fc.asyncProperty(plainNames, async table => {
        const text = (await exportToBytes(table, { format: 'json' })).toString('utf8');
        checkRecords(table, JSON.parse(text) as Record<string, unknown>[]);
      }),
    );
  });

  it('round-trips as one record per line', async () => {
    await fc.assert(
      fc.asyncProperty(plainNames, async table => {
        const text = (await exportToBytes(table, { format: 'ndjson' })).toString('utf8');
        const lines = text.split('\n').slice(0, -1);
        checkRecords(
          table,
          lines.map(line => JSON.parse(line) as Record<string, unknown>),
        );
      }),
    );
  });
});

describe('Markdown', () => {
  it('writes one line per row and one cell per column, for any values', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async table => {
        const text = (await exportToBytes(table, { format: 'markdown' })).toString('utf8');
        const lines = text.split('\n').slice(0, -1);
        assert.equal(lines.length, listRowIndexes(table).length + 2);
        for (const line of lines) {
          // Unescaped bars separate cells.
          const bars = line.replace(/\\[\\`*[\]<>|~&_]/g, '').match(/\|/g)?.length;
          assert.equal(bars, table.frame.columns.length + 1, line);
        }
      }),
    );
  });
});
