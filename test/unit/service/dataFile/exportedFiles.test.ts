import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isNoValue } from '../../../../src/core/dataFile/cellKinds.ts';
import { uniqueNames } from '../../../../src/core/export/exportTable.ts';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import type { ExportOptions, ExportTable } from '../../../../src/shared/exportOptions.ts';
import type { Column } from '../../../../src/shared/frame.ts';
import { escapeExpectedText } from '../../../support/escapeExpectedText.ts';
import { anyTable, exportToBytes, listRowIndexes, sast, utc, valueAt } from '../export/anyFrame.ts';

async function readExport(bytes: Uint8Array, name: string): Promise<FileTable> {
  const request = { name, options: {}, sidecar: undefined };
  const file = await readDataFile(createBytesSource(bytes), request, () => undefined);
  assert.ok(file.kind === 'table');
  return file.table;
}

/** Lists the cells of a table, row by row. Null and absent cells are both null. */
function listCells(table: ExportTable, toCell: (value: unknown, column: Column) => unknown): unknown[][] {
  return listRowIndexes(table).map(columnIndex =>
    table.frame.columns.map(column => {
      const value = valueAt(column, columnIndex) ?? null;
      return value === null ? null : toCell(value, column);
    }),
  );
}

function readCells({ frame }: FileTable): unknown[][] {
  assert.ok(frame);
  return Array.from({ length: frame.rowCount }, (_, row) => frame.columns.map(column => valueAt(column, row) ?? null));
}

/** Files have at most one time column, since the reader moves the one with the most instants to the front. */
const withOneTime = anyTable.filter(({ frame }) => frame.columns.filter(({ kind }) => kind === 'time').length < 2);

/** Names without separators that cannot be mistaken for data. */
const plainlyNamed = anyTable.filter(({ frame }) =>
  frame.columns.every(
    ({ name }) =>
      !isNoValue(name) &&
      /^[^\d\s"'=+@#,;|.\uFEFF-][^,;|\t\r\n"]*$/.test(name) &&
      !/^(?:nan|infinity|true|false)$/i.test(name),
  ),
);

describe('exported files that are read back', () => {
  for (const format of ['parquet', 'arrow'] as const)
    it(`restores kinds, cells and paths from ${format}`, async () => {
      await fc.assert(
        fc.asyncProperty(withOneTime, async table => {
          const readBack = await readExport(await exportToBytes(table, { format }), `a.${format}`);
          assert.deepEqual(readBack.omitted, []);
          // The Arrow library drops a byte order mark at the beginning of a text.
          const removeMark = (text: string): string => (format === 'arrow' ? text.replace(/^\uFEFF/, '') : text);
          assert.deepEqual(
            readCells(readBack),
            listCells(table, value => (typeof value === 'string' ? removeMark(value) : value)),
          );
          // The library drops a byte order mark at the beginning of a name, and finds no metadata for it.
          const listMetadata = (columns: readonly Column[] = []): unknown =>
            columns.map(({ kind, path, name }) => (/^\uFEFF|^$/.test(name) ? {} : { kind, path }));
          const isNamedTwice = new Set(table.frame.columns.map(({ name }) => name)).size < table.frame.columns.length;
          // If two columns in Parquet have the same name, the metadata of the second applies to its new name.
          if (!isNamedTwice) assert.deepEqual(listMetadata(readBack.frame?.columns), listMetadata(table.frame.columns));
        }),
      );
    });

  const dialects: readonly Partial<ExportOptions>[] = [
    { format: 'csv', dialect: 'standard', times: 'utc' },
    { format: 'csv', dialect: 'semicolon', times: 'zone', zone: sast },
    { format: 'tsv', times: 'zone', zone: { timeZone: 'America/New_York', label: 'New York' } },
  ];
  for (const options of dialects)
    it(`restores each cell of ${options.format} ${options.dialect ?? ''} with times in ${options.zone?.label ?? utc.label}`, async () => {
      await fc.assert(
        fc.asyncProperty(plainlyNamed, async table => {
          const readBack = await readExport(await exportToBytes(table, options), `a.${options.format}`);
          // A text below a column of numbers counts as a line below the table.
          fc.pre(!readBack.notes.some(note => note.includes('of text')));
          // Regardless of the detected kind, the displayed cell must match the written one.
          const writtenCells = listCells(table, (value, { kind }) => {
            if (kind === 'text') return escapeExpectedText(String(value));
            if (kind !== 'nested') return value;
            return String(value);
          });
          const cells = readCells(readBack);
          const width = table.frame.columns.length;
          // Rows without values are omitted, with a note.
          const isBlank = (cell: unknown): boolean =>
            cell === null || (typeof cell === 'string' && cell !== '' && cell.trim() === '');
          const heading = table.frame.columns.map(({ name }) => escapeExpectedText(name)).join();
          const rows = writtenCells.filter(
            row => row.join() !== heading && (width > 1 ? !row.every(isBlank) : row[0] !== null),
          );
          assert.equal(
            cells.length,
            rows.length,
            JSON.stringify([
              readBack.notes,
              Buffer.from(await exportToBytes(table, options))
                .toString()
                .slice(0, 2000),
            ]),
          );
          // The time column may be moved to the front.
          const names = uniqueNames(table.frame.columns.map(({ name }) => escapeExpectedText(name).trim()));
          const columnIndexes = names.map(
            name => readBack.frame?.columns.findIndex(column => column.name === name) ?? -1,
          );
          for (const [row, expected] of rows.entries())
            for (const [position, value] of expected.entries()) {
              const columnIndex = columnIndexes[position] ?? -1;
              // Such a text is a gap in a column of numbers.
              if (!(isNoValue(String(value)) && readBack.frame?.columns[columnIndex]?.kind !== 'text'))
                checkCell(cells[row]?.[columnIndex], value, table.frame.columns[position]);
            }
        }),
      );
    });
});

/** Texts that look like numbers, instants or booleans may be read as such. Other texts must be unchanged. */
function checkCell(actual: unknown, expected: unknown, column: Column | undefined): void {
  const text = expected instanceof Date ? expected.toISOString() : String(expected);
  if (expected === null || actual === null) assert.equal(actual, expected);
  else if (typeof actual === 'string') {
    const spelling = Object.is(expected, -0) ? '-0' : text;
    // Other cells may be prefixed to prevent formulas.
    if (column?.kind === 'nested') assert.equal(actual.replace(/^'/, ''), escapeExpectedText(text).replace(/^'/, ''));
    else assert.ok([spelling, spelling.replace('.', ',')].includes(actual), `'${actual}' of '${text}'`);
  } else if (actual instanceof Date) {
    // In a column whose name is that of a time, a number with so many digits is read as seconds or milliseconds since 1970.
    const msOfDigits = /^\d{10}$/.test(text) ? Number(text) * 1_000 : /^\d{13}$/.test(text) ? Number(text) : undefined;
    assert.equal(actual.getTime(), msOfDigits ?? Date.parse(text));
  } else if (typeof actual === 'number') {
    const number = Number(typeof expected === 'string' ? text.replace(',', '.') : expected);
    assert.ok(Object.is(actual, number), `${actual} of ${text}`);
  } else assert.equal(String(actual as boolean), text);
}
