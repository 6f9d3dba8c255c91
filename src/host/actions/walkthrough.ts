import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands, contextKeys, stateNames, walkthroughs } from '../ids.ts';
import { setContext } from '../workbench.ts';

export interface WalkthroughDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Pick<Connections, 'list' | 'onDidChange'>;
  /** The earlier runs of all windows. */
  readonly runs: Pick<RecentRuns, 'list'>;
  readonly state: KeyValueStore;
  readonly extensionId: string;
}

const steps = [contextKeys.hasConnected, contextKeys.hasRun, contextKeys.hasRead, contextKeys.hasSavedResult];

/**
 * Registers Open Walkthrough. VS Code opens a walkthrough by itself when its extension is installed or updated, unless its `when`
 * clause is false; a context key enables it only after the user has opened it once.
 */
export function registerWalkthrough(deps: WalkthroughDeps): vscode.Disposable {
  const { boundary, connections, runs, state } = deps;

  async function open(): Promise<void> {
    // VS Code completes a step only if its context key becomes true while the walkthrough exists.
    for (const step of steps) await setContext(step, false);
    await setContext(contextKeys.walkthrough, true);
    await state.update(stateNames.walkthrough, true);
    // VS Code 1.110 shows its own walkthrough the first time, because its page only waits for ours if it is already open. Newer
    // versions would return to the first step if the command ran twice.
    for (let left = vscode.version.startsWith('1.110.') ? 2 : 1; left > 0; left--)
      await vscode.commands.executeCommand(
        'workbench.action.openWalkthrough',
        `${deps.extensionId}#${walkthroughs.start}`,
      );
    showConnected();
    if (runs.list().some(({ outcome }) => outcome.kind === 'rows')) void setContext(contextKeys.hasRun, true);
  }

  const showConnected = (): void => {
    const isConnected = connections.list().length > 0;
    void setContext(contextKeys.noConnection, !isConnected);
    void setContext(contextKeys.hasConnected, isConnected);
  };
  showConnected();
  if (state.get(stateNames.walkthrough) === true) void setContext(contextKeys.walkthrough, true);
  return vscode.Disposable.from(
    boundary.register(commands.openWalkthrough, open),
    connections.onDidChange(showConnected),
  );
}
