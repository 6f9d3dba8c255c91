import { t } from '@vscode/l10n';
import { shortZone } from '../../core/time/zone.ts';
import { cellState, getCellState, getText, type TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { binsText } from './binNames.ts';
import { columnHeader } from './columnHeader.ts';
import { withGaps } from './gap.ts';
import { formatIsoInstant } from '../../shared/formatTime.ts';
import type { TimeTexts } from './timeTexts.ts';

/** Creates a column of interval starts in the display zone. The tooltip has the received text, the interval and the lines of `beside`. */
export function timeGridColumn(
  column: TimeColumn,
  texts: TimeTexts,
  zone: DisplayZone,
  beside: (row: number) => readonly string[] = () => [],
): GridColumn {
  const { daysOf, endOf, format, formatWhole } = texts;
  const valueAt = (row: number) => column.values[row] ?? NaN;
  const received = (row: number) =>
    (column.received && getText(column.received, row)) || formatIsoInstant(valueAt(row));
  const origin = (row: number) => (column.bins ? [] : [t('Received: {0}', received(row))]);
  const head = columnHeader(column);
  // The catalogue labels `ts` as an hour; the rows may be days or anything else.
  const isOther = column.name === 'ts' && !column.bins && texts.interval !== 'hour';
  const name = isOther ? (texts.interval === 'day' ? t('Day') : t('Time')) : head.label;
  const between = (row: number) => {
    const start = valueAt(row);
    const from = `${formatWhole(start)} ${zone.label}`;
    const end = endOf(start);
    if (end === undefined) return [from];
    return [t('From {0}', from), t('Until {0}', `${formatWhole(end)} ${zone.label}`)];
  };
  const label = `${name} (${daysOf ?? shortZone(zone)})`;
  return {
    ...head,
    label,
    // A narrow column truncates its label.
    headerTooltip: [label, head.headerTooltip, ...intervalWords(texts, column, zone)].join('\n'),
    align: 'start',
    samples: texts.samples,
    ...withGaps(column, {
      text: row => format(valueAt(row)),
      tooltip: row => [...origin(row), ...between(row), ...beside(row)].join('\n'),
      exact: received,
    }),
  };
}

/** Creates a column of computed instants in the display zone, such as the starts of events. */
export function momentGridColumn(column: TimeColumn, texts: TimeTexts, zone: DisplayZone): GridColumn {
  const { daysOf, format, formatWhole } = texts;
  const valueAt = (row: number) => column.values[row] ?? NaN;
  const { label, headerTooltip, ...head } = columnHeader(column);
  const named = `${label} (${daysOf ?? shortZone(zone)})`;
  return {
    ...head,
    label: named,
    headerTooltip: [named, headerTooltip, t('Shown in {0}', zone.label)].join('\n'),
    align: 'start',
    samples: texts.samples,
    ...withGaps(column, {
      text: row => format(valueAt(row)),
      tooltip: row => `${formatWhole(valueAt(row))} ${zone.label}`,
      exact: row => formatIsoInstant(valueAt(row)),
    }),
  };
}

/** Formats the time that a row is compared with, if any: "Hour, previous period: 26 Apr 2026 02:00 SAST (UTC+2)". */
export function comparedTimeLine(
  column: TimeColumn,
  { formatWhole }: TimeTexts,
  zone: DisplayZone,
): (row: number) => readonly string[] {
  const { label } = columnHeader(column);
  return row =>
    getCellState(column, row) === cellState.value
      ? [`${label}: ${formatWhole(column.values[row] ?? NaN)} ${zone.label}`]
      : [];
}

/** Creates a column with the end of each row's interval; undefined if the length of a row is unknown. */
export function untilGridColumn(column: TimeColumn, texts: TimeTexts, zone: DisplayZone): GridColumn | undefined {
  const { daysOf, step, endOf, formatEnd, formatWhole } = texts;
  if (step === undefined) return undefined;
  const endAt = (row: number) => endOf(column.values[row] ?? NaN) ?? NaN;
  return {
    name: `${column.name}:until`,
    source: column.name,
    label: `${t('Until')} (${daysOf ?? shortZone(zone)})`,
    unit: '',
    meaning: t('End of the interval'),
    headerTooltip: t('End of the interval (exclusive)'),
    align: 'start',
    samples: texts.endSamples,
    ...withGaps(column, {
      text: row => formatEnd(endAt(row)),
      tooltip: row => `${formatWhole(endAt(row))} ${zone.label}`,
      exact: row => formatIsoInstant(endAt(row)),
    }),
  };
}

function intervalWords({ interval }: TimeTexts, { bins }: TimeColumn, zone: DisplayZone): readonly string[] {
  if (bins?.size === 'day') return [t('Days of {0}, calculated from hours, regardless of the zone shown', bins.label)];
  if (bins) return [binsText(bins)];
  if (interval === 'day') return [t('Days are UTC days, regardless of the zone shown')];
  const shown = t('Shown in {0}', zone.label);
  if (interval === 'other') return [shown];
  return [t('Hour-beginning: a row at 05:00 is the hour from 05:00 to 06:00'), shown];
}
