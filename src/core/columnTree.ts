import type { Column } from '../shared/frame.ts';

/** Columns by the keys of their paths, nested as the service nests its records. */
export type ColumnTree = Map<string, Column | ColumnTree>;

export function columnTree(columns: readonly Column[]): ColumnTree {
  const root: ColumnTree = new Map<string, Column | ColumnTree>();
  for (const column of columns) {
    let node = root;
    for (const key of column.path.slice(0, -1)) {
      const next = node.get(key);
      const child: ColumnTree = next instanceof Map ? next : new Map<string, Column | ColumnTree>();
      node.set(key, child);
      node = child;
    }
    const key = column.path.at(-1) ?? column.name;
    // Columns that were computed beside the service's may share a path: their names never are the same.
    if (node.has(key)) root.set(column.name, column);
    else node.set(key, column);
  }
  return root;
}

/** One record as JSON; a column for which `textOf` has nothing is left out. */
export function recordText(tree: ColumnTree, textOf: (column: Column) => string | undefined): string {
  const members: string[] = [];
  for (const [key, node] of tree) {
    const text = node instanceof Map ? recordText(node, textOf) : textOf(node);
    // A parent whose fields are all absent was absent itself; an empty object of the service's is a cell of its own.
    if (text !== undefined && !(node instanceof Map && text === '{}')) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
