import { t } from '@vscode/l10n';
import { formatShortZone } from '../../core/time/zone.ts';
import { cellState, getCellState, getText, type TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { describeBins } from './binNames.ts';
import { createColumnHeader } from './columnHeader.ts';
import { withGaps } from './gap.ts';
import { formatIsoInstant } from '../../shared/formatTime.ts';
import type { TimeColumnFormat } from './timeColumnFormat.ts';

/** Creates a column of interval starts in the display zone. The tooltip has the received text, the interval and the lines of `describeCompared`. */
export function createTimeGridColumn(
  column: TimeColumn,
  timeFormat: TimeColumnFormat,
  zone: DisplayZone,
  describeCompared: (row: number) => readonly string[] = () => [],
): GridColumn {
  const { dayZone, getEnd, format, formatFull } = timeFormat;
  const getInstant = (row: number) => column.values[row] ?? NaN;
  const getReceivedText = (row: number) =>
    (column.received && getText(column.received, row)) || formatIsoInstant(getInstant(row));
  const describeOrigin = (row: number) => (column.bins ? [] : [t('Received: {0}', getReceivedText(row))]);
  const header = createColumnHeader(column);
  // The catalog labels `ts` as an hour, but the rows may have any length.
  const hasOtherLabel = column.name === 'ts' && !column.bins && timeFormat.interval !== 'hour';
  const name = hasOtherLabel ? (timeFormat.interval === 'day' ? t('Day') : t('Time')) : header.label;
  const describeInterval = (row: number) => {
    const start = getInstant(row);
    const startText = `${formatFull(start)} ${zone.label}`;
    const end = getEnd(start);
    if (end === undefined) return [startText];
    return [t('From {0}', startText), t('Until {0}', `${formatFull(end)} ${zone.label}`)];
  };
  const label = `${name} (${dayZone ?? formatShortZone(zone)})`;
  return {
    ...header,
    label,
    // A narrow column truncates its label.
    headerTooltip: [label, header.headerTooltip, ...describeRowInterval(timeFormat, column, zone)].join('\n'),
    align: 'start',
    samples: timeFormat.samples,
    ...withGaps(column, {
      text: row => format(getInstant(row)),
      formatTooltip: row => [...describeOrigin(row), ...describeInterval(row), ...describeCompared(row)].join('\n'),
      exact: getReceivedText,
    }),
  };
}

/** Creates a column of computed instants in the display zone, such as the starts of events. */
export function createInstantGridColumn(
  column: TimeColumn,
  timeFormat: TimeColumnFormat,
  zone: DisplayZone,
): GridColumn {
  const { dayZone, format, formatFull } = timeFormat;
  const getInstant = (row: number) => column.values[row] ?? NaN;
  const { label, headerTooltip, ...header } = createColumnHeader(column);
  const labelWithZone = `${label} (${dayZone ?? formatShortZone(zone)})`;
  return {
    ...header,
    label: labelWithZone,
    headerTooltip: [labelWithZone, headerTooltip, t('Shown in {0}', zone.label)].join('\n'),
    align: 'start',
    samples: timeFormat.samples,
    ...withGaps(column, {
      text: row => format(getInstant(row)),
      formatTooltip: row => `${formatFull(getInstant(row))} ${zone.label}`,
      exact: row => formatIsoInstant(getInstant(row)),
    }),
  };
}

/** Formats the time that a row is compared with, if any: "Hour, previous period: 26 Apr 2026 02:00 SAST (UTC+2)". */
export function createComparedTimeLine(
  column: TimeColumn,
  { formatFull }: TimeColumnFormat,
  zone: DisplayZone,
): (row: number) => readonly string[] {
  const { label } = createColumnHeader(column);
  return row =>
    getCellState(column, row) === cellState.value
      ? [`${label}: ${formatFull(column.values[row] ?? NaN)} ${zone.label}`]
      : [];
}

/** Creates a column with the end of each row's interval; undefined if the length of a row is unknown. */
export function createIntervalEndColumn(
  column: TimeColumn,
  timeFormat: TimeColumnFormat,
  zone: DisplayZone,
): GridColumn | undefined {
  const { dayZone, intervalMs, getEnd, formatEnd, formatFull } = timeFormat;
  if (intervalMs === undefined) return undefined;
  const getRowEnd = (row: number) => getEnd(column.values[row] ?? NaN) ?? NaN;
  return {
    name: `${column.name}:until`,
    source: column.name,
    label: `${t('Until')} (${dayZone ?? formatShortZone(zone)})`,
    unit: '',
    meaning: t('End of the interval'),
    headerTooltip: t('End of the interval (exclusive)'),
    align: 'start',
    samples: timeFormat.endSamples,
    ...withGaps(column, {
      text: row => formatEnd(getRowEnd(row)),
      formatTooltip: row => `${formatFull(getRowEnd(row))} ${zone.label}`,
      exact: row => formatIsoInstant(getRowEnd(row)),
    }),
  };
}

function describeRowInterval(
  { interval }: TimeColumnFormat,
  { bins }: TimeColumn,
  zone: DisplayZone,
): readonly string[] {
  if (bins?.size === 'day') return [t('Days of {0}, calculated from hours, regardless of the zone shown', bins.label)];
  if (bins) return [describeBins(bins)];
  if (interval === 'day') return [t('Days are UTC days, regardless of the zone shown')];
  const zoneNote = t('Shown in {0}', zone.label);
  if (interval === 'other') return [zoneNote];
  return [t('Hour-beginning: a row at 05:00 is the hour from 05:00 to 06:00'), zoneNote];
}
