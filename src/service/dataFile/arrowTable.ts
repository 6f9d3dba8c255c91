import { Type } from 'apache-arrow/enum';
import type { Schema } from 'apache-arrow/schema';
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
import { TextCount } from '../../core/frame/textCount.ts';
import { uniqueNames } from '../../core/export/exportTable.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { provenanceKey } from '../export/byteChunk.ts';
import { cellsOf, childrenOf, doublesOf, entriesOf, hasCells, skip, type ArrowField } from './arrowCells.ts';
import { countOf, readMessages } from './arrowMessages.ts';
import type { ByteSource } from './byteSource.ts';
import { textOf } from './cellText.ts';
import { columnNotesOf } from './columnNotes.ts';

/**
 * An Arrow IPC file (Feather, version 2) as a table: of its batches as many rows as fit the limits. Its buffers are read as they lie in the
 * file, so that there is no second copy of the rows. Throws a GridError; anything else that is thrown means that the file is damaged.
 */
export function arrowTable(source: ByteSource, timeZone: string | undefined): ReadFile {
  const { schema, batches, dictionaries } = readMessages(source);
  const rowsOfFile = batches.reduce((sum, { batch }) => sum + countOf(batch.length), 0);
  const rows = Math.min(rowsOfFile, tableLimits.rows);
  const all = schema.fields as readonly ArrowField[];
  const fields = all.slice(0, shownColumns(rows, all.length));
  const hasInstants = fields.some(({ type }) => type.typeId === Type.Timestamp);
  const isLocal = ({ type }: ArrowField): boolean =>
    type.typeId === Type.Timestamp ? !type.timezone : type.typeId === Type.Date && !hasInstants;
  const local = fields.find(isLocal);
  if (local && timeZone === undefined) return { kind: 'needsZone', example: local.name };
  const texts = new TextCount();
  const fillers = fields.map(field => fillerOf(field, rows, texts, isLocal(field) ? (timeZone ?? 'UTC') : undefined));
  const entries = new Map(
    [...dictionaries].map(([id, parts]) => [id, entriesOf(source, schema.dictionaries.get(id), parts)]),
  );
  let start = 0;
  for (const placed of batches) {
    if (start >= rows) break;
    const count = Math.min(countOf(placed.batch.length), rows - start);
    if (count === 0) continue;
    const cursor = { node: 0, buffer: 0, view: 0 };
    for (const [place, field] of fields.entries()) {
      const filler = fillers[place];
      const at = { ...cursor };
      skip(field.type, placed, cursor);
      if (!filler) continue;
      const reading = { source, placed, entries };
      const whole = filler.setAll && doublesOf(reading, field.type, at, count);
      if (whole) {
        filler.setAll(start, whole);
        continue;
      }
      const valueAt = cellsOf(reading, field.type, at, count);
      for (let row = 0; row < count; row++) {
        const value = valueAt(row);
        if (value !== undefined) filler.set(start + row, value);
      }
    }
    start += count;
  }
  const names = uniqueNames(fields.map(({ name }) => name.slice(0, tableLimits.nameLength)));
  const columns = fields.map((field, place) => {
    const { path, field: info } = columnNotesOf(Object.fromEntries(field.metadata));
    return fillers[place]?.end(names[place] ?? '', { ...(path && { path }), field: info });
  });
  const isTime = fields.some(field => isLocal(field) || field.type.typeId === Type.Timestamp);
  return {
    kind: 'table',
    table: {
      frame: { rowCount: rows, columns: columns.filter(column => column !== undefined) },
      rowsOfFile,
      leftOut: schema.fields.flatMap(({ name }, place) => (columns[place] ? [] : [name])),
      zone: isTime
        ? { source: local ? 'person' : 'file', ...(local && timeZone !== undefined && { timeZone }) }
        : undefined,
      provenance: readProvenance(schema.metadata.get(provenanceKey)),
      notes: [],
      text: aboutFile(schema, batches.length),
    },
  };
}

/** Takes cells as `cellsOf` has them. Undefined for a type that a table has no cells for. `timeZone`: of local times. */
function fillerOf(
  { type, metadata }: ArrowField,
  rows: number,
  texts: TextCount,
  timeZone: string | undefined,
): ColumnFiller<unknown> | undefined {
  if (!hasCells(type)) return undefined;
  switch (type.typeId) {
    case Type.Bool: {
      const { set, end } = booleanFiller(rows);
      return { set: (row, cell) => set(row, cell === true), end };
    }
    case Type.Int:
    case Type.Float: {
      const filler = numberFiller('number', rows);
      return { ...filler, set: (row, cell) => filler.set(row, Number(cell)) };
    }
    case Type.Timestamp:
    case Type.Date: {
      const { set, end } = numberFiller('time', rows);
      const inZone = timeZone === undefined ? Number : instantsIn(timeZone);
      return { set: (row, cell) => set(row, inZone(Number(cell))), end };
    }
    case Type.Decimal: {
      const [number, text] = [numberFiller('number', rows), textFiller('text', rows, texts)];
      let isExact = true;
      const set = (row: number, cell: unknown): void => {
        isExact &&= typeof cell === 'number';
        number.set(row, Number(cell));
        text.set(row, textOf(cell));
      };
      return { set, end: (name, more) => (isExact ? number : text).end(name, more) };
    }
    default: {
      const isNested = childrenOf(type).length > 0 || metadata.get('kind') === 'nested';
      const { set, end } = textFiller(isNested ? 'nested' : 'text', rows, texts);
      return { set: (row, cell) => set(row, textOf(cell)), end };
    }
  }
}

/** What the file says about itself, for the raw view. */
function aboutFile({ fields, metadata }: Schema, batches: number): string {
  return JSON.stringify({
    batches,
    columns: fields.slice(0, 1_000).map(({ name, type }) => ({ name, type: String(type) })),
    metadata: Object.fromEntries([...metadata].map(([key, value]) => [key, value.slice(0, 100_000)])),
  });
}
