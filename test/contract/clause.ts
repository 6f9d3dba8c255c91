import type { ContractRequests } from './contractRequests.ts';

/** A requirement on the service. `source` is the specification, or what is known about the provider. */
export interface Clause {
  readonly source: 'specification' | 'provider';
  readonly text: string;
  /** Throws if the requirement is not met; throws NotChecked if that cannot be determined. */
  check(api: ContractRequests): Promise<void>;
}

export const specification = (text: string, check: Clause['check']): Clause => ({
  source: 'specification',
  text,
  check,
});
export const provider = (text: string, check: Clause['check']): Clause => ({ source: 'provider', text, check });
