import { OpenApiValidator } from '../support/openApiValidator.ts';
import { keyClauses, limitClauses } from './accessClauses.ts';
import { specification } from './clause.ts';
import type { Clause } from './clause.ts';
import { ContractClient, NotChecked } from './client.ts';
import type { ContractTarget } from './client.ts';
import { dataClauses } from './dataClauses.ts';
import { ContractRequests } from './contractRequests.ts';

export interface ClauseResult {
  readonly clause: Clause;
  readonly outcome: 'holds' | 'broken' | 'not checked';
  /** The reason why it is broken or not checked. */
  readonly reason: string;
}

interface ContractReport {
  readonly results: readonly ClauseResult[];
  /** The number of requests with the key. */
  readonly spent: number;
}

interface SuiteOptions {
  /** The first of two UTC days for which the service has hours, UTC milliseconds. */
  readonly start: number;
  /** Whether to skip the clauses that exceed a limit. */
  readonly gentle?: boolean;
  /** Called with each result. */
  readonly onResult?: (result: ClauseResult) => void;
}

/** Checks all responses so far against the OpenAPI document of the service, if it has one. */
const openApiClause = specification('every response matches /openapi.json', async ({ client }) => {
  const documentResponse = await client.request(undefined, '/openapi.json');
  if (documentResponse.status !== 200) throw new NotChecked('the service has no /openapi.json');
  const document = JSON.parse(documentResponse.text) as Readonly<Record<string, unknown>>;
  const validator = new OpenApiValidator(document);
  const violations = client.responses.flatMap(response =>
    validator.findViolations({ ...response, body: response.text }),
  );
  if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'));
});

/** Checks a service against the whole contract, within its limits and the budget. */
export async function checkContract(target: ContractTarget, options: SuiteOptions): Promise<ContractReport> {
  const client = new ContractClient(target);
  const api = new ContractRequests(client, options.start);
  const results: ClauseResult[] = [];
  for (const clause of [...keyClauses, ...dataClauses, ...limitClauses, openApiClause]) {
    const skipped = options.gentle && limitClauses.includes(clause);
    const result = skipped ? notChecked(clause, 'it would exceed a limit') : await checkClause(clause, api);
    results.push(result);
    options.onResult?.(result);
  }
  return { results, spent: client.requestsSpent };
}

async function checkClause(clause: Clause, api: ContractRequests): Promise<ClauseResult> {
  try {
    await clause.check(api);
    return { clause, outcome: 'holds', reason: '' };
  } catch (error) {
    if (error instanceof NotChecked) return notChecked(clause, error.message);
    return { clause, outcome: 'broken', reason: error instanceof Error ? error.message : String(error) };
  }
}

function notChecked(clause: Clause, reason: string): ClauseResult {
  return { clause, outcome: 'not checked', reason };
}
