import { tableLimits } from '../../shared/tableLimits.ts';
import { isObject, type JsonObject } from './envelope.ts';
import { checkTableSize, TableLimitError } from '../errors.ts';

/** One leaf of the records, before its kind is known. A cell is undefined where the record did not have the field. */
export interface RawColumn {
  readonly path: readonly string[];
  readonly cells: unknown[];
}

interface Node {
  readonly name: string;
  readonly path: readonly string[];
  /** In order of first appearance. A Map, since a service may name a field `__proto__`. */
  readonly children: Map<string, Node>;
  /** The same children: records mostly have their fields in one order, so that the next one need not be looked up. */
  readonly inOrder: Node[];
  readonly place: number;
  /** Characters of the path. */
  readonly nameLength: number;
  /** Its values are of several kinds: they stay whole. */
  readonly isWhole: boolean;
  /** As long as there are records; a cell that was never set is undefined. */
  cells: unknown[] | undefined;
}

/** What is the same for all fields of a record. */
interface Filling {
  readonly rowCount: number;
  readonly mostCells: number;
  /** Paths whose values stay whole. */
  readonly mixed: ReadonlySet<string>;
  row: number;
  /** Arrays of cells made so far. */
  columns: number;
}

/** Deeper nesting stays one cell of JSON: nobody reads a table twelve levels wide. */
const maxDepth = 8;

/**
 * Records to columns: nested objects become one column a leaf, lists stay whole in their cell. A field that is an object
 * in one record and a plain value in another stays whole too, in one column. Throws TableLimitError before the cells of a table beyond
 * the limits are made.
 */
export function flatten(records: readonly JsonObject[], mostCells: number = tableLimits.cells): RawColumn[] {
  checkTableSize(0, records.length);
  const { root, clashes } = fill(records, mostCells, new Set());
  const { root: filled } =
    clashes.length === 0 ? { root } : fill(records, mostCells, new Set(clashes.map(({ path }) => keyOf(path))));
  nullsReachLeaves(filled, []);
  return [...leaves(filled)].flatMap(({ path, cells, children }) =>
    cells && children.size === 0 ? [{ path, cells }] : [],
  );
}

/** The tree of the fields with their cells, and the fields in it that are an object here and a value there. */
function fill(
  records: readonly JsonObject[],
  mostCells: number,
  mixed: ReadonlySet<string>,
): { readonly root: Node; readonly clashes: readonly Node[] } {
  const filling: Filling = { rowCount: records.length, mostCells, row: 0, mixed, columns: 0 };
  const root = nodeOf(undefined, '', filling);
  for (; filling.row < records.length; filling.row++) put(root, records[filling.row] ?? {}, filling);
  const clashes = [...leaves(root)].filter(node => node.children.size > 0 && !node.cells?.every(cell => cell == null));
  return { root, clashes };
}

function put(node: Node, record: JsonObject, filling: Filling): void {
  let place = 0;
  // Records inherit nothing; a list of the names of each would take a third of the time.
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

/** Whether the fields of a value become columns of their own. */
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

/** A null where other records have an object: each of its fields is null there. */
function nullsReachLeaves(node: Node, inherited: readonly number[]): void {
  if (node.children.size === 0) {
    for (const row of inherited) if (node.cells) node.cells[row] = null;
    return;
  }
  const own = node.cells?.flatMap((cell, row) => (cell === null ? [row] : []));
  const nulls = own ? [...inherited, ...own] : inherited;
  for (const child of node.children.values()) nullsReachLeaves(child, nulls);
}

function* leaves(node: Node): Generator<Node> {
  if (node.cells) yield node;
  for (const child of node.children.values()) yield* leaves(child);
}
