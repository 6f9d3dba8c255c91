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
import { uniqueNames } from '../../core/export/exportTable.ts';
import { withTimeFirst } from '../../core/frame/clip.ts';
import { TextCount } from '../../core/frame/textCount.ts';
import type { Column } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { provenanceKey } from '../export/byteChunk.ts';
import { textCells, type CellReader } from './cells.ts';
import { pandasIndexNames, type WrittenNotes } from './columnNotes.ts';

/** The number of rows that are shown before the others are read. */
const headRows = 200;
/** The number of columns that are read in vain, since the table has no room for their texts, before further text columns are skipped. */
const maxCrowded = 8;

/** Values of consecutive rows of a column, from row `start` on. */
export interface Chunk {
  readonly start: number;
  readonly length: number;
  readonly values: { readonly at: (index: number) => unknown };
}

/** The values of the first rows of a column. `cells` is set if the type alone does not determine the reader. */
export interface ColumnValues {
  readonly chunks: readonly Chunk[];
  readonly cells?: CellReader;
}

/** A column of a columnar file. */
export interface FileColumn {
  readonly name: string;
  /** Undefined for an unsupported type. */
  readonly cells: CellReader | undefined;
  readonly notes: WrittenNotes;
}

/** A columnar file. */
export interface ColumnarFile<Stored extends FileColumn> {
  readonly rowsOfFile: number;
  readonly columns: readonly Stored[];
  readonly metadata: ReadonlyMap<string, string | undefined> | null | undefined;
  /** A description of the file for the raw view. */
  readonly about: object;
  /** Called with the columns of the table, before the first is read. */
  readonly check?: (columns: readonly Stored[]) => void;
  readonly read: (column: Stored, rows: number) => ColumnValues | Promise<ColumnValues>;
}

/**
 * Reads a file as a table, with as many rows as fit the limits. One column is read at a time, to save memory.
 * `onHead`: called with the first rows as soon as they are read. Throws a GridError.
 */
export async function columnarTable<Stored extends FileColumn>(
  { rowsOfFile, columns: all, metadata, about, check, read }: ColumnarFile<Stored>,
  timeZone: string | undefined,
  onHead: (table: FileTable) => void,
): Promise<ReadFile> {
  const rows = Math.min(rowsOfFile, tableLimits.rows);
  const columns = all.slice(0, shownColumns(rows, all.length));
  check?.(columns);
  // If there are instants, columns of dates are not the time of the rows.
  const hasInstants = columns.some(({ cells }) => cells?.kind === 'time');
  const isTime = ({ cells }: FileColumn): boolean => cells?.kind === (hasInstants ? 'time' : 'date');
  const local = columns.find(column => isTime(column) && column.cells?.isLocal);
  if (local && timeZone === undefined) return { kind: 'needsZone', example: local.name };
  const zone = local
    ? ({ source: 'person', ...(timeZone !== undefined && { timeZone }) } as const)
    : ({ source: 'file' } as const);
  const values = [...(metadata ?? [])].map(([key, value]) => [key, value?.slice(0, 100_000)] as const);
  const indexNames = pandasIndexNames(metadata?.get('pandas'));
  const readRows = async (count: number): Promise<FileTable> => {
    const reading = { rows: count, texts: new TextCount(), notes: [], timeZone };
    const shown: Column[] = [];
    const leftOut: string[] = [];
    let crowded = 0;
    for (const column of columns) {
      const isText = column.cells?.kind === 'text' || column.cells?.kind === 'nested';
      const stored = column.cells && !(isText && crowded >= maxCrowded) ? await read(column, count) : undefined;
      const name = (indexNames.get(column.name) ?? column.name).slice(0, tableLimits.nameLength);
      const filled = stored && columnOf({ ...column, name }, stored, isTime(column), reading);
      if (filled) shown.push(filled);
      else leftOut.push(name);
      if (stored && !filled) crowded++;
    }
    const names = uniqueNames(shown.map(({ name }) => name));
    return {
      frame: withTimeFirst({
        rowCount: count,
        columns: shown.map((column, at) => ({ ...column, name: names[at] ?? '' })),
      }),
      rowsOfFile,
      leftOut: [...leftOut, ...all.slice(columns.length).map(({ name }) => name)],
      zone: columns.some(isTime) ? zone : undefined,
      provenance: readProvenance(metadata?.get(provenanceKey)),
      notes: reading.notes,
      text: JSON.stringify({ ...about, metadata: Object.fromEntries(values) }),
    };
  };
  if (rows > 10 * headRows) onHead(await readRows(headRows));
  return { kind: 'table', table: await readRows(rows) };
}

/** Reads the first `rows` rows of a column; undefined if it has too many texts. Notes about it are added to `notes`. */
function columnOf(
  { name, cells: typed = textCells, notes: { kind, path, field } }: FileColumn,
  { chunks, cells = typed }: ColumnValues,
  isTime: boolean,
  reading: {
    readonly rows: number;
    readonly texts: TextCount;
    readonly notes: string[];
    readonly timeZone: string | undefined;
  },
): Column | undefined {
  const { rows, texts, notes, timeZone = 'UTC' } = reading;
  const fill = <Value>(
    { set, setAll, end }: ColumnFiller<Value>,
    toCell: (value: unknown) => Value | undefined,
  ): Column | undefined => {
    for (const { start, length, values } of chunks)
      if (setAll && cells.isDirect && isNumbers(values)) setAll(start, values.subarray(0, length));
      else
        for (let at = 0; at < length; at++) {
          const value = values.at(at);
          const cell = value === null || value === undefined ? undefined : toCell(value);
          if (cell !== undefined) set(start + at, cell);
        }
    return end(name, { ...(path && { path }), field });
  };
  const ofTexts = (textKind: 'text' | 'nested'): Column | undefined =>
    fill(textFiller(textKind, rows, texts), cells.toText);
  if (cells.note) notes.push(`'${name}' ${cells.note}`);
  let [cut, without] = [0, 0];
  if (isTime) {
    const inZone = cells.isLocal ? instantsIn(timeZone) : Number;
    const times = fill(numberFiller('time', rows), value => {
      const ms = cells.toCell(value) as number | undefined;
      if (cells.isCut?.(value)) cut++;
      if (ms === undefined) without++;
      return ms === undefined ? ms : inZone(ms);
    });
    if (cut > 0) notes.push(`Times of '${name}' are cut to milliseconds.`);
    if (without > 0) notes.push(`Times of '${name}' that are more than 270,000 years away have no value.`);
    return times;
  }
  switch (cells.kind) {
    case 'boolean':
      return fill(booleanFiller(rows), value => value === true);
    case 'number': {
      const numbers = fill(numberFiller('number', rows), value => {
        const number = cells.toCell(value) as number | undefined;
        if (number === undefined) without++;
        return number;
      });
      return without === 0 ? numbers : ofTexts('text');
    }
    default:
      return ofTexts(cells.kind === 'nested' || kind === 'nested' ? 'nested' : 'text');
  }
}

function isNumbers(values: unknown): values is Float64Array | Float32Array | Int32Array {
  return values instanceof Float64Array || values instanceof Float32Array || values instanceof Int32Array;
}
