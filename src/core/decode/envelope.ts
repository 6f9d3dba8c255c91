import { parseInstant } from '../time/instant.ts';
import { checkTableSize } from '../errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The records of a response and the rest of its envelope; `records` is undefined where the JSON is not a table. */
interface OpenedEnvelope {
  readonly records: readonly JsonObject[] | undefined;
  readonly meta: JsonObject;
}

/** Usual names of the member with the rows, the most common first. */
const usualNames = ['data', 'results', 'records', 'rows', 'items', 'values'];

/**
 * Finds the rows in any JSON: an array, an envelope around one, an object of arrays, an object keyed by instants, or one object (a table
 * of one row). Everything else is `meta`. Throws TableLimitError before it creates rows beyond the limits.
 */
export function openEnvelope(body: unknown, depth = 0): OpenedEnvelope {
  if (Array.isArray(body)) return { records: recordsOfArray(body, undefined), meta: {} };
  if (!isObject(body)) return { records: undefined, meta: {} };
  // Listed once, since an object may have a million names.
  const names = Object.keys(body);
  const byName = recordsByInstant(body, names) ?? recordsOfColumns(body, names);
  if (byName) return { records: byName, meta: {} };
  const inner = rowsKey(body, names);
  if (inner !== undefined && depth < 4) {
    const { [inner]: rows, ...meta } = body;
    if (Array.isArray(rows)) return { records: recordsOfArray(rows, headings(meta)), meta };
    const opened = openEnvelope(rows, depth + 1);
    return { records: opened.records, meta: { ...meta, ...opened.meta } };
  }
  if (names.length === 0) return { records: undefined, meta: {} };
  // Each member makes at least one column: checked before their values are read.
  checkTableSize(names.length, 1);
  return { records: [body], meta: {} };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value);
}

/** Whether it is an ExactNumber (see json.ts), which is a leaf. */
function isExact(value: object): boolean {
  return Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null;
}

function rowsKey(body: JsonObject, names: readonly string[]): string | undefined {
  const usual = usualNames.find(
    name => Object.hasOwn(body, name) && (Array.isArray(body[name]) || isObject(body[name])),
  );
  if (usual !== undefined) return usual;
  // Another name counts when exactly one member is an array of objects or of arrays.
  const lists = names.filter(name => {
    const value = body[name];
    return Array.isArray(value) && value.length > 0 && value.every(item => isObject(item) || Array.isArray(item));
  });
  return lists.length === 1 ? lists[0] : undefined;
}

function recordsOfArray(rows: readonly unknown[], names: readonly string[] | undefined): JsonObject[] {
  checkTableSize(0, rows.length);
  if (rows.every(isObject)) return [...rows];
  if (rows.every(Array.isArray)) return recordsOfRows(rows as unknown[][], names);
  return rows.map(value => ({ value }));
}

/** Rows as arrays: named by the envelope's array of names, else by a first row of strings, else numbered. */
function recordsOfRows(rows: readonly (readonly unknown[])[], names: readonly string[] | undefined): JsonObject[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  checkTableSize(width, rows.length);
  const first = rows[0] ?? [];
  const ownHeading =
    !names && first.length === width && new Set(first).size === width && isHeading(first, rows.slice(1));
  const heading = ownHeading ? (first as string[]) : names?.length === width ? names : undefined;
  const keys = heading ?? Array.from({ length: width }, (_, column) => `column ${column + 1}`);
  return rows.slice(ownHeading ? 1 : 0).map(row => {
    const record = Object.create(null) as Record<string, unknown>;
    row.forEach((value, column) => (record[keys[column] ?? ''] = value));
    return record;
  });
}

function isHeading(first: readonly unknown[], others: readonly (readonly unknown[])[]): boolean {
  const words = first.every(cell => typeof cell === 'string' && cell !== '' && parseInstant(cell) === undefined);
  return words && others.some(row => row.some(cell => typeof cell === 'number'));
}

function headings(meta: JsonObject): string[] | undefined {
  for (const name of ['columns', 'fields', 'header', 'headers', 'names']) {
    const list = meta[name];
    if (!Array.isArray(list) || list.length === 0) continue;
    const names = list.map((item: unknown) => (isObject(item) ? (item['name'] ?? item['id']) : item));
    if (names.every(item => typeof item === 'string') && new Set(names).size === names.length) return names;
  }
  return undefined;
}

/** `{"ts": [...], "value": [...]}`: two or more arrays of one length and nothing else. */
function recordsOfColumns(body: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  const first = body[names[0] ?? ''];
  const length = Array.isArray(first) ? first.length : 0;
  if (names.length < 2 || length === 0) return undefined;
  const fits = names.every(name => {
    const cells = body[name];
    return Array.isArray(cells) && cells.length === length && !cells.some(isObject);
  });
  if (!fits || hasHeadedRows(body)) return undefined;
  checkTableSize(names.length, length);
  const columns = names.map(name => [name, body[name] as readonly unknown[]] as const);
  return Array.from({ length }, (_, row) => {
    const record = Object.create(null) as Record<string, unknown>;
    for (const [name, cells] of columns) record[name] = cells[row];
    return record;
  });
}

/** `{"columns": ["ts", "mw"], "data": [[…], […]]}` is an envelope, although both arrays may have the same length. */
function hasHeadedRows(body: JsonObject): boolean {
  const rows = usualNames.map(name => body[name]).find(Array.isArray);
  return rows !== undefined && rows.every(Array.isArray) && headings(body) !== undefined;
}

/** `{"2023-01-01T00:00:00Z": {...} | 1.5, …}`: the instant becomes the column `ts`. */
function recordsByInstant(body: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  if (names.length === 0 || !names.every(name => parseInstant(name) !== undefined)) return undefined;
  checkTableSize(0, names.length);
  const entries = Object.entries(body);
  // Entries with another `ts` of their own are not merged with their key, so that neither is lost.
  const hasOtherTs = entries.some(([ts, value]) => isObject(value) && Object.hasOwn(value, 'ts') && value['ts'] !== ts);
  return entries.map(([ts, value]) => (isObject(value) && !hasOtherTs ? { ts, ...value } : { ts, value }));
}
