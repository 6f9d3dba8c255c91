import { dayMs } from '../../shared/durations.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import type { ExportOptions, ExportTable } from '../../shared/exportOptions.ts';
import { rowEnds } from '../bins/binEdges.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import type { ExportRowOrder } from './cellWriter.ts';
import { shortZone, utc } from '../time/zone.ts';

/** The rows and columns to write. Created once for each export. */
export interface WrittenTable extends ExportRowOrder {
  readonly rows?: Uint32Array | undefined;
  readonly columns: readonly Column[];
  /** The instants of the rows, also where their column is not written. */
  readonly time?: TimeColumn | undefined;
}

/** Resolves the indexes of columns; an index outside the frame is left out. */
export function writtenTable({ frame, rows, columns, stepMs }: ExportTable): WrittenTable {
  const wanted = columns ?? frame.columns.keys();
  const written = Array.from(wanted, place =>
    place === 'intervalEnd' ? intervalEnd({ frame, stepMs }) : frame.columns[place],
  );
  return {
    columns: written.filter(column => column !== undefined),
    rows,
    rowCount: rows?.length ?? frame.rowCount,
    time: timeColumnOf(frame),
  };
}

/** A column with the end of each row's interval; null where that is unknown. */
function intervalEnd({ frame, stepMs = NaN }: Pick<ExportTable, 'frame' | 'stepMs'>): TimeColumn {
  const time = timeColumnOf(frame);
  const endOf = (time && endsOfUnlike(time)) ?? ((ms: number) => ms + stepMs);
  const values = new Float64Array(frame.rowCount);
  const gaps = new Uint8Array(frame.rowCount);
  // A loop, since `map` and `from` with a function take ten times as long.
  for (let row = 0; row < frame.rowCount; row++) {
    const end = endOf(time?.values[row] ?? NaN);
    values[row] = end;
    gaps[row] = Number.isNaN(end) ? 1 : (time?.gaps?.[row] ?? 0);
  }
  const name = uniqueName('interval_end', new Set(frame.columns.map(column => column.name)));
  const field = { label: 'Interval end', meaning: 'The first instant after the interval of the row' };
  return { kind: 'time', name, path: [name], values, gaps, field };
}

/** The end of the row of each instant, where rows are not all equally long. */
function endsOfUnlike(time: TimeColumn): ((ms: number) => number) | undefined {
  const known = time.values.filter(ms => !Number.isNaN(ms));
  const [start, end] = known.reduce(
    ([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)],
    [Infinity, -Infinity],
  );
  return known.length === 0 ? undefined : rowEnds({ start, end: end + 1 }, time);
}

/**
 * The table with a last column whose name is the mark of rows of a sandbox, for formats that have no other place for it. It doesn't disturb
 * programs that read columns by name, or numeric ones only.
 */
export function withMarkColumn({ frame, columns, ...table }: ExportTable, name: string): ExportTable {
  const values = new Uint8Array(frame.rowCount).fill(1);
  const mark: Column = { kind: 'boolean', name, path: [name], values };
  return {
    ...table,
    frame: { ...frame, columns: [...frame.columns, mark] },
    ...(columns && { columns: [...columns, frame.columns.length] }),
  };
}

/** The heading for the options; undefined for none. With units, times have the zone in which they are written. */
export function headingOf(
  columns: readonly Column[],
  { heading, times, zone }: Pick<ExportOptions, 'heading' | 'times' | 'zone'>,
): string[] | undefined {
  if (heading === 'none') return undefined;
  if (heading === 'names') return columns.map(({ name }) => name);
  const ofTimes = { zone: shortZone(zone), utc: 'UTC', received: undefined }[times];
  return columns.map(({ kind, name, field }) => withUnit(name, kind === 'time' ? ofTimes : field?.unit?.text));
}

/** A column of an Excel file, and the zone of its dates. */
interface ExcelColumn {
  readonly column: Column;
  readonly zone: ExportOptions['zone'];
}

/**
 * The columns of an Excel file. Dates have no offset there: where clocks change within the days of a table, a column of its instants in
 * UTC is added, which tells repeated hours apart.
 */
export function excelColumns(columns: readonly Column[], zone: ExportOptions['zone']): ExcelColumn[] {
  const time = columns.find(column => column.kind === 'time');
  return columns.flatMap(column => [
    { column, zone },
    ...(column === time && clocksChange(time, zone.timeZone) ? [{ column, zone: utc }] : []),
  ]);
}

/** Excel has no later dates. */
const mostMs = Date.UTC(10_000, 0, 1);

function clocksChange({ values }: TimeColumn, timeZone: string): boolean {
  const offsets = new ZoneOffsets(timeZone);
  let [known, last] = [NaN, NaN];
  for (const ms of values) {
    const day = Math.floor(ms / dayMs);
    if (day === last || !(Math.abs(ms) < mostMs)) continue;
    last = day;
    for (const offset of [offsets.at(day * dayMs), offsets.at((day + 1) * dayMs)]) {
      if (Number.isNaN(known)) known = offset;
      if (offset !== known) return true;
    }
  }
  return false;
}

/**
 * The heading of an Excel file: labels and units as on screen, and for dates, which have no zone there, the zone. Undefined for none.
 */
export function excelHeadingOf(
  columns: readonly ExcelColumn[],
  { heading }: Pick<ExportOptions, 'heading'>,
): string[] | undefined {
  if (heading === 'none') return undefined;
  return columns.map(({ column: { kind, name, field }, zone }) =>
    withUnit(field?.label ?? name, kind === 'time' ? shortZone(zone) : field?.unit?.text),
  );
}

export function withUnit(name: string, unit: string | undefined): string {
  return unit ? `${name} (${unit})` : name;
}

/** The name, with a number after it where it is taken. */
export function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
  return free;
}

/** Makes names unique, for formats in which two columns cannot have the same. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    const free = uniqueName(name, taken);
    taken.add(free);
    return free;
  });
}
