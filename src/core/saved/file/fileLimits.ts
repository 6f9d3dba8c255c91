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
