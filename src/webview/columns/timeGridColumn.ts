import { t } from '@vscode/l10n';
import { textAt } from '../../shared/frame.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import { timeFormatter, timeParts, timeShape } from '../../shared/formatTime.ts';
import type { TimeShape } from '../../shared/formatTime.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { GridColumn } from '../grid/gridColumn.ts';
import { withGaps } from './gap.ts';
import { columnHead } from './head.ts';

/** Instants in the display zone; the tooltip holds the service's own text and the end of the interval. */
export function timeGridColumn(column: TimeColumn, rowCount: number, locale: string, zone: DisplayZone): GridColumn {
  const shape = timeShape(column, rowCount);
  const parts = timeParts(shape, zone.timeZone);
  const format = timeFormatter(locale, zone.timeZone, parts);
  const formatWhole = timeFormatter(locale, zone.timeZone, { ...parts, year: true, time: true });
  const valueAt = (row: number) => column.values[row] ?? NaN;
  const received = (row: number) => (column.received && textAt(column.received, row)) || isoText(valueAt(row));
  const head = columnHead(column);
  return {
    ...head,
    label: `${column.name === 'ts' ? intervalName(shape, head.label) : head.label} (${shortLabel(zone)})`,
    headerTooltip: `${head.headerTooltip}\n${t('Shown in {0}', zone.label)}`,
    align: 'start',
    samples: shape.range?.map(format) ?? [],
    ...withGaps(column, {
      text: row => format(valueAt(row)),
      spoken: () => undefined,
      tooltip: row => [t('Received: {0}', received(row)), ...interval(row)].join('\n'),
      exact: received,
    }),
  };

  function interval(row: number): string[] {
    const start = valueAt(row);
    const from = `${formatWhole(start)} ${zone.label}`;
    if (shape.step === undefined) return [from];
    return [t('From {0}', from), t('Until {0}', `${formatWhole(start + shape.step)} ${zone.label}`)];
  }
}

/** The catalogue calls `ts` an hour; the rows themselves say what they are. */
function intervalName(shape: TimeShape, label: string): string {
  if (shape.daily) return t('Day');
  return shape.unit === 'hour' && shape.step !== undefined ? label : t('Time');
}

/** "SAST" for "SAST (UTC+2)": the header adds parentheses of its own. */
function shortLabel(zone: DisplayZone): string {
  return zone.label.replace(/ \(.*\)$/, '');
}

function isoText(instant: number): string {
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString().replace('.000Z', 'Z') : String(instant);
}
