import type { GridError } from '../../src/core/errors.ts';
import type { Price } from '../../src/core/query/requestPlan.ts';
import type { ResolvedQuery } from '../../src/core/query/query.ts';
import type { Endpoint } from '../../src/service/connections/endpoint.ts';
import type { QueryEngine } from '../../src/service/query/queryEngine.ts';
import type {
  ExtraRequestsConfirmation,
  PlanConfirmation,
  Progress,
  Run,
  RunOptions,
} from '../../src/service/query/run.ts';
import type { Result } from '../../src/shared/result.ts';

/** The handlers of a test for the events of a run. A confirmation without a handler is declined. */
export interface RunHandlers extends Omit<RunOptions, 'confirms' | 'preview'> {
  readonly onWait?: (ms: number) => void;
  readonly onShared?: (isWaiting: boolean) => void;
  readonly onPlan?: (price: Price, steps: PlanConfirmation['steps']) => Promise<boolean>;
  readonly onMoreRequests?: ((price: Price, failed?: GridError) => Promise<boolean>) | undefined;
  readonly onProgress?: (soFar: Result, progress: Progress) => void;
}

/** Handles the events of a run and returns its result. */
export async function followRun(run: Run, handlers: RunHandlers): Promise<Result> {
  for await (const event of run) {
    if (event.type === 'waiting') handlers.onWait?.(event.ms);
    if (event.type === 'shared') handlers.onShared?.(event.isWaiting);
    if (event.type === 'progress' && event.partialResult) handlers.onProgress?.(event.partialResult, event.progress);
    if (event.type === 'planned' || event.type === 'moreRequests') void replyToConfirmation(event, handlers);
  }
  return run.result;
}

/** Runs queries at an endpoint and waits for their results. */
export class EndpointRunner {
  readonly engine: QueryEngine;

  constructor(engine: QueryEngine) {
    this.engine = engine;
  }

  async run(query: ResolvedQuery, endpoint: Endpoint, handlers: RunHandlers = {}): Promise<Result> {
    const { onPlan, onMoreRequests, onProgress, ...options } = handlers;
    const run = this.engine.runAt(query, endpoint, {
      ...options,
      confirmations: onPlan ? 'all' : onMoreRequests && 'beyondPlan',
      preview: onProgress !== undefined,
    });
    return followRun(run, handlers);
  }
}

async function replyToConfirmation(
  event: PlanConfirmation | ExtraRequestsConfirmation,
  { onPlan, onMoreRequests }: RunHandlers,
): Promise<void> {
  const { price } = event;
  if (event.type === 'planned') event.reply((await onPlan?.(price, event.steps)) ?? false);
  else event.reply((await onMoreRequests?.(price, event.failed)) ?? false);
}
