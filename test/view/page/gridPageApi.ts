import type { DisplayZone } from '../../../src/shared/protocol.ts';
import type { NumberStyle } from '../../../src/shared/formatNumber.ts';
import type { ColumnArrangement } from '../../../src/webview/grid/columnArrangement.ts';
import type { SortKey } from '../../../src/shared/savedView.ts';
import type { CellRange } from '../../../src/webview/grid/gridSelection.ts';
import type { AxeRules } from './eyesApi.ts';

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

/** What a test can call in the page. Arguments and results are JSON. */
export interface GridPageApi {
  /** Makes the page as it is when it has just been opened. */
  empty(): void;
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
  breaches(): readonly string[];
  axe(rules?: AxeRules): Promise<readonly string[]>;
}
