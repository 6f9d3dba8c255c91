/** One small text that all windows of a profile share. */
export interface SharedText {
  /** Undefined where there is none yet. */
  read(): Promise<string | undefined>;
  /**
   * Gives the text to `update`, alone among all windows, and replaces it by the answer, whole or not at all; undefined
   * leaves it. `update` is asked again where the text changed all the same. Rejects with the file system's errors.
   */
  change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void>;
  /** Keeps a text that could not be read for the person, and says where. */
  keepAside(text: string): Promise<string>;
}

/** What the person should know of how something is kept. */
export type StoreProblem =
  /** Some of it could not be read; all of it as it was is kept in a file (or under a name in the state). */
  | {
      readonly problem: 'damaged';
      readonly where: 'file' | 'state';
      readonly unreadable: number | 'all';
      readonly keptAs: string;
    }
  /** Written by a later version of the product: it is shown, and not changed. */
  | { readonly problem: 'newerVersion'; readonly where: 'file' | 'state' }
  /** The file cannot be used (`code` as the system has it): for now, other windows do not see what is done in this one. */
  | { readonly problem: 'fileUnusable'; readonly code: string };

/** The same problem is said once. */
export function withProblem(problems: readonly StoreProblem[], problem: StoreProblem): readonly StoreProblem[] {
  const isKnown = problems.some(known => JSON.stringify(known) === JSON.stringify(problem));
  return isKnown ? problems : [...problems, problem];
}
