import { isObject, type JsonObject } from './envelope.ts';

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
  /** As long as there are records; a cell that was never set is undefined. */
  cells: unknown[] | undefined;
}

/** What is the same for all fields of a record. */
interface Filling {
  readonly rowCount: number;
  readonly mixed: ReadonlySet<string>;
  row: number;
}

/** Deeper nesting stays one cell of JSON: nobody reads a table twelve levels wide. */
const maxDepth = 8;
const maxMixed = 1000;

/**
 * Records to columns: nested objects become one column a leaf, lists stay whole in their cell. A field that is an object
 * in one record and a plain value in another stays whole too, in one column.
 */
export function flatten(records: readonly JsonObject[]): RawColumn[] {
  const mixed = new Set<string>();
  for (;;) {
    const root = nodeOf([], 0);
    const filling: Filling = { rowCount: records.length, row: 0, mixed };
    for (; filling.row < records.length; filling.row++) put(root, records[filling.row] ?? {}, filling);
    const found = [...leaves(root)];
    const clashes = found.filter(node => node.children.size > 0 && !node.cells?.every(cell => cell == null));
    if (clashes.length === 0 || mixed.size > maxMixed) {
      nullsReachLeaves(root, [], records.length);
      return found.flatMap(({ path, cells, children }) => (cells && children.size === 0 ? [{ path, cells }] : []));
    }
    for (const node of clashes) mixed.add(JSON.stringify(node.path));
  }
}

function put(node: Node, record: JsonObject, filling: Filling): void {
  let place = 0;
  // Records inherit nothing; a list of the names of each would take a third of the time.
  for (const name in record) {
    const value = record[name];
    const next = node.inOrder[place];
    const child = next?.name === name ? next : childOf(node, name);
    place = child.place + 1;
    if (typeof value === 'object' && isOpened(value, child, filling.mixed)) put(child, value, filling);
    else (child.cells ??= new Array<unknown>(filling.rowCount))[filling.row] = value;
  }
}

/** Whether the fields of a value become columns of their own. */
function isOpened(value: object | null, { path }: Node, mixed: ReadonlySet<string>): value is JsonObject {
  if (!isObject(value) || path.length >= maxDepth) return false;
  return !(mixed.size > 0 && mixed.has(JSON.stringify(path))) && Object.keys(value).length > 0;
}

function childOf(node: Node, name: string): Node {
  let child = node.children.get(name);
  if (!child) {
    child = nodeOf([...node.path, name], node.inOrder.length);
    node.children.set(name, child);
    node.inOrder.push(child);
  }
  return child;
}

function nodeOf(path: readonly string[], place: number): Node {
  return { name: path.at(-1) ?? '', path, children: new Map(), inOrder: [], place, cells: undefined };
}

/** A null where other records have an object: each of its fields is null there. */
function nullsReachLeaves(node: Node, inherited: readonly number[], rowCount: number): void {
  for (const row of inherited) (node.cells ??= new Array<unknown>(rowCount))[row] = null;
  if (node.children.size === 0) return;
  const own = node.cells?.flatMap((cell, row) => (cell === null ? [row] : [])) ?? [];
  for (const child of node.children.values()) nullsReachLeaves(child, own, rowCount);
}

function* leaves(node: Node): Generator<Node> {
  if (node.cells) yield node;
  for (const child of node.children.values()) yield* leaves(child);
}
