import type { AxeRules } from './eyesApi.ts';

/** What a test can call in the page of the coverage strip. Arguments and results are JSON. */
export interface CoveragePageApi {
  /** One letter a step: `.` present, `k` kept, `m` missing, `n` not published, `f` failed, `a` not asked, `l` late. Nothing hides the strip. */
  show(letters: string | undefined, timeZone?: string, label?: string): void;
  /** Where the strip sent the table. */
  wentTo(): readonly string[];
  announced(): readonly string[];
  /** Breaches of the policy and errors. */
  troubles(): readonly string[];
  axe(rules?: AxeRules): Promise<readonly string[]>;
}
