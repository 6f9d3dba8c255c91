/** How a person has a file read. What is left out, the file says, or it is found from its content. */
export interface ImportOptions {
  /** The IANA zone of times without an offset. */
  readonly timeZone?: string | undefined;
  /** Whether times name the beginning or the end of what their row stands for. */
  readonly hour?: 'beginning' | 'end' | undefined;
  /** `as text`: dates that may have the day or the month first are no times. */
  readonly dateOrder?: 'day first' | 'month first' | 'as text' | undefined;
  readonly separator?: string | undefined;
  readonly decimal?: 'point' | 'comma' | undefined;
  /** A label of the Encoding Standard, such as "windows-1252". */
  readonly encoding?: string | undefined;
  /** The line with the names of the columns, from 1; 0 where the file has none. */
  readonly headingLine?: number | undefined;
  /** The first line with data, from 1. */
  readonly firstLine?: number | undefined;
  /** The name of a workbook's sheet. */
  readonly sheet?: string | undefined;
}
