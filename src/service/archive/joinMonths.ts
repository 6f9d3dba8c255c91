import { commonKindSteps, toKindSteps } from '../../core/frame/columnKinds.ts';
import { concatSteps } from '../../core/frame/frames.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { Column, Frame } from '../../shared/frame.ts';
import { halvesOf, instantAt, JoinedColumn, type PlacedColumn, type PlacedRows } from './joinColumns.ts';

/** The rows of a month file, in its bytes; valid as long as these do not change. */
export interface PlacedMonth {
  readonly file: Uint8Array;
  readonly rowCount: number;
  readonly columns: readonly PlacedColumn[];
}

/** The longest month in relation to the shortest. */
const longest = 31 / 28;

/** Rows of months that have the same columns, one month after the other. */
export class MonthRows {
  rowCount = 0;
  #columns: readonly JoinedColumn[] = [];
  #room = 0;

  /** Whether the month has the same columns as those before. */
  accepts({ columns }: PlacedMonth): boolean {
    if (this.#columns.length === 0) return true;
    if (this.#columns.length !== columns.length) return false;
    return columns.every((column, index) => {
      const notes = this.#columns[index]?.notes;
      return notes !== undefined && hasSameShape(notes, column);
    });
  }

  /** Copies rows. Allocates for `expected` further months, but not for more than `most` rows. */
  add(month: PlacedMonth, { from, to }: { from: number; to: number }, expected = 0, most = Infinity): void {
    const needed = this.rowCount + to - from;
    if (needed > this.#room) {
      const estimate = needed + Math.ceil(month.rowCount * longest * expected);
      this.#room = needed <= most ? Math.min(most, estimate) : estimate;
    }
    if (this.#columns.length === 0) this.#columns = month.columns.map(column => new JoinedColumn(column));
    const rows: PlacedRows = { file: month.file, rowCount: month.rowCount, from, to };
    month.columns.forEach((column, index) => this.#columns[index]?.add(column, rows, this.rowCount, this.#room));
    this.rowCount = needed;
  }

  frame(): Frame {
    const columns: Column[] = [];
    for (const joined of this.#columns) {
      const last = columns.at(-1);
      if (joined.notes.received && last?.kind === 'time')
        columns[columns.length - 1] = { ...last, received: joined.texts(this.rowCount) };
      else columns.push(joined.column(this.rowCount));
    }
    return { rowCount: this.rowCount, columns };
  }
}

/** The time column by which rows are sorted; undefined for a month without rows. */
export function timeColumnIn({ rowCount, columns }: PlacedMonth): PlacedColumn | undefined {
  if (rowCount === 0) return undefined;
  const times = columns.filter(({ kind, received }) => kind === 'time' && !received);
  return times.find(({ name }) => name === 'ts') ?? times[0];
}

/** The rows within [start, end); they ascend by time. */
export function placesWithin(month: PlacedMonth, span: Span): { from: number; to: number } {
  const time = timeColumnIn(month);
  if (!time) return { from: 0, to: 0 };
  const halves = halvesOf({ ...month, from: 0, to: 0 }, time.at.values);
  const firstFrom = (instant: number): number => {
    let [low, high] = [0, month.rowCount];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (instantAt(halves, middle) < instant) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { from: firstFrom(span.start), to: firstFrom(span.end) };
}

/** One frame of all parts; each column has the kind of all its values, as if they were from one response. */
export function* joinSteps(parts: readonly Frame[]): Steps<Frame> {
  const [only, ...others] = parts;
  if (!only || others.length > 0) return yield* concatSteps(parts);
  const used = { from: Uint32Array.of(0), to: Uint32Array.of(only.rowCount) };
  const columns: Column[] = [];
  for (const column of only.columns)
    columns.push(yield* toKindSteps(column, yield* commonKindSteps([{ column, used }])));
  return { rowCount: only.rowCount, columns };
}

function hasSameShape(a: PlacedColumn | JoinedColumn['notes'], b: PlacedColumn): boolean {
  if (a.kind !== b.kind || a.name !== b.name || a.received !== b.received) return false;
  return a.path.length === b.path.length && a.path.every((key, index) => key === b.path[index]);
}
