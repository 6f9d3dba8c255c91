import * as vscode from 'vscode';
import type { KeyValueStore } from '../core/ports.ts';
import type { Connections } from '../service/connections.ts';
import type { ErrorBoundary } from './errorBoundary.ts';
import { commands, contextKeys, stateNames, walkthroughs } from './ids.ts';
import { setContext } from './setContext.ts';

export interface WalkthroughDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Pick<Connections, 'list' | 'onDidChange'>;
  readonly state: KeyValueStore;
  readonly extensionId: string;
}

/**
 * Open Walkthrough. VS Code opens a walkthrough by itself when its extension is installed or updated, unless its `when` is
 * false at that moment: so there is one only for a person who asked for it.
 */
export function registerWalkthrough(deps: WalkthroughDeps): vscode.Disposable {
  const { boundary, connections, state } = deps;

  async function open(): Promise<void> {
    await setContext(contextKeys.walkthrough, true);
    await state.update(stateNames.walkthrough, true);
    await vscode.commands.executeCommand(
      'workbench.action.openWalkthrough',
      `${deps.extensionId}#${walkthroughs.start}`,
    );
  }

  const showConnected = (): void => void setContext(contextKeys.hasConnection, connections.list().length > 0);
  showConnected();
  if (state.get(stateNames.walkthrough) === true) void setContext(contextKeys.walkthrough, true);
  return vscode.Disposable.from(boundary.register(commands.openWalkthrough, open), {
    dispose: connections.onDidChange(showConnected),
  });
}
