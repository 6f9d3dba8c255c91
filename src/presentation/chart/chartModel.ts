import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../shared/protocol.ts';
import type { Coverage } from '../../shared/result.ts';

/** Instants [start, end], milliseconds UTC. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** Rows that follow each other: the instants of the first and the last, milliseconds UTC, and how many they are. */
export interface SelectedInterval extends TimeRange {
  readonly rows: number;
}

/** What is drawn. */
export interface ChartModel {
  readonly frame: Frame;
  readonly locale: string;
  readonly zone: DisplayZone;
  /** The interval asked for, in milliseconds, where it is known: instants further apart are a gap. */
  readonly step: number | undefined;
  /** The beginning of the range asked for, and the coverage of its steps: the axis is as long as the range. Undefined: as the rows. */
  readonly start?: number | undefined;
  readonly coverage?: Coverage | undefined;
  /** Data rows left by the table's filter, in any order; all rows where it is left out. */
  readonly rows?: Uint32Array | undefined;
  /** For which part of its hours what is made from hours has to have data, 0 to 1: what has less is marked. None is where it is left out. */
  readonly leastCoverage?: number | undefined;
  /** The rows are resampled: they are made from hours themselves. */
  readonly isResampled?: boolean | undefined;
  /** Pairs of column names: the second is drawn dotted in the colour of the first, wherever the first is drawn. */
  readonly compared?: readonly (readonly [column: string, against: string])[] | undefined;
  /** What is selected in the table, in order of time. */
  readonly selected?: readonly SelectedInterval[] | undefined;
  /** Head the saved pictures. */
  readonly title?: string | undefined;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
}

/** What the person chose: plain data, to be kept with the panel. */
export interface ChartOptions {
  /** The id of one of `chartModes`. */
  readonly mode: string;
  /** Those chosen of the mode's `choosable` columns; others mean nothing to it. */
  readonly columns: readonly string[];
  /** Columns in the legend that are switched off. */
  readonly hidden: readonly string[];
  /** What was chosen of the choices of modes, by their ids. */
  readonly picked: Readonly<Record<string, string>>;
  /** The window shown; the whole result where it is left out. */
  readonly zoom?: TimeRange | undefined;
  /** The numbers stand in place of the plot. */
  readonly asTable?: true | undefined;
  /** In place of the title of the result. */
  readonly title?: string | undefined;
  /** A value that a line marks, where the left axis has its unit. */
  readonly limit?: ChartLimit | undefined;
}

export interface ChartLimit {
  readonly value: number;
  readonly unit: string;
}

/** More than any quantity of the grid, and less than would take every digit from the axis. */
export const greatestLimit = 1e15;

/** Characters of a title of one's own. */
export const longestTitle = 200;

/** What the chart tells whoever placed it. */
export interface ChartHost {
  /** The person chose otherwise. */
  optionsChanged(options: ChartOptions): void;
  /** The window shown, in instants or bins of a cycle, which may be the same; undefined for the whole result, and over another axis. */
  zoomed(range: TimeRange | undefined): void;
  /** The crosshair is on a data row or, with undefined, on none; `isHeld`: by a key or a click, not as the mouse passes. Called often. */
  pointed(row: number | undefined, isHeld: boolean): void;
  /** The person wants the rows of this window selected in the table. */
  select(window: TimeRange): void;
  /** Shows the numbers that are drawn in the chart's place for a table; undefined while the plot is shown. */
  tabulate(rows: (() => Frame) | undefined): void;
  /** A sentence for a screen reader. */
  announce(text: string): void;
  /** Drawing or copying failed. */
  failed(error: unknown): void;
  /** Keeps a picture as a file. */
  save(picture: ChartPicture): void;
}

/** A picture ready to be written to a file. */
export type ChartPicture =
  | { readonly format: 'svg'; readonly text: string }
  | { readonly format: 'png'; readonly blob: Blob };

/** The nearest window that lies in the whole and is at least `least` long. */
export function fitWindow(window: TimeRange, whole: TimeRange, least: number): TimeRange {
  const length = whole.end - whole.start;
  const wanted = Math.min(length, Math.max(least, window.end - window.start));
  const middle = (window.start + window.end) / 2;
  const start = Math.min(whole.end - wanted, Math.max(whole.start, middle - wanted / 2));
  return { start, end: start + wanted };
}

/** Zooms by a factor (below 1 goes nearer) around an instant, which keeps its place; to no less than `least` milliseconds. */
export function zoomAround({ start, end }: TimeRange, factor: number, at: number, least: number): TimeRange {
  const by = Math.max(factor, Math.min(1, least / (end - start)));
  return { start: at - (at - start) * by, end: at + (end - at) * by };
}

/** The window moved by milliseconds, pushed back where it would leave the whole. */
export function moveWindow(window: TimeRange, by: number, whole: TimeRange): TimeRange {
  const shift = Math.max(whole.start - window.start, Math.min(whole.end - window.end, by));
  return { start: window.start + shift, end: window.end + shift };
}

/** The window moved as little as possible so that it holds the instant. */
export function windowWith(window: TimeRange, instant: number, whole: TimeRange): TimeRange {
  if (instant < window.start) return moveWindow(window, instant - window.start, whole);
  return instant > window.end ? moveWindow(window, instant - window.end, whole) : window;
}

/** Whether the window is the whole, up to a thousandth of a pixel or so. */
export function isWhole(window: TimeRange, whole: TimeRange): boolean {
  const slack = (whole.end - whole.start) * 1e-6;
  return window.start <= whole.start + slack && window.end >= whole.end - slack;
}

/** Whether two hold the very same parts, whoever put them together. */
export function sameParts<Whole extends object>(one: Whole, other: Whole): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof Whole)[];
  return names.every(name => Object.is(one[name], other[name]));
}
