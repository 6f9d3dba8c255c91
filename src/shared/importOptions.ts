/** The options for reading a file. Undefined options are detected from the file. */
export interface ImportOptions {
  /** The IANA zone of times without an offset. */
  readonly timeZone?: string | undefined;
  /** Whether times are the beginning or the end of their rows' intervals. */
  readonly hour?: 'beginning' | 'end' | undefined;
  /** `as text`: dates that may have the day or the month first are read as text. */
  readonly dateOrder?: 'day first' | 'month first' | 'as text' | undefined;
  readonly separator?: string | undefined;
  readonly decimal?: 'point' | 'comma' | undefined;
  /** A label of the Encoding Standard, such as "windows-1252". */
  readonly encoding?: string | undefined;
  /** The line with the names of the columns, counted from 1; 0 if the file has no names. */
  readonly headingLine?: number | undefined;
  /** The first line with data, counted from 1. */
  readonly firstLine?: number | undefined;
  /** The name of a workbook's sheet. */
  readonly sheet?: string | undefined;
}
