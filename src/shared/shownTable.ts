/** A column of the table on screen: a field, or the end of each interval that begins at the instant in that field. */
export interface ShownColumn {
  readonly name: string;
  readonly isEnd?: true;
}

/** Rows and columns in an order. */
export interface ShownCells {
  /** Rows of the frame; left out for all of them as they are. */
  readonly rows?: Uint32Array;
  readonly columns: readonly ShownColumn[];
}

/** What a page shows of its result: enough to write it down elsewhere, cell by cell as on screen. */
export interface ShownTable extends ShownCells {
  /** Rows are counted in the frame that has a row for each missing step. */
  readonly missingRows: boolean;
  /** Rows of the frame they are counted in, shown or not. */
  readonly rowCount: number;
  /** Whether sort, filter, zoom or hidden columns make it another table than the one received. */
  readonly isChanged: boolean;
  /** What is selected; left out for one cell or none. */
  readonly selection?: ShownCells;
}
