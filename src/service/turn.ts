/** Whether a request may go: another window may be at the same, or may have brought the answer already. */
export type Begun = 'go' | 'busy' | 'unneeded';

/**
 * How a call takes turns with others that ask for the same. Who holds a permit never waits for a turn, and who waits for a
 * permit holds no turn: neither can keep the other from going on.
 */
export interface Turn {
  /** The permit is there. Answers soon; with `busy` the permit goes back. */
  begin(): Promise<Begun>;
  /** After `busy`: resolves when it is worth to ask for a permit again; rejects when the call is aborted. */
  untilFree(): Promise<void>;
  /** The attempt failed: another one may have the turn before the next. */
  leave(): Promise<void>;
}
