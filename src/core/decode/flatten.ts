import { tableLimits } from '../../shared/tableLimits.ts';
import { isObject, type JsonObject } from './envelope.ts';
import { checkTableSize, TableLimitError } from '../errors.ts';

/** One leaf of the records before its kind is determined. A cell is undefined where the record lacks the field. */
export interface RawColumn {
  readonly path: readonly string[];
  readonly cells: unknown[];
}

interface Node {
  readonly name: string;
  readonly path: readonly string[];
  /** In order of first appearance. A Map, since a field may be named `__proto__`. */
  readonly children: Map<string, Node>;
  /** The same children: most records have their fields in the same order, which avoids looking them up. */
  readonly inOrder: Node[];
  readonly place: number;
  /** Characters of the path. */
  readonly nameLength: number;
  /** Its values are of several kinds, and are not flattened. */
  readonly isWhole: boolean;
  /** One cell for each record; undefined where the record lacks the field. */
  cells: unknown[] | undefined;
}

/** The state of reading the records. */
interface Filling {
  readonly rowCount: number;
  readonly mostCells: number;
  /** Paths whose values are not flattened. */
  readonly mixed: ReadonlySet<string>;
  row: number;
  /** Arrays of cells created so far. */
  columns: number;
}

/** Deeper values stay one cell of JSON. */
const maxDepth = 8;

/**
 * Records to columns: nested objects become one column for each leaf, arrays stay one cell. A field that is an object in one record and a
 * plain value in another stays one column too. Throws TableLimitError before it creates cells beyond the limits.
 */
export function flatten(records: readonly JsonObject[], mostCells: number = tableLimits.cells): RawColumn[] {
  checkTableSize(0, records.length);
  const { root, clashes } = fill(records, mostCells, new Set());
  const { root: filled } =
    clashes.length === 0 ? { root } : fill(records, mostCells, new Set(clashes.map(({ path }) => keyOf(path))));
  nullsReachLeaves(filled, []);
  return leaves(filled).flatMap(({ path, cells, children }) => (cells && children.size === 0 ? [{ path, cells }] : []));
}

/** The tree of the fields with their cells, and those of its fields that are an object in one record and a value in another. */
function fill(
  records: readonly JsonObject[],
  mostCells: number,
  mixed: ReadonlySet<string>,
): { readonly root: Node; readonly clashes: readonly Node[] } {
  const filling: Filling = { rowCount: records.length, mostCells, row: 0, mixed, columns: 0 };
  const root = nodeOf(undefined, '', filling);
  for (; filling.row < records.length; filling.row++) put(root, records[filling.row] ?? {}, filling);
  const clashes = leaves(root).filter(node => node.children.size > 0 && !node.cells?.every(cell => cell == null));
  return { root, clashes };
}

function put(node: Node, record: JsonObject, filling: Filling): void {
  let place = 0;
  // Not Object.keys, whose arrays take a third of the time; records inherit nothing.
  for (const name in record) {
    const value = record[name];
    const next = node.inOrder[place];
    const child = next?.name === name ? next : childOf(node, name, filling);
    place = child.place + 1;
    if (typeof value === 'object' && isOpened(value, child)) put(child, value, filling);
    else (child.cells ??= newCells(filling))[filling.row] = value;
  }
}

function newCells(filling: Filling): unknown[] {
  checkTableSize(++filling.columns, filling.rowCount, filling.mostCells);
  return new Array<unknown>(filling.rowCount);
}

/** Whether the members of a value become columns. */
function isOpened(value: object | null, { path, isWhole }: Node): value is JsonObject {
  return !isWhole && isObject(value) && path.length < maxDepth && Object.keys(value).length > 0;
}

function childOf(node: Node, name: string, filling: Filling): Node {
  let child = node.children.get(name);
  if (!child) {
    child = nodeOf(node, name, filling);
    node.children.set(name, child);
    node.inOrder.push(child);
  }
  return child;
}

function nodeOf(parent: Node | undefined, name: string, { mixed }: Filling): Node {
  const nameLength = (parent?.nameLength ?? 0) + name.length;
  if (nameLength > tableLimits.nameLength) throw new TableLimitError('nameTooLong');
  const path = parent ? [...parent.path, name] : [];
  const isWhole = mixed.size > 0 && mixed.has(keyOf(path));
  const place = parent?.inOrder.length ?? 0;
  return { name, path, children: new Map(), inOrder: [], place, nameLength, isWhole, cells: undefined };
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Where a record has null instead of an object, each leaf of the object is null. */
function nullsReachLeaves(node: Node, inherited: readonly number[]): void {
  if (node.children.size === 0) {
    for (const row of inherited) if (node.cells) node.cells[row] = null;
    return;
  }
  const own = node.cells?.flatMap((cell, row) => (cell === null ? [row] : []));
  const nulls = own ? [...inherited, ...own] : inherited;
  for (const child of node.children.values()) nullsReachLeaves(child, nulls);
}

function leaves(node: Node): Node[] {
  return [...(node.cells ? [node] : []), ...[...node.children.values()].flatMap(leaves)];
}
