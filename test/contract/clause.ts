import type { Questions } from './questions.ts';

/** One thing that the service has to do. `source`: the specification, or what is known of its provider. */
export interface Clause {
  readonly source: 'specification' | 'provider';
  readonly text: string;
  /** Throws where it does not hold, and NotChecked where that cannot be told. */
  check(questions: Questions): Promise<void>;
}

export const specification = (text: string, check: Clause['check']): Clause => ({
  source: 'specification',
  text,
  check,
});
export const provider = (text: string, check: Clause['check']): Clause => ({ source: 'provider', text, check });
