import { svg, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { createValueTicks } from '../../presentation/chart/nonTimeAxes.ts';
import { createValueAxis } from '../../presentation/chart/valueAxis.ts';
import { labelWithUnit } from '../../presentation/columns/columnHeader.ts';
import type { ColumnReport } from './columnReport.ts';
import type { Histogram } from '../../presentation/statistics/niceNumbers.ts';
import { renderPlot } from './plot.ts';

/** Renders a histogram with its axes. Each bar has a tooltip with its range and count. */
export function histogramChart(report: ColumnReport, histogram: Histogram, locale: string): TemplateResult {
  const { edges, counts } = histogram;
  const [from, to] = getEdgeRange(edges);
  const window = { start: from, end: to };
  const x = { window, ticks: createValueTicks(window, 5, locale), label: labelWithUnit(report) };
  const axis = createValueAxis(0, Math.max(...counts), 4, true);
  const y = { ...axis, ticks: axis.ticks.filter(Number.isInteger), decimals: 0, label: t('Rows') };
  return renderPlot(x, y, { locale, alternative: describeHistogram(report, histogram) }, plane =>
    counts.map((count, bin) => {
      const [start, end] =
        counts.length === 1
          ? [from + (to - from) / 3, to - (to - from) / 3]
          : [edges[bin] ?? from, edges[bin + 1] ?? to];
      const left = plane.toX(start);
      const right = plane.toX(end);
      const barHeight = count === 0 ? 0 : Math.max(1, plane.bottom - plane.toY(count));
      return svg`<rect class="statistics-bar" x=${left + 0.5} y=${plane.bottom - barHeight} width=${Math.max(1, right - left - 1)} height=${barHeight}>
        <title>${t('{0}: {1} rows', formatBin(report, histogram, bin), report.formatCount(count))}</title>
      </rect>`;
    }),
  );
}

/** Describes the histogram in a sentence. */
export function describeHistogram(report: ColumnReport, histogram: Histogram): string {
  const { counts } = histogram;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const { label } = report;
  if (counts.length === 1)
    return t(
      'Histogram of {0}: {1} rows, all at {2}.',
      label,
      report.formatCount(total),
      formatBin(report, histogram, 0),
    );
  const maxCount = Math.max(...counts);
  return t(
    'Histogram of {0}: {1} rows in {2} bins; the highest count, {3}, is at {4}.',
    ...[
      label,
      report.formatCount(total),
      counts.length,
      report.formatCount(maxCount),
      formatBin(report, histogram, counts.indexOf(maxCount)),
    ],
  );
}

/** Formats the range of a bin, such as "1,000 – 1,250 MW", or the range from one bin to a second bin. */
export function formatBin(
  report: Pick<ColumnReport, 'digits' | 'unit'>,
  { edges }: Histogram,
  bin: number,
  last = bin,
): string {
  // The edges are not rounded, because rounded edges could belong to other bins.
  const {
    digits: { received, computed },
    unit,
  } = report;
  const from = edges[bin] ?? NaN;
  const to = edges[last + 1] ?? NaN;
  if (from === to) return received.withUnit(from);
  const { text } = received.exact(from) || received.exact(to) ? computed : received;
  return unit ? `${text(from)} – ${text(to)} ${unit}` : `${text(from)} – ${text(to)}`;
}

/** Returns the range of the edges. A single number gets a range around it. */
function getEdgeRange(edges: readonly number[]): readonly [number, number] {
  const from = edges[0] ?? 0;
  const to = edges.at(-1) ?? 0;
  if (from !== to) return [from, to];
  const half = Math.abs(from) / 10 || 1;
  return [from - half, from + half];
}
