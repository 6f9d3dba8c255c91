import { html, nothing, svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { serializePath } from '../../presentation/chart/svg.ts';
import { traceArea, traceLine } from '../../presentation/chart/traces.ts';
import { createValueAxis } from '../../presentation/chart/valueAxis.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import type { ColumnReport } from './columnReport.ts';
import type { HourOfDay } from './dailyProfile.ts';
import { renderPlot, toPoints } from './plot.ts';

type HourWithValues = HourOfDay & { readonly mean: number; readonly p5: number; readonly p95: number };

/** Renders the mean by hour of day as a line and p5 to p95 as a band. Hours without a value are a gap. */
export function profileChart(
  report: ColumnReport,
  profile: readonly HourOfDay[],
  zoneName: string,
  locale: string,
): TemplateResult {
  const hoursWithValues = profile.filter(hasValues);
  const values = hoursWithValues.flatMap(({ p5, p95, mean }) => [p5, p95, mean]);
  const hours = [0, 3, 6, 9, 12, 15, 18, 21].map(instant => ({ instant, label: formatHour(instant) }));
  const x = { window: { start: 0, end: 23 }, ticks: hours, label: t('Hour of day ({0})', zoneName) };
  const y = {
    ...createValueAxis(Math.min(...values), Math.max(...values), 4, false),
    label: report.unit || report.label,
  };
  const getValues = (figure: 'mean' | 'p5' | 'p95') => Float64Array.from(profile, hour => hour[figure] ?? NaN);
  return renderPlot(x, y, { locale, alternative: describeProfile(report, hoursWithValues, zoneName) }, plane => {
    const { toX, toY, top, bottom } = plane;
    const points = toPoints(
      profile.map(({ hour }) => hour),
      plane,
    );
    return [
      svg`<path class="statistics-band" d=${serializePath(sink => traceArea(sink, points, getValues('p5'), getValues('p95')))}></path>
        <path class="statistics-line" d=${serializePath(sink => traceLine(sink, points, getValues('mean')))}></path>`,
      ...hoursWithValues.map(
        hour =>
          svg`<circle class="statistics-dot" cx=${toX(hour.hour)} cy=${toY(hour.mean)} r="2.5"></circle>
        <rect class="statistics-hover" x=${toX(hour.hour - 0.5)} width=${toX(1) - toX(0)} y=${top} height=${bottom - top}>
          <title>${describeHour(report, hour, zoneName)}</title>
        </rect>`,
      ),
    ];
  });
}

/** Renders the numbers of the chart as a table. */
export function profileTable(report: ColumnReport, profile: readonly HourOfDay[], zoneName: string) {
  const { text, exact } = report.computed;
  const renderCell = (value: number | undefined) =>
    value === undefined ? html`<td></td>` : html`<td title=${exact(value) || nothing}>${text(value)}</td>`;
  const unit = report.unit ? `, ${report.unit}` : '';
  return html`<table>
    <caption>
      ${t('Daily profile of {0}{1}', report.label, unit)}
    </caption>
    <thead>
      <tr>
        ${[t('Hour ({0})', zoneName), t('Rows'), t('Mean'), t('p5'), t('p95')].map(head => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${profile.map(
        ({ hour, count, mean, p5, p95 }) =>
          html`<tr>
            <th scope="row">${formatHour(hour)}</th>
            <td>${report.formatCount(count)}</td>
            ${renderCell(mean)} ${renderCell(p5)} ${renderCell(p95)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function describeProfile(
  { label, computed }: ColumnReport,
  hoursWithValues: readonly HourWithValues[],
  zoneName: string,
): string {
  const ordered = hoursWithValues.toSorted((a, b) => a.mean - b.mean);
  const lowest = ordered[0];
  const highest = ordered.at(-1);
  if (!lowest || !highest) return t('Daily profile of {0}: no row has a value.', label);
  return t(
    'Daily profile of {0}, mean by hour of day in {1}: lowest {2} at {3}, highest {4} at {5}. The band spans p5 to p95.',
    ...[label, zoneName],
    ...[
      computed.withUnit(lowest.mean),
      formatHour(lowest.hour),
      computed.withUnit(highest.mean),
      formatHour(highest.hour),
    ],
  );
}

function describeHour({ computed, formatCount }: ColumnReport, hour: HourWithValues, zoneName: string): string {
  const lines = [
    t(
      '{0} {1}: mean {2} over {3} rows',
      formatHour(hour.hour),
      zoneName,
      computed.withUnit(hour.mean),
      formatCount(hour.count),
    ),
    t('p5 {0}, p95 {1}', computed.withUnit(hour.p5), computed.withUnit(hour.p95)),
  ];
  return lines.join('\n');
}

function hasValues(hour: HourOfDay): hour is HourWithValues {
  return hour.mean !== undefined;
}
