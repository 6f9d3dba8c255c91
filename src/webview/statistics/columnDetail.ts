import { html, nothing, svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { unitOf } from '../../shared/units.ts';
import { createValueTicks } from '../../presentation/chart/nonTimeAxes.ts';
import { serializePath } from '../../presentation/chart/svg.ts';
import { traceArea, traceLine } from '../../presentation/chart/traces.ts';
import { createValueAxis } from '../../presentation/chart/valueAxis.ts';
import { labelWithUnit } from '../../presentation/columns/columnHeader.ts';
import type { ColumnReport } from './columnReport.ts';
import { computeDurationCurve } from './durationCurve.ts';
import { computeHistogram } from '../../presentation/statistics/niceNumbers.ts';
import type { Profile } from './profile.ts';
import type { ValueSummary } from '../../core/statistics/columnStatistics.ts';
import { histogramChart } from './histogramChart.ts';
import { renderPlot, toPoints } from './plot.ts';
import { profileChart, profileTable } from './profileChart.ts';

interface DetailModel {
  readonly report: ColumnReport;
  /** The columns whose energies are displayed: the column itself or, in a comparison, all compared columns. */
  readonly energies: readonly ColumnReport[];
  readonly scope: string;
  readonly profile: Profile;
  /** Whether all rows have the same length. Otherwise a share of the values is not a share of the time, and there is no load-duration curve. */
  readonly isEven: boolean;
  readonly profileTableOpen: boolean;
  /** Called when the user opens or closes the table of the profile. */
  readonly toggleProfileTable: (isOpen: boolean) => void;
  readonly zoneName: string;
  readonly locale: string;
}

/** Renders the details of a column: its histogram, its daily profile and, for power, its load-duration curve. */
export function columnDetail(model: DetailModel): TemplateResult {
  const { report, locale } = model;
  const { summary } = report.statistics;
  return html`<section class="statistics-detail" aria-labelledby="statistics-detail-title">
    <h2 id="statistics-detail-title">${labelWithUnit(report)}</h2>
    <p>${model.scope} ${formatEnergySentence(model)}</p>
    ${
      summary
        ? html`<div class="statistics-figures">
              ${figure(t('Histogram'), histogramChart(report, computeHistogram(summary.ascending, summary.isWhole), locale))}
              ${profileFigure(model)}
              ${report.kind === 'power' && model.isEven ? figure(formatDurationTitle(report), durationChart(report, summary, locale)) : nothing}
            </div>
            ${profileDetails(model)}`
        : html`<p>${t('The rows shown have no values.')}</p>`
    }
  </section>`;
}

/** Renders the energy, such as "Energy 18,522.6 GWh over 742 h". For a comparison, renders the energies of both periods and of the difference. */
function formatEnergySentence({ energies }: DetailModel) {
  const knownEnergies = energies.flatMap(({ label, energy }) => (energy ? [{ label, energy }] : []));
  const [first] = knownEnergies;
  if (!first) return nothing;
  const { amount, hours, exact } = first.energy;
  if (knownEnergies.length === 1) return html`· <span title=${exact}>${t('Energy {0} over {1}', amount, hours)}</span>`;
  const parts = knownEnergies.map(({ label, energy }) => t('{0} {1} over {2}', label, energy.amount, energy.hours));
  const hasUnlikeHours = energies.some(({ column }) => unitOf(column.field).unlikeHours);
  return html`·
    <span>${t('Energy: {0}', parts.join(' · '))}</span>
    ${hasUnlikeHours ? `· ${formatUnlikeHoursSentence()}` : nothing}`;
}

/** Explains why a difference of powers has no energy. */
function formatUnlikeHoursSentence(): string {
  return t('No energy for the difference: the two periods have different hours.');
}

function formatDurationTitle({ energy }: ColumnReport): string {
  return energy ? t('Load-duration curve: area {0} over {1}', energy.amount, energy.hours) : t('Load-duration curve');
}

/** Formats the title of the daily profile. It includes the energy of a mean day, the sum of the means, if all 24 hours have one. */
function formatProfileTitle({ energy }: ColumnReport, profile: Profile): string {
  const means = 'hours' in profile ? profile.hours.flatMap(({ mean }) => mean ?? []) : [];
  if (!energy || means.length < 24) return t('Daily profile: mean, p5 to p95');
  return t('Daily profile: mean, p5 to p95; area {0} a day', energy.format(means.reduce((sum, mean) => sum + mean, 0)));
}

function profileFigure({ report, profile, zoneName, locale }: DetailModel): TemplateResult {
  const title = formatProfileTitle(report, profile);
  if ('reason' in profile) return figure(title, html`<p class="statistics-blank">${profile.reason}</p>`);
  return figure(title, profileChart(report, profile.hours, zoneName, locale));
}

function profileDetails({ report, profile, zoneName, profileTableOpen, toggleProfileTable }: DetailModel) {
  if ('reason' in profile) return nothing;
  const onToggle = ({ currentTarget }: Event) => toggleProfileTable((currentTarget as HTMLDetailsElement).open);
  return html`<details ?open=${profileTableOpen} @toggle=${onToggle}>
    <summary>${t('Daily profile as a table')}</summary>
    ${profileTable(report, profile.hours, zoneName)}
  </details>`;
}

function figure(title: string, content: TemplateResult): TemplateResult {
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${content}
  </figure>`;
}

/** Renders the load-duration curve: the values in descending order, over the share of the time in which they are reached or exceeded. */
function durationChart(report: ColumnReport, summary: ValueSummary, locale: string): TemplateResult {
  const window = { start: 0, end: 100 };
  const x = { window, ticks: createValueTicks(window, 5, locale), label: t('Share of the time with a value, %') };
  const y = { ...createValueAxis(summary.min.value, summary.max.value, 4, true), label: report.unit };
  const curve = computeDurationCurve(summary.ascending);
  const values = Float64Array.from(curve, ({ value }) => value);
  const shares = curve.map(({ share }) => 100 * share);
  return renderPlot(x, y, { locale, alternative: describeDurationCurve(report, summary) }, plane => {
    const points = toPoints(shares, plane);
    const zero = new Float64Array(values.length);
    return svg`<path class="statistics-area" d=${serializePath(sink => traceArea(sink, points, zero, values))}></path>
      <path class="statistics-line" d=${serializePath(sink => traceLine(sink, points, values))}></path>`;
  });
}

function describeDurationCurve(
  { label, received, computed }: ColumnReport,
  { min, max, p5, median, p95 }: ValueSummary,
): string {
  return t(
    'Load-duration curve of {0}: at most {1}; {2} or more for 5 % of the time, {3} or more for 50 %, {4} or more for 95 %; at least {5}.',
    ...[label, received.withUnit(max.value)],
    ...[p95, median, p5].map(value => computed.withUnit(value)),
    received.withUnit(min.value),
  );
}
