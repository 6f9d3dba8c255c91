import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { ColumnReport } from './columnReport.ts';
import type { HourOfDay } from './dailyProfile.ts';
import { durationChart } from './durationChart.ts';
import { histogramChart } from './histogramChart.ts';
import { profileChart, profileTable } from './profileChart.ts';

/** The daily profile, or why there is none. */
export type Profile =
  | { readonly state: 'known'; readonly hours: readonly HourOfDay[] }
  | { readonly state: 'computing' }
  | { readonly state: 'none'; readonly reason: string };

export interface DetailModel {
  readonly report: ColumnReport;
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
    <p>${model.scope}</p>
    ${
      summary
        ? html`<div class="statistics-figures">
              ${figure(t('Histogram'), histogramChart(report, summary.histogram, locale))} ${profileFigure(model)}
              ${report.unit === 'MW' ? figure(t('Load-duration curve'), durationChart(report, summary, locale)) : nothing}
            </div>
            ${profileDetails(model)}`
        : html`<p>${t('No row shown has a value.')}</p>`
    }
  </section>`;
}

function profileFigure({ report, profile, zoneName, locale }: DetailModel): TemplateResult {
  const title = t('Daily profile: mean, p5 to p95');
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
