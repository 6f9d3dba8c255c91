import type { ImportOptions } from '../../../../../src/core/dataFile/importOptions.ts';

/** A cell as `valueAt` gives it. Null stands for no value, which the reader may also show as NaN in a column of numbers. */
export type Cell = string | number | boolean | Date | null;

/** A file as people have it, and what an analyst expects to see. The expectation is written by hand, never by the reader. */
export interface PeopleFile {
  readonly title: string;
  /** `data.csv` where it is left out. */
  readonly name?: string;
  readonly content: string | Uint8Array;
  readonly options?: ImportOptions;
  /** The instants of the column that `timeColumnOf` takes, whatever its name. */
  readonly times?: readonly (Date | null)[];
  /** Every other column of the table, or, if there are no `times`, every column. */
  readonly columns?: Readonly<Record<string, readonly Cell[]>>;
  /** Columns of the file that may be left out of the table, if `leftOut` or a note names them: parts of a time, flags. */
  readonly sources?: readonly string[];
  /** Columns without a name or a meaning, which may be in the table or not. */
  readonly optional?: readonly string[];
  readonly units?: Readonly<Record<string, string>>;
  readonly timeZone?: string;
  /** How the reader says that it read the file; the options that are left out here are not checked. */
  readonly importedAs?: ImportOptions;
  /** Sentences that the notes must contain. */
  readonly notes?: readonly RegExp[];
  /** False where everything is as anybody would read it. */
  readonly hasNotes?: false;
  /** The example in the question for the zone. */
  readonly needsZone?: RegExp;
  /** The example in the question whether the day or the month comes first. */
  readonly needsDateOrder?: RegExp;
  /** The person is offered to read the times as ends. */
  readonly offersHourEnd?: true;
  /** The reason, or the detail of it, that the file is refused for. */
  readonly refusal?: RegExp;
}

export const utc: ImportOptions = { timeZone: 'UTC' };

export function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** Instants such as `2023-01-01T00:00Z`. */
export function at(...texts: readonly (string | null)[]): (Date | null)[] {
  return texts.map(text => (text === null ? null : new Date(text)));
}

/** So many instants from the first on. */
export function every(minutes: number, first: string, count: number): Date[] {
  return Array.from({ length: count }, (_, step) => new Date(Date.parse(first) + step * minutes * 60_000));
}
