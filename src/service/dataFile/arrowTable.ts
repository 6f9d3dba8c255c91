import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  CompressionType,
  setCompressionCodec,
  tableFromIPC,
  Type,
  type Batch,
  TimeUnit,
  type Column as ArrowColumn,
  type DataType,
  type Field,
  type Metadata,
  type Schema,
} from '@uwdata/flechette';
import lz4 from 'lz4js';
import {
  booleanFiller,
  numberFiller,
  shownColumns,
  textFiller,
  type ColumnFiller,
} from '../../core/dataFile/columnFiller.ts';
import { readProvenance } from '../../core/dataFile/fileProvenance.ts';
import type { ReadFile } from '../../core/dataFile/fileTable.ts';
import { instantsIn } from '../../core/dataFile/localTime.ts';
import { GridError } from '../../core/errors.ts';
import { uniqueNames } from '../../core/export/exportTable.ts';
import { TextCount } from '../../core/frame/textCount.ts';
import type { Column } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { provenanceKey } from '../export/byteChunk.ts';
import { arrowCells } from './arrowCells.ts';
import type { ByteSource } from './byteSource.ts';
import { textOf } from './cellText.ts';
import { columnNotesOf } from './columnNotes.ts';
import { lz4Frame } from './lz4Frame.ts';

setCompressionCodec(CompressionType.LZ4_FRAME, { encode: bytes => lz4.compress(bytes), decode: lz4Frame });
setCompressionCodec(CompressionType.ZSTD, {
  encode: bytes => zstdCompressSync(bytes),
  decode: (bytes, length) => {
    const decoded = zstdDecompressSync(bytes);
    if (decoded.length !== length) throw new GridError('fileDamaged');
    return new Uint8Array(decoded);
  },
});

/**
 * An Arrow IPC file (Feather, version 2) or stream as a table: as many of its rows as fit the limits. Throws a GridError; anything else that
 * is thrown means that the file is damaged.
 */
export function arrowTable(source: ByteSource, timeZone: string | undefined): ReadFile {
  // As they are in the file: as doubles, numbers of 64 bits and decimals would lose digits.
  const exact = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true };
  const { schema, children } = tableFromIPC(source.read(0, source.size), exact);
  const rowsOfFile = children[0]?.length ?? 0;
  for (const { length, data } of children) {
    if (length !== rowsOfFile) throw new GridError('fileDamaged');
    data.forEach(checkLengths);
  }
  const rows = Math.min(rowsOfFile, tableLimits.rows);
  const fields = schema.fields.slice(0, shownColumns(rows, schema.fields.length));
  const hasInstants = fields.some(({ type }) => type.typeId === Type.Timestamp);
  const isLocal = ({ type }: Field): boolean =>
    type.typeId === Type.Timestamp ? !type.timezone : type.typeId === Type.Date && !hasInstants;
  const local = fields.find(isLocal);
  if (local && timeZone === undefined) return { kind: 'needsZone', example: local.name };
  const names = uniqueNames(fields.map(({ name }) => name.slice(0, tableLimits.nameLength)));
  const texts = new TextCount();
  const columns = fields.map((field, place) => {
    const zone = isLocal(field) ? timeZone : undefined;
    return tableColumn(names[place] ?? '', field, children[place], rows, texts, zone);
  });
  const zone = local
    ? ({ source: 'person', ...(timeZone !== undefined && { timeZone }) } as const)
    : ({ source: 'file' } as const);
  return {
    kind: 'table',
    table: {
      frame: { rowCount: rows, columns: columns.filter(column => column !== undefined) },
      rowsOfFile,
      leftOut: schema.fields.flatMap(({ name }, place) => (columns[place] ? [] : [name])),
      zone: local || hasInstants ? zone : undefined,
      provenance: readProvenance(schema.metadata?.get(provenanceKey)),
      notes: [],
      text: aboutFile(schema, children[0]?.data.length ?? 0),
    },
  };
}

/** The library's types do not say that each type has some of these alone. */
type Buffers = Pick<Batch<unknown>, 'type' | 'length'> & Partial<Batch<unknown>>;

/** Reading beyond the end of a buffer gives no error, but cells that the file does not have. */
function checkLengths(batch: Buffers): void {
  const { length, offsets, values, children = [] } = batch;
  if (!(length >= 0 && length <= cellsIn(batch))) throw new GridError('fileDamaged');
  const end = offsets?.[length] ?? 0;
  if (end > (values ?? children[0] ?? []).length) throw new GridError('fileDamaged');
  children.forEach(checkLengths);
}

/** How many cells the buffers have room for. */
function cellsIn({ type, values, offsets, children = [] }: Buffers): number {
  switch (type.typeId) {
    case Type.Bool:
      return (values?.length ?? 0) * 8;
    case Type.Decimal:
      return ((values?.byteLength ?? 0) * 8) / type.bitWidth;
    case Type.Utf8View:
      return (values?.length ?? 0) / 16;
    case Type.FixedSizeList:
      return (children[0]?.length ?? 0) / type.stride;
    case Type.Struct:
      return Math.min(...children.map(child => child.length));
    default:
      return offsets ? offsets.length - 1 : (values?.length ?? Infinity);
  }
}

/** Undefined for a type that a table has no cells for. `timeZone`: of local times. */
function tableColumn(
  name: string,
  { type, metadata }: Field,
  column: ArrowColumn<unknown> | undefined,
  rows: number,
  texts: TextCount,
  timeZone: string | undefined,
): Column | undefined {
  const cells = arrowCells(type);
  if (!cells || !column) return undefined;
  // The library's types do not say that a field may be without any.
  const { kind, path, field } = columnNotesOf(Object.fromEntries((metadata as Metadata | null) ?? []));
  const fill = <Value>({ set, end }: ColumnFiller<Value>, cellOf: (value: unknown) => Value): Column | undefined => {
    eachCell(column, rows, (row, value) => set(row, cellOf(value)));
    return end(name, { ...(path && { path }), field });
  };
  const ofTexts = (textKind: 'text' | 'nested'): Column | undefined =>
    fill(textFiller(textKind, rows, texts), value => textOf(cells.cellOf(value)));
  switch (cells.kind) {
    case 'boolean':
      return fill(booleanFiller(rows), value => value === true);
    case 'number': {
      let inexact = 0;
      const numbers = fill(numberFiller('number', rows), value => {
        const cell = cells.cellOf(value);
        if (typeof cell !== 'number') inexact++;
        return Number(cell);
      });
      return inexact === 0 ? numbers : ofTexts('text');
    }
    case 'time': {
      const inZone = timeZone === undefined ? Number : instantsIn(timeZone);
      return fill(numberFiller('time', rows), value => inZone(Number(cells.cellOf(value))));
    }
    case 'text':
      return ofTexts(kind === 'nested' ? kind : 'text');
    case 'nested':
      return ofTexts('nested');
  }
}

/** Calls `take` with each value of the first `rows` rows that is not null. */
function eachCell({ data }: ArrowColumn<unknown>, rows: number, take: (row: number, value: unknown) => void): void {
  let start = 0;
  for (const batch of data) {
    const count = Math.min(batch.length, rows - start);
    for (let at = 0; at < count; at++) {
      const value = batch.at(at);
      if (value !== null && value !== undefined) take(start + at, value);
    }
    start += batch.length;
  }
}

/** What the file says about itself, for the raw view. */
function aboutFile({ fields, metadata }: Schema, batches: number): string {
  return JSON.stringify({
    batches,
    columns: fields.slice(0, 1_000).map(({ name, type }) => ({ name, type: typeText(type) })),
    metadata: Object.fromEntries([...(metadata ?? [])].map(([key, value]) => [key, value.slice(0, 100_000)])),
  });
}

/** As Arrow's own libraries write a type. */
function typeText(type: DataType): string {
  const [name = ''] = Object.entries(Type).find(([, id]) => id === type.typeId) ?? [];
  switch (type.typeId) {
    case Type.Dictionary:
      return `${name}<${typeText(type.indices)}, ${typeText(type.dictionary)}>`;
    case Type.Int:
      return `${type.signed ? 'Int' : 'Uint'}${type.bitWidth}`;
    case Type.Float:
      return `Float${16 << type.precision}`;
    case Type.Decimal:
      return `${name}${type.bitWidth}<${type.precision}, ${type.scale}>`;
    case Type.Timestamp:
    case Type.Time:
    case Type.Duration: {
      const [unit = ''] = Object.entries(TimeUnit).find(([, id]) => id === type.unit) ?? [];
      return `${name}<${unit}${'timezone' in type && type.timezone ? `, ${type.timezone}` : ''}>`;
    }
    default:
      return 'children' in type ? `${name}<${type.children.map(child => typeText(child.type)).join(', ')}>` : name;
  }
}
