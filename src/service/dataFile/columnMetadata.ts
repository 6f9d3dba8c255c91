import * as v from 'valibot';
import { parseUnit } from '../../core/dataFile/fileTable.ts';
import type { FieldInfo } from '../../shared/frame.ts';

const optionalText = v.exactOptional(v.pipe(v.string(), v.maxLength(10_000)));
const columnSchema = v.object({
  kind: optionalText,
  path: optionalText,
  label: optionalText,
  meaning: optionalText,
  unit: optionalText,
});

/** The metadata that our exports write for a column besides its type. */
export interface ColumnMetadata {
  readonly kind?: string | undefined;
  readonly path?: readonly string[];
  readonly field?: FieldInfo | undefined;
}

/** Parses the column metadata of a Parquet file, by column name. Metadata in another format is ignored. */
export function parseAllColumnMetadata(json: string | undefined): ReadonlyMap<string, ColumnMetadata> {
  const columns = parseJsonText(json);
  if (typeof columns !== 'object' || columns === null) return new Map();
  return new Map(Object.entries(columns).map(([name, notes]) => [name, parseColumnMetadata(notes)]));
}

/** Parses the metadata of a column in an Arrow file. */
export function parseColumnMetadata(notes: unknown): ColumnMetadata {
  const parsed = v.safeParse(columnSchema, notes);
  if (!parsed.success) return {};
  const { kind, path: json, label, meaning = '', unit: unitText } = parsed.output;
  const path = v.safeParse(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(100)), parseJsonText(json));
  const unit = parseUnit(unitText);
  return {
    kind,
    ...(path.success && { path: path.output }),
    ...(label !== undefined && { field: { label, meaning, ...(unit && { unit }) } }),
  };
}

const pandasSchema = v.object({
  columns: v.array(v.object({ name: v.unknown(), field_name: v.exactOptional(v.unknown()) })),
});

/** Returns the names of the columns that are an index of pandas, by their names in the file. */
export function parsePandasIndexNames(json: string | undefined): ReadonlyMap<unknown, string> {
  const parsed = v.safeParse(pandasSchema, parseJsonText(json));
  const columns = parsed.success ? parsed.output.columns : [];
  return new Map(
    columns.flatMap(({ name, field_name: field }) =>
      typeof name === 'string' && name && /^__index_level_\d+__$/.test(String(field)) ? [[field, name]] : [],
    ),
  );
}

function parseJsonText(json: string | undefined): unknown {
  if (json === undefined || json.length > 10_000_000) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
