/** Keys in VS Code's state that are read at startup, without loading the code that writes them. Saved queries also have a file of that name. */
export const storedNames = {
  connections: 'connections',
  savedQueries: 'savedQueries',
  watchingAnswers: 'watchingAnswers',
} as const;

/** Maximum size in bytes of the file of saved queries or of recent runs: several times the size of 2,000 queries collected over years. */
export const maxStoredBytes = 4_000_000;
