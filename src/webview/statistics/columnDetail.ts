import { html, nothing, svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { unitOf } from '../../shared/units.ts';
import { valueTicks } from '../../presentation/chart/otherAxes.ts';
import { pathText } from '../../presentation/chart/svg.ts';
import { traceArea, traceLine } from '../../presentation/chart/traces.ts';
import { valueAxis } from '../../presentation/chart/valueAxis.ts';
import { labelWithUnit } from '../../presentation/columns/columnHeader.ts';
import type { ColumnReport } from './columnReport.ts';
import { durationCurveOf } from './durationCurve.ts';
import { histogramOf } from '../../presentation/statistics/niceSteps.ts';
import type { Profile } from './profileOf.ts';
import type { ValueSummary } from '../../core/statistics/columnStatistics.ts';
import { histogramChart } from './histogramChart.ts';
import { plot, pointsOf } from './plot.ts';
import { profileChart, profileTable } from './profileChart.ts';

interface DetailModel {
  readonly report: ColumnReport;
  /** The column, or all columns of the comparison that it is part of: their energies are shown. */
  readonly energies: readonly ColumnReport[];
  readonly scope: string;
  readonly profile: Profile;
  /** The rows are of one length: the values of others are no shares of the time. */
  readonly isEven: boolean;
  readonly profileTableOpen: boolean;
  /** Called when a person opens or closes the profile as a table. */
  readonly toggleProfileTable: (isOpen: boolean) => void;
  readonly zoneName: string;
  readonly locale: string;
}

/** One column in full: its histogram, its daily profile and, for power, its load-duration curve. */
export function columnDetail(model: DetailModel): TemplateResult {
  const { report, locale } = model;
  const { summary } = report.statistics;
  return html`<section class="statistics-detail" aria-labelledby="statistics-detail-title">
    <h2 id="statistics-detail-title">${labelWithUnit(report)}</h2>
    <p>${model.scope} ${energySentence(model)}</p>
    ${
      summary
        ? html`<div class="statistics-figures">
              ${figure(t('Histogram'), histogramChart(report, histogramOf(summary.ascending, summary.isWhole), locale))}
              ${profileFigure(model)}
              ${report.kind === 'power' && model.isEven ? figure(durationTitle(report), durationChart(report, summary, locale)) : nothing}
            </div>
            ${profileDetails(model)}`
        : html`<p>${t('The rows shown have no values.')}</p>`
    }
  </section>`;
}

/** "Energy 18,522.6 GWh over 742 h", or of a comparison those of both periods and the difference, or why it has none. */
function energySentence({ energies }: DetailModel) {
  const known = energies.flatMap(({ label, energy }) => (energy ? [{ label, energy }] : []));
  const [first] = known;
  if (!first) return nothing;
  const { amount, hours, exact } = first.energy;
  if (known.length === 1) return html`· <span title=${exact}>${t('Energy {0} over {1}', amount, hours)}</span>`;
  const parts = known.map(({ label, energy }) => t('{0} {1} over {2}', label, energy.amount, energy.hours));
  const isUnlike = energies.some(({ column }) => unitOf(column.field).unlikeHours);
  return html`·
    <span>${t('Energy: {0}', parts.join(' · '))}</span> ${isUnlike ? `· ${unlikeHoursSentence()}` : nothing}`;
}

/** Why a difference of powers has no energy. */
function unlikeHoursSentence(): string {
  return t('No energy for the difference: the two periods have different hours.');
}

function durationTitle({ energy }: ColumnReport): string {
  return energy ? t('Load-duration curve: area {0} over {1}', energy.amount, energy.hours) : t('Load-duration curve');
}

/** The area under the means of all 24 hours is the energy of a mean day. */
function profileTitle({ energy }: ColumnReport, profile: Profile): string {
  const means = 'hours' in profile ? profile.hours.flatMap(({ mean }) => mean ?? []) : [];
  if (!energy || means.length < 24) return t('Daily profile: mean, p5 to p95');
  return t('Daily profile: mean, p5 to p95; area {0} a day', energy.write(means.reduce((sum, mean) => sum + mean, 0)));
}

function profileFigure({ report, profile, zoneName, locale }: DetailModel): TemplateResult {
  const title = profileTitle(report, profile);
  if ('reason' in profile) return figure(title, html`<p class="statistics-blank">${profile.reason}</p>`);
  return figure(title, profileChart(report, profile.hours, zoneName, locale));
}

function profileDetails({ report, profile, zoneName, profileTableOpen, toggleProfileTable }: DetailModel) {
  if ('reason' in profile) return nothing;
  const toggled = ({ currentTarget }: Event) => toggleProfileTable((currentTarget as HTMLDetailsElement).open);
  return html`<details ?open=${profileTableOpen} @toggle=${toggled}>
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

/** The values in descending order over the share of the time in which they are reached or exceeded. */
function durationChart(report: ColumnReport, summary: ValueSummary, locale: string): TemplateResult {
  const window = { start: 0, end: 100 };
  const x = { window, ticks: valueTicks(window, 5, locale), label: t('Share of the time with a value, %') };
  const y = { ...valueAxis(summary.min.value, summary.max.value, 4, true), label: report.unit };
  const curve = durationCurveOf(summary.ascending);
  const values = Float64Array.from(curve, ({ value }) => value);
  const shares = curve.map(({ share }) => 100 * share);
  return plot(x, y, { locale, alternative: durationText(report, summary) }, plane => {
    const points = pointsOf(shares, plane);
    const zero = new Float64Array(values.length);
    return svg`<path class="statistics-area" d=${pathText(sink => traceArea(sink, points, zero, values))}></path>
      <path class="statistics-line" d=${pathText(sink => traceLine(sink, points, values))}></path>`;
  });
}

function durationText(
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
