import * as v from 'valibot';
import { unitOfText } from '../../core/dataFile/fileTable.ts';
import type { FieldInfo } from '../../shared/frame.ts';

const text = v.exactOptional(v.pipe(v.string(), v.maxLength(10_000)));
const form = v.object({ kind: text, path: text, label: text, meaning: text, unit: text });

/** The metadata that our exports write for a column besides its type. */
export interface WrittenNotes {
  readonly kind?: string | undefined;
  readonly path?: readonly string[];
  readonly field?: FieldInfo | undefined;
}

/** Parses the column metadata of a Parquet file, by column name. Metadata in another format is ignored. */
export function readColumnNotes(json: string | undefined): ReadonlyMap<string, WrittenNotes> {
  const all = parsed(json);
  if (typeof all !== 'object' || all === null) return new Map();
  return new Map(Object.entries(all).map(([name, notes]) => [name, columnNotesOf(notes)]));
}

/** Parses the metadata of a column in an Arrow file. */
export function columnNotesOf(notes: unknown): WrittenNotes {
  const read = v.safeParse(form, notes);
  if (!read.success) return {};
  const { kind, path: json, label, meaning = '', unit: unitText } = read.output;
  const path = v.safeParse(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(100)), parsed(json));
  const unit = unitOfText(unitText);
  return {
    kind,
    ...(path.success && { path: path.output }),
    ...(label !== undefined && { field: { label, meaning, ...(unit && { unit }) } }),
  };
}

const pandasColumns = v.object({
  columns: v.array(v.object({ name: v.unknown(), field_name: v.exactOptional(v.unknown()) })),
});

/** Returns the names of the columns that are an index of pandas, by their names in the file. */
export function pandasIndexNames(json: string | undefined): ReadonlyMap<unknown, string> {
  const read = v.safeParse(pandasColumns, parsed(json));
  const columns = read.success ? read.output.columns : [];
  return new Map(
    columns.flatMap(({ name, field_name: field }) =>
      typeof name === 'string' && name && /^__index_level_\d+__$/.test(String(field)) ? [[field, name]] : [],
    ),
  );
}

function parsed(json: string | undefined): unknown {
  if (json === undefined || json.length > 10_000_000) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
