import { parseInstant } from '../time/instant.ts';
import { checkTableSize } from '../errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The records of a response and the rest of its envelope. `records` is undefined if the JSON is not a table. */
interface OpenedEnvelope {
  readonly records: readonly JsonObject[] | undefined;
  readonly meta: JsonObject;
}

/** Common names of the member that contains the rows, the most common name first. */
const commonRowKeys = ['data', 'results', 'records', 'rows', 'items', 'values'];

/**
 * Finds the rows in any JSON: an array, an envelope around an array, an object of arrays, an object with instants as keys, or one object (a
 * table of one row). Everything else is `meta`. Throws TableLimitError before it creates rows beyond the limits.
 */
export function openEnvelope(body: unknown, depth = 0): OpenedEnvelope {
  if (Array.isArray(body)) return { records: toRecords(body, undefined), meta: {} };
  if (!isObject(body)) return { records: undefined, meta: {} };
  // The names are only listed once, since an object may have a million of them.
  const names = Object.keys(body);
  const records = convertRecordsByInstant(body, names) ?? columnsToRecords(body, names);
  if (records) return { records, meta: {} };
  const inner = findRowsKey(body, names);
  if (inner !== undefined && depth < 4) {
    const { [inner]: rows, ...meta } = body;
    if (Array.isArray(rows)) return { records: toRecords(rows, findColumnNames(meta)), meta };
    const opened = openEnvelope(rows, depth + 1);
    return { records: opened.records, meta: { ...meta, ...opened.meta } };
  }
  if (names.length === 0) return { records: undefined, meta: {} };
  // Each member becomes at least one column, so their number is checked before their values are read.
  checkTableSize(names.length, 1);
  return { records: [body], meta: {} };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value);
}

/** Whether an object is an ExactNumber (see json.ts), which is treated as a plain value. */
function isExact(value: object): boolean {
  return Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null;
}

function findRowsKey(body: JsonObject, names: readonly string[]): string | undefined {
  const commonKey = commonRowKeys.find(
    name => Object.hasOwn(body, name) && (Array.isArray(body[name]) || isObject(body[name])),
  );
  if (commonKey !== undefined) return commonKey;
  // A member with any other name is used if it is the only array of objects or of arrays.
  const lists = names.filter(name => {
    const value = body[name];
    return Array.isArray(value) && value.length > 0 && value.every(item => isObject(item) || Array.isArray(item));
  });
  return lists.length === 1 ? lists[0] : undefined;
}

function toRecords(rows: readonly unknown[], names: readonly string[] | undefined): JsonObject[] {
  checkTableSize(0, rows.length);
  if (rows.every(isObject)) return [...rows];
  if (rows.every(Array.isArray)) return rowsToRecords(rows as unknown[][], names);
  return rows.map(value => ({ value }));
}

/** Converts rows that are arrays. Columns are named by a first row of strings, or by the envelope's array of names, or else numbered. */
function rowsToRecords(rows: readonly (readonly unknown[])[], names: readonly string[] | undefined): JsonObject[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  checkTableSize(width, rows.length);
  const firstRow = rows[0] ?? [];
  const hasHeadingRow =
    !names && firstRow.length === width && new Set(firstRow).size === width && isHeading(firstRow, rows.slice(1));
  const heading = hasHeadingRow ? (firstRow as string[]) : names?.length === width ? names : undefined;
  const keys = heading ?? Array.from({ length: width }, (_, column) => `column ${column + 1}`);
  return rows.slice(hasHeadingRow ? 1 : 0).map(row => {
    const record = Object.create(null) as Record<string, unknown>;
    row.forEach((value, column) => (record[keys[column] ?? ''] = value));
    return record;
  });
}

function isHeading(firstRow: readonly unknown[], furtherRows: readonly (readonly unknown[])[]): boolean {
  const areAllNames = firstRow.every(
    cell => typeof cell === 'string' && cell !== '' && parseInstant(cell) === undefined,
  );
  return areAllNames && furtherRows.some(row => row.some(cell => typeof cell === 'number'));
}

function findColumnNames(meta: JsonObject): string[] | undefined {
  for (const name of ['columns', 'fields', 'header', 'headers', 'names']) {
    const list = meta[name];
    if (!Array.isArray(list) || list.length === 0) continue;
    const names = list.map((item: unknown) => (isObject(item) ? (item['name'] ?? item['id']) : item));
    if (names.every(item => typeof item === 'string') && new Set(names).size === names.length) return names;
  }
  return undefined;
}

/** Converts `{"ts": [...], "value": [...]}`, an object of two or more arrays of equal length and nothing else. */
function columnsToRecords(body: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  const firstColumn = body[names[0] ?? ''];
  const length = Array.isArray(firstColumn) ? firstColumn.length : 0;
  if (names.length < 2 || length === 0) return undefined;
  const isColumnar = names.every(name => {
    const cells = body[name];
    return Array.isArray(cells) && cells.length === length && !cells.some(isObject);
  });
  if (!isColumnar || hasNamedRows(body)) return undefined;
  checkTableSize(names.length, length);
  const columns = names.map(name => [name, body[name] as readonly unknown[]] as const);
  return Array.from({ length }, (_, row) => {
    const record = Object.create(null) as Record<string, unknown>;
    for (const [name, cells] of columns) record[name] = cells[row];
    return record;
  });
}

/** Whether an object such as `{"columns": ["ts", "mw"], "data": [[…], […]]}` is an envelope, although both arrays may have the same length. */
function hasNamedRows(body: JsonObject): boolean {
  const rows = commonRowKeys.map(name => body[name]).find(Array.isArray);
  return rows !== undefined && rows.every(Array.isArray) && findColumnNames(body) !== undefined;
}

/** Converts `{"2023-01-01T00:00:00Z": {...} | 1.5, …}`. The keys become the column `ts`. */
function convertRecordsByInstant(body: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  if (names.length === 0 || !names.every(name => parseInstant(name) !== undefined)) return undefined;
  checkTableSize(0, names.length);
  const entries = Object.entries(body);
  // If a value has a different `ts`, it is not merged with its key, so that neither is lost.
  const hasOtherTs = entries.some(([ts, value]) => isObject(value) && Object.hasOwn(value, 'ts') && value['ts'] !== ts);
  return entries.map(([ts, value]) => (isObject(value) && !hasOtherTs ? { ts, ...value } : { ts, value }));
}
