import { cellState, type Column, type Frame, type TimeColumn } from '../../shared/frame.ts';
import { takeRows, findTimeColumn } from './clip.ts';
import { getInstants, sortByTime } from './frames.ts';

/** A frame to join, undefined until it has loaded, and an id that distinguishes its columns from others with the same name. */
export interface FrameToJoin {
  readonly id: string;
  readonly frame: Frame | undefined;
}

/** Marks a row of the join for which a frame has no row. */
const noRow = 0xffffffff;

/**
 * Joins the frames side by side, sorted by time: an outer join on the instants. If a frame has no row for an instant, its cells are
 * absent. Rows with the same instant are paired in order; rows without an instant stay unpaired, at the end. There is one time column,
 * with the bins and lengths of the first, without the texts as received. A name that is already used gets the frame's id as suffix:
 * `version · gridStress`; so does one of the reserved names, except in the first frame. Shares refer to the part in their own frame.
 */
export function joinFrames(parts: readonly FrameToJoin[], reservedNames: readonly string[] = []): Frame {
  const frames: Frame[] = [];
  for (const { frame } of parts) frames.push(sortByTime(frame ?? { rowCount: 0, columns: [] }));
  const { rows, instants } = pairRows(frames.map(getInstants));
  const times = frames.map(findTimeColumn);
  const firstTime = times.find(time => time !== undefined);
  const columns: Column[] = [];
  const usedNames = new Set<string>();
  for (const [partIndex, frame] of frames.entries()) {
    const rowIndexes = rows[partIndex] ?? new Uint32Array();
    const time = times[partIndex];
    const names = new Map<string, string>();
    for (const column of frame.columns) {
      if (column === time && time !== firstTime) continue;
      let { name } = column;
      while (usedNames.has(name) || (partIndex > 0 && reservedNames.includes(name)))
        name += ` · ${parts[partIndex]?.id ?? ''}`;
      usedNames.add(name);
      names.set(column.name, name);
    }
    for (const column of takeRows(frame, rowIndexes).columns) {
      const name = names.get(column.name);
      if (name === undefined) continue;
      const named = renameShareOf(name === column.name ? column : { ...column, name, path: [name] }, names);
      const isTime = named.kind === 'time' && column.name === time?.name;
      columns.push(isTime ? setInstants(named, instants) : markAbsent(named, rowIndexes));
    }
  }
  return { rowCount: instants.length, columns };
}

/**
 * Returns for each list of sorted instants which of its rows is in each row of the join, or `noRow`; and the instants of the joined
 * rows.
 */
function pairRows(lists: readonly Float64Array[]): { rows: Uint32Array[]; instants: Float64Array } {
  const maxRows = lists.reduce((sum, { length }) => sum + length, 0);
  const rows = lists.map(() => new Uint32Array(maxRows).fill(noRow));
  const instants = new Float64Array(maxRows);
  const next = new Uint32Array(lists.length);
  let count = 0;
  let pairedCount = 0;
  for (; pairedCount < maxRows; count++) {
    let instant = Infinity;
    // `entries` would create an array for each row.
    for (let part = 0; part < lists.length; part++)
      instant = Math.min(instant, lists[part]?.[next[part] ?? 0] ?? Infinity);
    for (let part = 0; part < lists.length; part++) {
      const row = next[part] ?? 0;
      if (lists[part]?.[row] !== instant) continue;
      (rows[part] as Uint32Array)[count] = row;
      next[part] = row + 1;
      pairedCount++;
      if (instant === Infinity) break;
    }
    instants[count] = instant;
  }
  return { rows: rows.map(instantsOfPart => instantsOfPart.subarray(0, count)), instants: instants.subarray(0, count) };
}

/** Renames the part of a share like its column. Removes it if the frame has no such column, because another frame may have one. */
function renameShareOf(column: Column, names: ReadonlyMap<string, string>): Column {
  if (column.field?.shareOf === undefined) return column;
  const { shareOf, ...field } = column.field;
  const name = names.get(shareOf);
  return { ...column, field: { ...field, ...(name !== undefined && { shareOf: name }) } };
}

function setInstants({ name, path, field, bins, lengths }: TimeColumn, instants: Float64Array): Column {
  const values = instants.map(ms => (ms === Infinity ? NaN : ms));
  const gaps =
    instants.includes(Infinity) &&
    new Uint8Array(instants.length).map((_, row) => (instants[row] === Infinity ? cellState.null : cellState.value));
  return {
    kind: 'time',
    name,
    path,
    values,
    ...(bins && { bins }),
    ...(lengths && { lengths }),
    ...(field && { field }),
    ...(gaps && { gaps }),
  };
}

function markAbsent(column: Column, rows: Uint32Array): Column {
  if (!rows.includes(noRow)) return column;
  const gaps = column.gaps?.slice() ?? new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++) if (rows[row] === noRow) gaps[row] = cellState.absent;
  return { ...column, gaps };
}
