import { svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { valueTicks } from '../../presentation/chart/otherAxes.ts';
import { valueAxis } from '../../presentation/chart/valueAxis.ts';
import { labelWithUnit } from '../../presentation/columns/columnHeader.ts';
import type { ColumnReport } from './columnReport.ts';
import type { Histogram } from '../../presentation/statistics/niceSteps.ts';
import { plot } from './plot.ts';

/** The histogram with its axes; each bar says what it counts on hover. */
export function histogramChart(report: ColumnReport, histogram: Histogram, locale: string): TemplateResult {
  const { edges, counts } = histogram;
  const [from, to] = edgeRange(edges);
  const window = { start: from, end: to };
  const x = { window, ticks: valueTicks(window, 5, locale), label: labelWithUnit(report) };
  const axis = valueAxis(0, Math.max(...counts), 4, true);
  const y = { ...axis, ticks: axis.ticks.filter(Number.isInteger), decimals: 0, label: t('Rows') };
  return plot(x, y, { locale, alternative: histogramWords(report, histogram) }, plane =>
    counts.map((count, bin) => {
      const [start, end] =
        counts.length === 1
          ? [from + (to - from) / 3, to - (to - from) / 3]
          : [edges[bin] ?? from, edges[bin + 1] ?? to];
      const [left, right] = [plane.toX(start), plane.toX(end)];
      const high = count === 0 ? 0 : Math.max(1, plane.bottom - plane.toY(count));
      return svg`<rect class="statistics-bar" x=${left + 0.5} y=${plane.bottom - high} width=${Math.max(1, right - left - 1)} height=${high}>
        <title>${t('{0}: {1} rows', binWords(report, histogram, bin), report.counted(count))}</title>
      </rect>`;
    }),
  );
}

/** The histogram in a sentence. */
export function histogramWords(report: ColumnReport, histogram: Histogram): string {
  const { counts } = histogram;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const { label } = report;
  if (counts.length === 1)
    return t('Histogram of {0}: {1} rows, all at {2}.', label, report.counted(total), binWords(report, histogram, 0));
  const most = Math.max(...counts);
  return t(
    'Histogram of {0}: {1} rows in {2} bins; the highest count, {3}, is at {4}.',
    ...[
      label,
      report.counted(total),
      counts.length,
      report.counted(most),
      binWords(report, histogram, counts.indexOf(most)),
    ],
  );
}

/** "1,000 – 1,250 MW": of one bin, or up to another one. */
export function binWords(
  report: Pick<ColumnReport, 'digits' | 'unit'>,
  { edges }: Histogram,
  bin: number,
  last = bin,
): string {
  // Rounded edges would be those of other bins.
  const {
    digits: { received, computed },
    unit,
  } = report;
  const [from, to] = [edges[bin] ?? NaN, edges[last + 1] ?? NaN];
  if (from === to) return received.withUnit(from);
  const { text } = received.exact(from) || received.exact(to) ? computed : received;
  return unit ? `${text(from)} – ${text(to)} ${unit}` : `${text(from)} – ${text(to)}`;
}

/** A single number has no range: one is made around it. */
function edgeRange(edges: readonly number[]): readonly [number, number] {
  const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0];
  if (from !== to) return [from, to];
  const half = Math.abs(from) / 10 || 1;
  return [from - half, from + half];
}
