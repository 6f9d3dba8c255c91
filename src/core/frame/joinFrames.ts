import { cellState, type Column, type Frame } from '../../shared/frame.ts';
import { takeRows, timeColumnOf } from './clip.ts';
import { instantsOf, sortByTime } from './frames.ts';

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
 * without the texts as received. A name that is already used gets the frame's id as suffix: `version · gridStress`.
 */
export function joinFrames(parts: readonly FrameToJoin[]): Frame {
  const frames: Frame[] = [];
  for (const { frame } of parts) frames.push(sortByTime(frame ?? { rowCount: 0, columns: [] }));
  const { rows, instants } = pairRows(frames.map(instantsOf));
  const times = frames.map(timeColumnOf);
  const firstTime = times.find(time => time !== undefined);
  const columns: Column[] = [];
  const taken = new Set<string>();
  for (const [part, frame] of frames.entries()) {
    const own = rows[part] ?? new Uint32Array();
    const joined = takeRows(frame, own);
    for (const [index, column] of joined.columns.entries()) {
      const isTime = frame.columns[index] === times[part];
      if (isTime && times[part] !== firstTime) continue;
      let { name } = column;
      while (taken.has(name)) name += ` · ${parts[part]?.id ?? ''}`;
      taken.add(name);
      const named = name === column.name ? column : { ...column, name, path: [name] };
      columns.push(isTime ? withInstants(named, instants) : withAbsent(named, own));
    }
  }
  return { rowCount: instants.length, columns };
}

/**
 * Returns for each list of sorted instants which of its rows is in each row of the join, or `noRow`; and the instants of the joined
 * rows.
 */
function pairRows(all: readonly Float64Array[]): { rows: Uint32Array[]; instants: Float64Array } {
  const most = all.reduce((sum, { length }) => sum + length, 0);
  const rows = all.map(() => new Uint32Array(most).fill(noRow));
  const instants = new Float64Array(most);
  const next = new Uint32Array(all.length);
  let [count, placed] = [0, 0];
  for (; placed < most; count++) {
    let at = Infinity;
    for (const [part, own] of all.entries()) at = Math.min(at, own[next[part] ?? 0] ?? Infinity);
    for (const [part, own] of all.entries()) {
      const row = next[part] ?? 0;
      if (own[row] !== at) continue;
      (rows[part] as Uint32Array)[count] = row;
      next[part] = row + 1;
      placed++;
      if (at === Infinity) break;
    }
    instants[count] = at;
  }
  return { rows: rows.map(own => own.subarray(0, count)), instants: instants.subarray(0, count) };
}

function withInstants({ name, path, field }: Column, instants: Float64Array): Column {
  const values = instants.map(ms => (ms === Infinity ? NaN : ms));
  const gaps =
    instants.includes(Infinity) &&
    new Uint8Array(instants.length).map((_, row) => (instants[row] === Infinity ? cellState.null : cellState.value));
  return { kind: 'time', name, path, values, ...(field && { field }), ...(gaps && { gaps }) };
}

function withAbsent(column: Column, rows: Uint32Array): Column {
  if (!rows.includes(noRow)) return column;
  const gaps = column.gaps?.slice() ?? new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++) if (rows[row] === noRow) gaps[row] = cellState.absent;
  return { ...column, gaps };
}
