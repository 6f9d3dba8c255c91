/** The maximum number of rows of a table in a report. A month of days or a day of hours fits on a page. */
export const maxReportRows = 31;
/** The maximum number of columns of a table in a report. */
export const maxReportColumns = 40;
/** The maximum length of a cell in characters. */
export const maxReportCellLength = 300;

/** A table of a report. It has the same texts as the screen. */
export interface ReportTable {
  readonly title: string;
  /** Describes the rows and states how many are omitted. */
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  /** A cell for each column. */
  readonly rows: readonly (readonly string[])[];
}

/** The content of a panel for a report. The chart is markup. All other texts are localized plain text. */
export interface ReportSection {
  /** The title of the panel, with a description of its rows. */
  readonly title: string;
  /** Facts about the rows: filters, derived columns and the like. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** The chart as an SVG document in colors for print. Undefined if there is nothing to draw. */
  readonly chart?: { readonly svg: string; readonly summary: string; readonly notice: string };
  readonly tables: readonly ReportTable[];
  /** How the figures are computed. */
  readonly methods: readonly string[];
}
