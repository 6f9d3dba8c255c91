import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { ColumnReport } from './columnReport.ts';
import type { HourOfDay } from './dailyProfile.ts';
import { durationChart } from './durationChart.ts';
import { histogramChart } from './histogramChart.ts';
import { profileChart, profileTable } from './profileChart.ts';
import { unitOf } from '../../shared/units.ts';

/** The daily profile, or why there is none. */
export type Profile =
  | { readonly state: 'known'; readonly hours: readonly HourOfDay[] }
  | { readonly state: 'computing' }
  | { readonly state: 'none'; readonly reason: string };

interface DetailModel {
  readonly report: ColumnReport;
  /** Whose energies are said: the column's, or those of the comparison that it is part of. */
  readonly energies: readonly ColumnReport[];
  readonly scope: string;
  readonly profile: Profile;
  readonly zoneName: string;
  readonly locale: string;
}

/** One column in full: its histogram, its daily profile and, for power, its load-duration curve. */
export function columnDetail(model: DetailModel): TemplateResult {
  const { report, locale } = model;
  const { summary } = report.statistics;
  return html`<section class="statistics-detail" aria-labelledby="statistics-detail-title">
    <h2 id="statistics-detail-title">${report.unit ? `${report.label}, ${report.unit}` : report.label}</h2>
    <p>${model.scope} ${energySentence(model)}</p>
    ${
      summary
        ? html`<div class="statistics-figures">
              ${figure(t('Histogram'), histogramChart(report, summary.histogram, locale))} ${profileFigure(model)}
              ${report.kind === 'power' ? figure(durationTitle(report), durationChart(report, summary, locale)) : nothing}
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
export function unlikeHoursSentence(): string {
  return t('No energy for the difference: the two periods have different hours.');
}

function durationTitle({ energy }: ColumnReport): string {
  return energy ? t('Load-duration curve: area {0} over {1}', energy.amount, energy.hours) : t('Load-duration curve');
}

/** The area under the means of all 24 hours is the energy of a mean day. */
function profileTitle({ energy }: ColumnReport, profile: Profile): string {
  const means = profile.state === 'known' ? profile.hours.flatMap(({ mean }) => mean ?? []) : [];
  if (!energy || means.length < 24) return t('Daily profile: mean, p5 to p95');
  return t('Daily profile: mean, p5 to p95; area {0} a day', energy.write(means.reduce((sum, mean) => sum + mean, 0)));
}

function profileFigure({ report, profile, zoneName, locale }: DetailModel): TemplateResult {
  const title = profileTitle(report, profile);
  switch (profile.state) {
    case 'known':
      return figure(title, profileChart(report, profile.hours, zoneName, locale));
    case 'computing':
      return figure(title, html`<p class="statistics-blank statistics-coming">${t('Computing…')}</p>`);
    case 'none':
      return figure(title, html`<p class="statistics-blank">${profile.reason}</p>`);
  }
}

/** Stays open from one column to the next. */
function profileDetails({ report, profile, zoneName }: DetailModel) {
  if (profile.state === 'none') return nothing;
  return html`<details>
    <summary>${t('Daily profile as a table')}</summary>
    ${profile.state === 'known' ? profileTable(report, profile.hours, zoneName) : nothing}
  </details>`;
}

function figure(title: string, content: TemplateResult): TemplateResult {
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${content}
  </figure>`;
}
