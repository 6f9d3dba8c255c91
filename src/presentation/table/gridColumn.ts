import type { SortKey } from '../../shared/analysis.ts';

/**
 * A column of the grid: texts by data row, independent of frames. All texts are plain; the grid never interprets them as HTML.
 */
export interface GridColumn {
  /** Identifies the column across frames. */
  readonly name: string;
  /** The field to sort and filter by, if it differs from `name`. */
  readonly source?: string;
  /** First and second line of the header. */
  readonly label: string;
  readonly unit: string;
  /** A sentence that explains the field, if known. */
  readonly meaning?: string;
  readonly headerTooltip: string;
  readonly align: 'start' | 'end';
  /** The longest texts of the column, which decide its width. */
  readonly samples: readonly string[];
  readonly text: (row: number) => string;
  /** The text to search in, if it differs from `text`: it includes digits that rounding omits. */
  readonly searched?: (row: number) => string;
  /** The text for screen readers, if `text` is empty or unclear. */
  readonly spoken?: (row: number) => string | undefined;
  /** Details that the text omits; empty if it is complete. */
  readonly formatTooltip: (row: number) => string;
  /** The text to copy: the value with all its digits. */
  readonly exact: (row: number) => string;
  /** A muted word in a cell without a value; displayed with hints only, and never part of the text. */
  readonly gapHint?: (row: number) => string | undefined;
  /** Whether the value is negative; marked with hints only. */
  readonly negative?: (row: number) => boolean;
  /** A word beside the value; displayed with hints only. Return the same object for the same badge. */
  readonly badge?: (row: number) => CellBadge | undefined;
  /** All badges that the column can display. They add to its width and are equally wide. */
  readonly badges?: readonly CellBadge[];
  /** The position of the value on the column's color scale, if it has one. */
  readonly scalePosition?: (row: number) => ScalePosition | undefined;
  /** The formatted ends of the color scale, and whether 0 is its middle. */
  readonly formatScaleEnds?: () => { readonly text: string; readonly isSigned: boolean } | undefined;
}

/** Formats the second line of a header: the ends of the color scale, and the unit. */
export function formatUnitLine({ unit }: GridColumn, legend: ScaleLegend | undefined): string {
  return [legend?.words, unit].filter(Boolean).join(' ');
}

/** The legend of the cell colors in a header. */
export interface ScaleLegend {
  /** “18,071.7 to 27,267.8”. */
  readonly words: string;
  /** From the minimum to the maximum. */
  readonly colors: readonly string[];
}

/** A position on a scale from minimum to maximum, diverging from 0, or of the stress bands. `share` is 0 to 1. */
export type ScalePosition = readonly [scale: 'even' | 'signed' | 'bands', share: number];

/** CSS properties of a cell: its background, its text color, and the ends of the bar that replaces colors in high contrast. */
export type CellShade = Readonly<Record<`--shade-${'fill' | 'text' | 'from' | 'to'}`, string>>;

/** A summary of a column's values in its header. */
export interface ColumnSummary {
  readonly label: string;
  /** The formatted number of cells without a value. */
  readonly gaps: string;
  /** The number of rows in each bin of the histogram; empty for a column without numbers. */
  readonly counts: readonly number[];
  /** Describes a range of bins and their rows. */
  readonly describeBins: (from: number, to: number) => string;
  /** Filters the column by a range of bins; omitted if it cannot be filtered. */
  readonly brush?: (from: number, to: number) => void;
}

/** A word or sign beside a value. The tone only adds a color. */
export interface CellBadge {
  readonly text: string;
  /** `blank` takes the space of a mark without drawing one. */
  readonly tone: 'none' | 'blank' | 'up' | 'down' | 'few' | 'low' | 'moderate' | 'high' | 'critical';
  /** The text for screen readers if `text` is a sign. */
  readonly spoken?: string;
}

/** The data of a grid. */
export interface GridData {
  readonly rowCount: number;
  /** Whether more rows will follow. A selection up to the last row, or of all rows, includes them. */
  readonly more?: boolean | undefined;
  /** All columns in the order of the data, before the arrangement is applied. */
  readonly columns: readonly GridColumn[];
  /** The data row of each displayed row; omitted for the order of the data. */
  readonly order?: Uint32Array | undefined;
  /** The sort keys, for the headers. */
  readonly sort?: readonly SortKey[] | undefined;
  /** The names of the filtered fields, for the headers. */
  readonly filtered?: ReadonlySet<string> | undefined;
  /** Whether gaps, negative numbers and badges are marked in the cells. */
  readonly hints?: boolean | undefined;
  /** Explains why a data row has no values ("not published"); drawn across the row, after the frozen columns. */
  readonly rowNote?: ((row: number) => string | undefined) | undefined;
  /** Returns the summary of a field for its header, undefined until it is computed. If set, headers reserve space for it. */
  readonly getSummary?: ((name: string) => ColumnSummary | undefined) | undefined;
  /** Returns the legend of a column with colored cells. */
  readonly getLegend?: ((column: GridColumn) => ScaleLegend | undefined) | undefined;
  readonly getShade?: ((column: GridColumn, row: number) => CellShade | undefined) | undefined;
}
