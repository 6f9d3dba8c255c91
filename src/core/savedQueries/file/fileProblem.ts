/**
 * What of a file of queries is read. Such a file comes with whatever folder is opened: within these limits reading it is not felt,
 * and nobody writes more by hand. What lies beyond them is named as a problem and left as it is.
 */
export const fileLimits = {
  /** 400 kB: 2,000 queries as this product writes them. */
  characters: 400_000,
  /** Elements and fields, by the commas and opening brackets before them: they, not the characters, take the time. */
  values: 40_000,
  /** Queries and folders. */
  entries: 2_500,
  /** Of a name, or of another text in an entry. */
  text: 200,
  /** Of the parameters and the alerts of one query. */
  elements: 100,
  /** How many problems are named. */
  problems: 100,
} as const;

/** What is wrong in a file of queries, in one sentence each; {0} is the problem's `part`. */
export const fileProblemSentences = {
  notJson: 'Invalid JSON from here on ({0}). Entries after it may be missing.',
  notQueries: 'A file of queries is an object with a list named "queries".',
  notAnEntry: 'An entry is a query with "name", "dataset" and "range", or a folder with "folder" and "queries".',
  missing: 'Missing property "{0}".',
  notText: '"{0}" must be a text.',
  notAFlag: '"{0}" must be true or false.',
  notAList: '"{0}" must be a list.',
  unknownDataset: 'Unknown dataset "{0}".',
  badRange: "'{0}' isn't a valid time range. Try 2023-05 or last 36 hours.",
  ambiguousRange: 'This range could be either of {0}. Enter the one you mean.',
  badInterval: "'{0}' isn't a length of time. Type one such as 1h, 30m or 7d.",
  badParams: 'The value of parameter "{0}" must be a text.',
  badAlert: 'Invalid alert, ignored ({0}).',
  badId: 'Duplicate or invalid "id"; another is used instead. Use letters, digits and dashes.',
  keyField: '"{0}" looks like a key. Remove it, and rotate the key: this file is made to be shared.',
  tooDeep: 'Folders are nested too deeply here.',
  tooLarge:
    'This file is ignored: it has more than 400 kB or 40,000 values. Move some of its queries to another folder.',
  tooMany: 'This file has more than 2,500 entries; the entries from here on are ignored. Move them to another folder.',
  tooManyElements: '"{0}" has more than 100 elements. Remove some of them.',
  tooLong: 'The text of "{0}" is longer than 200 characters. Shorten it.',
} as const;

export type FileProblemCode = keyof typeof fileProblemSentences;

/** One thing wrong in the file. Never holds the content of a field that looks like a key. */
export interface FileProblem {
  readonly code: FileProblemCode;
  /** In characters of the text. */
  readonly offset: number;
  readonly length: number;
  readonly part?: string | undefined;
  /** An error: the entry cannot be used. A warning: it works, without what is wrong. */
  readonly severity: 'error' | 'warning';
}

/**
 * What VS Code's own JSON support says, by the schema, of a file that an editor shows: one mistake is one problem, so these are ours to
 * name only while no editor does.
 */
export const schemaProblems: ReadonlySet<FileProblemCode> = new Set([
  ...(['notJson', 'notQueries', 'notAnEntry', 'missing', 'notText', 'notAFlag', 'notAList'] as const),
  ...(['unknownDataset', 'badParams', 'badAlert'] as const),
]);

/** A place in a text as editors count it: both from 0. */
interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Finds the line of an offset. Lines end as in editors: with a line feed, a carriage return, or both. */
export function linePositions(text: string): (offset: number) => LinePosition {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), match => match.index + match[0].length)];
  return offset => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? Infinity) <= offset) line = middle;
      else end = middle;
    }
    return { line, character: offset - (starts[line] ?? 0) };
  };
}
