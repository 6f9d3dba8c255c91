import type { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs } from '../../shared/durations.ts';
import { type TimeRange, fitWindow, moveWindow, zoomAround } from './chartModel.ts';
import type { Plot } from './plot.ts';
import { nearestWithRow, pointWithRow, stepPoint } from './readout.ts';

/** The visible window of a chart, and the point at the crosshair. */
export interface PlotPlace {
  readonly window: TimeRange;
  readonly point: number | undefined;
}

/** Moves to a point, a window (undefined: the whole range) or a row of cells, or leaves the plot. */
export type PlotMove =
  | { readonly to: 'point'; readonly point: number }
  | { readonly to: 'window'; readonly window: TimeRange | undefined }
  | { readonly to: 'row'; readonly row: number }
  | { readonly to: 'nothing' };

const panShare = 0.1;
const zoomFactor = 2;

/** Resolves a command at a position. The first step goes to the start of the window; a day goes to the same wall time in the zone. */
export function plotMove(command: PlotCommand, plot: Plot, zone: ZoneOffsets, { window, point }: PlotPlace): PlotMove {
  const { x } = plot.timeline;
  const from = point ?? nearestWithRow(plot, window.start);
  const toPoint = (next: number): PlotMove => ({ to: 'point', point: next });
  const step = (by: number): PlotMove => toPoint(point === undefined ? from : stepPoint(plot, from, by));
  // On an axis without days, a page is a tenth of the points.
  const page = Math.max(1, Math.round(x.length / 10));
  const day = (by: number): PlotMove =>
    plot.axis
      ? step(by * page)
      : toPoint(nearestWithRow(plot, zone.firstInstantFrom(zone.wallAt(x[from] ?? 0) + by * dayMs)));
  const pan = (share: number): PlotMove => {
    const by = (window.end - window.start) * share;
    return { to: 'window', window: moveWindow(window, by, plot.domain) };
  };
  switch (command) {
    case 'next':
      return step(1);
    case 'previous':
      return step(-1);
    case 'nextDay':
      return day(1);
    case 'previousDay':
      return day(-1);
    case 'first':
      return toPoint(0);
    case 'last':
      return toPoint(pointWithRow(plot, x.length - 1));
    case 'panLeft':
      return pan(-panShare);
    case 'panRight':
      return pan(panShare);
    case 'zoomIn':
      return { to: 'window', window: zoomed(1 / zoomFactor, plot, { window, point }) };
    case 'zoomOut':
      return { to: 'window', window: zoomed(zoomFactor, plot, { window, point }) };
    case 'reset':
      return { to: 'window', window: undefined };
    case 'up':
    case 'down':
      return { to: 'row', row: (plot.cells?.row ?? 0) + (command === 'up' ? 1 : -1) };
    case 'leave':
      return { to: 'nothing' };
  }
}

/** The minimum length of a plot's window in milliseconds: two intervals. */
export function leastWindow({ domain, timeline }: Plot): number {
  return (timeline.step ?? (domain.end - domain.start) / 1000) * 2;
}

/** Fits a window into the plot's range and minimum length. */
export function fitted(window: TimeRange, plot: Plot): TimeRange {
  return fitWindow(window, plot.domain, leastWindow(plot));
}

/** Zooms around the crosshair if it is visible, else around the middle of the window. */
export function zoomed(factor: number, plot: Plot, { window, point }: PlotPlace): TimeRange {
  const at = plot.timeline.x[point ?? -1] ?? NaN;
  const isInside = at >= window.start && at <= window.end;
  return zoomAround(window, factor, isInside ? at : (window.start + window.end) / 2, leastWindow(plot));
}

/** The commands of keys: on their own, and with Ctrl or Command. */
const plainKeys = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  PageDown: 'nextDay',
  PageUp: 'previousDay',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '0': 'reset',
  Escape: 'leave',
} as const;
const jumpKeys = { ArrowLeft: 'panLeft', ArrowRight: 'panRight' } as const;
type PlotCommand = (typeof plainKeys)[keyof typeof plainKeys] | (typeof jumpKeys)[keyof typeof jumpKeys];

/** The relevant properties of a KeyboardEvent. */
interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Returns the command of a key; undefined for keys that the chart does not handle. */
export function plotCommand({ key, ctrlKey, metaKey, altKey }: PressedKey): PlotCommand | undefined {
  const commands: Readonly<Record<string, PlotCommand>> = ctrlKey || metaKey ? jumpKeys : plainKeys;
  return !altKey && Object.hasOwn(commands, key) ? commands[key] : undefined;
}
