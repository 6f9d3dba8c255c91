import { isRecord, savedDisplayLimits, savedDisplayOf } from '../../shared/savedView.ts';

/**
 * How the views of a folder stand in the editor area, as it is kept with the folder: an argument of `vscode.setEditorLayout`, in which each
 * innermost group has `queries`, the ids of those shown there. Whatever reads one takes `arrangeBoard`.
 */
export type SavedBoard = Readonly<Record<string, unknown>>;

/** The most that a saved board may have. */
export const boardLimits = { ...savedDisplayLimits, depth: 16 } as const;

/** VS Code has names for so many view columns: further queries are tabs of the last one. */
const mostGroups = 9;

/** A value from outside as a saved board, which is not looked at further. Undefined for anything else. */
export function savedBoardOf(value: unknown): SavedBoard | undefined {
  return savedDisplayOf(value, boardLimits);
}

/** An argument of `vscode.setEditorLayout`: 0 for groups beside each other, 1 for groups one below the other; sizes are shares. */
export interface EditorLayout {
  readonly orientation: 0 | 1;
  readonly groups: readonly EditorGroup[];
}

interface EditorGroup {
  readonly size: number;
  readonly groups?: readonly EditorGroup[];
  /** Of an innermost group; VS Code ignores it. */
  readonly queries?: readonly string[];
}

/** Where each query is shown: `columns` by id, counted from 1 as VS Code counts its view columns. */
export interface BoardLayout {
  readonly layout: EditorLayout;
  readonly columns: ReadonlyMap<string, number>;
}

/**
 * The layout of these queries as it was saved: groups without one are left out, and a query without a group is in the last. Where none
 * was saved, or none of its queries is left, as many groups as queries, in as many rows as columns.
 */
export function arrangeBoard(saved: SavedBoard | undefined, ids: readonly string[]): BoardLayout {
  const left = new Set<unknown>(ids);
  let count = 0;
  const known = readLayout(saved, ({ queries }) => {
    if (count >= mostGroups || !Array.isArray(queries)) return [];
    const own = queries.filter((id): id is string => left.delete(id));
    if (own.length > 0) count += 1;
    return own;
  });
  const layout = known ?? gridOf(ids);
  if (!known) left.clear();
  const places = innermost(layout.groups);
  const columns = new Map(places.flatMap(({ queries = [] }, index) => queries.map(id => [id, index + 1] as const)));
  for (const id of ids) if (left.has(id)) columns.set(id, places.length);
  return { layout, columns };
}

/** The board to save: what `vscode.getEditorLayout` answered, with the queries by the view column that each is in. */
export function boardOf(layout: unknown, columns: ReadonlyMap<string, number>): SavedBoard | undefined {
  let column = 0;
  const inColumn = (): string[] => {
    column += 1;
    return [...columns].flatMap(([id, own]) => (own === column ? [id] : []));
  };
  return savedBoardOf(readLayout(layout, inColumn));
}

/** The same board of copied queries, by the ids of those copied. */
export function boardOfCopies(board: SavedBoard, copies: ReadonlyMap<string, string>): SavedBoard {
  const renamed = (name: string, value: unknown): unknown =>
    name === 'queries' && Array.isArray(value) ? value.map(id => copies.get(id as string) ?? (id as unknown)) : value;
  return JSON.parse(JSON.stringify(board), renamed) as SavedBoard;
}

type QueriesOf = (group: Readonly<Record<string, unknown>>) => readonly string[];

/** The layout without groups that have no query; undefined where none has one. */
function readLayout(value: unknown, queriesOf: QueriesOf): EditorLayout | undefined {
  if (!isRecord(value) || !Array.isArray(value['groups'])) return undefined;
  const { orientation, groups } = value;
  const read = readGroup({ size: 1, groups }, queriesOf);
  const [only] = read;
  if (!only) return undefined;
  const isDown = orientation === 1;
  // A group of groups that is left alone gives its place to these, which stand in the other direction.
  if (read.length > 1) return { orientation: isDown ? 0 : 1, groups: inShares(read) };
  return { orientation: isDown ? 1 : 0, groups: only.groups ?? [{ ...only, size: 1 }] };
}

function readGroup(value: unknown, queriesOf: QueriesOf): readonly EditorGroup[] {
  if (!isRecord(value)) return [];
  const size = typeof value['size'] === 'number' && value['size'] > 0 ? value['size'] : NaN;
  if (!Array.isArray(value['groups'])) {
    const queries = queriesOf(value);
    return queries.length > 0 ? [{ size, queries }] : [];
  }
  const groups = inShares(value['groups'].flatMap(group => readGroup(group, queriesOf)));
  const [only] = groups;
  if (!only || groups.length > 1) return only ? [{ size, groups }] : [];
  // VS Code takes a group of one group for an innermost one.
  return only.groups?.map(group => ({ ...group, size: group.size * size })) ?? [{ ...only, size }];
}

/** Sizes as shares of their sum, in thousandths; equal ones where one is not known. */
function inShares(groups: readonly EditorGroup[]): EditorGroup[] {
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  const share = (size: number): number => (Number.isFinite(total) ? size / total : 1 / groups.length);
  return groups.map(group => ({ ...group, size: Math.max(1, Math.round(share(group.size) * 1000)) / 1000 }));
}

function innermost(groups: readonly EditorGroup[]): EditorGroup[] {
  return groups.flatMap(group => (group.groups ? innermost(group.groups) : [group]));
}

/** Rows of a square, the first of which may have fewer, and these more room. */
function gridOf(ids: readonly string[]): EditorLayout {
  const places = ids.slice(0, mostGroups).map(id => [id]);
  places.at(-1)?.push(...ids.slice(mostGroups));
  const across = Math.ceil(Math.sqrt(places.length));
  const count = Math.ceil(places.length / across);
  const first = places.length - across * count;
  const rows = Array.from({ length: count }, (_, row) => {
    const from = first + row * across;
    const groups = places.slice(Math.max(0, from), from + across).map(queries => ({ queries }));
    return groups.length > 1 ? { groups } : groups[0];
  });
  return readLayout({ orientation: 1, groups: rows }, ({ queries }) => queries as string[]) as EditorLayout;
}
