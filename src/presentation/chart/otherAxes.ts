import { t } from '@vscode/l10n';
import { shortZone } from '../../core/time/zone.ts';
import { hourMs } from '../../shared/durations.ts';
import { createNumberFormatter } from '../../shared/formatNumber.ts';
import type { ZonedCycle } from '../../shared/resampling.ts';
import { binNames } from '../columns/binNames.ts';
import type { TimeRange } from './chartModel.ts';
import type { OtherAxis } from './plot.ts';
import type { TimeTick } from './timeTicks.ts';
import { fixedAxis } from './valueAxis.ts';

/** Creates the axis of a cycle from the names of its bins. Each bin is one hour long, counted from 1970. */
export function cycleAxis(cycle: ZonedCycle, names: readonly string[]): OtherAxis {
  const at = (place: number): string =>
    names[Math.max(0, Math.min(names.length - 1, Math.floor(place / hourMs)))] ?? '';
  const marks = names.map((label, bin) => ({ instant: (bin + 0.5) * hourMs, label }));
  return {
    ticks: (window, most) => spaced(marks, window, most),
    titles: [`${binNames()[cycle.by]}, ${cycle.label}`, cycle.label, shortZone(cycle)],
    label: cycle.label,
    at,
    range: ({ start, end }) => t('{0} to {1}', at(start), at(end - 1)),
  };
}

/** Lists ticks at round values. */
export function valueTicks({ start, end }: TimeRange, most: number, locale: string): TimeTick[] {
  const { ticks, decimals } = fixedAxis(start, end, most);
  const write = createNumberFormatter(locale, decimals);
  return ticks.map(value => ({ instant: value, label: write(value), below: '' }));
}

type Mark = Omit<TimeTick, 'below'>;

/** Selects the marks in a window; if there are more than about `most`, only every second, third and so on. */
export function spaced(marks: readonly Mark[], { start, end }: TimeRange, most: number): TimeTick[] {
  const isInside = ({ instant }: Mark): boolean => instant >= start && instant <= end;
  const stride = Math.max(1, Math.ceil(marks.filter(isInside).length / Math.max(1, most)));
  const shown = marks.filter((mark, place) => place % stride === 0 && isInside(mark));
  return shown.map(mark => ({ ...mark, below: '' }));
}
