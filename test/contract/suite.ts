import { OpenApiAnswers } from '../support/openApiAnswers.ts';
import { keyClauses, limitClauses } from './accessClauses.ts';
import { specification } from './clause.ts';
import type { Clause } from './clause.ts';
import { ContractClient, NotChecked } from './client.ts';
import type { ContractTarget } from './client.ts';
import { dataClauses } from './dataClauses.ts';
import { ContractRequests } from './questions.ts';

export interface ClauseResult {
  readonly clause: Clause;
  readonly outcome: 'holds' | 'broken' | 'not checked';
  /** The reason why it is broken or not checked. */
  readonly why: string;
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
const openApiClause = specification('every answer is as /openapi.json describes it', async ({ client }) => {
  const described = await client.ask(undefined, '/openapi.json');
  if (described.status !== 200) throw new NotChecked('the service has no /openapi.json');
  const document = JSON.parse(described.text) as Readonly<Record<string, unknown>>;
  const answers = new OpenApiAnswers(document);
  const faults = client.responses.flatMap(answer => answers.findViolations({ ...answer, body: answer.text }));
  if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n'));
});

/** Checks a service against the whole contract, within its limits and the budget. */
export async function checkContract(target: ContractTarget, options: SuiteOptions): Promise<ContractReport> {
  const client = new ContractClient(target);
  const questions = new ContractRequests(client, options.start);
  const results: ClauseResult[] = [];
  for (const clause of [...keyClauses, ...dataClauses, ...limitClauses, openApiClause]) {
    const skipped = options.gentle && limitClauses.includes(clause);
    const result = skipped ? notChecked(clause, 'it would go over a limit') : await checkClause(clause, questions);
    results.push(result);
    options.onResult?.(result);
  }
  return { results, spent: client.spent };
}

async function checkClause(clause: Clause, questions: ContractRequests): Promise<ClauseResult> {
  try {
    await clause.check(questions);
    return { clause, outcome: 'holds', why: '' };
  } catch (error) {
    if (error instanceof NotChecked) return notChecked(clause, error.message);
    return { clause, outcome: 'broken', why: error instanceof Error ? error.message : String(error) };
  }
}

function notChecked(clause: Clause, why: string): ClauseResult {
  return { clause, outcome: 'not checked', why };
}
