import { readArrow, writeArrow, type ArrowColumn } from '../../src/service/archive/arrowIpc.ts';
import { hourMs } from '../../src/shared/durations.ts';
import { computeChecksum, metadataKeys } from '../../src/service/archive/yearFile.ts';

/** A malicious year file, created from a valid file with `hostileYearRows`. */
interface HostileYearFile {
  readonly name: string;
  readonly change: (good: Uint8Array) => Uint8Array;
}

type Note = Record<string, unknown> & { readonly name: string };
interface Parts {
  readonly notes: unknown;
  readonly columns: readonly ArrowColumn[];
  readonly rowCount: number;
  readonly version?: string;
}
type Notes = Record<string, unknown> & { readonly columns: readonly Note[] };

/** Changes parts of a file and updates its checksum. */
function rewriteParts(change: (parts: Parts & { readonly notes: Notes }) => Partial<Parts>): HostileYearFile['change'] {
  return good => {
    const { metadata, ...read } = readArrow(good);
    const parts = { ...read, notes: JSON.parse(metadata.get(metadataKeys.notes) ?? '') as Notes };
    const { notes, columns, rowCount, version = '1' } = { ...parts, ...change(parts) } as Parts;
    const text = typeof notes === 'string' ? notes : JSON.stringify(notes);
    const changeFields = columns.map((_, index) => ({ name: `c${index}`, metadata: {} }));
    return writeArrow(changeFields, columns, rowCount, {
      [metadataKeys.version]: version,
      [metadataKeys.notes]: text,
      [metadataKeys.checksum]: computeChecksum(text, columns, rowCount),
    });
  };
}

const changeNotes = (change: (notes: Notes) => unknown): HostileYearFile['change'] =>
  rewriteParts(({ notes }) => ({ notes: change(notes) }));
const changeFields = (parts: object): HostileYearFile['change'] => changeNotes(notes => ({ ...notes, ...parts }));
const changeColumnNote = (name: string, parts: object): HostileYearFile['change'] =>
  changeNotes(notes => ({
    ...notes,
    columns: notes.columns.map(column => (column.name === name ? { ...column, ...parts } : column)),
  }));
/** The columns of the file. The time has a second column with its received texts. */
const names = ['ts', 'received', 'mw', 'on', 'who', 'list'] as const;
const changeColumn = (
  name: (typeof names)[number],
  change: (column: ArrowColumn) => Partial<ArrowColumn>,
): HostileYearFile['change'] =>
  rewriteParts(({ columns }) => ({
    columns: columns.map((column, index) => (names[index] === name ? { ...column, ...change(column) } : column)),
  }));
/** Replaces the cell in the first row of a column. */
const changeFirstCell = (name: (typeof names)[number], value: number | bigint): HostileYearFile['change'] =>
  changeColumn(name, ({ values }) => {
    const copy = values.slice();
    copy[0] = value as never;
    return { values: copy };
  });
const changeTexts = (name: 'who' | 'list', offsets: readonly number[], bytes = ''): HostileYearFile['change'] =>
  changeColumn(name, () => ({ texts: { offsets: Int32Array.from(offsets), bytes: Buffer.from(bytes) } }));

/** Changes the length of every list in the footer that has this number of items to two billion. */
function enlargeLists(items: number): HostileYearFile['change'] {
  return good => {
    const file = Uint8Array.from(good);
    const view = new DataView(file.buffer);
    const end = file.length - 10;
    for (let offset = end - view.getInt32(end, true); offset + 4 <= end; offset += 4)
      if (view.getInt32(offset, true) === items) view.setInt32(offset, 0x7fffffff, true);
    return file;
  };
}

/** Creates the hours of a day as a service sends them. */
export function hostileYearRows(start: number): Record<string, unknown>[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    ts: new Date(start + hour * hourMs).toISOString(),
    mw: hour === 3 ? null : hour,
    on: hour > 9,
    who: `v${hour % 3}`,
    list: [hour],
  }));
}

const long = 'x'.repeat(300_000);
const deep = '['.repeat(50_000) + ']'.repeat(50_000);
const wide = { length: 1e9 };

export const hostileYearFiles: readonly HostileYearFile[] = [
  { name: 'nothing', change: () => new Uint8Array() },
  { name: 'half a file', change: good => good.subarray(0, good.length / 2) },
  { name: 'a file without its last byte', change: good => good.subarray(0, -1) },
  { name: 'a text', change: () => Buffer.from('time,mw\n'.repeat(10_000)) },
  { name: 'only brackets', change: () => Buffer.from('['.repeat(390_000)) },
  { name: 'a footer longer than the file', change: good => withInt32(good, good.length - 10, 0x7fffffff) },
  { name: 'a footer of negative length', change: good => withInt32(good, good.length - 10, -1) },
  { name: 'two billion columns', change: enlargeLists(names.length) },
  { name: 'two billion batches', change: enlargeLists(1) },
  { name: 'two billion dictionaries', change: enlargeLists(3) },
  {
    name: 'an Arrow file of another program',
    change: good => {
      const { columns, rowCount } = readArrow(good);
      return writeArrow(
        columns.map((_, index) => ({ name: `c${index}`, metadata: {} })),
        columns,
        rowCount,
        {},
      );
    },
  },
  {
    name: 'the checksum of different rows',
    change: good => {
      const { columns, rowCount, metadata } = readArrow(good);
      const otherMetadata = Object.fromEntries([...metadata, [metadataKeys.checksum, '1']]);
      return writeArrow(
        columns.map((_, index) => ({ name: `c${index}`, metadata: {} })),
        columns,
        rowCount,
        otherMetadata,
      );
    },
  },
  { name: 'notes that are invalid JSON', change: changeNotes(() => '{') },
  { name: 'notes that are null', change: changeNotes(() => null) },
  { name: 'notes that are a list', change: changeNotes(() => []) },
  { name: 'notes that are a text', change: changeNotes(() => JSON.stringify(long)) },
  { name: 'empty notes', change: changeNotes(() => ({})) },
  { name: 'notes of lists in lists', change: changeNotes(() => deep) },
  { name: 'notes of five million characters', change: changeNotes(() => ' '.repeat(5_000_000)) },
  ...[2 ** 31 - 1, 25].map(rowCount => ({ name: `${rowCount} rows`, change: rewriteParts(() => ({ rowCount })) })),
  { name: 'columns that are not a list', change: changeFields({ columns: wide }) },
  { name: 'columns that are null', change: changeFields({ columns: [null] }) },
  { name: 'fewer columns than noted', change: rewriteParts(({ columns }) => ({ columns: columns.slice(1) })) },
  {
    name: '1,500 columns of the same path',
    change: rewriteParts(({ notes, columns }) => ({
      columns: [...columns, ...Array<ArrowColumn>(1_500).fill(columns[1] as ArrowColumn)],
      notes: { ...notes, columns: [...notes.columns, ...Array<Note>(1_500).fill(notes.columns[1] as Note)] },
    })),
  },
  ...[0, -1, 1e-300, 1, 1e308, '3600000', null].map(unitMs => ({
    name: `units of ${unitMs} ms`,
    change: changeFields({ unitMs }),
  })),
  { name: 'request times that are not a list', change: changeFields({ askedAt: wide }) },
  {
    name: 'request times that alternate',
    change: changeFields({ askedAt: Array.from({ length: 40_000 }, (_, n) => (n % 4 === 2 ? -8760 : 8760)) }),
  },
  { name: 'request times for more hours than a year has', change: changeFields({ askedAt: [1e15, 1] }) },
  { name: 'request times that are texts', change: changeFields({ askedAt: [8760, 'x'] }) },
  { name: 'metadata that is not a text', change: changeFields({ meta: { a: 1 } }) },
  { name: 'metadata that is missing', change: changeFields({ meta: undefined }) },
  { name: 'the time of metadata as a text', change: changeFields({ metaAskedAt: 'x' }) },
  ...['kind', 'name', 'path'].flatMap(part => [
    { name: `no ${part} of a column`, change: changeColumnNote('who', { [part]: undefined }) },
    { name: `an object as ${part} of a column`, change: changeColumnNote('who', { [part]: wide }) },
  ]),
  { name: 'an unknown kind', change: changeColumnNote('mw', { kind: 'constructor' }) },
  { name: 'numbers as texts', change: changeColumnNote('mw', { kind: 'text' }) },
  { name: 'texts as numbers', change: changeColumnNote('who', { kind: 'number' }) },
  { name: 'numbers as times', change: changeColumnNote('mw', { kind: 'time' }) },
  { name: 'received texts of a number', change: changeColumnNote('who', { received: true }) },
  { name: 'a name of 300 kB', change: changeColumnNote('mw', { name: long }) },
  { name: 'two columns of one path', change: changeColumnNote('mw', { path: ['who'] }) },
  { name: 'a path of numbers', change: changeColumnNote('mw', { path: [1, 2] }) },
  { name: 'more gaps than rows', change: changeColumn('mw', () => ({ nullCount: 1e9, validity: new Uint8Array() })) },
  { name: 'gaps that are not a list', change: changeColumnNote('mw', { states: wide }) },
  { name: 'gaps back and forth', change: changeColumnNote('mw', { states: [24, 1, -24, 1] }) },
  { name: 'gaps with an unknown state', change: changeColumnNote('mw', { states: [24, 9] }) },
  {
    name: 'unencodable entries that are not texts',
    change: changeColumnNote('who', { unencodable: { 0: { length: 5 } } }),
  },
  { name: 'offsets that go back', change: changeTexts('who', [0, -5, 2, 3]) },
  { name: 'texts beyond the end', change: changeTexts('who', [0, 1, 2, 2 ** 30]) },
  {
    name: 'entries that each contain the whole text',
    change: changeTexts('who', [0, 300_000, 0, 300_000, 0, 300_000], long),
  },
  { name: 'codes of missing entries', change: changeFirstCell('who', 2 ** 30) },
  { name: 'codes below the first entry', change: changeFirstCell('who', -1) },
  {
    name: 'nested cells that are invalid JSON',
    change: changeColumn('list', ({ texts: { offsets, bytes } = emptyTexts }) => ({
      texts: { offsets, bytes: bytes.map(() => 0x78) },
    })),
  },
  {
    name: 'nested cells that are deep',
    change: changeColumnNote('list', {
      unencodable: Object.fromEntries(Array.from({ length: 24 }, (_, n) => [n, deep])),
    }),
  },
  { name: 'a time of another year', change: changeFirstCell('ts', 0n) },
  { name: 'a time beyond all dates', change: changeFirstCell('ts', 2n ** 63n - 1n) },
  { name: 'times that go back', change: changeColumn('ts', ({ values }) => ({ values: values.slice().reverse() })) },
  { name: 'rows without a time', change: changeColumn('ts', () => ({ nullCount: 24, validity: new Uint8Array(3) })) },
  { name: 'an infinite number', change: changeFirstCell('mw', Infinity) },
  { name: 'no number', change: changeFirstCell('mw', NaN) },
];

const emptyTexts = { offsets: new Int32Array(1), bytes: new Uint8Array() };

/** Unusual files whose rows can all be read. */
export const unusualYearFiles: readonly HostileYearFile[] = [
  { name: 'metadata of lists in lists', change: changeFields({ meta: deep }) },
  { name: 'metadata that is invalid JSON', change: changeFields({ meta: long }) },
  { name: 'metadata of the year 10^300', change: changeFields({ metaAskedAt: 1e300 }) },
  { name: 'hours asked for in the year 10^300', change: changeFields({ askedAt: [8760, 1e300] }) },
  { name: 'unknown fields', change: changeFields({ __proto__: null, constructor: 1, toString: [] }) },
];

/** A file as a later version of the extension would write it. */
export const newerYearFile = rewriteParts(({ notes }) => ({
  notes: { of: 'another version', ...notes },
  version: '2',
}));

function withInt32(validFile: Uint8Array, offset: number, value: number): Uint8Array {
  const file = Uint8Array.from(validFile);
  new DataView(file.buffer).setInt32(offset, value, true);
  return file;
}
