import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../shared/protocol.ts';
import type { Coverage } from '../../shared/result.ts';

/** Instants [start, end], UTC milliseconds. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** A run of consecutive rows: the instants of its first and last row in UTC milliseconds, and the number of rows. */
export interface SelectedInterval extends TimeWindow {
  readonly rows: number;
}

/** The data of a chart. */
export interface ChartModel {
  readonly frame: Frame;
  readonly locale: string;
  readonly zone: DisplayZone;
  /** The requested interval in milliseconds, if known. Instants that are further apart have a gap between them. */
  readonly intervalMs: number | undefined;
  /** The start of the requested range and the coverage of its intervals, which define the length of the axis. If undefined, the rows do. */
  readonly start?: number | undefined;
  readonly coverage?: Coverage | undefined;
  /** The rows that pass the table's filter, in any order; undefined for all rows. */
  readonly rows?: Uint32Array | undefined;
  /** The part of its hours, 0 to 1, for which a resampled row must have data. Rows with less are marked. If undefined, no row is marked. */
  readonly minCoverage?: number | undefined;
  /** Whether the rows are resampled from hours. */
  readonly isResampled?: boolean | undefined;
  /** Pairs of column names: the second is drawn dotted in the color of the first, wherever the first is drawn. */
  readonly compared?: readonly (readonly [column: string, against: string])[] | undefined;
  /** The selection in the table, in order of time. */
  readonly selected?: readonly SelectedInterval[] | undefined;
  /** `title` and `origin` are the heading of saved pictures. */
  readonly title?: string | undefined;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
}

/** The options that the user has selected. They are plain data, which is stored with the panel. */
export interface ChartOptions {
  /** The id of one of `chartModes`. */
  readonly mode: string;
  /** The selected columns. A mode ignores columns that it does not offer. */
  readonly columns: readonly string[];
  /** Columns that are switched off in the legend. */
  readonly hidden: readonly string[];
  /** The selected option of each choice, by the choice's id. */
  readonly picked: Readonly<Record<string, string>>;
  /** The visible window; undefined for the whole result. */
  readonly zoom?: TimeWindow | undefined;
  /** Whether the numbers are displayed as a table instead of the plot. */
  readonly asTable?: true | undefined;
  /** Replaces the title of the result. */
  readonly title?: string | undefined;
  /** A value that is marked by a line if the left axis has its unit. */
  readonly limit?: ChartLimit | undefined;
}

export interface ChartLimit {
  readonly value: number;
  readonly unit: string;
}

/** Larger than any quantity of the grid, yet small enough to leave the axis its digits. */
export const maxLimit = 1e15;

/** The maximum number of characters of a custom title. */
export const maxTitleLength = 200;

/** The callbacks of a chart. */
export interface ChartHost {
  /** Called when the user has changed the options. */
  onOptionsChanged(options: ChartOptions): void;
  /** Reports the visible window, in instants or bins of a cycle, even if unchanged. Undefined for the whole result, and if the axis has neither. */
  onZoomed(range: TimeWindow | undefined): void;
  /** Reports the data row at the crosshair, if any. `isHeld` is set if a key or a click has placed the crosshair. Called often. */
  onPointed(row: number | undefined, isHeld: boolean): void;
  /** Selects the rows of a window in the table. */
  select(window: TimeWindow): void;
  /** Displays the drawn numbers as a table instead of the plot; undefined displays the plot. */
  showTable(rows: (() => Frame) | undefined): void;
  /** Announces a sentence to screen readers. */
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

/** Moves a window into the whole range and makes it at least `minLength` long. */
export function fitWindow(window: TimeWindow, whole: TimeWindow, minLength: number): TimeWindow {
  const length = whole.end - whole.start;
  const fittedLength = Math.min(length, Math.max(minLength, window.end - window.start));
  const middle = (window.start + window.end) / 2;
  const start = Math.min(whole.end - fittedLength, Math.max(whole.start, middle - fittedLength / 2));
  return { start, end: start + fittedLength };
}

/** Zooms by a factor (below 1 zooms in) around an instant, which keeps its position. The window is at least `minLength` milliseconds long. */
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

/** Whether the window is the whole range, apart from rounding. */
export function isWholeRange(window: TimeWindow, whole: TimeWindow): boolean {
  const slack = (whole.end - whole.start) * 1e-6;
  return window.start <= whole.start + slack && window.end >= whole.end - slack;
}

/** Whether two objects have identical properties. */
export function hasSameProperties<T extends object>(first: T, second: T): boolean {
  const names = Object.keys({ ...first, ...second }) as (keyof T)[];
  return names.every(name => Object.is(first[name], second[name]));
}
