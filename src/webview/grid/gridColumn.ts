/**
 * What the grid knows of a column: texts by data row, and nothing of frames. All texts are plain; the grid never
 * reads them as HTML.
 */
export interface GridColumn {
  /** Identifies the column across frames. */
  readonly name: string;
  /** First and second line of the header. */
  readonly label: string;
  readonly unit: string;
  readonly headerTooltip: string;
  readonly align: 'start' | 'end';
  /** The longest texts the column shows: they decide its width. */
  readonly samples: readonly string[];
  readonly text: (row: number) => string;
  /** What a screen reader says instead of a text that says nothing; undefined where the text speaks for itself. */
  readonly spoken: (row: number) => string | undefined;
  /** What the text leaves out; the empty text where it leaves out nothing. */
  readonly tooltip: (row: number) => string;
  /** What is copied: the value with all its digits. */
  readonly exact: (row: number) => string;
}

/** What a grid shows. */
export interface GridData {
  readonly rowCount: number;
  /** The first column stays in place when the others scroll. */
  readonly columns: readonly GridColumn[];
  /** The data row of each shown row; left out for the order of the data. */
  readonly order?: Uint32Array;
}
