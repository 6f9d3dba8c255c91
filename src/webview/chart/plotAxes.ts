import uPlot from 'uplot';
import type { Palette } from './palette.ts';
import type { Plot } from './plot.ts';
import { timeTicks, type TimeTick, axisTextSize } from './timeTicks.ts';
import type { ValueAxis } from './valueAxis.ts';
import type { PlotWords } from './words.ts';

/** What axes are written and drawn with. */
export interface AxisScene {
  readonly plot: Plot;
  readonly words: PlotWords;
  readonly palette: Palette;
  readonly font: string;
}

const timeSpacing = 84;
const dayMs = 86_400_000;
const lowPlot = 240;

/** Whether a plot of this height, CSS pixels, has no room for more than one line under it. */
export function isLowPlot(height: number): boolean {
  return height < lowPlot;
}

/** What stands under the plot, CSS pixels: two rows of labels and the axis' title, or one row where it is low. */
export function roomBelow(isLow: boolean): number {
  return isLow ? 22 : 60;
}

/** The axis of time without its labels. `made` hears of its marks. */
export function timeAxis(
  { plot, words, palette }: AxisScene,
  isLow: boolean,
  made: (ticks: readonly TimeTick[]) => void,
): uPlot.Axis {
  return {
    scale: 'x',
    size: roomBelow(isLow),
    ticks: { stroke: palette.grid, width: 1, size: 4 },
    grid: { stroke: palette.grid, width: 1 },
    splits: (chart, _axis, start, end) => {
      const most = Math.max(1, chart.bbox.width / uPlot.pxRatio / timeSpacing);
      const least = plot.daily ? dayMs : 0;
      const ticks = timeTicks({ start, end }, words.zone, most, words.locale, least, isLow ? 1 : 2);
      made(ticks);
      return ticks.map(({ instant }) => instant);
    },
    values: () => [],
  };
}

/** An axis of values: 0 stands left, with the grid, 1 right. `widthOf`: CSS pixels of a label. */
export function valueAxisOf(
  { words, palette, font }: AxisScene,
  index: number,
  shown: () => ValueAxis | undefined,
  widthOf: (text: string) => number,
): uPlot.Axis {
  const label = (tick: number): string => words.tick(tick, shown()?.decimals ?? 0);
  return {
    scale: `y${index}`,
    // uPlot's enum of sides is there for the compiler only: 3 is left, 1 is right.
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
    side: index === 0 ? 3 : 1,
    stroke: palette.muted,
    font: `${axisTextSize}px ${font}`,
    gap: 4,
    ticks: { stroke: palette.grid, width: 1, size: 4 },
    grid: index === 0 ? { stroke: palette.grid, width: 1 } : { show: false },
    splits: () => [...(shown()?.ticks ?? [])],
    values: (_chart, ticks) => ticks.map(label),
    size: (_chart, texts: string[] | null) => 14 + Math.max(10, ...(texts ?? []).map(widthOf)),
  };
}
