import { html, nothing, svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { pathText } from '../../presentation/chart/svg.ts';
import { traceArea, traceLine } from '../../presentation/chart/traces.ts';
import { valueAxis } from '../../presentation/chart/valueAxis.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import type { ColumnReport } from './columnReport.ts';
import type { HourOfDay } from './dailyProfile.ts';
import { plot, pointsOf } from './plot.ts';

type Known = HourOfDay & { readonly mean: number; readonly p5: number; readonly p95: number };

/** Mean by hour of day as a line, p5 to p95 as a band around it; hours without a row are a gap. */
export function profileChart(
  report: ColumnReport,
  profile: readonly HourOfDay[],
  zoneName: string,
  locale: string,
): TemplateResult {
  const known = profile.filter(isKnown);
  const values = known.flatMap(({ p5, p95, mean }) => [p5, p95, mean]);
  const hours = [0, 3, 6, 9, 12, 15, 18, 21].map(instant => ({ instant, label: formatHour(instant) }));
  const x = { window: { start: 0, end: 23 }, ticks: hours, label: t('Hour of day ({0})', zoneName) };
  const y = { ...valueAxis(Math.min(...values), Math.max(...values), 4, false), label: report.unit || report.label };
  const each = (of: 'mean' | 'p5' | 'p95') => Float64Array.from(profile, hour => hour[of] ?? NaN);
  return plot(x, y, { locale, alternative: profileWords(report, known, zoneName) }, plane => {
    const { toX, toY, top, bottom } = plane;
    const points = pointsOf(
      profile.map(({ hour }) => hour),
      plane,
    );
    return [
      svg`<path class="statistics-band" d=${pathText(sink => traceArea(sink, points, each('p5'), each('p95')))}></path>
        <path class="statistics-line" d=${pathText(sink => traceLine(sink, points, each('mean')))}></path>`,
      ...known.map(
        hour =>
          svg`<circle class="statistics-dot" cx=${toX(hour.hour)} cy=${toY(hour.mean)} r="2.5"></circle>
        <rect class="statistics-hover" x=${toX(hour.hour - 0.5)} width=${toX(1) - toX(0)} y=${top} height=${bottom - top}>
          <title>${hourWords(report, hour, zoneName)}</title>
        </rect>`,
      ),
    ];
  });
}

/** The same numbers to read and to copy. */
export function profileTable(report: ColumnReport, profile: readonly HourOfDay[], zoneName: string) {
  const { text, exact } = report.computed;
  const cell = (value: number | undefined) =>
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
            <td>${report.counted(count)}</td>
            ${cell(mean)} ${cell(p5)} ${cell(p95)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function profileWords({ label, computed }: ColumnReport, known: readonly Known[], zoneName: string): string {
  const ordered = known.toSorted((a, b) => a.mean - b.mean);
  const [least, most] = [ordered[0], ordered.at(-1)];
  if (!least || !most) return t('Daily profile of {0}: no row has a value.', label);
  return t(
    'Daily profile of {0}, mean by hour of day in {1}: lowest {2} at {3}, highest {4} at {5}. The band spans p5 to p95.',
    ...[label, zoneName],
    ...[computed.withUnit(least.mean), formatHour(least.hour), computed.withUnit(most.mean), formatHour(most.hour)],
  );
}

function hourWords({ computed, counted }: ColumnReport, hour: Known, zoneName: string): string {
  const lines = [
    t(
      '{0} {1}: mean {2} over {3} rows',
      formatHour(hour.hour),
      zoneName,
      computed.withUnit(hour.mean),
      counted(hour.count),
    ),
    t('p5 {0}, p95 {1}', computed.withUnit(hour.p5), computed.withUnit(hour.p95)),
  ];
  return lines.join('\n');
}

function isKnown(hour: HourOfDay): hour is Known {
  return hour.mean !== undefined;
}
