import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { cellState, type TimeColumn } from '../../shared/frame.ts';
import { parseTimeOfDay, parseTime, type DateOrder } from '../time/writtenTime.ts';
import { parseDigitTime } from './cellKinds.ts';
import { createInstantConverter } from './localTime.ts';
import type { Cell } from './records.ts';
import type { TimeColumns } from './timeColumns.ts';
import { parseNumber } from './writtenNumber.ts';

/** Describes how the time of each row is read. */
export interface TimeReaderOptions {
  /** The name of the resulting time column. */
  readonly name: string;
  readonly columns: TimeColumns;
  readonly order: DateOrder;
  /** Whether times are written in digits only. */
  readonly isDigits: boolean;
  /** The zone of times without an offset; "UTC" if all times have an offset. */
  readonly timeZone: string;
  /** Set if times are the ends of their rows' intervals. `isHour`: whether these are hours at most. */
  readonly end?: { readonly isHour: boolean } | undefined;
  /** The column that flags the second of two hours with the same clock time; undefined without such a column. */
  readonly repeatedHour?: { readonly column: number; readonly isSecond: (cell: string) => boolean } | undefined;
}

/** Reads the times of a table row by row, and converts them to instants at the end. */
export class TimeReader {
  readonly #options: TimeReaderOptions;
  readonly #localTimes: Float64Array;
  /** The offset of each time; NaN for a time without an offset. */
  readonly #offsets: Float64Array;
  readonly #secondFlags: Uint8Array | undefined;
  /** The milliseconds from each date to its row, if half hours are numbered. A day may have 46 or 50 of them. */
  readonly #elapsed: Float64Array | undefined;
  /** The first text that is more precise than milliseconds. */
  firstCut: string | undefined;

  constructor(options: TimeReaderOptions, rows: number) {
    this.#options = options;
    this.#localTimes = new Float64Array(rows).fill(NaN);
    this.#offsets = new Float64Array(rows).fill(NaN);
    this.#secondFlags = options.repeatedHour && new Uint8Array(rows);
    this.#elapsed = options.columns.kind === 'dateAndHalfHour' ? new Float64Array(rows) : undefined;
  }

  add(row: number, cells: readonly Cell[]): void {
    const { columns: time, repeatedHour } = this.#options;
    if (time.kind === 'dateAndHalfHour' && this.#elapsed)
      this.#elapsed[row] = (parsePart(cells[time.halfHour] ?? '') - 1) * 30 * minuteMs;
    this.#localTimes[row] = time.kind === 'parts' ? readDateParts(time, cells) : this.#readLocalTime(row, time, cells);
    const flag = repeatedHour && cells[repeatedHour.column];
    if (this.#secondFlags && repeatedHour && flag) this.#secondFlags[row] = repeatedHour.isSecond(flag) ? 1 : 0;
  }

  #readLocalTime(row: number, time: Exclude<TimeColumns, { kind: 'parts' }>, cells: readonly Cell[]): number {
    const cell = cells[time.kind === 'one' ? time.column : time.date] ?? '';
    if (this.#options.isDigits) {
      const parsedTime = parseDigitTime(cell);
      if (parsedTime?.isEpoch) this.#offsets[row] = 0;
      return (parsedTime?.ms ?? NaN) + (time.kind === 'dateAndHour' ? readTimeOfRow(time, cells) : 0);
    }
    const parsedTime = parseTime(cell, this.#options.order);
    if (!parsedTime) return NaN;
    if (parsedTime.offset !== undefined) this.#offsets[row] = parsedTime.offset;
    if (parsedTime.isTruncated) this.firstCut ??= cell;
    return parsedTime.localTime + (time.kind === 'dateAndHour' ? readTimeOfRow(time, cells) : 0);
  }

  /** Returns the time column, rounded down to milliseconds. */
  toColumn(): TimeColumn {
    const { name, timeZone, end } = this.#options;
    const shift = end ? Math.min(this.#findTypicalDistance(), end.isHour ? hourMs : Infinity) : 0;
    const toInstant = createInstantConverter(timeZone);
    const values = this.#localTimes.map((localTime, row) => {
      if (Number.isNaN(localTime)) return NaN;
      const offset = this.#offsets[row] ?? NaN;
      const elapsed = this.#elapsed?.[row] ?? 0;
      if (!Number.isNaN(offset)) return localTime - shift - offset + elapsed;
      return toInstant(localTime - shift, this.#secondFlags && this.#secondFlags[row] === 1) + elapsed;
    });
    const gaps = values.some(Number.isNaN)
      ? Uint8Array.from(values, ms => (Number.isNaN(ms) ? cellState.null : cellState.value))
      : undefined;
    return { kind: 'time', name, path: [name], values, ...(gaps && { gaps }) };
  }

  /** Returns the most frequent distance between consecutive rows, at most a day. */
  #findTypicalDistance(): number {
    const counts = new Map<number, number>();
    for (let row = 1; row < this.#localTimes.length; row++) {
      const distance = (this.#localTimes[row] ?? NaN) - (this.#localTimes[row - 1] ?? NaN);
      if (distance > 0 && distance <= dayMs && counts.size < 1_000)
        counts.set(distance, (counts.get(distance) ?? 0) + 1);
    }
    const [distance] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [hourMs, 0]);
    return distance;
  }
}

/** Returns the milliseconds since midnight from a time of day, or from numbers of hours and minutes. */
function readTimeOfRow({ hour, minute }: { hour: number; minute?: number }, cells: readonly Cell[]): number {
  const cell = cells[hour] ?? '';
  const clock = cell.includes(':') || cell.length === 4 ? parseTimeOfDay(cell) : parsePart(cell) * hourMs;
  return (clock ?? NaN) + (minute === undefined ? 0 : parsePart(cells[minute] ?? '') * minuteMs);
}

function readDateParts(time: Extract<TimeColumns, { kind: 'parts' }>, cells: readonly Cell[]): number {
  const readPart = (column: number | undefined, fallback: number): number =>
    column === undefined ? fallback : parsePart(cells[column] ?? '');
  const year = readPart(time.year, NaN);
  const month = readPart(time.month, NaN);
  const day = readPart(time.day, 1);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCFullYear() !== year) return NaN;
  return date.getTime() + (time.hour === undefined ? 0 : readTimeOfRow({ ...time, hour: time.hour }, cells));
}

function parsePart(cell: string): number {
  return cell.trim() === '' ? NaN : (parseNumber(cell.replace(/^\s*0+(?=\d)/, ''), 'point') ?? NaN);
}
