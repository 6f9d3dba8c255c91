import type { Connection } from '../../core/connections/connection.ts';
import { GridError, createPartError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import { Emitter } from '../../service/emitter.ts';
import type { QueryEngine, RunEmission } from '../../service/query/queryEngine.ts';
import type { Progress, Run, RunEvent } from '../../service/query/run.ts';

/** A run that is in progress or waits. */
export interface ActiveRun extends Pick<RunEmission, 'query' | 'connection'> {
  /** Identifies the run in successive lists. */
  readonly id: number;
  /** How many of its requests are done; undefined before it has a plan. */
  readonly progress: Progress | undefined;
  /** The instant until which its next request waits for the budget, in UTC milliseconds; past or undefined if it does not wait. */
  readonly waitsUntil: number | undefined;
  /** The id of the dataset whose budget it waits for, if the query joins several. */
  readonly waitsFor?: string | undefined;
  /** Whether its plan has to be confirmed before requests are sent. */
  readonly awaitsConfirmation: boolean;
  /** Cancels the run. */
  readonly cancel: () => void;
}

/** The outcome of the last run that spent requests. */
export interface LastRequest {
  readonly query: ResolvedQuery;
  /** When the run ended, in UTC milliseconds by the clock of this machine. */
  readonly at: number;
  readonly requestsSpent: number;
  /** The number of rows, including archived ones; undefined if the result is not a table or the run failed. */
  readonly rowCount: number | undefined;
  /** Why the result is missing or incomplete. */
  readonly error: GridError | undefined;
}

/** Whether the run waits for the request budget. */
export function waitsForBudget({ waitsUntil }: Pick<ActiveRun, 'waitsUntil'>, now: number): boolean {
  return waitsUntil !== undefined && waitsUntil > now;
}

/** The active runs of this window with their progress, and the outcome of the last run of each connection. */
export class ActiveRuns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #runs = new Map<Run, ActiveRun>();
  readonly #last = new Map<string, LastRequest>();
  readonly #changed = new Emitter<RunEvent['type']>();
  readonly onDidChange = this.#changed.event;
  #startedCount = 0;

  constructor(engine: Pick<QueryEngine, 'onDidEmit'>, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    engine.onDidEmit(emission => this.#onEmission(emission));
  }

  /** The active runs, the oldest first. */
  get list(): readonly ActiveRun[] {
    return [...this.#runs.values()];
  }

  /** Returns the last run of a connection that spent requests in this window. */
  lastRequest(connection: Pick<Connection, 'id'>): LastRequest | undefined {
    return this.#last.get(connection.id);
  }

  #onEmission(emission: RunEmission): void {
    const { run, event } = emission;
    if (event.type === 'started') this.#runs.set(run, this.#createActiveRun(emission));
    else if (event.type === 'done' || event.type === 'failed') this.#endRun(emission);
    else {
      const active = this.#runs.get(run);
      if (active) this.#runs.set(run, { ...active, ...this.#getUpdate(event, active) });
    }
    this.#changed.fire(event.type);
  }

  #createActiveRun({ run, query, connection }: RunEmission): ActiveRun {
    return {
      id: ++this.#startedCount,
      query,
      connection,
      cancel: () => run.cancel(),
      progress: undefined,
      waitsUntil: undefined,
      awaitsConfirmation: false,
    };
  }

  #getUpdate(event: RunEvent, { progress }: ActiveRun): Partial<ActiveRun> {
    switch (event.type) {
      case 'waiting':
        return { waitsUntil: event.failed ? undefined : this.#clock.now() + event.ms, waitsFor: event.dataset };
      case 'progress':
        return { progress: event.progress, waitsUntil: undefined };
      case 'planned':
      case 'moreRequests': {
        // A plan that grew during the run has to be confirmed again; its progress is kept.
        const initialProgress = { done: 0, total: event.price.requests };
        return { awaitsConfirmation: true, progress: progress ?? initialProgress, waitsUntil: undefined };
      }
      case 'replied':
        return { awaitsConfirmation: false };
      default:
        return {};
    }
  }

  #endRun({ run, event, query, connection }: RunEmission): void {
    this.#runs.delete(run);
    const summary = summarizeRun(event);
    if (summary.requestsSpent > 0) this.#last.set(connection.id, { query, at: this.#clock.now(), ...summary });
  }
}

/** Summarizes a run that has ended. */
function summarizeRun(event: RunEvent): Pick<LastRequest, 'requestsSpent' | 'rowCount' | 'error'> {
  if (event.type === 'done') {
    const { requestsSpent, failure } = event.result.provenance;
    return { requestsSpent, rowCount: event.result.frame?.rowCount, error: failure && createPartError(failure) };
  }
  const error = event.type === 'failed' && event.error instanceof GridError ? event.error : undefined;
  return { requestsSpent: error?.facts.requestsSpent ?? 0, rowCount: undefined, error };
}
