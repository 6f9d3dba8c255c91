import type { Connection } from '../../core/connection.ts';
import { GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { RunGroup } from '../../service/runGroup.ts';
import type { RunOptions } from '../../service/runOptions.ts';
import type { RecentRun } from '../../service/saved/recentRuns.ts';
import type { Result } from '../../shared/result.ts';
import { questionKey } from './questionKey.ts';

export interface PanelRunsDeps {
  readonly service: Pick<QueryService, 'run'>;
  readonly nowAt: QueryService['nowAt'];
  readonly newId: () => string;
  /** Told of each run that ended by itself. */
  readonly ended: (run: RecentRun) => void;
}

/** What the panels ask goes through here: how each run ended is noted, and a plan agreed to beforehand is not asked about. */
export class PanelRuns {
  readonly #deps: PanelRunsDeps;
  readonly #agreed = new Map<string, RunGroup | undefined>();

  constructor(deps: PanelRunsDeps) {
    this.#deps = deps;
  }

  /** The next run of this question is not asked about, and runs with the group that it was agreed to in. */
  agreeTo(query: Query, connection: Connection, together?: RunGroup): void {
    this.#agreed.set(questionKey(query, connection.id), together);
  }

  /** As `QueryService.run`. */
  async run(query: ResolvedQuery, connection: Connection, options: RunOptions = {}): Promise<Result> {
    const asked = questionOf(query);
    const key = questionKey(asked, connection.id);
    const together = this.#agreed.get(key);
    const isAgreed = this.#agreed.delete(key);
    const note = (outcome: RecentRun['outcome'], requestsSpent: number): void => {
      // What is only read from the archive is no run.
      if (options.refresh !== 'never') this.#note(asked, connection, outcome, requestsSpent);
    };
    try {
      const result = await this.#deps.service.run(query, connection, {
        ...options,
        ...(isAgreed && { together, onPlan: async () => Promise.resolve(true) }),
      });
      note(...outcomeOf(result));
      return result;
    } catch (error) {
      const { reason, facts } = error instanceof GridError ? error : { reason: 'unknown', facts: {} };
      if (reason !== 'cancelled') note({ kind: 'failed', reason }, facts.requestsSpent ?? 0);
      throw error;
    }
  }

  /** A run that went another way, before there was a connection to run it over: it is noted like the others. */
  answered(query: Query, connection: Connection, result: Result): void {
    this.#note(query, connection, ...outcomeOf(result));
  }

  #note(query: Query, connection: Connection, outcome: RecentRun['outcome'], requestsSpent: number): void {
    const { newId, nowAt, ended } = this.#deps;
    const { id, name } = connection;
    const run = { id: newId(), at: nowAt(connection), query, connection: { id, name } };
    ended({ ...run, outcome, requestsSpent, savedId: questionKey(query, id) });
  }
}

function outcomeOf({ frame, provenance }: Result): [outcome: RecentRun['outcome'], requestsSpent: number] {
  return [{ kind: 'rows', rows: frame?.rowCount ?? 0 }, provenance.requestsSpent];
}

function questionOf({ dataset, range, interval, params }: ResolvedQuery): Query {
  return { dataset: dataset.id, range, interval, params };
}
