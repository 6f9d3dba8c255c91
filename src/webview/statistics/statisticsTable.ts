import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { t } from '@vscode/l10n';
import type { NumberColumn } from '../../shared/frame.ts';
import { isEnergyChange, isShare, unitOf } from '../../shared/units.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { unlikeHoursSentence } from './columnDetail.ts';
import type { ColumnReport, WriteNumber } from './columnReport.ts';
import type { Extreme } from './columnStatistics.ts';
import { sparkHistogram } from './histogramChart.ts';
import type { Times } from './scope.ts';

interface TableModel {
  readonly columns: readonly NumberColumn[];
  /** In the order of the columns; undefined while it is computed. */
  readonly reports: readonly (ColumnReport | undefined)[];
  readonly chosen: string | undefined;
  readonly caption: string;
  readonly times: Times | undefined;
  /** Whether a column may have an energy. */
  readonly hasEnergy: boolean;
  readonly choose: (column: string) => void;
}

/** All columns of numbers, one a row; the radio button of a row chooses what is shown in full below. */
export function statisticsTable(model: TableModel): TemplateResult {
  const { columns, reports, times } = model;
  return html`<div class="statistics-table" role="radiogroup" aria-label=${t('Column shown in full')}>
    <table aria-busy=${columns.every((_, index) => reports[index]) ? 'false' : 'true'}>
      <caption>
        ${model.caption}
        <span class="statistics-method"
          >· ${t('p5, median, p95: interpolated linearly (type 7 of Hyndman and Fan) · σ: of the sample (n − 1)')}</span
        >
      </caption>
      <thead>
        <tr>
          ${heads(model).map(
            ([label, meaning, align]) =>
              html`<th scope="col" class=${align ?? nothing} title=${meaning ?? nothing}>${label}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${columns.map((column, index) => {
          const chosen = column.name === model.chosen;
          return guard([column, reports[index], chosen, times, model.hasEnergy], () =>
            columnRow(model, column, reports[index], chosen),
          );
        })}
      </tbody>
    </table>
  </div>`;
}

type Head = readonly [label: string, meaning?: string, align?: 'end'];

function heads({ times, hasEnergy }: Pick<TableModel, 'times' | 'hasEnergy'>): Head[] {
  const at = (head: string): Head[] => (times ? [[head]] : []);
  const energy: Head = [
    t('Energy'),
    t(
      'Power times time: the sum of the values times the hours that a row lasts, and the hours of all rows with a value',
    ),
    'end',
  ];
  return [
    [t('Column')],
    // The figures used most need no scrolling.
    [t('Mean'), t('Sum of the values divided by their number'), 'end'],
    [t('Min'), t('Least value'), 'end'],
    [t('Max'), t('Greatest value'), 'end'],
    ...(hasEnergy ? [energy] : []),
    [t('Values'), t('Rows with a value'), 'end'],
    [
      t('Missing'),
      t('Rows without a value: null where the service sent no value, absent where it did not send the field'),
      'end',
    ],
    [t('p5'), t('5 % of the values are at or below it'), 'end'],
    [t('Median'), t('Half of the values are at or below it'), 'end'],
    [t('p95'), t('95 % of the values are at or below it'), 'end'],
    ['σ (n − 1)', t('Standard deviation of the sample'), 'end'],
    ...at(t('Min at ({0})', times?.zoneName ?? '')),
    ...at(t('Max at ({0})', times?.zoneName ?? '')),
    [t('Histogram')],
  ];
}

function columnRow(model: TableModel, column: NumberColumn, report: ColumnReport | undefined, chosen: boolean) {
  const { label, unit, headerTooltip } = columnHeader(column);
  const choose = () => model.choose(column.name);
  // Dragging over a text to copy it ends in a click too.
  const clicked = () => {
    if (document.getSelection()?.isCollapsed !== false) choose();
  };
  return html`<tr class=${chosen ? 'chosen' : ''} @click=${clicked}>
    <th scope="row" title=${headerTooltip}>
      <label>
        <input type="radio" name="statistics-column" .checked=${live(chosen)} @change=${choose} />
        <span class="statistics-name">${label}</span>
        ${unit ? html`<span class="statistics-unit">${unit}</span>` : nothing}
        ${column.field?.isDerived ? html`<span class="statistics-derived">${t('derived')}</span>` : nothing}
      </label>
    </th>
    ${
      report
        ? cells(model, report)
        : heads(model)
            .slice(1)
            .map(() => html`<td></td>`)
    }
  </tr>`;
}

function cells({ times, hasEnergy }: TableModel, report: ColumnReport): TemplateResult {
  const { statistics, received, computed } = report;
  const { summary } = statistics;
  const number = (write: WriteNumber, value: number | undefined, note?: string) =>
    html`<td
      class="end"
      title=${[value !== undefined && write.exact(value), note].filter(Boolean).join('\n') || nothing}
    >
      ${value === undefined ? '–' : write.text(value)}
    </td>`;
  const at = (extreme: Extreme | undefined) =>
    times ? html`<td>${extreme ? when(extreme, times, report) : '–'}</td>` : nothing;
  return html`${number(computed, shownMean(report), meanNote(report))} ${number(received, summary?.min.value)}
    ${number(received, summary?.max.value)} ${hasEnergy ? energyCell(report) : nothing}
    <td class="end">${report.counted(statistics.count)}</td>
    <td class="end">${missingText(report)}</td>
    ${number(computed, summary?.p5)} ${number(computed, summary?.median)} ${number(computed, summary?.p95)}
    ${number(computed, summary?.deviation)} ${at(summary?.min)} ${at(summary?.max)}
    <td>${summary ? sparkHistogram(report, summary.histogram) : '–'}</td>`;
}

/** Of a share that of the energies; none of changes in percent that no energies are known of. */
function shownMean({ column, statistics: { share, summary } }: ColumnReport): number | undefined {
  return share ?? (isEnergyChange(unitOf(column.field)) ? undefined : summary?.mean);
}

function meanNote({ column, label, statistics: { share } }: ColumnReport): string | undefined {
  const unit = unitOf(column.field);
  if (isEnergyChange(unit)) return t('Change of the energies, not the mean of the changes');
  if (isShare(unit) && share === undefined) return t("Mean of the rows' shares");
  if (share === undefined) return undefined;
  return isShare(unit)
    ? t('{0}. Made from the energies of the hours, not the mean of their shares', label)
    : t('Difference of the two shares');
}

/** Empty where the unit has none. */
function energyCell({ energy, column }: ColumnReport): TemplateResult {
  if (!energy && unitOf(column.field).unlikeHours)
    return html`<td class="end" title=${unlikeHoursSentence()}>
      <span class="statistics-repeats">${t('different hours')}</span>
    </td>`;
  if (!energy) return html`<td></td>`;
  return html`<td class="end" title=${energy.exact}>
    ${energy.amount} <span class="statistics-repeats">${energy.hours}</span>
  </td>`;
}

function when({ instant, times: repeats }: Extreme, times: Times, { counted }: ColumnReport) {
  if (instant === undefined) return '–';
  if (repeats === 1) return times.write(instant);
  const count = counted(repeats);
  return html`${times.write(instant)}
    <span class="statistics-repeats" title=${t('The earliest of {0} rows with this value', count)}>×${count}</span>`;
}

/** "0", "3 null", "1 absent", or both; the number alone of a derived column, of which nothing was received. */
function missingText({ column, statistics: { nulls, absent }, counted }: ColumnReport): string {
  if (column.field?.isDerived) return counted(nulls + absent);
  const texts = [
    ...(nulls > 0 ? [t('{0} null', counted(nulls))] : []),
    ...(absent > 0 ? [t('{0} absent', counted(absent))] : []),
  ];
  return texts.join(', ') || '0';
}
