import type { KeyValue, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type TableToWrite, uniqueNames } from '../../core/export/exportTable.ts';
import { cellState, type Column } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { type ByteChunk, createColumnMetadata, columnsKey, createProvenanceMetadata } from './byteChunk.ts';

/** The number of cells of a row group, unless its columns would be too short: each needs space in the footer of the file. */
const groupCells = 100_000;
const minGroupRows = 10_000;
/** The number of cells that are encoded without a pause. Encoding takes some ten times as long as copying. */
const cellsPerPart = 20_000;

/**
 * Writes a Parquet file: doubles, UTC timestamps in milliseconds, booleans, texts, and JSON as text. Null and absent cells both become null. A
 * second column with the same name is numbered.
 */
export function* parquetChunks(
  table: TableToWrite,
  _options: ExportOptions,
  provenance: ExportProvenance | undefined,
): Generator<ByteChunk> {
  const { columns, rowCount } = table;
  const names = uniqueNames(columns.map(({ name }) => name));
  const writer = new GroupWriter();
  const schema = [
    { name: 'root', num_children: columns.length },
    ...columns.map((column, index) => createSchemaElement(column, names[index] ?? '')),
  ];
  const parquet = new ParquetWriter({
    writer,
    schema,
    kvMetadata: createKeyValues(columns, names, provenance),
    createdBy: 'Grid Data Inspector',
  });
  const groupRows = Math.max(minGroupRows, Math.floor(groupCells / Math.max(1, columns.length)));
  const writtenRows = columns.length > 0 ? rowCount : 0;
  for (let from = 0; from < writtenRows; from += groupRows) {
    const to = Math.min(writtenRows, from + groupRows);
    const partColumns = Math.max(1, Math.floor(cellsPerPart / (to - from)));
    const group: RowGroup = { columns: [], total_byte_size: 0n, num_rows: BigInt(to - from) };
    for (let firstColumn = 0; firstColumn < columns.length; firstColumn += partColumns) {
      const columnData = columns
        .slice(firstColumn, firstColumn + partColumns)
        .map((column, index) => ({ name: names[firstColumn + index] ?? '', ...toCells(column, table, from, to) }));
      void parquet.write({ columnData, rowGroupSize: to - from });
      addPart(group, parquet.row_groups.pop());
      yield { bytes: writer.take(), rowsDone: firstColumn + partColumns < columns.length ? from : to };
    }
    parquet.row_groups.push(group);
  }
  parquet.num_rows = BigInt(writtenRows);
  void parquet.finish();
  yield { bytes: writer.take(), rowsDone: rowCount };
}

/** Adds the columns of a part to the group. The library writes a row group without a pause, so each part is written as one. */
function addPart(group: RowGroup, part: RowGroup | undefined): void {
  if (!part) return;
  group.columns.push(...part.columns);
  group.total_byte_size += part.total_byte_size;
  group.total_compressed_size = (group.total_compressed_size ?? 0n) + (part.total_compressed_size ?? 0n);
}

/** Buffers the bytes that were written since the last `take`. */
class GroupWriter extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

function createSchemaElement({ kind }: Column, name: string): SchemaElement {
  const element = { name, repetition_type: 'OPTIONAL' } as const;
  switch (kind) {
    case 'number':
      return { ...element, type: 'DOUBLE' };
    case 'boolean':
      return { ...element, type: 'BOOLEAN' };
    case 'time':
      // These are the older and the newer annotation of instants in UTC.
      return {
        ...element,
        type: 'INT64',
        converted_type: 'TIMESTAMP_MILLIS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      };
    case 'text':
    case 'nested':
      return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  }
}

function createKeyValues(
  columns: readonly Column[],
  names: readonly string[],
  provenance: ExportProvenance | undefined,
): KeyValue[] {
  const notes = columns.map((column, index) => [names[index], createColumnMetadata(column)] as const);
  // `fromEntries` also handles a column named `__proto__`.
  const metadata = { ...createProvenanceMetadata(provenance), [columnsKey]: JSON.stringify(Object.fromEntries(notes)) };
  return Object.entries(metadata).map(([key, value]) => ({ key, value }));
}

interface Cells {
  readonly data: (number | bigint | boolean | string | null)[] | Float64Array;
  readonly encoding?: 'PLAIN';
}

function toCells(column: Column, { rows }: TableToWrite, from: number, to: number): Cells {
  const getRow = (index: number): number => (rows ? (rows[index] ?? -1) : index);
  const { gaps } = column;
  if (column.kind === 'number') {
    // A dictionary would turn -0 into 0.
    const { values } = column;
    const isDirect = !rows && !gaps;
    const data = isDirect
      ? values.subarray(from, to)
      : Array.from({ length: to - from }, (_, index) => {
          const row = getRow(from + index);
          return gaps && gaps[row] !== cellState.value ? null : (values[row] ?? null);
        });
    return data.some(value => Object.is(value, -0)) ? { data, encoding: 'PLAIN' } : { data };
  }
  const readCell = createCellReader(column);
  const data = Array.from({ length: to - from }, (_, index) => {
    const row = getRow(from + index);
    return gaps && gaps[row] !== cellState.value ? null : readCell(row);
  });
  return { data };
}

function createCellReader(
  column: Exclude<Column, { kind: 'number' }>,
): (row: number) => bigint | boolean | string | null {
  switch (column.kind) {
    case 'boolean':
      return row => column.values[row] === 1;
    case 'time':
      return row => toMilliseconds(column.values[row] ?? NaN);
    case 'text':
    case 'nested': {
      const { codes, entries } = column.texts;
      return row => entries[codes[row] ?? -1] ?? '';
    }
  }
}

/** Converts an instant to whole milliseconds; null for an invalid one. */
function toMilliseconds(ms: number): bigint | null {
  return Number.isFinite(ms) ? BigInt(Math.floor(ms)) : null;
}
