import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isNoValue } from '../../../../src/core/dataFile/cellKinds.ts';
import { uniqueNames } from '../../../../src/core/export/exportTable.ts';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import type { ExportOptions, ExportTable } from '../../../../src/shared/exportOptions.ts';
import type { Column } from '../../../../src/shared/frame.ts';
import { guardedText } from '../../../support/guardedText.ts';
import { anyTable, exported, placesOf, sast, utc, valueAt } from '../export/anyFrame.ts';

async function readBack(bytes: Uint8Array, name: string): Promise<FileTable> {
  const request = { name, options: {}, sidecar: undefined };
  const read = await readDataFile(createBytesSource(bytes), request, () => undefined);
  assert.ok(read.kind === 'table');
  return read.table;
}

/** The cells of a table, row by row, as the export has them. Null and absent are both null. */
function cellsOf(table: ExportTable, cellOf: (value: unknown, column: Column) => unknown): unknown[][] {
  return placesOf(table).map(place =>
    table.frame.columns.map(column => {
      const value = valueAt(column, place) ?? null;
      return value === null ? null : cellOf(value, column);
    }),
  );
}

function readCells({ frame }: FileTable): unknown[][] {
  assert.ok(frame);
  return Array.from({ length: frame.rowCount }, (_, row) => frame.columns.map(column => valueAt(column, row) ?? null));
}

/** The time with the most instants comes first where there are several. */
const withOneTime = anyTable.filter(({ frame }) => frame.columns.filter(({ kind }) => kind === 'time').length < 2);

/** Names that are no data, and hold none of the characters between columns: of others nobody can tell what they are. */
const plainlyNamed = anyTable.filter(({ frame }) =>
  frame.columns.every(
    ({ name }) =>
      !isNoValue(name) &&
      /^[^\d\s"'=+@#,;|.\uFEFF-][^,;|\t\r\n"]*$/.test(name) &&
      !/^(?:nan|infinity|true|false)$/i.test(name),
  ),
);

describe('our own files, written and read back', () => {
  for (const format of ['parquet', 'arrow'] as const)
    it(`is equal as ${format}: kinds, cells, paths`, async () => {
      await fc.assert(
        fc.asyncProperty(withOneTime, async table => {
          const read = await readBack(await exported(table, { format }), `a.${format}`);
          assert.deepEqual(read.leftOut, []);
          // The library for Arrow reads texts without a byte order mark at their beginning.
          const textOf = (text: string): string => (format === 'arrow' ? text.replace(/^\uFEFF/, '') : text);
          assert.deepEqual(
            readCells(read),
            cellsOf(table, value => (typeof value === 'string' ? textOf(value) : value)),
          );
          // The library reads names without a byte order mark at their beginning, and finds no notes by them.
          const told = (columns: readonly Column[] = []): unknown =>
            columns.map(({ kind, path, name }) => (/^\uFEFF|^$/.test(name) ? {} : { kind, path }));
          const isNamedTwice = new Set(table.frame.columns.map(({ name }) => name)).size < table.frame.columns.length;
          // Of two columns with one name in Parquet the notes of the second count for its new name.
          if (!isNamedTwice) assert.deepEqual(told(read.frame?.columns), told(table.frame.columns));
        }),
      );
    });

  const dialects: readonly Partial<ExportOptions>[] = [
    { format: 'csv', dialect: 'standard', times: 'utc' },
    { format: 'csv', dialect: 'semicolon', times: 'zone', zone: sast },
    { format: 'tsv', times: 'zone', zone: { timeZone: 'America/New_York', label: 'New York' } },
  ];
  for (const options of dialects)
    it(`has each cell of ${options.format} ${options.dialect ?? ''} with times in ${options.zone?.label ?? utc.label}`, async () => {
      await fc.assert(
        fc.asyncProperty(plainlyNamed, async table => {
          const read = await readBack(await exported(table, options), `a.${options.format}`);
          // A text below numbers alone is taken for a line below the table.
          fc.pre(!read.notes.some(note => note.includes('of text')));
          // Independent of what the columns are taken for: what is shown of a cell says the same as what was written.
          const written = cellsOf(table, (value, { kind }) => {
            if (kind === 'text') return guardedText(String(value));
            if (kind !== 'nested') return value;
            return String(value);
          });
          const cells = readCells(read);
          const width = table.frame.columns.length;
          // Rows without a value are left out, with a note.
          const isBlank = (cell: unknown): boolean =>
            cell === null || (typeof cell === 'string' && cell !== '' && cell.trim() === '');
          const heading = table.frame.columns.map(({ name }) => guardedText(name)).join();
          const rows = written.filter(
            row => row.join() !== heading && (width > 1 ? !row.every(isBlank) : row[0] !== null),
          );
          assert.equal(
            cells.length,
            rows.length,
            JSON.stringify([
              read.notes,
              Buffer.from(await exported(table, options))
                .toString()
                .slice(0, 2000),
            ]),
          );
          // The time of the rows may come before others.
          const names = uniqueNames(table.frame.columns.map(({ name }) => guardedText(name).trim()));
          const placeIn = names.map(name => read.frame?.columns.findIndex(column => column.name === name) ?? -1);
          for (const [row, expected] of rows.entries())
            for (const [at, value] of expected.entries()) {
              const place = placeIn[at] ?? -1;
              // Such a text is a gap among numbers.
              if (!(isNoValue(String(value)) && read.frame?.columns[place]?.kind !== 'text'))
                checkCell(cells[row]?.[place], value, table.frame.columns[at]);
            }
        }),
      );
    });
});

/** A text that looks like a number, an instant or true may be read as one; the others must be what they were. */
function checkCell(read: unknown, written: unknown, column: Column | undefined): void {
  const text = written instanceof Date ? written.toISOString() : String(written);
  if (written === null || read === null) assert.equal(read, written);
  else if (typeof read === 'string') {
    const spelled = Object.is(written, -0) ? '-0' : text;
    // What is no text may be guarded as one.
    if (column?.kind === 'nested') assert.equal(read.replace(/^'/, ''), guardedText(text).replace(/^'/, ''));
    else assert.ok([spelled, spelled.replace('.', ',')].includes(read), `'${read}' of '${text}'`);
  } else if (read instanceof Date) {
    // In a column with the name of a time, so many digits are seconds or milliseconds since 1970.
    const ofDigits = /^\d{10}$/.test(text) ? Number(text) * 1_000 : /^\d{13}$/.test(text) ? Number(text) : undefined;
    assert.equal(read.getTime(), ofDigits ?? Date.parse(text));
  } else if (typeof read === 'number') {
    const number = Number(typeof written === 'string' ? text.replace(',', '.') : written);
    assert.ok(Object.is(read, number), `${read} of ${text}`);
  } else assert.equal(String(read as boolean), text);
}
