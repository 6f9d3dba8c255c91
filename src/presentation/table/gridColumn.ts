import type { SortKey } from '../../shared/analysis.ts';

/**
 * What the grid knows of a column: texts by data row, and nothing of frames. All texts are plain; the grid never
 * reads them as HTML.
 */
export interface GridColumn {
  /** Identifies the column across frames. */
  readonly name: string;
  /** The field that sorting and filtering go by, where it is another than `name`. */
  readonly source?: string;
  /** First and second line of the header. */
  readonly label: string;
  readonly unit: string;
  /** What the field means, in a sentence; left out where that is unknown. */
  readonly meaning?: string;
  readonly headerTooltip: string;
  readonly align: 'start' | 'end';
  /** The longest texts the column shows: they decide its width. */
  readonly samples: readonly string[];
  readonly text: (row: number) => string;
  /** What is searched in: the text, and the digits that it leaves out; left out where that is the text. */
  readonly searched?: (row: number) => string;
  /** What a screen reader reads instead of an empty or unclear text; undefined where it reads the text. */
  readonly spoken?: (row: number) => string | undefined;
  /** What the text leaves out; empty where it is complete. */
  readonly tooltip: (row: number) => string;
  /** What is copied: the value with all its digits. */
  readonly exact: (row: number) => string;
  /** The word drawn, muted, in a cell that holds no value; shown with hints only, and never part of the text. */
  readonly gapHint?: (row: number) => string | undefined;
  /** Whether the value is below zero; marked with hints only. */
  readonly negative?: (row: number) => boolean;
  /** A word beside the value; drawn with hints only. Give the same object for the same badge. */
  readonly badge?: (row: number) => CellBadge | undefined;
  /** Every badge the column may show: they add to its width, and are drawn equally wide. */
  readonly badges?: readonly CellBadge[];
  /** Where the value lies on a colour scale; undefined for a cell without one, and left out where the column has no scale. */
  readonly place?: (row: number) => ScalePlace | undefined;
  /** The values at the ends of that scale in words, and whether 0 is its middle; undefined where there are none. */
  readonly ends?: () => { readonly text: string; readonly isSigned: boolean } | undefined;
}

/** The second line of a header: the ends of the colour scale, and the unit. */
export function unitLine({ unit }: GridColumn, legend: ScaleLegend | undefined): string {
  return [legend?.words, unit].filter(Boolean).join(' ');
}

/** What a header says of the colours of its cells. */
export interface ScaleLegend {
  /** “18,071.7 to 27,267.8”. */
  readonly words: string;
  /** From the least to the greatest. */
  readonly colours: readonly string[];
}

/** From the least to the greatest value, away from 0 on both sides, or by the stress bands; the share is 0 to 1. */
export type ScalePlace = readonly [scale: 'even' | 'signed' | 'bands', share: number];

/** CSS properties of a cell: its background, its text, and the ends of the bar that says the same in high contrast. */
export type CellShade = Readonly<Record<`--shade-${'fill' | 'text' | 'from' | 'to'}`, string>>;

/** What a header says of the cells below it. */
export interface ColumnSummary {
  readonly label: string;
  /** How many cells have no value. */
  readonly gaps: string;
  /** Rows of each bin of the histogram; none for a column without numbers. */
  readonly counts: readonly number[];
  /** The range of bins, and their rows. */
  readonly words: (from: number, to: number) => string;
  /** Shows only the rows of bins; left out where the column cannot be filtered. */
  readonly brush?: (from: number, to: number) => void;
}

/** A word or sign beside a value; its tone only adds a colour. */
export interface CellBadge {
  readonly text: string;
  /** `blank`: no mark, in the place of one. */
  readonly tone: 'none' | 'blank' | 'up' | 'down' | 'few' | 'low' | 'moderate' | 'high' | 'critical';
  /** What is read out after the value where `text` is a sign. */
  readonly spoken?: string;
}

/** What a grid shows. */
export interface GridData {
  readonly rowCount: number;
  /** More rows will follow: a selection up to the last row, or of all rows, includes them too. */
  readonly more?: boolean | undefined;
  /** All columns in the order of the data; the arrangement decides which are shown, where, and which stay in place. */
  readonly columns: readonly GridColumn[];
  /** The data row of each shown row; left out for the order of the data. */
  readonly order?: Uint32Array | undefined;
  /** What the rows are sorted by, for the headers. */
  readonly sort?: readonly SortKey[] | undefined;
  /** Names of the fields a filter is set on, for the headers. */
  readonly filtered?: ReadonlySet<string> | undefined;
  /** Whether gaps, negative numbers and badges are marked in the cells. */
  readonly hints?: boolean | undefined;
  /** Why a data row has no values ("not published"): drawn across the row, after the frozen columns. */
  readonly rowNote?: ((row: number) => string | undefined) | undefined;
  /** The summary of a field that is drawn, undefined while it is not known. Headers have room for it where this is given. */
  readonly summaryOf?: ((name: string) => ColumnSummary | undefined) | undefined;
  /** Of a column whose cells are coloured. */
  readonly legendOf?: ((column: GridColumn) => ScaleLegend | undefined) | undefined;
  readonly shadeOf?: ((column: GridColumn, row: number) => CellShade | undefined) | undefined;
}
