import { isRecord, displayLimits, parseDisplay } from '../../shared/view.ts';

/**
 * The editor layout that is saved with a folder: an argument of `vscode.setEditorLayout` whose innermost groups have `queries`, the ids of
 * the queries in that group. It is not validated here; use `arrangeBoard` to read it.
 */
export type SavedBoard = Readonly<Record<string, unknown>>;

/** The limits of a saved board. */
export const boardLimits = { ...displayLimits, depth: 16 } as const;

/** The number of view columns that VS Code names. Further queries become tabs of the last group. */
const maxGroups = 9;

/** Returns an external value as a saved board if it is within the limits; otherwise undefined. Its content is not validated. */
export function parseBoard(value: unknown): SavedBoard | undefined {
  return parseDisplay(value, boardLimits);
}

/** An argument of `vscode.setEditorLayout`. Orientation 0 puts groups side by side, 1 on top of each other; sizes are fractions. */
export interface EditorLayout {
  readonly orientation: 0 | 1;
  readonly groups: readonly EditorGroup[];
}

interface EditorGroup {
  readonly size: number;
  readonly groups?: readonly EditorGroup[];
  /** The ids of the queries in an innermost group. VS Code ignores this property. */
  readonly queries?: readonly string[];
}

/** A layout with the view column of each query, by id. Columns count from 1, as in VS Code. */
export interface BoardLayout {
  readonly layout: EditorLayout;
  readonly columns: ReadonlyMap<string, number>;
}

/**
 * Returns the saved layout for these queries. Groups without any of them are removed; a query without a group goes to the last one. If no
 * layout was saved, or none of its queries is left, the queries are arranged in a square grid.
 */
export function arrangeBoard(saved: SavedBoard | undefined, ids: readonly string[]): BoardLayout {
  const unplaced = new Set<unknown>(ids);
  let groupCount = 0;
  const savedLayout = readLayout(saved, ({ queries }) => {
    if (groupCount >= maxGroups || !Array.isArray(queries)) return [];
    const idsOfGroup = queries.filter((id): id is string => unplaced.delete(id));
    if (idsOfGroup.length > 0) groupCount += 1;
    return idsOfGroup;
  });
  const layout = savedLayout ?? createGridLayout(ids);
  if (!savedLayout) unplaced.clear();
  const groups = listInnermostGroups(layout.groups);
  const columns = new Map(groups.flatMap(({ queries = [] }, index) => queries.map(id => [id, index + 1] as const)));
  for (const id of ids) if (unplaced.has(id)) columns.set(id, groups.length);
  return { layout, columns };
}

/** Creates the board to save from the result of `vscode.getEditorLayout` and the view column of each query. */
export function createBoard(layout: unknown, columns: ReadonlyMap<string, number>): SavedBoard | undefined {
  let column = 0;
  const inColumn = (): string[] => {
    column += 1;
    return [...columns].flatMap(([id, queryColumn]) => (queryColumn === column ? [id] : []));
  };
  return parseBoard(readLayout(layout, inColumn));
}

/** Copies a board for copied queries. `copies` maps the id of each original to that of its copy. */
export function copyBoard(board: SavedBoard, copies: ReadonlyMap<string, string>): SavedBoard {
  const renamed = (name: string, value: unknown): unknown =>
    name === 'queries' && Array.isArray(value) ? value.map(id => copies.get(id as string) ?? (id as unknown)) : value;
  return JSON.parse(JSON.stringify(board), renamed) as SavedBoard;
}

type ReadQueries = (group: Readonly<Record<string, unknown>>) => readonly string[];

/** Reads a layout without the groups that have no query. Returns undefined if no group has one. */
function readLayout(value: unknown, readQueries: ReadQueries): EditorLayout | undefined {
  if (!isRecord(value) || !Array.isArray(value['groups'])) return undefined;
  const { orientation, groups } = value;
  const topGroups = readGroup({ size: 1, groups }, readQueries);
  const [singleGroup] = topGroups;
  if (!singleGroup) return undefined;
  const isDown = orientation === 1;
  // A single group of groups is replaced by its groups, which have the other orientation.
  if (topGroups.length > 1) return { orientation: isDown ? 0 : 1, groups: normalizeSizes(topGroups) };
  return { orientation: isDown ? 1 : 0, groups: singleGroup.groups ?? [{ ...singleGroup, size: 1 }] };
}

function readGroup(value: unknown, readQueries: ReadQueries): readonly EditorGroup[] {
  if (!isRecord(value)) return [];
  const size = typeof value['size'] === 'number' && value['size'] > 0 ? value['size'] : NaN;
  if (!Array.isArray(value['groups'])) {
    const queries = readQueries(value);
    return queries.length > 0 ? [{ size, queries }] : [];
  }
  const groups = normalizeSizes(value['groups'].flatMap(group => readGroup(group, readQueries)));
  const [singleGroup] = groups;
  if (!singleGroup || groups.length > 1) return singleGroup ? [{ size, groups }] : [];
  // VS Code treats a group with a single group as an innermost group.
  return singleGroup.groups?.map(group => ({ ...group, size: group.size * size })) ?? [{ ...singleGroup, size }];
}

/** Normalizes sizes to fractions of their sum, rounded to thousandths. All sizes become equal if one is unknown. */
function normalizeSizes(groups: readonly EditorGroup[]): EditorGroup[] {
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  const share = (size: number): number => (Number.isFinite(total) ? size / total : 1 / groups.length);
  return groups.map(group => ({ ...group, size: Math.max(1, Math.round(share(group.size) * 1000)) / 1000 }));
}

function listInnermostGroups(groups: readonly EditorGroup[]): EditorGroup[] {
  return groups.flatMap(group => (group.groups ? listInnermostGroups(group.groups) : [group]));
}

/** Arranges the queries in a square grid. The first row may have fewer groups, which are then wider. */
function createGridLayout(ids: readonly string[]): EditorLayout {
  const cells = ids.slice(0, maxGroups).map(id => [id]);
  cells.at(-1)?.push(...ids.slice(maxGroups));
  const columnCount = Math.ceil(Math.sqrt(cells.length));
  const rowCount = Math.ceil(cells.length / columnCount);
  const firstIndex = cells.length - columnCount * rowCount;
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const from = firstIndex + row * columnCount;
    const groups = cells.slice(Math.max(0, from), from + columnCount).map(queries => ({ queries }));
    return groups.length > 1 ? { groups } : groups[0];
  });
  return readLayout({ orientation: 1, groups: rows }, ({ queries }) => queries as string[]) as EditorLayout;
}
