import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import type { PanelAction } from '../../shared/protocol.ts';
import { commands } from '../ids.ts';
import { InputError, UnavailableError, type NextAction } from '../inputError.ts';
import { showErrorMessage, showInformationMessage } from './messages.ts';
import { actionLabel, describeFailure } from './failures.ts';

export interface ErrorBoundaryDeps {
  readonly logError: (error: unknown) => void;
  /** Runs a VS Code command; by default `vscode.commands.executeCommand`. */
  readonly execute?: (command: string) => unknown;
}

/** The commands of the panel actions that also work without a panel. */
export const generalCommands = {
  addConnection: commands.addConnection,
  startSandbox: commands.startSandbox,
  showLog: commands.showLog,
} as const satisfies Partial<Record<PanelAction, string>>;
type GeneralAction = keyof typeof generalCommands;

function isGeneral(action: PanelAction): action is GeneralAction {
  return action in generalCommands;
}

/** Registers commands and shows the errors that they throw, with buttons for the next action. A cancelled command shows nothing. */
export class ErrorBoundary {
  readonly #deps: ErrorBoundaryDeps;

  constructor(deps: ErrorBoundaryDeps) {
    this.#deps = deps;
  }

  /** Registers a command. `selection` has all selected items if the command is called from the context menu of a tree. */
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

  /** Shows an error. The stack of an unexpected error is logged. */
  async report(error: unknown): Promise<void> {
    const message = describeFailure(error);
    if (!message) return;
    if (!(error instanceof GridError) && !(error instanceof InputError)) this.#deps.logError(error);
    const choices: NextAction[] = message.actions
      .filter(isGeneral)
      .map(action => ({ title: actionLabel(action), command: generalCommands[action] }));
    if (error instanceof UnavailableError && error.next) choices.push(error.next);
    const show = isInformational(error) ? showInformationMessage : showErrorMessage;
    const selected = await show(message.sentence, ...choices);
    const { execute = vscode.commands.executeCommand } = this.#deps;
    if (selected) void execute(selected.command);
  }
}

/** Whether something is only missing, which is shown as information rather than as an error. */
function isInformational(error: unknown): boolean {
  return error instanceof UnavailableError || (error instanceof GridError && error.reason === 'noConnection');
}
