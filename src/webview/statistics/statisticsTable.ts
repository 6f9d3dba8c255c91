import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '@vscode/l10n';
import { energiesFormatter } from '../../shared/formatNumber.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { SortKey } from '../../shared/analysis.ts';
import { isEnergyChange, isShare, unitOf } from '../../shared/units.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { unlikeHoursSentence } from './columnDetail.ts';
import { shownMean, type ColumnReport, type WriteNumber } from './columnReport.ts';
import type { Extreme } from './columnStatistics.ts';
import { sparkHistogram } from './histogramChart.ts';
import type { Times } from './scope.ts';

interface TableModel {
  readonly columns: readonly NumberColumn[];
  /** In the order of the columns; undefined while it is computed. */
  readonly reports: readonly (ColumnReport | undefined)[];
  readonly chosen: string | undefined;
  readonly caption: string;
  readonly locale: string;
  readonly times: Times | undefined;
  /** Whether a column may have an energy. */
  readonly hasEnergy: boolean;
  readonly choose: (column: string) => void;
  /** The places of the columns in the order shown. */
  readonly order: readonly number[];
  readonly sort: SortKey | undefined;
  /** Sorts by one of the `statisticsFrame`, or turns that order around. */
  readonly sortBy: (figure: string) => void;
  /** Copies all figures; left out on paper. */
  readonly copy: (() => void) | undefined;
}

/** All columns of numbers, one a row; the radio button of a row chooses what is shown in full below. */
export function statisticsTable(model: TableModel): TemplateResult {
  const { columns, reports, times, sort, copy } = model;
  const writeEnergy = energiesFormatter(
    model.locale,
    reports.flatMap(report => report?.energy?.mwh ?? []),
  );
  // All of its cells follow where one needs another unit or more digits.
  const energyForm = writeEnergy(0);
  return html`<div class="statistics-table" role="radiogroup" aria-label=${t('Column shown in full')}>
    <table aria-busy=${columns.every((_, index) => reports[index]) ? 'false' : 'true'}>
      <caption>
        ${model.caption}
        <span class="statistics-method"
          >· ${t('p5, median, p95: interpolated linearly (type 7 of Hyndman and Fan) · σ: of the sample (n − 1)')}</span
        >
        ${copy ? html`<button type="button" class="statistics-copy" @click=${copy}>${t('Copy Table')}</button>` : nothing}
      </caption>
      <thead>
        <tr>
          ${heads(model).map(
            ([label, figure, meaning, align]) =>
              html`<th
                scope="col"
                class=${align ?? nothing}
                title=${meaning ?? nothing}
                aria-sort=${sort?.column === figure ? (sort?.descending ? 'descending' : 'ascending') : nothing}
              >
                ${figure ? html`<button type="button" @click=${() => model.sortBy(figure)}>${label}</button>` : label}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${repeat(
          model.order.flatMap(index => {
            const column = columns[index];
            return column ? [{ column, report: reports[index] }] : [];
          }),
          ({ column }) => column.name,
          ({ column, report }) => {
            const chosen = column.name === model.chosen;
            return html`${guard([column, report, chosen, times, model.hasEnergy, energyForm], () =>
              columnRow(model, column, report, chosen, writeEnergy),
            )}`;
          },
        )}
      </tbody>
    </table>
  </div>`;
}

/** `figure`: what the rows are sorted by. */
type Head = readonly [label: string, figure?: string | undefined, meaning?: string, align?: 'end'];

function heads({ times, hasEnergy }: Pick<TableModel, 'times' | 'hasEnergy'>): Head[] {
  const at = (head: string, figure: string): Head[] => (times ? [[head, figure]] : []);
  const energy: Head = [
    t('Energy'),
    'energy_mwh',
    t(
      'Power times time: the sum of the values times the hours that a row lasts, and the hours of all rows with a value',
    ),
    'end',
  ];
  return [
    [t('Column'), 'column'],
    // The figures used most need no scrolling.
    [t('Mean'), 'mean', t('Sum of the values divided by their number'), 'end'],
    [t('Min'), 'min', t('Least value'), 'end'],
    [t('Max'), 'max', t('Greatest value'), 'end'],
    ...(hasEnergy ? [energy] : []),
    [t('Values'), 'values', t('Rows with a value'), 'end'],
    [
      t('Missing'),
      undefined,
      t('Rows without a value: null where the service sent no value, absent where it did not send the field'),
      'end',
    ],
    [t('p5'), 'p5', t('5 % of the values are at or below it'), 'end'],
    [t('Median'), 'median', t('Half of the values are at or below it'), 'end'],
    [t('p95'), 'p95', t('95 % of the values are at or below it'), 'end'],
    ['σ (n − 1)', 'deviation', t('Standard deviation of the sample'), 'end'],
    ...at(t('Min at ({0})', times?.zoneName ?? ''), 'min_at'),
    ...at(t('Max at ({0})', times?.zoneName ?? ''), 'max_at'),
    [t('Histogram')],
  ];
}

function columnRow(
  model: TableModel,
  column: NumberColumn,
  report: ColumnReport | undefined,
  chosen: boolean,
  writeEnergy: (mwh: number) => string,
) {
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
        ? cells(model, report, writeEnergy)
        : heads(model)
            .slice(1)
            .map(() => html`<td></td>`)
    }
  </tr>`;
}

function cells(
  { times, hasEnergy }: TableModel,
  report: ColumnReport,
  writeEnergy: (mwh: number) => string,
): TemplateResult {
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
    ${number(received, summary?.max.value)} ${hasEnergy ? energyCell(report, writeEnergy) : nothing}
    <td class="end">${report.counted(statistics.count)}</td>
    <td class="end">${missingText(report)}</td>
    ${number(computed, summary?.p5)} ${number(computed, summary?.median)} ${number(computed, summary?.p95)}
    ${number(computed, summary?.deviation)} ${at(summary?.min)} ${at(summary?.max)}
    <td>${summary ? sparkHistogram(report, summary.histogram) : '–'}</td>`;
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
function energyCell({ energy, column }: ColumnReport, write: (mwh: number) => string): TemplateResult {
  if (!energy && unitOf(column.field).unlikeHours)
    return html`<td class="end" title=${unlikeHoursSentence()}>
      <span class="statistics-repeats">${t('different hours')}</span>
    </td>`;
  if (!energy) return html`<td></td>`;
  return html`<td class="end" title=${energy.exact}>
    ${write(energy.mwh)} <span class="statistics-repeats">${energy.hours}</span>
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
