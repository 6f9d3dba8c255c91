import { sast } from '../time/zone.ts';
import { cellKind, timeKinds } from './cellKinds.ts';
import type { ColumnEvidence } from './columnEvidence.ts';
import type { FileTable } from './fileTable.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import type { TableScan } from './scanRecords.ts';
import {
  resolveDateOrder,
  findTimeColumns,
  listTimeIndexes,
  isDigitTime,
  namesEnd,
  namesHour,
  splitWords,
  findZoneInHeading,
} from './timeColumns.ts';
import type { DateOrder } from '../time/writtenTime.ts';
import type { TimeReaderOptions } from './timeReader.ts';

/** How the times of the rows are read, with notes for the user. */
export interface TimePlan extends TimeReaderOptions {
  /** Undefined if the user has to select the zone. */
  readonly zone: FileTable['zone'];
  /** Whether hours are numbered 1 to 24 and it is unknown if the number is the beginning or the end of the hour. */
  readonly offersHourEnd: boolean;
  readonly notes: readonly string[];
}

/** Plans how the times of a table are read; undefined without times. `names` are the column names, `dateOrder` is the order in the file. */
export function planTime(
  scan: TableScan,
  names: readonly string[],
  options: ImportOptions & { readonly dateOrder: DateOrder | undefined },
): TimePlan | undefined {
  const { columns, headings, rows, isPortal } = scan;
  const { dateOrder: order } = options;
  const time = findTimeColumns(columns, names, { order, rows });
  if (!time) return undefined;
  const indexes = listTimeIndexes(time);
  const [first = 0] = indexes;
  const column = columns[first];
  const timeHeadings = indexes.map(index => headings[index] ?? '');
  const isDigits = column !== undefined && time.kind !== 'parts' && isDigitTime(column, names[first] ?? '');
  const isEpoch = isDigits && !/^\d{8}(?:\d{4}(?:\d\d)?)?$/.test(column.example?.cell ?? '');
  const hasOffsets = isEpoch || ((column?.kinds ?? 0) & cellKind.offset) !== 0;
  const zone = hasOffsets ? ({ source: 'file' } as const) : resolveLocalZone(timeHeadings, isPortal, options);
  const isNamedEnd = timeHeadings.some(namesEnd);
  // A half hour has the same number whether it is named by its beginning or by its end.
  const isEnd = time.kind !== 'dateAndHalfHour' && (options.hour === undefined ? isNamedEnd : options.hour === 'end');
  const hourIndex = time.kind === 'one' ? time.column : 'hour' in time ? time.hour : undefined;
  const { hasHour24 = false, hasHour0 = false } = columns[hourIndex ?? -1] ?? {};
  const offersHourEnd = hasHour24 && !hasHour0 && !isNamedEnd && options.hour === undefined;
  const name = time.kind === 'one' ? (names[first] ?? '') : 'time';
  return {
    columns: time,
    name: names.some((columnName, index) => columnName === name && !indexes.includes(index))
      ? timeHeadings.join(' ')
      : name,
    order: (column && resolveDateOrder(column, order)) ?? 'day first',
    isDigits,
    timeZone: zone?.timeZone ?? 'UTC',
    zone,
    ...(isEnd && { end: { isHour: timeHeadings.some(namesHour) } }),
    repeatedHour: findRepeatedHourFlag(columns, headings),
    offersHourEnd,
    notes: [
      ...(time.kind === 'one' || isPortal
        ? []
        : [`${timeHeadings.map(text => `'${text}'`).join(', ')} are read as the time.`]),
      ...describeDateOrder(column, names[first] ?? '', order),
      ...(isEnd ? [`'${timeHeadings.at(-1)}' is when rows end. They have the time at which they begin.`] : []),
      ...(offersHourEnd
        ? [
            'Hours are written as 1 to 24 and read as beginnings. If they are ends, choose End of the Hour in Import Options.',
          ]
        : []),
    ],
  };
}

function describeDateOrder(column: ColumnEvidence | undefined, name: string, order: DateOrder | undefined): string[] {
  if (!column?.example || !(column.kinds & timeKinds) || column.kinds & cellKind.eitherOrder) return [];
  return [
    `Dates of '${name}' such as '${column.example.cell.slice(0, 40)}' are read with the ${resolveDateOrder(column, order)}.`,
  ];
}

/** Returns the zone of times without an offset: the portal's zone, the zone in a heading, or the zone that the user selected. */
function resolveLocalZone(
  headings: readonly string[],
  isPortal: boolean,
  { timeZone }: ImportOptions,
): FileTable['zone'] {
  if (isPortal) return { source: 'portal', timeZone: sast.timeZone };
  const zoneOfHeading = headings.map(findZoneInHeading).find(zone => zone !== undefined);
  if (zoneOfHeading !== undefined) return { source: 'heading', timeZone: zoneOfHeading };
  return timeZone === undefined ? undefined : { source: 'user', timeZone };
}

/** Finds the column that distinguishes the two hours with the same clock time at the end of daylight saving. */
function findRepeatedHourFlag(
  columns: readonly ColumnEvidence[],
  headings: readonly string[],
): TimeReaderOptions['repeatedHour'] {
  const column = headings.findIndex(
    (heading, index) =>
      /\b(?:dst|repeated|daylight)\b/i.test(splitWords(heading)) &&
      /^\s*(?:y|yes|n|no|true|false|0|1)\s*$/i.test(columns[index]?.example?.cell ?? ''),
  );
  if (column === -1) return undefined;
  // A repeated-hour flag is set in the second of the two hours, a daylight saving flag in the first.
  const isRepeated = /repeat|dst_? ?flag/i.test(headings[column] ?? '');
  return { column, isSecond: cell => /^\s*(?:y|yes|true|1)\s*$/i.test(cell) === isRepeated };
}
