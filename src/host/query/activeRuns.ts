import type { Connection } from '../../core/connections/connection.ts';
import { GridError, errorOf } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import { Emitter } from '../../service/emitter.ts';
import type { QueryEngine, RunEmission } from '../../service/query/queryEngine.ts';
import type { Progress, Run, RunEvent } from '../../service/query/run.ts';

/** A run that is in progress or waits, without texts. */
export interface ActiveRun extends Pick<RunEmission, 'query' | 'connection'> {
  /** The same run has the same number in each list. */
  readonly id: number;
  /** How many of its requests are done; undefined where it has no plan yet. */
  readonly progress: Progress | undefined;
  /** UTC milliseconds until which its next request waits for the budget; past or undefined where it does not wait. */
  readonly waitsUntil: number | undefined;
  /** The id of the dataset whose budget that is, where the query joins several. */
  readonly waitsFor?: string | undefined;
  /** Requests wait for a confirmation, and nothing is sent before. */
  readonly asksPerson: boolean;
  /** Cancels the run. */
  readonly cancel: () => void;
}

/** What became of the last run that spent requests. */
export interface LastRequest {
  readonly query: ResolvedQuery;
  /** When the run was over, UTC milliseconds by this machine's clock. */
  readonly at: number;
  readonly requestsSpent: number;
  /** Rows of the result, archived ones among them; undefined where it is no table or did not come. */
  readonly rowCount: number | undefined;
  /** Why a part or all of it did not come. */
  readonly error: GridError | undefined;
}

/** Whether the run waits for its permit. */
export function waitsForBudget({ waitsUntil }: Pick<ActiveRun, 'waitsUntil'>, now: number): boolean {
  return waitsUntil !== undefined && waitsUntil > now;
}

/** The runs of this window that are under way, how far they are, and how the last ended. */
export class ActiveRuns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #runs = new Map<Run, ActiveRun>();
  readonly #last = new Map<string, LastRequest>();
  readonly #changed = new Emitter<RunEvent['type']>();
  readonly onDidChange = this.#changed.event;
  #started = 0;

  constructor(engine: Pick<QueryEngine, 'onDidEmit'>, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    engine.onDidEmit(emission => this.#take(emission));
  }

  /** The oldest first. */
  get list(): readonly ActiveRun[] {
    return [...this.#runs.values()];
  }

  /** The last run over this connection that spent requests; undefined before the first of this window. */
  lastRequest(connection: Pick<Connection, 'id'>): LastRequest | undefined {
    return this.#last.get(connection.id);
  }

  #take(emission: RunEmission): void {
    const { run, event } = emission;
    if (event.type === 'started') this.#runs.set(run, this.#activeRun(emission));
    else if (event.type === 'done' || event.type === 'failed') this.#end(emission);
    else {
      const active = this.#runs.get(run);
      if (active) this.#runs.set(run, { ...active, ...this.#news(event, active) });
    }
    this.#changed.fire(event.type);
  }

  #activeRun({ run, query, connection }: RunEmission): ActiveRun {
    return {
      id: ++this.#started,
      query,
      connection,
      cancel: () => run.cancel(),
      progress: undefined,
      waitsUntil: undefined,
      asksPerson: false,
    };
  }

  #news(event: RunEvent, { progress }: ActiveRun): Partial<ActiveRun> {
    switch (event.type) {
      case 'waiting':
        return { waitsUntil: event.failed ? undefined : this.#clock.now() + event.ms, waitsFor: event.dataset };
      case 'progress':
        return { progress: event.progress, waitsUntil: undefined };
      case 'planned':
      case 'moreRequests': {
        // A plan that grew on the way is asked about again: what is done by then stays done.
        const asked = { done: 0, total: event.price.requests };
        return { asksPerson: true, progress: progress ?? asked, waitsUntil: undefined };
      }
      case 'answered':
        return { asksPerson: false };
      default:
        return {};
    }
  }

  #end({ run, event, query, connection }: RunEmission): void {
    this.#runs.delete(run);
    const spent = spentBy(event);
    if (spent.requestsSpent > 0) this.#last.set(connection.id, { query, at: this.#clock.now(), ...spent });
  }
}

/** What a run that is over has spent, and what it brought. */
function spentBy(event: RunEvent): Pick<LastRequest, 'requestsSpent' | 'rowCount' | 'error'> {
  if (event.type === 'done') {
    const { requestsSpent, failure } = event.result.provenance;
    return { requestsSpent, rowCount: event.result.frame?.rowCount, error: failure && errorOf(failure) };
  }
  const error = event.type === 'failed' && event.error instanceof GridError ? event.error : undefined;
  return { requestsSpent: error?.facts.requestsSpent ?? 0, rowCount: undefined, error };
}
