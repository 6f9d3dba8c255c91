/** The most rows of a table in a report, which are those of a month of days or a day of hours, and fit a page. */
export const mostReportRows = 31;
/** The most columns. */
export const mostReportColumns = 40;
/** The most characters of a cell. */
export const mostReportCell = 300;

/** A table as a report shows it: texts as they stand on screen. */
export interface ReportTable {
  readonly title: string;
  /** What its rows are, and how many of them are left out. */
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  /** A cell for each column. */
  readonly rows: readonly (readonly string[])[];
}

/** What a panel shows, for a report: all in the person's language, and none of it markup but the picture. */
export interface ReportSection {
  /** The title of the panel, with what its rows are. */
  readonly title: string;
  /** What is said of the rows, by name: filters, derived columns and the like. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** The chart as an SVG document in the colours of paper; left out where there is nothing to draw. */
  readonly chart?: { readonly svg: string; readonly summary: string; readonly notice: string };
  readonly tables: readonly ReportTable[];
  /** How the figures are computed. */
  readonly methods: readonly string[];
}
