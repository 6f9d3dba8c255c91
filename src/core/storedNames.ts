/** Names in VS Code's state that are read at the start, without the code that writes them. Saved queries have a file of that name too. */
export const storedNames = {
  connections: 'connections',
  savedQueries: 'savedQueries',
  watchingAnswers: 'watchingAnswers',
} as const;

/** Bytes of the file of saved queries, or of recent runs: several times what somebody has who keeps 2,000 queries for years. */
export const maxStoredBytes = 4_000_000;
