import type { ContractRequests } from './contractRequests.ts';

/** A requirement on the service. */
export interface Clause {
  /** Whether the specification states the requirement, or only the provider's documentation and behavior. */
  readonly source: 'specification' | 'provider';
  readonly text: string;
  /** Throws an error if the service does not meet the requirement, or NotChecked if that cannot be determined. */
  check(api: ContractRequests): Promise<void>;
}

/** Creates a requirement of the specification. */
export const specification = (text: string, check: Clause['check']): Clause => ({
  source: 'specification',
  text,
  check,
});
/** Creates a requirement that only the provider states. */
export const provider = (text: string, check: Clause['check']): Clause => ({ source: 'provider', text, check });
