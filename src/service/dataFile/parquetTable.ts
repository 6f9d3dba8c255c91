import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  parquetMetadata,
  parquetRead,
  parquetSchema,
  type ColumnData,
  type Compressors,
  type FileMetaData,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { compressors as codecs } from 'hyparquet-compressors';
import {
  booleanFiller,
  numberFiller,
  shownColumns,
  textFiller,
  type ColumnFiller,
} from '../../core/dataFile/columnFiller.ts';
import { readProvenance } from '../../core/dataFile/fileProvenance.ts';
import type { FileTable, ReadFile } from '../../core/dataFile/fileTable.ts';
import { instantsIn } from '../../core/dataFile/localTime.ts';
import { GridError } from '../../core/errors.ts';
import { TextCount } from '../../core/frame/textCount.ts';
import { uniqueNames } from '../../core/export/exportTable.ts';
import { dayMs } from '../../shared/durations.ts';
import type { Column } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { columnsKey, provenanceKey } from '../export/byteChunk.ts';
import type { ByteSource } from './byteSource.ts';
import { hexadecimal, textOf } from './cellText.ts';
import { readColumnNotes, type WrittenNotes } from './columnNotes.ts';

/** Bytes of a footer: a file of thousands of columns and row groups has some megabytes. */
const mostFooter = 64_000_000;
/** Rows that are shown before the others are read. */
const headRows = 200;
/** Values of all lists and structures together, as the footer says. */
const mostNested = 50_000_000;
/** Columns that are read although the table has no room for their texts; all further ones with texts are left out unread. */
const mostCrowded = 8;

/** A column of the table: a leaf of the schema, or a whole branch, whose cells become JSON. */
interface ColumnPlan {
  readonly tree: SchemaTree;
  readonly name: string;
  readonly notes: WrittenNotes;
  readonly kind: 'number' | 'decimal' | 'whole' | 'time' | 'local' | 'date' | 'boolean' | 'text' | 'nested';
}

/**
 * A Parquet file as a table: of its rows as many as fit the limits, a column at a time, so that little more is in memory than what is shown.
 * Its footer is checked before anything is read; a file that lies about itself is what the reader's own limits are for. `onHead`: called with
 * the first rows as soon as they are read. Throws a GridError; anything else that is thrown means that the file is damaged.
 */
export async function parquetTable(
  source: ByteSource,
  timeZone: string | undefined,
  onHead: (table: FileTable) => void,
): Promise<ReadFile> {
  const metadata = readFooter(source);
  const schema = parquetSchema(metadata);
  const ends = groupEnds(metadata);
  const rowsOfFile = ends.at(-1) ?? 0;
  const values = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
  const notes = readColumnNotes(values.get(columnsKey));
  const rows = Math.min(rowsOfFile, tableLimits.rows);
  const planned = schema.children.map(tree => planOf(tree, notes));
  // Dates beside instants are read by people alone.
  const hasInstants = planned.some(({ kind }) => kind === 'time' || kind === 'local');
  const all = planned.map(plan => (plan.kind === 'date' && !hasInstants ? { ...plan, kind: 'local' as const } : plan));
  const plans = all.slice(0, shownColumns(rows, all.length));
  checkSizes(source, metadata, plans);
  const local = plans.find(({ kind }) => kind === 'local');
  if (local && timeZone === undefined) return { kind: 'needsZone', example: local.name };
  const facts: Omit<FileTable, 'frame' | 'leftOut'> = {
    rowsOfFile,
    zone: plans.some(({ kind }) => kind === 'time' || kind === 'local')
      ? { source: local ? 'person' : 'file', ...(local && timeZone !== undefined && { timeZone }) }
      : undefined,
    provenance: readProvenance(values.get(provenanceKey)),
    notes: [],
    text: aboutFile(metadata, schema),
  };
  const read = async (count: number): Promise<FileTable> => {
    const texts = new TextCount();
    const columns: (Column | undefined)[] = [];
    let crowded = 0;
    for (const plan of plans) {
      const isUnread = isVariant(plan) || (crowded >= mostCrowded && hasTexts(plan));
      const reading = { source, metadata, ends, rows: count, texts, timeZone };
      const column = isUnread ? undefined : await columnOf(reading, plan);
      if (!isUnread && !column) crowded++;
      columns.push(column);
    }
    const shown = columns.filter(column => column !== undefined);
    const names = uniqueNames(shown.map(({ name }) => name));
    const leftOut = [...all.slice(plans.length), ...plans.filter((_, at) => !columns[at])].map(({ name }) => name);
    const frame = { rowCount: count, columns: shown.map((column, at) => ({ ...column, name: names[at] ?? '' })) };
    return { ...facts, frame, leftOut };
  };
  if (rows > 10 * headRows) onHead(await read(headRows));
  return { kind: 'table', table: await read(rows) };
}

function readFooter(source: ByteSource): FileMetaData {
  const end = source.read(Math.max(0, source.size - 8), source.size);
  const magic = Buffer.from(end.subarray(4)).toString('latin1');
  if (magic === 'PARE') throw new GridError('fileUnsupported', { detail: 'encrypted' });
  if (magic !== 'PAR1') throw new GridError('fileDamaged');
  const length = new DataView(end.buffer).getUint32(0, true);
  if (length > mostFooter) throw new GridError('fileTooLarge');
  const footer = source.read(source.size - 8 - length, source.size);
  return parquetMetadata(footer, { geoparquet: false });
}

function planOf(tree: SchemaTree, notes: ReadonlyMap<string, WrittenNotes>): ColumnPlan {
  const { element } = tree;
  const name = element.name.slice(0, tableLimits.nameLength);
  const own = notes.get(name) ?? {};
  if (tree.children.length > 0 || element.repetition_type === 'REPEATED')
    return { tree, name, notes: own, kind: 'nested' };
  const kind = kindOf(element);
  return { tree, name, notes: own, kind: kind === 'text' && own.kind === 'nested' ? 'nested' : kind };
}

function kindOf({ type, converted_type: converted, logical_type: logical }: SchemaElement): ColumnPlan['kind'] {
  if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC ? 'time' : 'local';
  if (type === 'INT96' || converted?.startsWith('TIMESTAMP')) return 'time';
  if (converted === 'DATE' || logical?.type === 'DATE') return 'date';
  if (converted === 'DECIMAL') return 'decimal';
  if (logical?.type === 'FLOAT16') return 'number';
  if (converted === 'JSON') return 'nested';
  switch (type) {
    case 'BOOLEAN':
      return 'boolean';
    case 'INT64':
      return 'whole';
    case 'INT32':
    case 'FLOAT':
    case 'DOUBLE':
      return 'number';
    default:
      return 'text';
  }
}

/** Has no cells that a table shows. */
const isVariant = ({ tree }: ColumnPlan): boolean => tree.element.logical_type?.type === 'VARIANT';
const hasTexts = ({ kind }: ColumnPlan): boolean => kind === 'text' || kind === 'nested';

/** Where each row group ends. Throws a GridError where one has no number of rows. */
function groupEnds({ row_groups: groups }: FileMetaData): readonly number[] {
  let end = 0;
  return groups.map(({ num_rows: count }) => {
    if (!(count >= 0 && count <= Number.MAX_SAFE_INTEGER)) throw new GridError('fileDamaged');
    return (end += Number(count));
  });
}

/** Throws a GridError where the columns that are shown have more bytes or values than are read. */
function checkSizes(source: ByteSource, { row_groups: groups }: FileMetaData, plans: readonly ColumnPlan[]): void {
  const kinds = new Map(plans.map(({ tree, kind }) => [tree.element.name, kind]));
  let nested = 0;
  for (const { meta_data: chunk } of groups.flatMap(({ columns }) => columns)) {
    const kind = kinds.get(chunk?.path_in_schema[0] ?? '');
    if (!chunk || kind === undefined) continue;
    source.use(Number(chunk.total_uncompressed_size));
    if (kind === 'nested') nested += Number(chunk.num_values);
  }
  if (nested > mostNested) throw new GridError('fileTooLarge', { detail: 'more than 50 million values of lists' });
}

interface Reading {
  readonly source: ByteSource;
  readonly metadata: FileMetaData;
  readonly ends: readonly number[];
  readonly rows: number;
  readonly texts: TextCount;
  readonly timeZone: string | undefined;
}

/** A column of the first `rows` rows; undefined where it has too many texts. */
async function columnOf(
  { source, metadata, ends, rows, texts, timeZone }: Reading,
  { tree, name, notes, kind }: ColumnPlan,
): Promise<Column | undefined> {
  const file = {
    byteLength: source.size,
    slice: (start: number, end = source.size): ArrayBuffer => source.read(start, end).buffer,
  };
  const chunks: ColumnData[] = [];
  await parquetRead({
    file,
    metadata,
    columns: [tree.element.name],
    rowEnd: rows,
    compressors,
    parsers,
    onChunk: chunk => void chunks.push(chunk),
  });
  const fill = (as: ColumnPlan['kind']): Column | undefined => {
    const { set, setAll, end } = fillerOf(as, rows, texts, timeZone, tree.element.scale);
    let filled = 0;
    for (const { columnData, rowStart } of chunks) {
      // Pages may have more values than their group has rows.
      const count = Math.min(ends.find(groupEnd => groupEnd > rowStart) ?? 0, rows) - rowStart;
      const part = columnData.length > count ? columnData.slice(0, Math.max(0, count)) : columnData;
      if (setAll && (part instanceof Float64Array || part instanceof Int32Array)) setAll(rowStart, part);
      else for (let at = 0; at < part.length; at++) if (part[at] != null) set(rowStart + at, part[at]);
      filled += part.length;
    }
    if (filled < rows) throw new GridError('fileDamaged');
    const { path, field } = notes;
    return end(name, { ...(path && { path }), field });
  };
  try {
    return fill(kind);
  } catch (error) {
    // A number that no double holds: its digits are shown.
    if (error instanceof NotExact) return fill('text');
    throw error;
  }
}

type Unzip = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;
const atMost = (unzip: Unzip) => (bytes: Uint8Array, length: number) =>
  unzip(bytes, { maxOutputLength: Math.max(1, length) });

/** Node's own where it has one: they take a half to a tenth of the time. */
const compressors: Compressors = {
  ...codecs,
  GZIP: atMost(gunzipSync),
  BROTLI: atMost(brotliDecompressSync),
  ZSTD: atMost(zstdDecompressSync),
};

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Instants as milliseconds, texts as they are; whatever is no text in hexadecimal digits. */
const parsers = {
  timestampFromMilliseconds: (ms: bigint) => Number(ms),
  timestampFromMicroseconds: (micros: bigint) => Math.floor(Number(micros) / 1e3),
  timestampFromNanoseconds: (nanos: bigint) => Math.floor(Number(nanos / 1_000n) / 1e3),
  dateFromDays: (days: number) => days * dayMs,
  stringFromBytes: decodeText,
  jsonFromBytes: decodeText,
  geometryFromBytes: hexadecimal,
  geographyFromBytes: hexadecimal,
};

class NotExact extends Error {}

/** Sets whatever the library makes of a cell of that kind. */
function fillerOf(
  kind: ColumnPlan['kind'],
  rows: number,
  texts: TextCount,
  timeZone = 'UTC',
  scale = 0,
): Pick<ColumnFiller<unknown>, 'set' | 'setAll' | 'end'> {
  switch (kind) {
    case 'number': {
      const filler = numberFiller('number', rows);
      return { ...filler, set: (row, value) => filler.set(row, Number(value)) };
    }
    case 'decimal': {
      const { set, end } = numberFiller('number', rows);
      // The library multiplies by a power of ten, which makes 0.35000000000000003 of 0.35.
      const places = Math.min(scale, 100);
      return { set: (row, value) => set(row, Number(Number(value).toFixed(places))), end };
    }
    case 'whole': {
      const { set, end } = numberFiller('number', rows);
      const exact = (row: number, value: unknown): void => {
        const number = Number(value);
        if (!Number.isSafeInteger(number)) throw new NotExact();
        set(row, number);
      };
      return { set: exact, end };
    }
    case 'time':
    case 'local': {
      const { set, end } = numberFiller('time', rows);
      const inZone = kind === 'local' ? instantsIn(timeZone) : (ms: number) => ms;
      return { set: (row, value) => Number.isFinite(value) && set(row, inZone(Number(value))), end };
    }
    case 'boolean': {
      const { set, end } = booleanFiller(rows);
      return { set: (row, value) => set(row, value === true), end };
    }
    case 'date': {
      const { set, end } = textFiller('text', rows, texts);
      const date = (ms: unknown): string => new Date(Math.min(Math.max(Number(ms), -8e15), 8e15)).toISOString();
      return { set: (row, value) => set(row, date(value).replace(/T.*$/, '')), end };
    }
    case 'text':
    case 'nested': {
      const { set, end } = textFiller(kind, rows, texts);
      return { set: (row, value) => set(row, textOf(value)), end };
    }
  }
}

/** What the file says about itself, for the raw view. */
function aboutFile(
  { version, created_by: writer, row_groups: groups, key_value_metadata: values }: FileMetaData,
  schema: SchemaTree,
): string {
  return JSON.stringify({
    version,
    writer,
    rowGroups: groups.length,
    columns: schema.children
      .slice(0, 1_000)
      .map(({ element: { name, type, logical_type: logical, converted_type: converted } }) => ({
        name,
        type: logical?.type ?? converted ?? type,
      })),
    metadata: Object.fromEntries((values ?? []).map(({ key, value }) => [key, value?.slice(0, 100_000)])),
  });
}
