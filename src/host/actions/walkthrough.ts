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
  /** The recent runs in all windows. */
  readonly runs: Pick<RecentRuns, 'list'>;
  readonly state: KeyValueStore;
  readonly extensionId: string;
}

const stepContextKeys = [contextKeys.hasConnected, contextKeys.hasRun, contextKeys.hasRead, contextKeys.hasSavedResult];

/**
 * Registers Open Walkthrough. VS Code would open the walkthrough by itself when the extension is installed or updated. To prevent this, its
 * `when` clause requires a context key, which is set only after the user has opened the walkthrough.
 */
export function registerWalkthrough(deps: WalkthroughDeps): vscode.Disposable {
  const { boundary, connections, runs, state } = deps;

  async function open(): Promise<void> {
    // VS Code completes a step only if its context key becomes true after the walkthrough is available. So the keys are false first.
    for (const key of stepContextKeys) await setContext(key, false);
    await setContext(contextKeys.walkthrough, true);
    await state.update(stateNames.walkthrough, true);
    // VS Code 1.110 shows another walkthrough the first time, because the Welcome page is not open yet, so the command runs twice. Newer
    // versions would return to the first step if it ran twice.
    const runCount = vscode.version.startsWith('1.110.') ? 2 : 1;
    for (let run = 0; run < runCount; run++)
      await vscode.commands.executeCommand(
        'workbench.action.openWalkthrough',
        `${deps.extensionId}#${walkthroughs.start}`,
      );
    updateConnectionContext();
    if (runs.list().some(({ outcome }) => outcome.kind === 'rows')) void setContext(contextKeys.hasRun, true);
  }

  const updateConnectionContext = (): void => {
    const isConnected = connections.list().length > 0;
    void setContext(contextKeys.noConnection, !isConnected);
    void setContext(contextKeys.hasConnected, isConnected);
  };
  updateConnectionContext();
  if (state.get(stateNames.walkthrough) === true) void setContext(contextKeys.walkthrough, true);
  return vscode.Disposable.from(
    boundary.register(commands.openWalkthrough, open),
    connections.onDidChange(updateConnectionContext),
  );
}
