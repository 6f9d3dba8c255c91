import { dayMs } from '../../shared/durations.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import type { ExportOptions, ExportTable } from '../../shared/exportOptions.ts';
import { createRowEndLookup } from '../bins/binEdges.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import type { ExportRowOrder } from './cellWriter.ts';
import { formatShortZone, utc } from '../time/zone.ts';

/** The rows and columns to write. Created once per export. */
export interface TableToWrite extends ExportRowOrder {
  readonly rows?: Uint32Array | undefined;
  readonly columns: readonly Column[];
  /** The instants of the rows, even if their column is not written. */
  readonly time?: TimeColumn | undefined;
}

/** Resolves the indexes of columns. Ignores an index outside the frame. */
export function createTableToWrite({ frame, rows, columns, intervalMs }: ExportTable): TableToWrite {
  const requested = columns ?? frame.columns.keys();
  const columnsToWrite = Array.from(requested, columnIndex =>
    columnIndex === 'intervalEnd' ? createIntervalEndColumn({ frame, intervalMs }) : frame.columns[columnIndex],
  );
  return {
    columns: columnsToWrite.filter(column => column !== undefined),
    rows,
    rowCount: rows?.length ?? frame.rowCount,
    time: findTimeColumn(frame),
  };
}

/** Creates a column with the end of each row's interval; null if that is unknown. */
function createIntervalEndColumn({ frame, intervalMs = NaN }: Pick<ExportTable, 'frame' | 'intervalMs'>): TimeColumn {
  const time = findTimeColumn(frame);
  const getEnd = (time && createUnequalRowEndLookup(time)) ?? ((ms: number) => ms + intervalMs);
  const values = new Float64Array(frame.rowCount);
  const gaps = new Uint8Array(frame.rowCount);
  // Uses a loop, because `map` and `from` with a function take ten times as long.
  for (let row = 0; row < frame.rowCount; row++) {
    const end = getEnd(time?.values[row] ?? NaN);
    values[row] = end;
    gaps[row] = Number.isNaN(end) ? 1 : (time?.gaps?.[row] ?? 0);
  }
  const name = uniqueName('interval_end', new Set(frame.columns.map(column => column.name)));
  const field = { label: 'Interval end', meaning: 'The first instant after the interval of the row' };
  return { kind: 'time', name, path: [name], values, gaps, field };
}

/** Returns a function for the end of the row of each instant, if rows have different lengths. */
function createUnequalRowEndLookup(time: TimeColumn): ((ms: number) => number) | undefined {
  const instants = time.values.filter(ms => !Number.isNaN(ms));
  const [start, end] = instants.reduce(
    ([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)],
    [Infinity, -Infinity],
  );
  return instants.length === 0 ? undefined : createRowEndLookup({ start, end: end + 1 }, time);
}

/**
 * Appends a column whose name marks the rows of a sandbox, for formats that have no other place for the mark. It does not affect
 * programs that read columns by name, or only numeric ones.
 */
export function addMarkColumn({ frame, columns, ...table }: ExportTable, name: string): ExportTable {
  const values = new Uint8Array(frame.rowCount).fill(1);
  const markColumn: Column = { kind: 'boolean', name, path: [name], values };
  return {
    ...table,
    frame: { ...frame, columns: [...frame.columns, markColumn] },
    ...(columns && { columns: [...columns, frame.columns.length] }),
  };
}

/**
 * Creates the heading for the options; undefined for none. With units, the heading of times names the time zone in which they are
 * written.
 */
export function createHeading(
  columns: readonly Column[],
  { heading, times, zone }: Pick<ExportOptions, 'heading' | 'times' | 'zone'>,
): string[] | undefined {
  if (heading === 'none') return undefined;
  if (heading === 'names') return columns.map(({ name }) => name);
  const timeUnit = { zone: formatShortZone(zone), utc: 'UTC', received: undefined }[times];
  return columns.map(({ kind, name, field }) => withUnit(name, kind === 'time' ? timeUnit : field?.unit?.text));
}

/** A column of an Excel file, and the time zone of its dates. */
interface ExcelColumn {
  readonly column: Column;
  readonly zone: ExportOptions['zone'];
}

/**
 * Returns the columns of an Excel file, where dates have no offset. If clocks change within the days of the table, adds a column of the
 * instants in UTC, which distinguishes repeated hours.
 */
export function createExcelColumns(columns: readonly Column[], zone: ExportOptions['zone']): ExcelColumn[] {
  const time = columns.find(column => column.kind === 'time');
  return columns.flatMap(column => [
    { column, zone },
    ...(column === time && hasClockChange(time, zone.timeZone) ? [{ column, zone: utc }] : []),
  ]);
}

/** The first instant that Excel cannot represent. */
const excelEndMs = Date.UTC(10_000, 0, 1);

function hasClockChange({ values }: TimeColumn, timeZone: string): boolean {
  const offsets = new ZoneOffsets(timeZone);
  let firstOffset = NaN;
  let previousDay = NaN;
  for (const ms of values) {
    const day = Math.floor(ms / dayMs);
    if (day === previousDay || !(Math.abs(ms) < excelEndMs)) continue;
    previousDay = day;
    for (const offset of [offsets.at(day * dayMs), offsets.at((day + 1) * dayMs)]) {
      if (Number.isNaN(firstOffset)) firstOffset = offset;
      if (offset !== firstOffset) return true;
    }
  }
  return false;
}

/**
 * Creates the heading of an Excel file: labels and units as displayed, and the time zone for dates, which have none there. Undefined for
 * no heading.
 */
export function createExcelHeading(
  columns: readonly ExcelColumn[],
  { heading }: Pick<ExportOptions, 'heading'>,
): string[] | undefined {
  if (heading === 'none') return undefined;
  return columns.map(({ column: { kind, name, field }, zone }) =>
    withUnit(field?.label ?? name, kind === 'time' ? formatShortZone(zone) : field?.unit?.text),
  );
}

export function withUnit(name: string, unit: string | undefined): string {
  return unit ? `${name} (${unit})` : name;
}

/** Returns the name, with a number appended if it is already used. */
export function uniqueName(name: string, used: { has(name: string): boolean }): string {
  let unused = name;
  for (let count = 2; used.has(unused); count++) unused = `${name} (${count})`;
  return unused;
}

/** Makes names unique, for formats in which columns cannot share a name. */
export function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map(name => {
    const unused = uniqueName(name, used);
    used.add(unused);
    return unused;
  });
}
