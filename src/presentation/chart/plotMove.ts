import type { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs } from '../../shared/durations.ts';
import { type TimeWindow, fitWindow, moveWindow, zoomAround } from './chartModel.ts';
import type { Plot } from './plot.ts';
import { findNearestRowPoint, skipBreak, movePoint } from './readout.ts';

/** The visible window of a chart, and the point at the crosshair. */
export interface PlotPosition {
  readonly window: TimeWindow;
  readonly point: number | undefined;
}

/** Moves to a point, a window (undefined: the whole range) or a row of cells, or leaves the plot. */
export type PlotMove =
  | { readonly to: 'point'; readonly point: number }
  | { readonly to: 'window'; readonly window: TimeWindow | undefined }
  | { readonly to: 'row'; readonly row: number }
  | { readonly to: 'nothing' };

const panShare = 0.1;
const zoomFactor = 2;

/**
 * Resolves a command at a position. Without a crosshair, a move to a neighbor goes to the start of the window. A move by a day goes to the same
 * local time.
 */
export function resolvePlotMove(
  command: PlotCommand,
  plot: Plot,
  zone: ZoneOffsets,
  { window, point }: PlotPosition,
): PlotMove {
  const { x } = plot.timeline;
  const currentPoint = point ?? findNearestRowPoint(plot, window.start);
  const toPoint = (next: number): PlotMove => ({ to: 'point', point: next });
  const movePoints = (count: number): PlotMove =>
    toPoint(point === undefined ? currentPoint : movePoint(plot, currentPoint, count));
  // On an axis without days, a page is a tenth of the points.
  const pageSize = Math.max(1, Math.round(x.length / 10));
  const moveDays = (count: number): PlotMove =>
    plot.axis
      ? movePoints(count * pageSize)
      : toPoint(
          findNearestRowPoint(plot, zone.firstInstantFrom(zone.getLocalTime(x[currentPoint] ?? 0) + count * dayMs)),
        );
  const pan = (share: number): PlotMove => {
    const milliseconds = (window.end - window.start) * share;
    return { to: 'window', window: moveWindow(window, milliseconds, plot.domain) };
  };
  switch (command) {
    case 'next':
      return movePoints(1);
    case 'previous':
      return movePoints(-1);
    case 'nextDay':
      return moveDays(1);
    case 'previousDay':
      return moveDays(-1);
    case 'first':
      return toPoint(0);
    case 'last':
      return toPoint(skipBreak(plot, x.length - 1));
    case 'panLeft':
      return pan(-panShare);
    case 'panRight':
      return pan(panShare);
    case 'zoomIn':
      return { to: 'window', window: zoomWindow(1 / zoomFactor, plot, { window, point }) };
    case 'zoomOut':
      return { to: 'window', window: zoomWindow(zoomFactor, plot, { window, point }) };
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
export function getMinWindowLength({ domain, timeline }: Plot): number {
  return (timeline.intervalMs ?? (domain.end - domain.start) / 1000) * 2;
}

/** Fits a window into the plot's range and minimum length. */
export function fitToPlot(window: TimeWindow, plot: Plot): TimeWindow {
  return fitWindow(window, plot.domain, getMinWindowLength(plot));
}

/** Zooms around the crosshair if it is visible, else around the middle of the window. */
export function zoomWindow(factor: number, plot: Plot, { window, point }: PlotPosition): TimeWindow {
  const instant = plot.timeline.x[point ?? -1] ?? NaN;
  const isInside = instant >= window.start && instant <= window.end;
  return zoomAround(window, factor, isInside ? instant : (window.start + window.end) / 2, getMinWindowLength(plot));
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
const modifiedKeys = { ArrowLeft: 'panLeft', ArrowRight: 'panRight' } as const;
type PlotCommand = (typeof plainKeys)[keyof typeof plainKeys] | (typeof modifiedKeys)[keyof typeof modifiedKeys];

/** The relevant properties of a KeyboardEvent. */
interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Returns the command of a key; undefined for keys that the chart does not handle. */
export function findPlotCommand({ key, ctrlKey, metaKey, altKey }: PressedKey): PlotCommand | undefined {
  const commands: Readonly<Record<string, PlotCommand>> = ctrlKey || metaKey ? modifiedKeys : plainKeys;
  return !altKey && Object.hasOwn(commands, key) ? commands[key] : undefined;
}
