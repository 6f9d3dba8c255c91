import type { DisplayZone, RowOrigin } from '../../../src/shared/protocol.ts';
import type { NumberStyle } from '../../../src/shared/formatNumber.ts';
import type { SortKey } from '../../../src/shared/savedView.ts';
import type { ChartOptions, TimeRange } from '../../../src/webview/chart/chartModel.ts';
import type { ColumnArrangement } from '../../../src/webview/grid/columnArrangement.ts';
import type { CellRange } from '../../../src/webview/grid/gridSelection.ts';
import type { ChartFrameName } from './chartFrames.ts';
import type { AxeRules } from './eyesApi.ts';

/** The parts of the panel that a page can have alone, by what a test can call there; arguments and results are JSON. */
export interface Parts {
  readonly chart: ChartPart;
  readonly grid: GridPart;
  readonly statistics: StatisticsPart;
  readonly strip: StripPart;
}

/** What a test can call whatever the part. */
export interface AnyPart {
  /** Breaches of the policy, errors, and what failed. */
  troubles(): readonly string[];
  axe(rules?: AxeRules): Promise<readonly string[]>;
}

/** How a frame is shown; arguments are JSON. */
export interface ChartShown {
  readonly frame: ChartFrameName;
  readonly options?: Partial<ChartOptions>;
  readonly zone?: DisplayZone;
  readonly compared?: readonly (readonly [string, string])[];
  readonly title?: string;
  readonly origin?: Omit<RowOrigin, 'dates'>;
  readonly locale?: string;
}

export interface ChartPart {
  /** Makes the frame that the next `show` of it draws, so that a measurement of that is of the drawing alone. */
  make(frame: ChartFrameName): void;
  /** Until the first frame was drawn. */
  show(shown: ChartShown): Promise<void>;
  /** Until it was drawn. */
  setZone(zone: DisplayZone): Promise<void>;
  themeChanged(): void;
  /** Zooms in and out by keys, so many times, each drawn. */
  zoomByKeys(times: number): Promise<void>;
  svg(): string;
  /** Whether the picture is XML without a script. */
  svgIsSound(): boolean;
  /** The size of the picture, in pixels. */
  png(scale: number): Promise<{ readonly width: number; readonly height: number }>;
  /** What the host was told, in order. */
  announced(): readonly string[];
  options(): readonly ChartOptions[];
  zooms(): readonly (TimeRange | null)[];
  saved(): readonly string[];
  /** Type and size of the first thing in the clipboard. */
  clipboard(): Promise<readonly [type: string, size: number]>;
  /** How many different colours the plot's canvas has. */
  colours(): number;
  /** Of each swatch of the legend: how many pixels are of the editor's background, and whether any has a colour that is no grey. */
  swatches(): readonly { readonly bare: number; readonly coloured: boolean }[];
}

export type GridFrame = 'month' | 'long' | 'million' | 'wide' | 'stress' | 'autumn' | 'daily';

/** How a frame is shown; arguments are JSON. */
export interface GridShown {
  readonly frame: GridFrame;
  readonly zone?: DisplayZone;
  readonly step?: number;
  readonly hints?: boolean;
  readonly intervalEnd?: boolean;
  readonly numbers?: NumberStyle;
  readonly sort?: readonly SortKey[];
  readonly filtered?: readonly string[];
  /** Only these data rows, in this order. */
  readonly order?: readonly number[];
  /** Row 7 says that it is not published. */
  readonly note?: boolean;
  readonly arrangement?: ColumnArrangement;
  /** Stay where the person is. */
  readonly stay?: boolean;
}

/** How a cell in sight looks. */
export interface CellLook {
  /** Not all of its text can be seen. */
  readonly clipped: boolean;
  /** Stays in place when the columns scroll. */
  readonly still: boolean;
  readonly negative: boolean;
  /** What the stylesheet draws before and after the text; "none" for nothing. */
  readonly before: string;
  readonly after: string;
}

export interface GridPart {
  show(shown: GridShown): void;
  /** What the grid said to its host, oldest first, and forgets it: the name of the call and its arguments. */
  calls(): readonly (readonly unknown[])[];
  range(): CellRange | null;
  arrangement(): ColumnArrangement;
  /** Names of the columns shown. */
  columns(): readonly string[];
  focused(): readonly [row: number, column: number] | null;
  rowsInView(): readonly [first: number, last: number];
  cellText(row: number, column: number): string | null;
  look(row: number, column: number): CellLook;
  /** Width of a column as drawn, in pixels. */
  width(column: number): number;
  /** Cells in sight that are told to be selected, as "row,column". */
  selectedCells(): readonly string[];
  gridElements(): number;
  goTo(row: number, column?: string): void;
  openPicker(): void;
}

export type StatisticsFrame = 'week' | 'autumn' | 'mix' | 'daily' | 'gaps' | 'texts' | 'untimed' | 'long' | 'million';

/** How a frame is shown; arguments are JSON. */
export interface StatisticsShown {
  readonly frame: StatisticsFrame;
  /** Only every n-th row, and how many filters are said to do it. */
  readonly every?: number;
  readonly filterCount?: number;
  readonly chosen?: string;
  /** The interval asked for, in milliseconds. */
  readonly step?: number;
  readonly zone?: DisplayZone;
}

export interface StatisticsPart {
  show(shown: StatisticsShown): void;
  /** Sentences announced, and columns the person chose, in order. */
  announced(): readonly string[];
  chosen(): readonly string[];
}

export interface StripPart {
  /** One letter a step: `.` present, `k` kept, `m` missing, `n` not published, `f` failed, `a` not asked, `l` late. Nothing hides the strip. */
  show(letters: string | undefined, timeZone?: string, label?: string): void;
  /** Where the strip sent the table. */
  wentTo(): readonly string[];
  announced(): readonly string[];
}
