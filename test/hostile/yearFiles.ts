import { readArrow, writeArrow, type ArrowColumn } from '../../src/service/archive/arrowIpc.ts';
import { hourMs } from '../../src/shared/durations.ts';
import { computeChecksum, metadataKeys } from '../../src/service/archive/yearFile.ts';

/** A year file that somebody else wrote, out of one of ours with `hostileYearRows`. */
interface HostileYearFile {
  readonly name: string;
  readonly of: (good: Uint8Array) => Uint8Array;
}

type Note = Record<string, unknown> & { readonly name: string };
interface Parts {
  readonly notes: unknown;
  readonly columns: readonly ArrowColumn[];
  readonly rowCount: number;
  readonly version?: string;
}
type Notes = Record<string, unknown> & { readonly columns: readonly Note[] };

/** With other parts, and a checksum that is right. */
function written(change: (parts: Parts & { readonly notes: Notes }) => Partial<Parts>): HostileYearFile['of'] {
  return good => {
    const { metadata, ...read } = readArrow(good);
    const parts = { ...read, notes: JSON.parse(metadata.get(metadataKeys.notes) ?? '') as Notes };
    const { notes, columns, rowCount, version = '1' } = { ...parts, ...change(parts) } as Parts;
    const text = typeof notes === 'string' ? notes : JSON.stringify(notes);
    const fields = columns.map((_, index) => ({ name: `c${index}`, metadata: {} }));
    return writeArrow(fields, columns, rowCount, {
      [metadataKeys.version]: version,
      [metadataKeys.notes]: text,
      [metadataKeys.checksum]: computeChecksum(text, columns, rowCount),
    });
  };
}

const noting = (change: (notes: Notes) => unknown): HostileYearFile['of'] =>
  written(({ notes }) => ({ notes: change(notes) }));
const fields = (parts: object): HostileYearFile['of'] => noting(notes => ({ ...notes, ...parts }));
const note = (name: string, parts: object): HostileYearFile['of'] =>
  noting(notes => ({
    ...notes,
    columns: notes.columns.map(one => (one.name === name ? { ...one, ...parts } : one)),
  }));
/** The time has a second column with its received texts. */
const names = ['ts', 'received', 'mw', 'on', 'who', 'list'] as const;
const holding = (
  name: (typeof names)[number],
  change: (column: ArrowColumn) => Partial<ArrowColumn>,
): HostileYearFile['of'] =>
  written(({ columns }) => ({
    columns: columns.map((column, at) => (names[at] === name ? { ...column, ...change(column) } : column)),
  }));
/** With another cell in the first row. */
const first = (name: (typeof names)[number], value: number | bigint): HostileYearFile['of'] =>
  holding(name, ({ values }) => {
    const copy = values.slice();
    copy[0] = value as never;
    return { values: copy };
  });
const texts = (name: 'who' | 'list', offsets: readonly number[], bytes = ''): HostileYearFile['of'] =>
  holding(name, () => ({ texts: { offsets: Int32Array.from(offsets), bytes: Buffer.from(bytes) } }));

/** Every list of the footer with so many items is said to have two billion. */
function endless(items: number): HostileYearFile['of'] {
  return good => {
    const file = Uint8Array.from(good);
    const view = new DataView(file.buffer);
    const end = file.length - 10;
    for (let at = end - view.getInt32(end, true); at + 4 <= end; at += 4)
      if (view.getInt32(at, true) === items) view.setInt32(at, 0x7fffffff, true);
    return file;
  };
}

/** The hours of a day, as a service sends them. */
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
  { name: 'nothing', of: () => new Uint8Array() },
  { name: 'half a file', of: good => good.subarray(0, good.length / 2) },
  { name: 'a file without its last byte', of: good => good.subarray(0, -1) },
  { name: 'a text', of: () => Buffer.from('time,mw\n'.repeat(10_000)) },
  { name: 'nothing but brackets', of: () => Buffer.from('['.repeat(390_000)) },
  { name: 'a footer longer than the file', of: good => withInt32(good, good.length - 10, 0x7fffffff) },
  { name: 'a footer of negative length', of: good => withInt32(good, good.length - 10, -1) },
  { name: 'two billion columns', of: endless(names.length) },
  { name: 'two billion batches', of: endless(1) },
  { name: 'two billion dictionaries', of: endless(3) },
  {
    name: 'an Arrow file of another program',
    of: good => {
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
    name: 'a checksum of other rows',
    of: good => {
      const { columns, rowCount, metadata } = readArrow(good);
      const other = Object.fromEntries([...metadata, [metadataKeys.checksum, '1']]);
      return writeArrow(
        columns.map((_, index) => ({ name: `c${index}`, metadata: {} })),
        columns,
        rowCount,
        other,
      );
    },
  },
  { name: 'notes that are no JSON', of: noting(() => '{') },
  { name: 'notes that are null', of: noting(() => null) },
  { name: 'notes that are a list', of: noting(() => []) },
  { name: 'notes that are a text', of: noting(() => JSON.stringify(long)) },
  { name: 'notes without anything', of: noting(() => ({})) },
  { name: 'notes of lists in lists', of: noting(() => deep) },
  { name: 'notes of five million characters', of: noting(() => ' '.repeat(5_000_000)) },
  ...[2 ** 31 - 1, 25].map(rowCount => ({ name: `${rowCount} rows`, of: written(() => ({ rowCount })) })),
  { name: 'columns that are no list', of: fields({ columns: wide }) },
  { name: 'columns that are null', of: fields({ columns: [null] }) },
  { name: 'fewer columns than noted', of: written(({ columns }) => ({ columns: columns.slice(1) })) },
  {
    name: '1,500 columns of the same path',
    of: written(({ notes, columns }) => ({
      columns: [...columns, ...Array<ArrowColumn>(1_500).fill(columns[1] as ArrowColumn)],
      notes: { ...notes, columns: [...notes.columns, ...Array<Note>(1_500).fill(notes.columns[1] as Note)] },
    })),
  },
  ...[0, -1, 1e-300, 1, 1e308, '3600000', null].map(unitMs => ({
    name: `units of ${unitMs} ms`,
    of: fields({ unitMs }),
  })),
  { name: 'asked at, which is no list', of: fields({ askedAt: wide }) },
  {
    name: 'asked at, back and forth',
    of: fields({ askedAt: Array.from({ length: 40_000 }, (_, n) => (n % 4 === 2 ? -8760 : 8760)) }),
  },
  { name: 'asked at for more hours than a year has', of: fields({ askedAt: [1e15, 1] }) },
  { name: 'asked at texts', of: fields({ askedAt: [8760, 'x'] }) },
  { name: 'metadata that is no text', of: fields({ meta: { a: 1 } }) },
  { name: 'metadata that is missing', of: fields({ meta: undefined }) },
  { name: 'the time of metadata as a text', of: fields({ metaAskedAt: 'x' }) },
  ...['kind', 'name', 'path'].flatMap(part => [
    { name: `no ${part} of a column`, of: note('who', { [part]: undefined }) },
    { name: `an object as ${part} of a column`, of: note('who', { [part]: wide }) },
  ]),
  { name: 'a kind that nobody knows', of: note('mw', { kind: 'constructor' }) },
  { name: 'numbers as texts', of: note('mw', { kind: 'text' }) },
  { name: 'texts as numbers', of: note('who', { kind: 'number' }) },
  { name: 'numbers as times', of: note('mw', { kind: 'time' }) },
  { name: 'received texts of a number', of: note('who', { received: true }) },
  { name: 'a name of 300 kB', of: note('mw', { name: long }) },
  { name: 'two columns of one path', of: note('mw', { path: ['who'] }) },
  { name: 'a path of numbers', of: note('mw', { path: [1, 2] }) },
  { name: 'more gaps than rows', of: holding('mw', () => ({ nullCount: 1e9, validity: new Uint8Array() })) },
  { name: 'gaps that are no list', of: note('mw', { states: wide }) },
  { name: 'gaps back and forth', of: note('mw', { states: [24, 1, -24, 1] }) },
  { name: 'gaps of a state that is none', of: note('mw', { states: [24, 9] }) },
  { name: 'odd entries that are no texts', of: note('who', { unencodable: { 0: { length: 5 } } }) },
  { name: 'offsets that go back', of: texts('who', [0, -5, 2, 3]) },
  { name: 'texts beyond the end', of: texts('who', [0, 1, 2, 2 ** 30]) },
  { name: 'entries that are all the text', of: texts('who', [0, 300_000, 0, 300_000, 0, 300_000], long) },
  { name: 'codes of entries that are not there', of: first('who', 2 ** 30) },
  { name: 'codes below the first entry', of: first('who', -1) },
  {
    name: 'nested cells that are no JSON',
    of: holding('list', ({ texts: { offsets, bytes } = none }) => ({
      texts: { offsets, bytes: bytes.map(() => 0x78) },
    })),
  },
  {
    name: 'nested cells that are deep',
    of: note('list', { unencodable: Object.fromEntries(Array.from({ length: 24 }, (_, n) => [n, deep])) }),
  },
  { name: 'a time of another year', of: first('ts', 0n) },
  { name: 'a time beyond all dates', of: first('ts', 2n ** 63n - 1n) },
  { name: 'times that go back', of: holding('ts', ({ values }) => ({ values: values.slice().reverse() })) },
  { name: 'rows without a time', of: holding('ts', () => ({ nullCount: 24, validity: new Uint8Array(3) })) },
  { name: 'an infinite number', of: first('mw', Infinity) },
  { name: 'no number', of: first('mw', NaN) },
];

const none = { offsets: new Int32Array(1), bytes: new Uint8Array() };

/** The same, of which all can be read. */
export const oddYearFiles: readonly HostileYearFile[] = [
  { name: 'metadata of lists in lists', of: fields({ meta: deep }) },
  { name: 'metadata that is no JSON', of: fields({ meta: long }) },
  { name: 'metadata of the year 10^300', of: fields({ metaAskedAt: 1e300 }) },
  { name: 'hours asked for in the year 10^300', of: fields({ askedAt: [8760, 1e300] }) },
  { name: 'fields that nobody knows', of: fields({ __proto__: null, constructor: 1, toString: [] }) },
];

/** A file of ours as a later version would write it. */
export const newerYearFile = written(({ notes }) => ({ notes: { of: 'another version', ...notes }, version: '2' }));

function withInt32(good: Uint8Array, at: number, value: number): Uint8Array {
  const file = Uint8Array.from(good);
  new DataView(file.buffer).setInt32(at, value, true);
  return file;
}
