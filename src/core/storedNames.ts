/** Names in VS Code's state that are read at the start, without the code that writes them. Saved queries have a file of that name too. */
export const storedNames = {
  connections: 'connections',
  savedQueries: 'savedQueries',
  watchingAnswers: 'watchingAnswers',
} as const;
