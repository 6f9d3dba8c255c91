import { html, svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { hourText } from '../../core/bins/cycleNames.ts';
import type { ColumnReport } from './columnReport.ts';
import type { HourOfDay } from './dailyProfile.ts';
import { plot, type Plane, roundAxis } from './plot.ts';

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
  const hours = [0, 3, 6, 9, 12, 15, 18, 21].map(at => ({ at, text: hourText(at) }));
  const x = { from: 0, to: 23, marks: hours, label: t('Hour of day ({0})', zoneName) };
  const y = roundAxis(values, locale, report.unit || report.label);
  return plot(x, y, profileWords(report, known, zoneName), plane => [
    ...segmentsOf(known).map(hours => band(hours, plane)),
    ...known.map(
      hour =>
        svg`<circle class="statistics-dot" cx=${plane.x(hour.hour)} cy=${plane.y(hour.mean)} r="2.5"></circle>
        <rect class="statistics-hover" x=${plane.x(hour.hour - 0.5)} width=${plane.x(1) - plane.x(0)} y="24" height=${plane.bottom - 24}>
          <title>${hourWords(report, hour, zoneName)}</title>
        </rect>`,
    ),
  ]);
}

/** The same numbers to read and to copy. */
export function profileTable(report: ColumnReport, profile: readonly HourOfDay[], zoneName: string) {
  const cell = (value: number | undefined) => (value === undefined ? '' : report.computed.text(value));
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
            <th scope="row">${hourText(hour)}</th>
            <td>${report.counted(count)}</td>
            <td>${cell(mean)}</td>
            <td>${cell(p5)}</td>
            <td>${cell(p95)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function band(hours: readonly Known[], plane: Plane) {
  const at = (hour: number, value: number) => `${plane.x(hour).toFixed(1)},${plane.y(value).toFixed(1)}`;
  // An hour between two gaps has a band of its own, a little wide.
  const half = hours.length === 1 ? 0.2 : 0;
  const ends = hours.flatMap(hour =>
    half
      ? [
          { ...hour, hour: hour.hour - half },
          { ...hour, hour: hour.hour + half },
        ]
      : [hour],
  );
  const upper = ends.map(({ hour, p95 }) => at(hour, p95));
  const lower = ends.map(({ hour, p5 }) => at(hour, p5)).reverse();
  return svg`<polygon class="statistics-band" points=${[...upper, ...lower].join(' ')}></polygon>
    <polyline class="statistics-line" points=${ends.map(({ hour, mean }) => at(hour, mean)).join(' ')}></polyline>`;
}

/** The hours with values, cut where one is missing. */
function segmentsOf(known: readonly Known[]): Known[][] {
  const segments: Known[][] = [];
  for (const hour of known) {
    const last = segments.at(-1);
    if (last?.at(-1)?.hour === hour.hour - 1) last.push(hour);
    else segments.push([hour]);
  }
  return segments;
}

function profileWords({ label, computed }: ColumnReport, known: readonly Known[], zoneName: string): string {
  const ordered = known.toSorted((a, b) => a.mean - b.mean);
  const [least, most] = [ordered[0], ordered.at(-1)];
  if (!least || !most) return t('Daily profile of {0}: no row has a value.', label);
  return t(
    'Daily profile of {0}, mean by hour of day in {1}: least {2} at {3}, most {4} at {5}. The band is from p5 to p95.',
    ...[label, zoneName],
    ...[computed.withUnit(least.mean), hourText(least.hour), computed.withUnit(most.mean), hourText(most.hour)],
  );
}

function hourWords({ computed, counted }: ColumnReport, hour: Known, zoneName: string): string {
  const lines = [
    t(
      '{0} {1}: mean {2} over {3} rows',
      hourText(hour.hour),
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
