import * as vscode from 'vscode';
import { GridError } from '../core/errors.ts';
import type { PanelAction } from '../shared/protocol.ts';
import { InputError, UnavailableError } from './inputError.ts';
import { showErrorMessage, showInformationMessage } from './messages/messages.ts';
import { actionLabel, failureWords } from './messages/failures.ts';

export interface ErrorBoundaryDeps {
  readonly logError: (error: unknown) => void;
  /** Carries out an action outside any panel. */
  readonly act: (action: PanelAction) => void;
}

/** The actions that make sense without a panel. */
const general: readonly PanelAction[] = ['addConnection', 'startSandbox', 'showLog'];

/** Registers commands so that whatever they throw becomes one sentence with its next steps; cancelled is silent. */
export class ErrorBoundary {
  readonly #deps: ErrorBoundaryDeps;

  constructor(deps: ErrorBoundaryDeps) {
    this.#deps = deps;
  }

  /** `selection`: of a command in the menu of a tree, all the lines it is meant for. */
  register(id: string, run: (argument: unknown, selection: unknown) => Promise<unknown>): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (argument: unknown, selection: unknown) => {
      try {
        return await run(argument, selection);
      } catch (error) {
        void this.report(error);
        return undefined;
      }
    });
  }

  /** Says what went wrong, or what is missing; the stack of an unknown fault goes to the log alone. */
  async report(error: unknown): Promise<void> {
    const words = failureWords(error);
    if (!words) return;
    if (!(error instanceof GridError) && !(error instanceof InputError)) this.#deps.logError(error);
    const choices = words.actions
      .filter(action => general.includes(action))
      .map(action => ({ title: actionLabel(action), run: () => this.#deps.act(action) }));
    if (error instanceof UnavailableError && error.next) {
      const { title, command } = error.next;
      choices.push({ title, run: () => void vscode.commands.executeCommand(command) });
    }
    const show = isMissing(error) ? showInformationMessage : showErrorMessage;
    const chosen = await show(words.sentence, ...choices);
    chosen?.run();
  }
}

/** Whether the person is early rather than wrong. */
function isMissing(error: unknown): boolean {
  return error instanceof UnavailableError || (error instanceof GridError && error.reason === 'noConnection');
}
