import type { ImportOptions } from '../../../../../src/shared/importOptions.ts';

/** A cell of the expected table. Null means no value, for which the reader may also return NaN in a numeric column. */
export type Cell = string | number | boolean | Date | null;

/** A real-world file and the expected table, which is written by hand. */
export interface RealWorldFile {
  readonly title: string;
  /** `data.csv` by default. */
  readonly name?: string;
  readonly content: string | Uint8Array;
  readonly options?: ImportOptions;
  /** The instants of the time column, regardless of its name. */
  readonly times?: readonly (Date | null)[];
  /** All columns of the table. If `times` is set, the time column is not among them. */
  readonly columns?: Readonly<Record<string, readonly Cell[]>>;
  /** Columns such as parts of a time or flags. They may be omitted from the table if `omitted` or a note names them. */
  readonly sources?: readonly string[];
  /** Columns without a name or a meaning. The table may contain them or omit them. */
  readonly optional?: readonly string[];
  readonly units?: Readonly<Record<string, string>>;
  readonly timeZone?: string;
  /** The expected import options. Omitted options are not checked. */
  readonly importedAs?: ImportOptions;
  /** Sentences that the notes must contain. */
  readonly notes?: readonly RegExp[];
  /** False if the file is unambiguous, so that the table must not have notes. */
  readonly hasNotes?: false;
  /** The example in the prompt for the time zone. */
  readonly needsZone?: RegExp;
  /** The example in the prompt for the order of day and month. */
  readonly needsDateOrder?: RegExp;
  /** Whether the user can choose that times are ends of intervals. */
  readonly offersHourEnd?: true;
  /** A pattern for the reason of the expected error, or its detail. */
  readonly refusal?: RegExp;
}

export const utc: ImportOptions = { timeZone: 'UTC' };

export function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}

/** Parses instants such as `2023-01-01T00:00Z`. */
export function instants(...texts: readonly (string | null)[]): (Date | null)[] {
  return texts.map(text => (text === null ? null : new Date(text)));
}

/** Lists `count` instants at this distance in minutes, beginning with `first`. */
export function every(minutes: number, first: string, count: number): Date[] {
  return Array.from({ length: count }, (_, index) => new Date(Date.parse(first) + index * minutes * 60_000));
}
