import { openSealed, seal, withNotes } from '../../src/service/archive/seal.ts';
import type { PlacedColumn } from '../../src/service/archive/joinColumns.ts';

/** A month file that somebody else wrote, out of one of ours with a time and columns `mw`, `on`, `who` and `list`. */
export interface HostileMonthFile {
  readonly name: string;
  readonly of: (good: Uint8Array) => Uint8Array;
}

type Notes = Record<string, unknown> & { columns: PlacedColumn[] };
type Column = PlacedColumn & Record<string, unknown>;

/** With other notes, and a checksum that is right. */
function noting(change: (notes: Notes, good: Uint8Array) => unknown): HostileMonthFile['of'] {
  return good => {
    const opened = openSealed(good);
    if (opened.kind !== 'whole') throw new Error('not a month file');
    const file = withNotes(good, JSON.stringify(change(JSON.parse(opened.notes) as Notes, good)));
    seal(file);
    return file;
  };
}

const fields = (parts: object): HostileMonthFile['of'] => noting(notes => ({ ...notes, ...parts }));
const column = (name: string, change: (column: PlacedColumn, good: Uint8Array) => object): HostileMonthFile['of'] =>
  noting((notes, good) => ({
    ...notes,
    columns: notes.columns.map(one => (one.name === name ? { ...one, ...change(one, good) } : one)),
  }));
const place = (name: string, parts: (good: Uint8Array) => object): HostileMonthFile['of'] =>
  column(name, ({ at }, good) => ({ at: { ...at, ...parts(good) } }));

/** With other data, and a checksum that is right. */
function holding(name: string, put: (view: DataView, column: Column) => void): HostileMonthFile['of'] {
  return good => {
    const opened = openSealed(good);
    const { columns } = JSON.parse(opened.kind === 'whole' ? opened.notes : '{}') as Notes;
    const file = Uint8Array.from(good);
    put(new DataView(file.buffer), columns.find(one => one.name === name) as Column);
    seal(file);
    return file;
  };
}

const long = 'x'.repeat(300_000);
const deep = '['.repeat(50_000) + ']'.repeat(50_000);
const wide = { length: 1e9 };

export const hostileMonthFiles: readonly HostileMonthFile[] = [
  { name: 'nothing', of: () => new Uint8Array() },
  { name: 'half a file', of: good => good.subarray(0, good.length / 2) },
  { name: 'a file without its last byte', of: good => good.subarray(0, -1) },
  { name: 'a file twice', of: good => Buffer.concat([good, good]) },
  { name: 'a text', of: () => Buffer.from('time,mw\n'.repeat(10_000)) },
  { name: 'nothing but brackets', of: () => Buffer.from('['.repeat(390_000)) },
  { name: 'a footer longer than the file', of: good => withInt32(good, good.length - 10, 0x7fffffff) },
  { name: 'a footer of negative length', of: good => withInt32(good, good.length - 10, -1) },
  { name: 'notes that are null', of: noting(() => null) },
  { name: 'notes that are a list', of: noting(() => []) },
  { name: 'notes that are a text', of: noting(() => long) },
  { name: 'notes without anything', of: noting(() => ({})) },
  {
    name: 'notes of lists in lists',
    of: noting(() => JSON.parse(`[${'['.repeat(900)}${']'.repeat(900)}]`) as unknown),
  },
  ...[1e15, 2 ** 31, 25, -1, 0.5, '24', null].map(rowCount => ({
    name: `${rowCount} rows`,
    of: fields({ rowCount }),
  })),
  { name: 'a billion rows without a column', of: fields({ rowCount: 1e9, columns: [] }) },
  { name: 'columns that are no list', of: fields({ columns: wide }) },
  { name: 'columns that are null', of: fields({ columns: [null] }) },
  {
    name: '10,000 columns of the same bytes',
    of: noting(notes => ({
      ...notes,
      columns: [
        notes.columns[0],
        ...Array.from({ length: 10_000 }, (_, n) => ({ ...notes.columns[1], name: `c${n}` })),
      ],
    })),
  },
  {
    name: '1,000 columns of the same bytes',
    of: noting(notes => ({ ...notes, columns: [notes.columns[0], ...Array<unknown>(1_000).fill(notes.columns[1])] })),
  },
  ...[0, -1, 1e-300, 1, 1e308, '3600000', null].map(unitMs => ({
    name: `units of ${unitMs} ms`,
    of: fields({ unitMs }),
  })),
  { name: 'asked at, which is no list', of: fields({ askedAt: wide }) },
  {
    name: 'asked at, back and forth',
    of: fields({ askedAt: Array.from({ length: 40_000 }, (_, n) => (n % 4 === 2 ? -744 : 744)) }),
  },
  { name: 'asked at texts', of: fields({ askedAt: [744, 'x'] }) },
  { name: 'metadata that is no text', of: fields({ meta: { a: 1 } }) },
  { name: 'metadata that is missing', of: fields({ meta: undefined }) },
  { name: 'the time of metadata as a text', of: fields({ metaAskedAt: 'x' }) },
  ...['kind', 'name', 'path', 'at', 'nullCount', 'entryCount'].flatMap(part => [
    { name: `no ${part} of a column`, of: column('who', () => ({ [part]: undefined })) },
    { name: `an object as ${part} of a column`, of: column('who', () => ({ [part]: { length: 1e9 } })) },
  ]),
  { name: 'a kind that nobody knows', of: column('mw', () => ({ kind: 'constructor' })) },
  { name: 'numbers as texts', of: column('mw', () => ({ kind: 'text', entryCount: 3 })) },
  { name: 'received texts of a number', of: column('who', () => ({ received: true })) },
  { name: 'a name of 300 kB', of: column('mw', () => ({ name: long })) },
  { name: 'two columns of one path', of: column('mw', () => ({ path: ['who'] })) },
  { name: 'a path of numbers', of: column('mw', () => ({ path: [1, 2] })) },
  { name: 'a billion entries', of: column('who', () => ({ entryCount: 1e9 })) },
  { name: 'less than no entries', of: column('who', () => ({ entryCount: -2 })) },
  { name: 'more gaps than rows', of: column('mw', () => ({ nullCount: 1e9 })) },
  { name: 'gaps that are no list', of: column('mw', () => ({ absent: wide })) },
  { name: 'gaps back and forth', of: column('mw', () => ({ absent: [24, 1, -24, 1] })) },
  { name: 'gaps of a state that is none', of: column('mw', () => ({ absent: [24, 9] })) },
  { name: 'odd entries that are no texts', of: column('who', () => ({ odd: { 0: { length: 5 } } })) },
  ...(['validity', 'values'] as const).flatMap(buffer =>
    [-8, 4, 2 ** 40, -(2 ** 53), 1.5, '8', null].map(at => ({
      name: `${buffer} at ${at}`,
      of: place('mw', () => ({ [buffer]: at === 4 && buffer === 'validity' ? -1 : at })),
    })),
  ),
  { name: 'values at the end', of: place('mw', good => ({ values: 8 * good.length })) },
  { name: 'offsets before the beginning', of: place('who', () => ({ offsets: -4 })) },
  { name: 'offsets beyond the end', of: place('who', () => ({ offsets: 2 ** 32 })) },
  { name: 'texts beyond the end', of: place('who', good => ({ bytes: 8 * good.length })) },
  { name: 'offsets that go back', of: holding('who', (view, { at }) => view.setInt32(at.offsets + 4, -5, true)) },
  {
    name: 'an entry longer than the file',
    of: holding('who', (view, { at }) => view.setInt32(at.offsets + 4, 2 ** 30, true)),
  },
  { name: 'nested cells that are no JSON', of: holding('list', (view, { at }) => view.setUint8(at.bytes, 0x78)) },
  {
    name: 'nested cells that are deep',
    of: column('list', ({ entryCount }) => ({
      odd: Object.fromEntries(Array.from({ length: entryCount }, (_, n) => [n, deep])),
    })),
  },
  { name: 'a time of another month', of: holding('ts', (view, { at }) => view.setBigInt64(at.values, 0n, true)) },
  {
    name: 'a time beyond all dates',
    of: holding('ts', (view, { at }) => view.setBigInt64(at.values + 8, 2n ** 63n - 1n, true)),
  },
  {
    name: 'times that go back',
    of: holding('ts', (view, { at }) => view.setBigInt64(at.values + 16, view.getBigInt64(at.values, true), true)),
  },
  {
    name: 'codes of entries that are not there',
    of: holding('who', (view, { at }) => view.setInt32(at.values, 2 ** 30, true)),
  },
  {
    name: '1,000 columns of the same long text',
    of: noting(({ columns, ...notes }) => {
      const list = columns.find(({ name }) => name === 'list');
      const alike = Array.from({ length: 1_000 }, (_, n) => ({ ...list, name: `c${n}`, path: [`c${n}`] }));
      return { ...notes, columns: [columns[0], ...alike] };
    }),
  },
  { name: 'an infinite number', of: holding('mw', (view, { at }) => view.setFloat64(at.values, Infinity, true)) },
  { name: 'no number', of: holding('mw', (view, { at }) => view.setFloat64(at.values, NaN, true)) },
];

/** The same, of which all can be read. */
export const oddMonthFiles: readonly HostileMonthFile[] = [
  { name: 'metadata of lists in lists', of: fields({ meta: deep }) },
  { name: 'metadata that is no JSON', of: fields({ meta: long }) },
  { name: 'metadata of the year 10^300', of: fields({ metaAskedAt: 1e300 }) },
  { name: 'hours asked for in the year 10^300', of: fields({ askedAt: [744, 1e300] }) },
  { name: 'fields that nobody knows', of: fields({ __proto__: null, constructor: 1, toString: [] }) },
];

function withInt32(good: Uint8Array, at: number, value: number): Uint8Array {
  const file = Uint8Array.from(good);
  new DataView(file.buffer).setInt32(at, value, true);
  return file;
}
