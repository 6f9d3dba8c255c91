import { isObject, type JsonObject } from './envelope.ts';

/** One leaf of the records, before its kind is known. A cell is undefined where the record did not have the field. */
export interface RawColumn {
  readonly path: readonly string[];
  readonly cells: unknown[];
}

interface Node {
  readonly path: readonly string[];
  /** In order of first appearance. A Map, since a service may name a field `__proto__`. */
  readonly children: Map<string, Node>;
  cells: unknown[] | undefined;
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
    const root: Node = { path: [], children: new Map(), cells: undefined };
    records.forEach((record, row) => put(root, record, row, mixed));
    const found = [...leaves(root)];
    const clashes = found.filter(node => node.children.size > 0 && !node.cells?.every(cell => cell == null));
    if (clashes.length === 0 || mixed.size > maxMixed) {
      nullsReachLeaves(root, []);
      return found.flatMap(node => (node.cells && node.children.size === 0 ? [column(node, records.length)] : []));
    }
    for (const node of clashes) mixed.add(JSON.stringify(node.path));
  }
}

function put(node: Node, record: JsonObject, row: number, mixed: ReadonlySet<string>): void {
  for (const name of Object.keys(record)) {
    const value = record[name];
    let child = node.children.get(name);
    if (!child) {
      child = { path: [...node.path, name], children: new Map(), cells: undefined };
      node.children.set(name, child);
    }
    const whole = mixed.size > 0 && mixed.has(JSON.stringify(child.path));
    if (isObject(value) && !whole && child.path.length < maxDepth && Object.keys(value).length > 0) {
      put(child, value, row, mixed);
    } else {
      (child.cells ??= [])[row] = value;
    }
  }
}

/** A null where other records have an object: each of its fields is null there. */
function nullsReachLeaves(node: Node, inherited: readonly number[]): void {
  for (const row of inherited) (node.cells ??= [])[row] = null;
  if (node.children.size === 0) return;
  const own = node.cells?.flatMap((cell, row) => (cell === null ? [row] : [])) ?? [];
  for (const child of node.children.values()) nullsReachLeaves(child, own);
}

function* leaves(node: Node): Generator<Node> {
  if (node.cells) yield node;
  for (const child of node.children.values()) yield* leaves(child);
}

function column(node: Node, rowCount: number): RawColumn {
  const cells = node.cells ?? [];
  cells.length = rowCount;
  return { path: node.path, cells };
}
