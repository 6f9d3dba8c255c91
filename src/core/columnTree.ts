import type { Column } from '../shared/frame.ts';
import { uniqueName } from './export/uniqueNames.ts';

/** Columns by the keys of their paths, nested as the service nests its records. */
export type ColumnTree = Map<string, Column | ColumnTree>;

export function columnTree(columns: readonly Column[]): ColumnTree {
  const root: ColumnTree = new Map<string, Column | ColumnTree>();
  for (const column of columns) {
    const parent = parentOf(root, column.path.slice(0, -1));
    const key = column.path.at(-1) ?? column.name;
    // Columns that were computed beside the service's may share a path: their names mostly are not the same.
    if (parent && !parent.has(key)) parent.set(key, column);
    else root.set(uniqueName(column.name, root), column);
  }
  return root;
}

/** The record that a way leads to; undefined where another column lies on the way. */
function parentOf(root: ColumnTree, way: readonly string[]): ColumnTree | undefined {
  let node = root;
  for (const key of way) {
    const next = node.get(key);
    if (next && !(next instanceof Map)) return undefined;
    const child: ColumnTree = next ?? new Map<string, Column | ColumnTree>();
    node.set(key, child);
    node = child;
  }
  return node;
}

/** Writes the record of a row as JSON; a column for which there is no text is left out. */
export function recordWriter(
  tree: ColumnTree,
  writerOf: (column: Column) => (row: number) => string | undefined,
): (row: number) => string {
  const members = Array.from(tree, ([key, node]) => ({
    head: `${JSON.stringify(key)}:`,
    // A parent whose fields are all absent was absent itself; an empty object of the service's is a cell of its own.
    write: node instanceof Map ? unlessEmpty(recordWriter(node, writerOf)) : writerOf(node),
  }));
  return row => {
    let record = '';
    for (const { head, write } of members) {
      const text = write(row);
      if (text !== undefined) record += (record === '' ? head : `,${head}`) + text;
    }
    return `{${record}}`;
  };
}

function unlessEmpty(write: (row: number) => string): (row: number) => string | undefined {
  return row => {
    const text = write(row);
    return text === '{}' ? undefined : text;
  };
}
