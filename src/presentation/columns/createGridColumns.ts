import { t } from '@vscode/l10n';
import { getFigureName, findHourCounts } from '../../core/bins/binFrame.ts';
import { findComparedTime } from '../../core/compare/compareFrames.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import { getTimeShape } from '../../shared/formatTime.ts';
import {
  cellState,
  getCellState,
  type Column,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { createNumberGridColumn } from './numberGridColumn.ts';
import type { NumberStyle } from '../../shared/formatNumber.ts';
import { createCachedFormatter, groupComparedColumns } from './numberColumnFormat.ts';
import { createBooleanGridColumn, createTextGridColumn } from './textGridColumn.ts';
import {
  createComparedTimeLine,
  createInstantGridColumn,
  createTimeGridColumn,
  createIntervalEndColumn,
} from './timeGridColumn.ts';
import { lazy, createTimeColumnFormat } from './timeColumnFormat.ts';

/** Options for the columns, apart from their arrangement. */
export interface GridColumnOptions {
  readonly numbers?: NumberStyle | undefined;
  /** Whether the end of each interval has a column of its own. */
  readonly intervalEnd?: boolean | undefined;
  /** Whether two time columns do not fit side by side. The compared time then follows the first values. */
  readonly isNarrow?: boolean | undefined;
  /** The part of its hours, 0 to 1, for which a resampled row must have data. Rows with less are marked. */
  readonly minCoverage?: number | undefined;
  /** Whether the rows are computed. Their times are instants instead of interval starts, and booleans read "yes" and "no". */
  readonly areComputed?: boolean | undefined;
}

/**
 * Creates the grid columns of a frame, with its first time column first, followed by the columns that the user added; computed rows keep their
 * order. `intervalMs` is the requested interval
 * in milliseconds.
 */
export function createGridColumns(
  frame: Frame,
  locale: string,
  zone: DisplayZone,
  intervalMs?: number,
  { numbers, intervalEnd, isNarrow, minCoverage, areComputed }: GridColumnOptions = {},
): GridColumn[] {
  const { rowCount } = frame;
  const time = areComputed ? undefined : frame.columns.find(column => column.kind === 'time');
  const compared = areComputed ? undefined : findComparedTime(frame);
  const columnsWithoutTime = frame.columns.filter(column => column !== time);
  const orderedColumns = areComputed ? columnsWithoutTime : moveAddedFirst(columnsWithoutTime);
  const otherColumns = isNarrow && compared ? moveBehindValues(orderedColumns, compared) : orderedColumns;
  const extent = getTimeExtent(frame);
  const formatter = createCachedFormatter();
  const findComparedColumns = groupComparedColumns(frame, areComputed === true);
  const createFormat = (column: TimeColumn) =>
    createTimeColumnFormat(column, rowCount, locale, zone, intervalMs, extent);
  const formatClock = lazy(() => createTimeFormatter(locale, zone.timeZone, { year: true, time: true }));
  const formatInstant = (ms: number): string => `${formatClock(ms)} ${zone.label}`;
  const describeComparedTime = compared && createComparedTimeLine(compared, createFormat(compared), zone);
  const addMarks = minCoverage === undefined ? undefined : createFewHoursMarks(frame, minCoverage);
  const createGridColumn = (column: Column): GridColumn => {
    switch (column.kind) {
      case 'time':
        if (areComputed) return createInstantGridColumn(column, createFormat(column), zone);
        return createTimeGridColumn(
          column,
          createFormat(column),
          zone,
          column === time ? describeComparedTime : undefined,
        );
      case 'number': {
        const numberColumn = createNumberGridColumn(
          column,
          rowCount,
          locale,
          numbers,
          formatter,
          findComparedColumns(column),
        );
        const gridColumn = addExtremeTimes(column, numberColumn, formatInstant);
        return addMarks?.(column, gridColumn) ?? gridColumn;
      }
      case 'boolean':
        return createBooleanGridColumn(column, areComputed === true);
      case 'text': {
        const gridColumn = createTextGridColumn(column);
        return column.cycle
          ? { ...gridColumn, label: `${gridColumn.label} (${formatShortZone(column.cycle)})` }
          : gridColumn;
      }
      case 'nested':
        return createTextGridColumn(column);
    }
  };
  const endColumn = time && intervalEnd ? createIntervalEndColumn(time, createFormat(time), zone) : undefined;
  return [
    ...(time ? [createGridColumn(time)] : []),
    ...(endColumn ? [endColumn] : []),
    ...otherColumns.map(createGridColumn),
  ];
}

/**
 * Marks rows with too few hours, also of a compared period, in the column that counts the hours. A figure with fewer hours than its row is
 * marked in its own cell, because one column may lack hours that other columns have.
 */
function createFewHoursMarks(
  frame: Frame,
  minCoverage: number,
): (column: NumberColumn, gridColumn: GridColumn) => GridColumn {
  const hourCounts = [false, true].map(isCompared => findHourCounts(frame, isCompared));
  const hoursByColumn = new Map<string, Float64Array>();
  for (const column of frame.columns) {
    if (column.kind !== 'number' || !column.hours) continue;
    hoursByColumn.set(column.name, column.hours);
    hoursByColumn.set(getFigureName(column.name, 'energy'), column.hours);
  }
  const few = { text: t('few'), tone: 'few' } as const;
  const none = { text: ' '.repeat(few.text.length), tone: 'blank' } as const;
  return (column, gridColumn) => {
    const { role } = column.field?.comparison ?? {};
    const [hours, coveredHours] = hourCounts[Number(role === 'compared')] ?? [];
    const isHourCount = column === hours;
    const columnHours = isHourCount ? hours.values : hoursByColumn.get(column.name);
    if (!columnHours || !hours || !coveredHours || (role && role !== 'compared')) return gridColumn;
    const isBelow = (values: Float64Array, row: number): boolean =>
      (values[row] ?? 0) < (coveredHours.values[row] ?? 0) * minCoverage;
    const hasValue = (row: number): boolean => getCellState(column, row) === cellState.value;
    const isFew = (row: number): boolean =>
      isBelow(columnHours, row) && (isHourCount || (hasValue(row) && !isBelow(hours.values, row)));
    const formatTooltip = (row: number): string => {
      if (!isHourCount && (!hasValue(row) || columnHours[row] === hours.values[row]))
        return gridColumn.formatTooltip(row);
      const countText = t('{0} of {1} hours have data', columnHours[row] ?? 0, coveredHours.values[row] ?? 0);
      const hoursText = isBelow(columnHours, row)
        ? t('{0}: less than {1} %', countText, Math.round(minCoverage * 100))
        : countText;
      return isHourCount ? hoursText : [gridColumn.formatTooltip(row), hoursText].filter(Boolean).join('\n');
    };
    const isMarked = isHourCount || (!gridColumn.badges && columnHours.some((_, row) => isFew(row)));
    const badge = (row: number) => (isFew(row) ? few : none);
    return { ...gridColumn, formatTooltip, ...(isMarked && { badges: [few, none], badge }) };
  };
}

/** Adds the time of each row's minimum or maximum to the tooltips. */
function addExtremeTimes(
  column: NumberColumn,
  gridColumn: GridColumn,
  formatInstant: (ms: number) => string,
): GridColumn {
  const { extremeAt } = column;
  if (!extremeAt) return gridColumn;
  const describeTime = (row: number): string =>
    getCellState(column, row) === cellState.value ? t('First at {0}', formatInstant(extremeAt[row] ?? NaN)) : '';
  return {
    ...gridColumn,
    formatTooltip: row => [gridColumn.formatTooltip(row), describeTime(row)].filter(Boolean).join('\n'),
  };
}

/**
 * Moves derived and joined columns, with those that a comparison adds to them, before the columns of the service, which fill the width of a
 * screen. The names of recurring bins and hour counts stay first.
 */
function moveAddedFirst(columns: readonly Column[]): readonly Column[] {
  const isAdded = ({ field }: Column): boolean => field?.isDerived === true || field?.joinedFrom !== undefined;
  const addedNames = new Set(columns.filter(isAdded).map(({ name }) => name));
  const getRank = (column: Column): number => {
    if (isHourCount(unitOf(column.field)) || (column.kind === 'text' && column.cycle)) return 0;
    return addedNames.has(column.field?.comparison?.baseName ?? column.name) ? 1 : 2;
  };
  return addedNames.size === 0 ? columns : columns.toSorted((first, second) => getRank(first) - getRank(second));
}

/** Moves the time of the compared period after the first values of both periods. */
function moveBehindValues(columns: readonly Column[], time: TimeColumn): readonly Column[] {
  const otherColumns = columns.filter(column => column !== time);
  const index = otherColumns.findIndex(({ kind }) => kind === 'number') + 2;
  return [...otherColumns.slice(0, index), time, ...otherColumns.slice(index)];
}

/** Returns the earliest and latest instant of all time columns; undefined if there is only one time column. */
export function getTimeExtent({ columns, rowCount }: Frame): readonly [number, number] | undefined {
  const times = columns.filter(column => column.kind === 'time');
  if (times.length < 2) return undefined;
  const ends = times.flatMap(column => getTimeShape(column, rowCount).range ?? []);
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : undefined;
}
