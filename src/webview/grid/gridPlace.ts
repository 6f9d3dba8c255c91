/** Where a person is in the grid. */
export interface GridPlace {
  readonly topRow: number;
  readonly row: number;
  /** Name of the focused column. */
  readonly column: string;
}
