import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import fc from 'fast-check';
import { cellState, type Column, type ColumnKind, type Frame } from '../../../../src/shared/frame.ts';
import type { ExportOptions, ExportTable } from '../../../../src/shared/exportOptions.ts';
import { exportChunks } from '../../../../src/service/export/exporter.ts';
import { unicodeCharacter } from '../../../support/unicodeCharacter.ts';

export const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
export const utc = { timeZone: 'UTC', label: 'UTC' };

export const standard: ExportOptions = {
  format: 'csv',
  dialect: 'standard',
  times: 'utc',
  zone: utc,
  heading: 'names',
  provenance: 'none',
};

export async function exportToBytes(table: ExportTable, options: Partial<ExportOptions>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of exportChunks(createTableToWrite(table), { ...standard, ...options })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const unusualTexts = [
  '',
  ' ',
  '=cmd',
  '+1',
  '-1',
  '@x',
  '\tx',
  '\rx',
  '\nx',
  '＝x',
  '＠',
  'a,b;c\td',
  '"',
  '""',
  'a\r\nb',
  "'",
  '#',
  'NULL',
];
const moreTexts = [
  'שלום, עולם',
  '⚡️😀',
  '1,5',
  'true',
  'constructor',
  '__proto__',
  '\\N',
  '|',
  '<b>',
  'toString',
  '\uFEFF',
  '\\',
];

/** Texts of well-formed words. */
export const anyText = fc.oneof(
  fc.constantFrom(...unusualTexts, ...moreTexts),
  fc
    .string({ unit: unicodeCharacter, maxLength: 8 })
    .filter(text => !/\p{Surrogate}/u.test(text) && !text.includes('\0')),
);

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(-0, 0, 1e-300, 5e-324, Number.MAX_VALUE, NaN, Infinity, -Infinity, 0.1 + 0.2, 1e21, -1e-7),
  fc.integer(),
);
const anyInstant = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) });
const anyNested = fc
  .oneof(
    fc
      .jsonValue()
      .filter(value => typeof value === 'object' && value !== null && !/\p{Surrogate}/u.test(JSON.stringify(value))),
  )
  .map(value => JSON.stringify(value))
  // See `anyName`.
  .filter(text => !text.includes('\\'));

const anyName = fc.oneof(
  fc.constantFrom('__proto__', '=cmd', 'a', 'a', 'ts', 'x,y', 'constructor', '"', 'ünï', '2023', 'a b', '-'),
  // V8's JSON.parse sometimes reads a name with a backslash as a name that it has read before: `"` becomes `\`.
  anyText.filter(text => text !== '' && !text.includes('\\')),
);

interface ColumnSeed {
  readonly kind: ColumnKind;
  readonly name: string;
  readonly numbers: readonly number[];
  readonly instants: readonly number[];
  readonly texts: readonly string[];
  readonly nested: readonly string[];
  readonly states: readonly number[];
}

function createColumn(seed: ColumnSeed): Column {
  const { kind, name, states } = seed;
  const gaps = states.some(state => state !== cellState.value) ? { gaps: Uint8Array.from(states) } : {};
  const base = { name, path: [name], ...gaps };
  const texts = (values: readonly string[]): { codes: Uint32Array; entries: string[] } => {
    const entries = [...new Set(values)];
    return { codes: Uint32Array.from(values, value => entries.indexOf(value)), entries };
  };
  switch (kind) {
    case 'number':
      return { ...base, kind, values: Float64Array.from(seed.numbers) };
    case 'time':
      return { ...base, kind, values: Float64Array.from(seed.instants) };
    case 'boolean':
      return { ...base, kind, values: Uint8Array.from(seed.numbers, value => (value > 0 ? 1 : 0)) };
    case 'text':
      return { ...base, kind, texts: texts(seed.texts) };
    case 'nested':
      return { ...base, kind, texts: texts(seed.nested) };
  }
}

/** Any frame of a few rows and columns: gaps of both kinds, unusual numbers and texts, unusual and duplicate names. */
export const anyFrame: fc.Arbitrary<Frame> = fc.integer({ min: 0, max: 9 }).chain(rowCount => {
  const list = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(value, { minLength: rowCount, maxLength: rowCount });
  const seed = fc.record({
    kind: fc.constantFrom<ColumnKind>('number', 'number', 'time', 'boolean', 'text', 'nested'),
    name: anyName,
    numbers: list(anyNumber),
    instants: list(anyInstant),
    texts: list(anyText),
    nested: list(anyNested),
    states: fc.oneof(fc.constant(new Array<number>(rowCount).fill(0)), list(fc.constantFrom(0, 0, 1, 2))),
  });
  return fc.array(seed, { minLength: 1, maxLength: 6 }).map(seeds => ({ rowCount, columns: seeds.map(createColumn) }));
});

/** A table with some rows of a frame, in any order. */
export const anyTable: fc.Arbitrary<ExportTable & { readonly rows: Uint32Array | undefined }> = anyFrame.chain(frame =>
  fc.record({
    frame: fc.constant(frame),
    rows: fc.oneof(
      fc.constant(undefined),
      fc
        .uniqueArray(fc.nat(Math.max(0, frame.rowCount - 1)), { maxLength: frame.rowCount })
        .map(rows => Uint32Array.from(rows)),
    ),
  }),
);

/** Reads a cell from the frame: a value, null or undefined (absent). */
export function valueAt(column: Column, row: number): unknown {
  const state = column.gaps?.[row] ?? cellState.value;
  if (state !== cellState.value) return state === cellState.null ? null : undefined;
  switch (column.kind) {
    case 'number':
      return column.values[row];
    case 'boolean':
      return column.values[row] === 1;
    case 'time':
      return new Date(column.values[row] ?? NaN);
    case 'text':
    case 'nested':
      return column.texts.entries[column.texts.codes[row] ?? -1];
  }
}

/** Lists the row indexes of a table in the order in which they are written. */
export function listRowIndexes({ frame, rows }: ExportTable): number[] {
  return [...(rows ?? Array.from({ length: frame.rowCount }, (_, row) => row))];
}
