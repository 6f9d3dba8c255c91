import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../shared/protocol.ts';
import type { Coverage } from '../../shared/result.ts';

/** A range of time from `start` to `end`, in UTC milliseconds. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** Consecutive selected rows. `start` and `end` are the instants of the first and the last row. */
export interface SelectedInterval extends TimeWindow {
  readonly rows: number;
}

/** The data of a chart. */
export interface ChartModel {
  readonly frame: Frame;
  readonly locale: string;
  readonly zone: DisplayZone;
  /** The requested interval in milliseconds, if known. The line is interrupted between rows that are further apart. */
  readonly intervalMs: number | undefined;
  /**
   * The start of the requested range and the coverage of its intervals. The time axis covers this range; without it, the axis extends from
   * the first row to the last.
   */
  readonly start?: number | undefined;
  readonly coverage?: Coverage | undefined;
  /** The rows that pass the table's filter, in any order; undefined for all rows. */
  readonly rows?: Uint32Array | undefined;
  /** The minimum share of hours with data, 0 to 1. Resampled rows with a smaller share are marked. If undefined, no row is marked. */
  readonly minCoverage?: number | undefined;
  /** Whether the rows are resampled from hours. */
  readonly isResampled?: boolean | undefined;
  /** Pairs of column names. The second column is drawn as a dotted line in the color of the first. */
  readonly compared?: readonly (readonly [column: string, against: string])[] | undefined;
  /** The rows that are selected in the table, in order of time. */
  readonly selected?: readonly SelectedInterval[] | undefined;
  /** The title and the origin of the data are printed above saved pictures. */
  readonly title?: string | undefined;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
}

/** The options that the user has selected. They are stored with the panel, so they are plain data. */
export interface ChartOptions {
  /** The id of one of `chartModes`. */
  readonly mode: string;
  /** The names of the selected columns. A mode ignores columns that it cannot draw. */
  readonly columns: readonly string[];
  /** Columns that are switched off in the legend. */
  readonly hidden: readonly string[];
  /** The selected option of each choice, by the choice's id. */
  readonly picked: Readonly<Record<string, string>>;
  /** The visible window; undefined for the whole result. */
  readonly zoom?: TimeWindow | undefined;
  /** Whether a table of the numbers replaces the plot. */
  readonly asTable?: true | undefined;
  /** A custom title, which replaces the title of the result. */
  readonly title?: string | undefined;
  /** A value that is drawn as a horizontal line if the left axis has the same unit. */
  readonly limit?: ChartLimit | undefined;
}

export interface ChartLimit {
  readonly value: number;
  readonly unit: string;
}

/** The maximum value of a limit. It exceeds any quantity of the grid, but the axis can still show its digits. */
export const maxLimit = 1e15;

/** The maximum number of characters of a custom title. */
export const maxTitleLength = 200;

/** The callbacks of a chart. */
export interface ChartHost {
  /** Called when the user has changed the options. */
  onOptionsChanged(options: ChartOptions): void;
  /**
   * Called with the visible window after each zoom, even if it is unchanged. The window is in UTC milliseconds, or in bins if the axis is a
   * cycle. It is undefined if the whole result is visible, or if the axis is neither time nor a cycle.
   */
  onZoomed(range: TimeWindow | undefined): void;
  /** Called with the data row at the crosshair, if any. `isHeld` is true if a key or a click has placed the crosshair. Called often. */
  onPointed(row: number | undefined, isHeld: boolean): void;
  /** Selects the rows of a window in the table. */
  select(window: TimeWindow): void;
  /** Shows the drawn numbers as a table instead of the plot. Shows the plot again if `rows` is undefined. */
  showTable(rows: (() => Frame) | undefined): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Called when drawing or copying has failed. */
  onError(error: unknown): void;
  /** Saves a picture as a file. */
  save(picture: ChartPicture): void;
}

/** A picture ready to be written to a file. */
export type ChartPicture =
  | { readonly format: 'svg'; readonly text: string }
  | { readonly format: 'png'; readonly blob: Blob };

/** Moves a window into the whole range, and extends it to `minLength` if it is shorter. */
export function fitWindow(window: TimeWindow, whole: TimeWindow, minLength: number): TimeWindow {
  const length = whole.end - whole.start;
  const fittedLength = Math.min(length, Math.max(minLength, window.end - window.start));
  const middle = (window.start + window.end) / 2;
  const start = Math.min(whole.end - fittedLength, Math.max(whole.start, middle - fittedLength / 2));
  return { start, end: start + fittedLength };
}

/**
 * Multiplies the length of a window by a factor, so a factor below 1 zooms in. `anchor` keeps its position on the screen. The window does not
 * become shorter than `minLength` milliseconds.
 */
export function zoomAround({ start, end }: TimeWindow, factor: number, anchor: number, minLength: number): TimeWindow {
  const scale = Math.max(factor, Math.min(1, minLength / (end - start)));
  return { start: anchor - (anchor - start) * scale, end: anchor + (end - anchor) * scale };
}

/** Moves a window by milliseconds, but not out of the whole range. */
export function moveWindow(window: TimeWindow, milliseconds: number, whole: TimeWindow): TimeWindow {
  const shift = Math.max(whole.start - window.start, Math.min(whole.end - window.end, milliseconds));
  return { start: window.start + shift, end: window.end + shift };
}

/** Moves a window as little as possible to contain an instant. */
export function moveWindowToInclude(window: TimeWindow, instant: number, whole: TimeWindow): TimeWindow {
  if (instant < window.start) return moveWindow(window, instant - window.start, whole);
  return instant > window.end ? moveWindow(window, instant - window.end, whole) : window;
}

/** Whether the window covers the whole range, apart from rounding errors. */
export function isWholeRange(window: TimeWindow, whole: TimeWindow): boolean {
  const tolerance = (whole.end - whole.start) * 1e-6;
  return window.start <= whole.start + tolerance && window.end >= whole.end - tolerance;
}

/** Whether two objects have identical properties. */
export function hasSameProperties<T extends object>(first: T, second: T): boolean {
  const names = Object.keys({ ...first, ...second }) as (keyof T)[];
  return names.every(name => Object.is(first[name], second[name]));
}
