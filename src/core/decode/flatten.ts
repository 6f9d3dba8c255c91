import { tableLimits } from '../../shared/tableLimits.ts';
import { isObject, type JsonObject } from './envelope.ts';
import { checkTableSize, TableLimitError } from '../errors.ts';

/** One leaf field of the records, before its kind is determined. A cell is undefined if its record doesn't have the field. */
export interface RawColumn {
  readonly path: readonly string[];
  readonly cells: unknown[];
}

interface Node {
  readonly name: string;
  readonly path: readonly string[];
  /** In order of first appearance. A Map, since a field may be named `__proto__`. */
  readonly children: Map<string, Node>;
  /** The same children in order. Most records have their fields in the same order, which avoids looking up each name. */
  readonly orderedChildren: Node[];
  readonly index: number;
  /** The number of characters of the path. */
  readonly nameLength: number;
  /** Whether the values of the field are not flattened, because they have several kinds. */
  readonly isWhole: boolean;
  /** One cell for each record, undefined if the record doesn't have the field. */
  cells: unknown[] | undefined;
}

/** The state while the records are added to the tree of fields. */
interface FillState {
  readonly rowCount: number;
  readonly maxCells: number;
  /** The paths of fields whose values are not flattened. */
  readonly mixed: ReadonlySet<string>;
  row: number;
  /** The number of arrays of cells created so far. */
  columns: number;
}

/** Values that are nested more deeply stay one cell of JSON. */
const maxDepth = 8;

/**
 * Converts records to columns. Nested objects become one column for each leaf, while arrays stay one cell. A field that is an object in one
 * record and a plain value in another also stays one column. Throws TableLimitError before it creates cells beyond the limits.
 */
export function flatten(records: readonly JsonObject[], maxCells: number = tableLimits.cells): RawColumn[] {
  checkTableSize(0, records.length);
  const { root, clashes } = fillTree(records, maxCells, new Set());
  const { root: filled } =
    clashes.length === 0 ? { root } : fillTree(records, maxCells, new Set(clashes.map(({ path }) => getPathKey(path))));
  propagateNulls(filled, []);
  return collectLeaves(filled).flatMap(({ path, cells, children }) =>
    cells && children.size === 0 ? [{ path, cells }] : [],
  );
}

/** Returns the tree of fields with their cells, and the fields that are an object in one record and a plain value in another. */
function fillTree(
  records: readonly JsonObject[],
  maxCells: number,
  mixed: ReadonlySet<string>,
): { readonly root: Node; readonly clashes: readonly Node[] } {
  const state: FillState = { rowCount: records.length, maxCells, row: 0, mixed, columns: 0 };
  const root = createNode(undefined, '', state);
  for (; state.row < records.length; state.row++) addRecord(root, records[state.row] ?? {}, state);
  const clashes = collectLeaves(root).filter(
    node => node.children.size > 0 && !node.cells?.every(cell => cell == null),
  );
  return { root, clashes };
}

function addRecord(node: Node, record: JsonObject, state: FillState): void {
  let nextIndex = 0;
  // `for in` avoids the arrays of Object.keys, which would take a third of the time. Records have no inherited properties.
  for (const name in record) {
    const value = record[name];
    const next = node.orderedChildren[nextIndex];
    const child = next?.name === name ? next : getOrCreateChild(node, name, state);
    nextIndex = child.index + 1;
    if (typeof value === 'object' && isFlattened(value, child)) addRecord(child, value, state);
    else (child.cells ??= createCells(state))[state.row] = value;
  }
}

function createCells(state: FillState): unknown[] {
  checkTableSize(++state.columns, state.rowCount, state.maxCells);
  return new Array<unknown>(state.rowCount);
}

/** Whether the members of a value become columns. */
function isFlattened(value: object | null, { path, isWhole }: Node): value is JsonObject {
  return !isWhole && isObject(value) && path.length < maxDepth && Object.keys(value).length > 0;
}

function getOrCreateChild(node: Node, name: string, state: FillState): Node {
  let child = node.children.get(name);
  if (!child) {
    child = createNode(node, name, state);
    node.children.set(name, child);
    node.orderedChildren.push(child);
  }
  return child;
}

function createNode(parent: Node | undefined, name: string, { mixed }: FillState): Node {
  const nameLength = (parent?.nameLength ?? 0) + name.length;
  if (nameLength > tableLimits.nameLength) throw new TableLimitError('nameTooLong');
  const path = parent ? [...parent.path, name] : [];
  const isWhole = mixed.size > 0 && mixed.has(getPathKey(path));
  const index = parent?.orderedChildren.length ?? 0;
  return { name, path, children: new Map(), orderedChildren: [], index, nameLength, isWhole, cells: undefined };
}

function getPathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** If a record has null instead of an object, sets each leaf of the object to null. */
function propagateNulls(node: Node, inherited: readonly number[]): void {
  if (node.children.size === 0) {
    for (const row of inherited) if (node.cells) node.cells[row] = null;
    return;
  }
  const nullRows = node.cells?.flatMap((cell, row) => (cell === null ? [row] : []));
  const nulls = nullRows ? [...inherited, ...nullRows] : inherited;
  for (const child of node.children.values()) propagateNulls(child, nulls);
}

function collectLeaves(node: Node): Node[] {
  return [...(node.cells ? [node] : []), ...[...node.children.values()].flatMap(collectLeaves)];
}
