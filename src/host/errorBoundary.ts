import * as vscode from 'vscode';
import { GridError } from '../core/errors.ts';
import type { PanelAction } from '../shared/protocol.ts';
import { InputError } from './inputError.ts';
import { actionLabel, failureWords } from './words/failures.ts';

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
    return vscode.commands.registerCommand(id, async (...given: unknown[]) => {
      const [argument, selection] = given;
      try {
        // The menu of a tree passes its line and the selection: of a line that was just read anew VS Code knows nothing.
        if (given.length > 1 && argument === undefined && selection === undefined)
          throw new InputError(vscode.l10n.t('This line has just changed. Try again.'));
        return await run(argument, selection);
      } catch (error) {
        void this.report(error);
        return undefined;
      }
    });
  }

  /** Says what went wrong; the stack of an unknown fault goes to the log alone. */
  async report(error: unknown): Promise<void> {
    const words = failureWords(error);
    if (!words) return;
    if (!(error instanceof GridError) && !(error instanceof InputError)) this.#deps.logError(error);
    const choices = words.actions
      .filter(action => general.includes(action))
      .map(action => ({ title: actionLabel(action), action }));
    const chosen = await vscode.window.showErrorMessage(words.sentence, ...choices);
    if (chosen) this.#deps.act(chosen.action);
  }
}
