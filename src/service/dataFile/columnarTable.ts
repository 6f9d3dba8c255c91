import {
  createBooleanBuilder,
  createNumberBuilder,
  countFittingColumns,
  createTextBuilder,
  type ColumnBuilder,
} from '../../core/dataFile/columnBuilder.ts';
import { parseProvenance } from '../../core/dataFile/fileProvenance.ts';
import type { FileTable, FileReadResult } from '../../core/dataFile/fileTable.ts';
import { createInstantConverter } from '../../core/dataFile/localTime.ts';
import { uniqueNames } from '../../core/export/exportTable.ts';
import { moveMainTimeFirst } from '../../core/frame/clip.ts';
import { TextCounter } from '../../core/frame/textCounter.ts';
import type { Column } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { provenanceKey } from '../export/byteChunk.ts';
import { textCells, type CellReader } from './cells.ts';
import { parsePandasIndexNames, type ColumnMetadata } from './columnMetadata.ts';

/** The number of rows that are shown before the others are read. */
const headRows = 200;
/** The maximum number of columns with too much text for the table. After that, further text columns are skipped without reading them. */
const maxUnreadable = 8;

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
  readonly notes: ColumnMetadata;
}

/** A columnar file. */
export interface ColumnarFile<FileColumnType extends FileColumn> {
  readonly fileRowCount: number;
  readonly columns: readonly FileColumnType[];
  readonly metadata: ReadonlyMap<string, string | undefined> | null | undefined;
  /** A description of the file for the raw view. */
  readonly description: object;
  /** Called with the columns of the table, before the first is read. */
  readonly check?: (columns: readonly FileColumnType[]) => void;
  readonly read: (column: FileColumnType, rows: number) => ColumnValues | Promise<ColumnValues>;
}

/**
 * Reads a file as a table, with as many rows as fit the limits. One column is read at a time, to save memory.
 * `onHead`: called with the first rows as soon as they are read. Throws a GridError.
 */
export async function readColumnarTable<FileColumnType extends FileColumn>(
  { fileRowCount, columns: allColumns, metadata, description, check, read }: ColumnarFile<FileColumnType>,
  timeZone: string | undefined,
  onHead: (table: FileTable) => void,
): Promise<FileReadResult> {
  const rows = Math.min(fileRowCount, tableLimits.rows);
  const columns = allColumns.slice(0, countFittingColumns(rows, allColumns.length));
  check?.(columns);
  // If there are instants, columns of dates are not the time of the rows.
  const hasInstants = columns.some(({ cells }) => cells?.kind === 'time');
  const isTime = ({ cells }: FileColumn): boolean => cells?.kind === (hasInstants ? 'time' : 'date');
  const localColumn = columns.find(column => isTime(column) && column.cells?.isLocal);
  if (localColumn && timeZone === undefined) return { kind: 'needsZone', example: localColumn.name };
  const zone = localColumn
    ? ({ source: 'user', ...(timeZone !== undefined && { timeZone }) } as const)
    : ({ source: 'file' } as const);
  const values = [...(metadata ?? [])].map(([key, value]) => [key, value?.slice(0, 100_000)] as const);
  const indexNames = parsePandasIndexNames(metadata?.get('pandas'));
  const readRows = async (count: number): Promise<FileTable> => {
    const state: TableReadState = { rows: count, texts: new TextCounter(), notes: [], timeZone };
    const tableColumns: Column[] = [];
    const omitted: string[] = [];
    let unreadableCount = 0;
    for (const column of columns) {
      const isText = column.cells?.kind === 'text' || column.cells?.kind === 'nested';
      const columnValues =
        column.cells && !(isText && unreadableCount >= maxUnreadable) ? await read(column, count) : undefined;
      const name = (indexNames.get(column.name) ?? column.name).slice(0, tableLimits.nameLength);
      const tableColumn = columnValues && readColumn({ ...column, name }, columnValues, isTime(column), state);
      if (tableColumn) tableColumns.push(tableColumn);
      else omitted.push(name);
      if (columnValues && !tableColumn) unreadableCount++;
    }
    const names = uniqueNames(tableColumns.map(({ name }) => name));
    return {
      frame: moveMainTimeFirst({
        rowCount: count,
        columns: tableColumns.map((column, index) => ({ ...column, name: names[index] ?? '' })),
      }),
      fileRowCount,
      omitted: [...omitted, ...allColumns.slice(columns.length).map(({ name }) => name)],
      zone: columns.some(isTime) ? zone : undefined,
      provenance: parseProvenance(metadata?.get(provenanceKey)),
      notes: state.notes,
      text: JSON.stringify({ ...description, metadata: Object.fromEntries(values) }),
    };
  };
  if (rows > 10 * headRows) onHead(await readRows(headRows));
  return { kind: 'table', table: await readRows(rows) };
}

/** The state of reading the columns of a table. */
interface TableReadState {
  /** The number of rows to read. */
  readonly rows: number;
  readonly texts: TextCounter;
  /** The notes about columns so far. */
  readonly notes: string[];
  readonly timeZone: string | undefined;
}

/** Reads the first rows of a column; undefined if it has too many texts. */
function readColumn(
  { name, cells: typeCells = textCells, notes: { kind, path, field } }: FileColumn,
  { chunks, cells = typeCells }: ColumnValues,
  isTime: boolean,
  { rows, texts, notes, timeZone = 'UTC' }: TableReadState,
): Column | undefined {
  const fillColumn = <Value>(
    { set, setRange, build }: ColumnBuilder<Value>,
    toCell: (value: unknown) => Value | undefined,
  ): Column | undefined => {
    for (const { start, length, values } of chunks)
      if (setRange && cells.isDirect && isNumberArray(values)) setRange(start, values.subarray(0, length));
      else
        for (let index = 0; index < length; index++) {
          const value = values.at(index);
          const cell = value === null || value === undefined ? undefined : toCell(value);
          if (cell !== undefined) set(start + index, cell);
        }
    return build(name, { ...(path && { path }), field });
  };
  const fillTexts = (textKind: 'text' | 'nested'): Column | undefined =>
    fillColumn(createTextBuilder(textKind, rows, texts), cells.toText);
  if (cells.durationNote) notes.push(`'${name}' ${cells.durationNote}`);
  let truncatedCount = 0;
  let missingCount = 0;
  if (isTime) {
    const toInstant = cells.isLocal ? createInstantConverter(timeZone) : Number;
    const times = fillColumn(createNumberBuilder('time', rows), value => {
      const ms = cells.toCell(value) as number | undefined;
      if (cells.isTruncated?.(value)) truncatedCount++;
      if (ms === undefined) missingCount++;
      return ms === undefined ? ms : toInstant(ms);
    });
    if (truncatedCount > 0) notes.push(`Times of '${name}' are cut to milliseconds.`);
    if (missingCount > 0) notes.push(`Times of '${name}' that are more than 270,000 years away have no value.`);
    return times;
  }
  switch (cells.kind) {
    case 'boolean':
      return fillColumn(createBooleanBuilder(rows), value => value === true);
    case 'number': {
      const numbers = fillColumn(createNumberBuilder('number', rows), value => {
        const number = cells.toCell(value) as number | undefined;
        if (number === undefined) missingCount++;
        return number;
      });
      return missingCount === 0 ? numbers : fillTexts('text');
    }
    default:
      return fillTexts(cells.kind === 'nested' || kind === 'nested' ? 'nested' : 'text');
  }
}

function isNumberArray(values: unknown): values is Float64Array | Float32Array | Int32Array {
  return values instanceof Float64Array || values instanceof Float32Array || values instanceof Int32Array;
}
