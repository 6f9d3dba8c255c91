import { t } from '@vscode/l10n';
import { formatShortZone } from '../../core/time/zone.ts';
import { hourMs } from '../../shared/durations.ts';
import { createNumberFormatter } from '../../shared/formatNumber.ts';
import type { ZonedCycle } from '../../shared/resampling.ts';
import { getBinNames } from '../columns/binNames.ts';
import type { TimeWindow } from './chartModel.ts';
import type { NonTimeAxis } from './plot.ts';
import type { TimeTick } from './timeTicks.ts';
import { createFixedAxis } from './valueAxis.ts';

/** Creates the axis of a cycle from the names of its bins. Each bin is one hour long, counted from 1970. */
export function createCycleAxis(cycle: ZonedCycle, names: readonly string[]): NonTimeAxis {
  const formatPosition = (position: number): string =>
    names[Math.max(0, Math.min(names.length - 1, Math.floor(position / hourMs)))] ?? '';
  const marks = names.map((label, bin) => ({ instant: (bin + 0.5) * hourMs, label }));
  return {
    ticks: (window, maxTicks) => selectMarks(marks, window, maxTicks),
    titles: [`${getBinNames()[cycle.by]}, ${cycle.label}`, cycle.label, formatShortZone(cycle)],
    label: cycle.label,
    format: formatPosition,
    formatRange: ({ start, end }) => t('{0} to {1}', formatPosition(start), formatPosition(end - 1)),
  };
}

/** Lists ticks at round values. */
export function createValueTicks({ start, end }: TimeWindow, maxTicks: number, locale: string): TimeTick[] {
  const { ticks, decimals } = createFixedAxis(start, end, maxTicks);
  const formatNumber = createNumberFormatter(locale, decimals);
  return ticks.map(value => ({ instant: value, label: formatNumber(value), below: '' }));
}

type Mark = Omit<TimeTick, 'below'>;

/** Selects the marks in a window; if there are more than about `maxTicks`, only every second, third and so on. */
export function selectMarks(marks: readonly Mark[], { start, end }: TimeWindow, maxTicks: number): TimeTick[] {
  const isInside = ({ instant }: Mark): boolean => instant >= start && instant <= end;
  const stride = Math.max(1, Math.ceil(marks.filter(isInside).length / Math.max(1, maxTicks)));
  const selectedMarks = marks.filter((mark, index) => index % stride === 0 && isInside(mark));
  return selectedMarks.map(mark => ({ ...mark, below: '' }));
}
