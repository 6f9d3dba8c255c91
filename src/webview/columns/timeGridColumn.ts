import { t } from '@vscode/l10n';
import { textAt } from '../../shared/frame.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import { timeFormatter, timeParts, timeShape } from '../../shared/formatTime.ts';
import type { TimeShape } from '../../shared/formatTime.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { GridColumn } from '../grid/gridColumn.ts';
import { withGaps } from './gap.ts';
import { columnHead } from './head.ts';

const hourMs = 3_600_000;

/** Instants in the display zone; the tooltip holds the service's own text and the end of the interval. */
export function timeGridColumn(
  column: TimeColumn,
  rowCount: number,
  locale: string,
  zone: DisplayZone,
  asked?: number,
): GridColumn {
  const shape = timeShape(column, rowCount);
  // Rows closer together than what was asked for know better how long they last.
  const step = Math.min(asked ?? Infinity, shape.step ?? Infinity);
  const parts = timeParts(shape, zone.timeZone);
  const format = timeFormatter(locale, zone.timeZone, parts);
  const formatWhole = timeFormatter(locale, zone.timeZone, { ...parts, year: true, time: true });
  const valueAt = (row: number) => column.values[row] ?? NaN;
  const received = (row: number) => (column.received && textAt(column.received, row)) || isoText(valueAt(row));
  const head = columnHead(column);
  return {
    ...head,
    label: `${column.name === 'ts' ? intervalName(shape, step, head.label) : head.label} (${shortLabel(zone)})`,
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
    if (step === Infinity) return [from];
    return [t('From {0}', from), t('Until {0}', `${formatWhole(start + step)} ${zone.label}`)];
  }
}

/** The catalogue calls `ts` an hour; the rows themselves say what they are. */
function intervalName(shape: TimeShape, step: number, label: string): string {
  if (step % (24 * hourMs) === 0) return t('Day');
  return shape.unit === 'hour' && step !== Infinity ? label : t('Time');
}

/** "SAST" for "SAST (UTC+2)": the header adds parentheses of its own. */
function shortLabel(zone: DisplayZone): string {
  return zone.label.replace(/ \(.*\)$/, '');
}

function isoText(instant: number): string {
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString().replace('.000Z', 'Z') : String(instant);
}
