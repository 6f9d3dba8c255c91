import type { Connection } from '../../src/core/connections/connection.ts';
import type { ResolvedQuery } from '../../src/core/query/query.ts';
import { Emitter } from '../../src/service/emitter.ts';
import type { QueryEngine, RunEmission, RunRequest } from '../../src/service/query/queryEngine.ts';
import { Run, type RunContext, type RunEvent, type RunOptions } from '../../src/service/query/run.ts';
import type { Result } from '../../src/shared/result.ts';

/** An engine whose runs call a function of the test, with the events of any run. */
export class FakeEngine implements Pick<QueryEngine, 'run' | 'onDidEmit'> {
  readonly #runQuery: (context: RunContext, request: RunRequest) => Promise<Result>;
  readonly #emitter = new Emitter<RunEmission>();
  readonly onDidEmit = this.#emitter.event;

  constructor(runQuery: (context: RunContext, request: RunRequest) => Promise<Result>) {
    this.#runQuery = runQuery;
  }

  run(query: ResolvedQuery, connection: Connection, options: RunOptions = {}): Run {
    const request = { query, connection, options };
    const emit = (event: RunEvent): void => this.#emitter.fire({ ...request, run, event });
    const run: Run = new Run(options, async context => this.#runQuery(context, request), emit);
    emit({ type: 'started' });
    return run;
  }
}
