import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { cellState, type TimeColumn } from '../../shared/frame.ts';
import { readTimeOfDay, readTime, type DateOrder } from '../time/writtenTime.ts';
import { readDigitTime } from './cellKinds.ts';
import { instantsIn } from './localTime.ts';
import type { Cell } from './records.ts';
import type { TimeColumns } from './timeColumns.ts';
import { readNumber } from './writtenNumber.ts';

/** Describes how the time of each row is read. */
export interface TimeReading {
  /** The name of the resulting time column. */
  readonly name: string;
  readonly columns: TimeColumns;
  readonly order: DateOrder;
  /** Whether times are written in digits only. */
  readonly isDigits: boolean;
  /** The zone of times without an offset; "UTC" if all have one. */
  readonly timeZone: string;
  /** Set if times are the ends of their rows' intervals. `isHour`: whether these are hours. */
  readonly end?: { readonly isHour: boolean } | undefined;
  /** The column that flags the second of two hours with the same clock time; undefined if there is none. */
  readonly second?: { readonly column: number; readonly isSecond: (cell: string) => boolean } | undefined;
}

/** Reads the times of a table row by row, and converts them to instants at the end. */
export class TimeReader {
  readonly #reading: TimeReading;
  readonly #walls: Float64Array;
  /** NaN for a time without an offset. */
  readonly #offsets: Float64Array;
  readonly #second: Uint8Array | undefined;
  /** The first text that is more precise than milliseconds. */
  cut: string | undefined;

  constructor(reading: TimeReading, rows: number) {
    this.#reading = reading;
    this.#walls = new Float64Array(rows).fill(NaN);
    this.#offsets = new Float64Array(rows).fill(NaN);
    this.#second = reading.second && new Uint8Array(rows);
  }

  add(row: number, cells: readonly Cell[]): void {
    const { columns: time, second } = this.#reading;
    this.#walls[row] = time.kind === 'parts' ? wallOfParts(time, cells) : this.#wallOfDate(row, time, cells);
    const flag = second && cells[second.column];
    if (this.#second && second && flag) this.#second[row] = second.isSecond(flag) ? 1 : 0;
  }

  #wallOfDate(row: number, time: Exclude<TimeColumns, { kind: 'parts' }>, cells: readonly Cell[]): number {
    const cell = cells[time.kind === 'one' ? time.column : time.date] ?? '';
    if (this.#reading.isDigits) {
      const read = readDigitTime(cell);
      if (read?.isEpoch) this.#offsets[row] = 0;
      return (read?.ms ?? NaN) + (time.kind === 'one' ? 0 : ofDay(time, cells));
    }
    const read = readTime(cell, this.#reading.order);
    if (!read) return NaN;
    if (read.offset !== undefined) this.#offsets[row] = read.offset;
    if (read.isCut) this.cut ??= cell;
    return read.wall + (time.kind === 'one' ? 0 : ofDay(time, cells));
  }

  /** Returns the time column, rounded down to milliseconds. */
  end(): TimeColumn {
    const { name, timeZone, end } = this.#reading;
    const shift = end ? (end.isHour ? hourMs : this.#usualDistance()) : 0;
    const inZone = instantsIn(timeZone);
    const values = this.#walls.map((wall, row) => {
      if (Number.isNaN(wall)) return NaN;
      const offset = this.#offsets[row] ?? NaN;
      if (!Number.isNaN(offset)) return wall - shift - offset;
      return inZone(wall - shift, this.#second && this.#second[row] === 1);
    });
    const gaps = values.some(Number.isNaN)
      ? Uint8Array.from(values, ms => (Number.isNaN(ms) ? cellState.null : cellState.value))
      : undefined;
    return { kind: 'time', name, path: [name], values, ...(gaps && { gaps }) };
  }

  /** The most frequent distance between consecutive rows, at most a day. */
  #usualDistance(): number {
    const counts = new Map<number, number>();
    for (let row = 1; row < this.#walls.length; row++) {
      const distance = (this.#walls[row] ?? NaN) - (this.#walls[row - 1] ?? NaN);
      if (distance > 0 && distance <= dayMs && counts.size < 1_000)
        counts.set(distance, (counts.get(distance) ?? 0) + 1);
    }
    const [distance] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [hourMs, 0]);
    return distance;
  }
}

/** Returns the milliseconds since midnight from a time of day, or from numbers of hours and minutes. */
function ofDay({ hour, minute }: { hour: number; minute?: number }, cells: readonly Cell[]): number {
  const cell = cells[hour] ?? '';
  const clock = cell.includes(':') || cell.length === 4 ? readTimeOfDay(cell) : numberIn(cell) * hourMs;
  return (clock ?? NaN) + (minute === undefined ? 0 : numberIn(cells[minute] ?? '') * minuteMs);
}

function wallOfParts(time: Extract<TimeColumns, { kind: 'parts' }>, cells: readonly Cell[]): number {
  const part = (at: number | undefined, missing: number): number =>
    at === undefined ? missing : numberIn(cells[at] ?? '');
  const [year, month, day] = [part(time.year, NaN), part(time.month, NaN), part(time.day, 1)];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCFullYear() !== year) return NaN;
  return date.getTime() + (time.hour === undefined ? 0 : ofDay({ ...time, hour: time.hour }, cells));
}

function numberIn(cell: string): number {
  return cell.trim() === '' ? NaN : (readNumber(cell.replace(/^\s*0+(?=\d)/, ''), 'point') ?? NaN);
}
