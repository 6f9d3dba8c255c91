import { countAtMost } from '../../statistics/quantile.ts';

/**
 * The limits of a queries file. The file comes with any folder that is opened, so it must be parsed fast even if its content is hostile.
 * A file that exceeds them is reported as a problem and is not changed.
 */
export const fileLimits = {
  /** 400 kB: 2,000 queries as this product writes them. */
  characters: 400_000,
  /** Elements and fields, counted by commas and opening brackets: parsing time depends on them rather than on characters. */
  values: 40_000,
  /** Queries and folders. */
  entries: 2_500,
  /** Characters of a name or of another text in an entry. */
  text: 200,
  /** Parameters of one query, and alerts of one query. */
  elements: 100,
  /** Problems that are reported. */
  problems: 100,
} as const;

/** The message of each problem in a queries file; {0} is the problem's `part`. */
export const fileProblemSentences = {
  notJson: 'Invalid JSON from here on ({0}). Entries after it may be missing.',
  notQueries: 'A queries file must be an object with an array "queries".',
  notAnEntry: 'An entry must be a query with "name", "dataset" and "range", or a folder with "folder" and "queries".',
  missing: 'Missing property "{0}".',
  notText: '"{0}" must be a string.',
  notAFlag: '"{0}" must be a boolean.',
  notAList: '"{0}" must be an array.',
  unknownDataset: 'Unknown dataset "{0}".',
  badRange: "'{0}' isn't a valid time range. Try 2023-05 or last 36 hours.",
  ambiguousRange: 'This range could be either of {0}. Enter the one you mean.',
  badZone: "Unknown time zone '{0}'. Use UTC, SAST or a name such as Europe/Berlin.",
  badInterval: "'{0}' isn't a length of time. Type one such as 1h, 30m or 7d.",
  badParams: 'The value of parameter "{0}" must be a string, a number or a boolean.',
  badAlert: 'Invalid alert, ignored ({0}).',
  badAnalysis:
    '"analysis" is ignored: it must be an object with join, derive, where, compare, resample, find, score, missing or sort, in the form that the editor describes.',
  badDisplay:
    '"display" is ignored: it must be an object of at most 20,000 characters and 2,000 values, at most 6 levels deep.',
  badBoard:
    '"board" is ignored: it must be an object of at most 20,000 characters and 2,000 values, at most 16 levels deep.',
  badId: 'Duplicate or invalid "id"; another is used instead. Use letters, digits and dashes.',
  keyField: '"{0}" looks like a key. Remove it and rotate the key: this file is meant to be shared.',
  tooDeep: 'Folders are nested too deeply here.',
  tooLarge:
    'This file is ignored: it has more than 400 kB or 40,000 values. Move some of its queries to another folder.',
  tooMany: 'This file has more than 2,500 entries; the entries from here on are ignored. Move them to another folder.',
  tooManyElements: '"{0}" has more than 100 elements. Remove some of them.',
  longNote: 'A note has at most 5,000 characters. Shorten it.',
  tooLong: 'The text of "{0}" is longer than 200 characters. Shorten it.',
} as const;

export type FileProblemCode = keyof typeof fileProblemSentences;

/** A problem in the file. It never contains the content of a field that looks like a key. */
export interface FileProblem {
  readonly code: FileProblemCode;
  /** In characters of the text. */
  readonly offset: number;
  readonly length: number;
  readonly part?: string | undefined;
  /** `error` if the entry cannot be used; `warning` if it is used without the invalid part. */
  readonly severity: 'error' | 'warning';
}

/**
 * Problems that VS Code's JSON support reports from the schema while the file is open in an editor. The extension reports them only while
 * the file is closed, so that no mistake is listed twice.
 */
export const schemaProblems: ReadonlySet<FileProblemCode> = new Set([
  ...(['notJson', 'notQueries', 'notAnEntry', 'missing', 'notText', 'notAFlag', 'notAList'] as const),
  ...(['unknownDataset', 'badParams', 'badAlert', 'badAnalysis'] as const),
]);

/** A position in a text, counted from 0 as editors do. */
interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Returns a function that converts an offset to a position. Lines end as in VS Code: with a line feed, a carriage return, or both. */
export function createPositionLookup(text: string): (offset: number) => LinePosition {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), match => match.index + match[0].length)];
  return offset => {
    const line = countAtMost(starts, offset) - 1;
    return { line, character: offset - (starts[line] ?? 0) };
  };
}
