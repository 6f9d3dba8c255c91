import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import type { HeaderPart, QueryTools, ViewState } from '../../shared/protocol.ts';
import { actionLabel } from '../words/failures.ts';
import { offers } from '../words/resultState.ts';

/** The questions of one run before a plan that has to wait: in the panel, answered by its buttons or by the end of the run. */
export class PlanQuestion {
  #answer: ((goesOn: boolean) => void) | undefined;
  /** How the request failed that the person did not want to make again. */
  #failed: GridError | undefined;

  /** Resolves to whether the plan goes on; to false once the signal is aborted. `failed`: the plan is to make that request again. */
  ask(signal: AbortSignal, failed?: GridError): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    this.#failed = failed;
    return new Promise(resolve => {
      const answer = (goesOn: boolean): void => {
        this.#answer = undefined;
        if (goesOn) this.#failed = undefined;
        signal.removeEventListener('abort', refuse);
        resolve(goesOn);
      };
      const refuse = (): void => answer(false);
      signal.addEventListener('abort', refuse, { once: true });
      this.#answer = answer;
    });
  }

  /** Why the run ended, by the error it ended with: who declines to try again has cancelled it, and is shown the failure. */
  reasonOf(error: unknown): unknown {
    const isCancelled = error instanceof GridError && error.reason === 'cancelled';
    return isCancelled ? (this.#failed ?? error) : error;
  }

  /** The person's answer; nothing where no plan is asked about. */
  answer(goesOn: boolean): void {
    this.#answer?.(goesOn);
  }
}

/** Run · Narrow · Cancel, over what the plan costs; Try Again · Cancel, where a request failed and a shorter range costs no less. */
export function planState(
  query: { readonly title: string; readonly tools: QueryTools; readonly header: readonly HeaderPart[] },
  sentence: string,
  isRetry: boolean,
): ViewState {
  const tryAgain = { action: 'runPlan' as const, label: actionLabel('tryAgain') };
  const narrow = { action: 'changeQuery' as const, label: vscode.l10n.t('Narrow…') };
  const choices = isRetry ? [tryAgain] : [...offers('runPlan'), narrow];
  return { view: 'empty', ...query, sentence, actions: [...choices, ...offers('cancel')] };
}
