/** A problem with stored data, for the user. */
export type StoreProblem =
  /** A part could not be read. The original is backed up in a file (or under a name in the state). */
  | {
      readonly problem: 'damaged';
      readonly where: 'file' | 'state';
      readonly unreadable: number | 'all';
      readonly backupName: string;
    }
  /** The data was written by a later version of the extension. It is shown, but not changed. */
  | { readonly problem: 'newerVersion'; readonly where: 'file' | 'state' }
  /** The file cannot be used (`code` of the system). Other windows do not see the changes of this one for now. */
  | { readonly problem: 'fileUnusable'; readonly code: string };

/** Adds a problem, unless it is known already. */
export function addProblem(problems: readonly StoreProblem[], problem: StoreProblem): readonly StoreProblem[] {
  const isKnown = problems.some(known => JSON.stringify(known) === JSON.stringify(problem));
  return isKnown ? problems : [...problems, problem];
}
