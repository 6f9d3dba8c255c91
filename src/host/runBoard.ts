import type { Connection } from '../core/connection.ts';
import { GridError, errorOf } from '../core/errors.ts';
import type { Price } from '../core/plan.ts';
import type { Clock } from '../core/ports.ts';
import type { ResolvedQuery } from '../core/query.ts';
import { Listeners } from '../service/listeners.ts';
import type { QueryService } from '../service/queryService.ts';
import type { Progress, RunOptions } from '../service/runOptions.ts';
import type { Result } from '../shared/result.ts';

/** A run that is under way or waits, as numbers: the words are those of whoever shows it. */
export interface BoardRun {
  readonly id: number;
  readonly query: ResolvedQuery;
  readonly connection: Connection;
  /** How many of its requests are done; undefined where it was not told of a plan. */
  readonly progress: Progress | undefined;
  /** UTC milliseconds until which its next request waits for the budget; past or undefined where it does not wait. */
  readonly waitsUntil: number | undefined;
  /** Its plan is before the person, and nothing is sent before the answer. */
  readonly asksPerson: boolean;
  /** Ends the run as if whoever asked had cancelled it. */
  readonly cancel: () => void;
}

/** What became of the last run that spent requests. */
export interface LastRequest {
  readonly query: ResolvedQuery;
  /** When the run was over, UTC milliseconds by this machine's clock. */
  readonly at: number;
  readonly requestsSpent: number;
  /** Rows of the answer, kept ones among them; undefined where it is no table or did not come. */
  readonly rowCount: number | undefined;
  /** Why a part or all of it did not come. */
  readonly error: GridError | undefined;
}

export type BoardChange = 'begun' | 'moved' | 'ended';

/** Whether the run waits for its permit. */
export function waitsForBudget({ waitsUntil }: Pick<BoardRun, 'waitsUntil'>, now: number): boolean {
  return waitsUntil !== undefined && waitsUntil > now;
}

/** Runs queries like the service it is given, and knows which of them are under way, how far they are and how the last ended. */
export class RunBoard {
  readonly #service: Pick<QueryService, 'run'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #runs = new Map<number, BoardRun>();
  readonly #last = new Map<string, LastRequest>();
  readonly #listeners = new Listeners<[change: BoardChange]>();
  #begun = 0;

  constructor(deps: { readonly service: Pick<QueryService, 'run'>; readonly clock: Pick<Clock, 'now'> }) {
    this.#service = deps.service;
    this.#clock = deps.clock;
  }

  /** Those under way in this window, the oldest first. */
  get runs(): readonly BoardRun[] {
    return [...this.#runs.values()];
  }

  /** The last run over this connection that spent requests; undefined before the first of this window. */
  lastRequest(connection: Pick<Connection, 'id'>): LastRequest | undefined {
    return this.#last.get(connection.id);
  }

  /** Calls back after each change; returns what ends that. */
  onDidChange(listener: (change: BoardChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** As `QueryService.run`. */
  async run(query: ResolvedQuery, connection: Connection, options: RunOptions = {}): Promise<Result> {
    const own = new AbortController();
    // Forwarded by hand and taken back at the end: a caller's signal may outlive thousands of runs.
    const forward = (): void => own.abort(options.signal?.reason);
    if (options.signal?.aborted) forward();
    options.signal?.addEventListener('abort', forward, { once: true });
    const id = (this.#begun += 1);
    const about = { id, query, connection, cancel: () => own.abort() };
    this.#runs.set(id, { ...about, progress: undefined, waitsUntil: undefined, asksPerson: false });
    this.#tell('begun');
    try {
      const result = await this.#service.run(query, connection, this.#watched(id, options, own.signal));
      const { requestsSpent, failure } = result.provenance;
      const error = failure && errorOf(failure);
      this.#note(connection, { query, requestsSpent, rowCount: result.frame?.rowCount, error });
      return result;
    } catch (error) {
      if (error instanceof GridError)
        this.#note(connection, { query, requestsSpent: error.facts.requestsSpent ?? 0, rowCount: undefined, error });
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', forward);
      this.#runs.delete(id);
      this.#tell('ended');
    }
  }

  /** The caller's options, heard on the way. */
  #watched(id: number, options: RunOptions, signal: AbortSignal): RunOptions {
    const { onWait, onProgress, onPlan, onMoreRequests } = options;
    const asking = async ({ requests }: Price, ask: () => Promise<boolean>): Promise<boolean> => {
      // A plan that grew on the way is asked about again: what is done by then stays done.
      const progress = this.#runs.get(id)?.progress ?? { done: 0, total: requests };
      this.#move(id, { asksPerson: true, progress, waitsUntil: undefined });
      const goesOn = await Promise.race([ask(), refusedOnceAborted(signal)]);
      this.#move(id, { asksPerson: false });
      return goesOn;
    };
    return {
      ...options,
      signal,
      onWait: ms => {
        this.#move(id, { waitsUntil: this.#clock.now() + ms });
        onWait?.(ms);
      },
      onProgress: (soFar, progress) => {
        this.#move(id, { progress, waitsUntil: undefined });
        onProgress?.(soFar, progress);
      },
      // Left out where nobody is to be asked: the run goes on by itself then, and takes neither further pages nor second attempts.
      onPlan: onPlan && (async (price, steps) => asking(price, async () => onPlan(price, steps))),
      onMoreRequests:
        onMoreRequests && (async (price, failed) => asking(price, async () => onMoreRequests(price, failed))),
    };
  }

  #move(id: number, news: Partial<Pick<BoardRun, 'progress' | 'waitsUntil' | 'asksPerson'>>): void {
    const run = this.#runs.get(id);
    if (!run) return;
    this.#runs.set(id, { ...run, ...news });
    this.#tell('moved');
  }

  #note(connection: Connection, request: Omit<LastRequest, 'at'>): void {
    if (request.requestsSpent > 0) this.#last.set(connection.id, { ...request, at: this.#clock.now() });
  }

  #tell(change: BoardChange): void {
    this.#listeners.tell(change);
  }
}

/** A run that is cancelled from elsewhere waits for no answer to its plan. */
function refusedOnceAborted(signal: AbortSignal): Promise<false> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}
