import { svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { ColumnReport } from './columnReport.ts';
import type { Summary } from './columnStatistics.ts';
import { numberMarks, plot, roundAxis } from './plot.ts';

/** The values in descending order over the share of the time in which they are reached or exceeded. */
export function durationChart(report: ColumnReport, summary: Summary, locale: string): TemplateResult {
  const marks = numberMarks([0, 20, 40, 60, 80, 100], locale).map(({ at, text }) => ({ at: at / 100, text }));
  const x = { from: 0, to: 1, marks, label: t('Share of the time with a value, %') };
  const y = roundAxis([summary.min.value, summary.max.value, 0], locale, report.unit);
  return plot(x, y, words(report, summary), plane => {
    const points = summary.duration.map(
      ({ share, value }) => `${plane.x(share).toFixed(1)},${plane.y(value).toFixed(1)}`,
    );
    const zero = plane.y(0).toFixed(1);
    const [start, end] = [plane.x(0).toFixed(1), plane.x(1).toFixed(1)];
    return svg`<polygon class="statistics-area" points=${`${start},${zero} ${points.join(' ')} ${end},${zero}`}></polygon>
      <polyline class="statistics-line" points=${points.join(' ')}></polyline>`;
  });
}

function words({ label, received, computed }: ColumnReport, { min, max, p5, median, p95 }: Summary): string {
  return t(
    'Load-duration curve of {0}: at most {1}; {2} or more for 5 % of the time, {3} or more for 50 %, {4} or more for 95 %; at least {5}.',
    ...[label, received.withUnit(max.value)],
    ...[p95, median, p5].map(value => computed.withUnit(value)),
    received.withUnit(min.value),
  );
}
