import * as vscode from 'vscode';
import type { HeaderPart, QueryTools, ViewState } from '../../shared/protocol.ts';
import { offers } from '../words/resultState.ts';

/** The question before a plan that has to wait: in the panel, answered by its buttons or by the end of the run. */
export class PlanQuestion {
  #answer: ((goesOn: boolean) => void) | undefined;

  /** Resolves to whether the plan goes on; to false once the signal is aborted. */
  ask(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      const answer = (goesOn: boolean): void => {
        this.#answer = undefined;
        signal.removeEventListener('abort', refuse);
        resolve(goesOn);
      };
      const refuse = (): void => answer(false);
      signal.addEventListener('abort', refuse, { once: true });
      this.#answer = answer;
    });
  }

  /** The person's answer; nothing where no plan is asked about. */
  answer(goesOn: boolean): void {
    this.#answer?.(goesOn);
  }
}

/** Run · Narrow · Cancel, over what the plan costs. */
export function planState(
  query: { readonly title: string; readonly tools: QueryTools; readonly header: readonly HeaderPart[] },
  sentence: string,
): ViewState {
  const narrow = { action: 'changeQuery' as const, label: vscode.l10n.t('Narrow…') };
  return { view: 'empty', ...query, sentence, actions: [...offers('runPlan'), narrow, ...offers('cancel')] };
}
