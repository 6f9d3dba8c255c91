import { t } from '@vscode/l10n';
import { getFigureName, findHourCounts } from '../../core/bins/binFrame.ts';
import { findComparedTime } from '../../core/compare/compareFrames.ts';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import { shortZone } from '../../core/time/zone.ts';
import { getTimeShape } from '../../shared/formatTime.ts';
import {
  cellState,
  getCellState,
  type Column,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { numberGridColumn } from './numberGridColumn.ts';
import type { NumberStyle } from '../../shared/formatNumber.ts';
import { cachedFormatter, readBeside } from './numberTexts.ts';
import { booleanGridColumn, textGridColumn } from './textGridColumn.ts';
import { comparedTimeLine, momentGridColumn, timeGridColumn, untilGridColumn } from './timeGridColumn.ts';
import { lazy, timeTexts } from './timeTexts.ts';

/** Options for the columns, apart from their arrangement. */
export interface GridColumnOptions {
  readonly numbers?: NumberStyle | undefined;
  /** Whether the end of each interval has a column of its own. */
  readonly intervalEnd?: boolean | undefined;
  /** Whether there is no room for two time columns side by side: the compared time then follows the first values. */
  readonly narrow?: boolean | undefined;
  /** The part of its hours, 0 to 1, for which a resampled row must have data. Rows with less are marked. */
  readonly leastCoverage?: number | undefined;
  /** Whether the rows are computed. Their times are instants instead of interval starts, and booleans read "yes" and "no". */
  readonly computed?: boolean | undefined;
}

/**
 * Creates the grid columns of a frame, with its first time column first; computed rows keep their order. `step` is the requested interval
 * in milliseconds.
 */
export function gridColumnsOf(
  frame: Frame,
  locale: string,
  zone: DisplayZone,
  step?: number,
  { numbers, intervalEnd, narrow, leastCoverage, computed }: GridColumnOptions = {},
): GridColumn[] {
  const { rowCount } = frame;
  const time = computed ? undefined : frame.columns.find(column => column.kind === 'time');
  const compared = computed ? undefined : findComparedTime(frame);
  const rest = frame.columns.filter(column => column !== time);
  const others = narrow && compared ? behindValues(rest, compared) : rest;
  const extent = extentOfAll(frame);
  const formatter = cachedFormatter();
  const besideOf = readBeside(frame, computed === true);
  const textsOf = (column: TimeColumn) => timeTexts(column, rowCount, locale, zone, step, extent);
  const clockText = lazy(() => timeFormatter(locale, zone.timeZone, { year: true, time: true }));
  const instantText = (ms: number): string => `${clockText(ms)} ${zone.label}`;
  const besideTime = compared && comparedTimeLine(compared, textsOf(compared), zone);
  const marked = leastCoverage === undefined ? undefined : fewMarks(frame, leastCoverage);
  const gridColumnOf = (column: Column): GridColumn => {
    switch (column.kind) {
      case 'time':
        if (computed) return momentGridColumn(column, textsOf(column), zone);
        return timeGridColumn(column, textsOf(column), zone, column === time ? besideTime : undefined);
      case 'number': {
        const shown = numberGridColumn(column, rowCount, locale, numbers, formatter, besideOf(column));
        const made = withTimes(column, shown, instantText);
        return marked?.(column, made) ?? made;
      }
      case 'boolean':
        return booleanGridColumn(column, computed === true);
      case 'text': {
        const made = textGridColumn(column);
        return column.cycle ? { ...made, label: `${made.label} (${shortZone(column.cycle)})` } : made;
      }
      case 'nested':
        return textGridColumn(column);
    }
  };
  const until = time && intervalEnd ? untilGridColumn(time, textsOf(time), zone) : undefined;
  return [...(time ? [gridColumnOf(time)] : []), ...(until ? [until] : []), ...others.map(gridColumnOf)];
}

/**
 * Marks rows with too few hours, also of a compared period, in the column that counts the hours. A figure with fewer hours than its row is
 * marked in its own cell, since one column may lack hours that the others have.
 */
function fewMarks(frame: Frame, least: number): (column: NumberColumn, made: GridColumn) => GridColumn {
  const sides = [false, true].map(isCompared => findHourCounts(frame, isCompared));
  const hoursOf = new Map<string, Float64Array>();
  for (const column of frame.columns) {
    if (column.kind !== 'number' || !column.hours) continue;
    hoursOf.set(column.name, column.hours);
    hoursOf.set(getFigureName(column.name, 'energy'), column.hours);
  }
  const few = { text: t('few'), tone: 'few' } as const;
  const none = { text: ' '.repeat(few.text.length), tone: 'blank' } as const;
  return (column, made) => {
    const { as } = column.field?.compares ?? {};
    const [hours, ofHours] = sides[Number(as === 'compared')] ?? [];
    const counts = column === hours;
    const own = counts ? hours.values : hoursOf.get(column.name);
    if (!own || !hours || !ofHours || (as && as !== 'compared')) return made;
    const isBelow = (some: Float64Array, row: number): boolean => (some[row] ?? 0) < (ofHours.values[row] ?? 0) * least;
    const isThere = (row: number): boolean => getCellState(column, row) === cellState.value;
    const isFew = (row: number): boolean =>
      isBelow(own, row) && (counts || (isThere(row) && !isBelow(hours.values, row)));
    const tooltip = (row: number): string => {
      if (!counts && (!isThere(row) || own[row] === hours.values[row])) return made.tooltip(row);
      const counted = t('{0} of {1} hours have data', own[row] ?? 0, ofHours.values[row] ?? 0);
      const said = isBelow(own, row) ? t('{0}: less than {1} %', counted, Math.round(least * 100)) : counted;
      return counts ? said : [made.tooltip(row), said].filter(Boolean).join('\n');
    };
    const isMarked = counts || (!made.badges && own.some((_, row) => isFew(row)));
    const badge = (row: number) => (isFew(row) ? few : none);
    return { ...made, tooltip, ...(isMarked && { badges: [few, none], badge }) };
  };
}

/** Adds the time of each row's minimum or maximum to the tooltips. */
function withTimes(column: NumberColumn, made: GridColumn, instantText: (ms: number) => string): GridColumn {
  const { extremeAt } = column;
  if (!extremeAt) return made;
  const said = (row: number): string =>
    getCellState(column, row) === cellState.value ? t('First at {0}', instantText(extremeAt[row] ?? NaN)) : '';
  return { ...made, tooltip: row => [made.tooltip(row), said(row)].filter(Boolean).join('\n') };
}

/** Moves the time of the compared period after the first values of both periods. */
function behindValues(columns: readonly Column[], time: TimeColumn): readonly Column[] {
  const others = columns.filter(column => column !== time);
  const at = others.findIndex(({ kind }) => kind === 'number') + 2;
  return [...others.slice(0, at), time, ...others.slice(at)];
}

/** Returns the earliest and latest instant of all time columns; undefined if there is only one time column. */
export function extentOfAll({ columns, rowCount }: Frame): readonly [number, number] | undefined {
  const times = columns.filter(column => column.kind === 'time');
  if (times.length < 2) return undefined;
  const ends = times.flatMap(column => getTimeShape(column, rowCount).range ?? []);
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : undefined;
}
