import * as vscode from 'vscode';
import type { PanelAction } from '../../shared/protocol.ts';
import type { QueryService } from '../../service/queryService.ts';
import { openDashboard } from '../commands/connectionCommands.ts';
import { openInEditor } from '../commands/resultCommands.ts';
import { commands } from '../ids.ts';
import { promptInterval, promptQuery } from '../prompts/queryPrompt.ts';
import { displayZone } from '../settings.ts';
import { supportedIntervals } from '../words/failures.ts';
import type { QuerySession } from './querySession.ts';
import type { QuerySessions } from './querySessions.ts';

export interface PanelActionsDeps {
  readonly sessions: QuerySessions;
  readonly nowAt: QueryService['nowAt'];
}

/** Carries out what a button of a panel asks for. */
export async function performPanelAction(
  action: PanelAction,
  session: QuerySession,
  deps: PanelActionsDeps,
): Promise<void> {
  const { query, connection } = session;
  switch (action) {
    case 'refresh':
    case 'fetchMissing':
      return session.run();
    case 'refreshAll':
      return session.run('always');
    case 'runPlan':
      session.answerPlan(true);
      return;
    case 'cancel':
      session.cancel();
      return;
    case 'openInEditor':
      return session.result && openInEditor(session.result);
    case 'changeQuery': {
      const changed = await promptQuery({
        now: deps.nowAt(connection),
        zone: displayZone(),
        last: query,
        connection: connection.name,
      });
      return changed && deps.sessions.rerunAs(session, changed, connection);
    }
    case 'chooseInterval': {
      const interval = await promptInterval(supportedIntervals(session.lastError), query.interval);
      return interval === undefined ? undefined : deps.sessions.rerunAs(session, { ...query, interval }, connection);
    }
    case 'enterKey': {
      const replaced = await vscode.commands.executeCommand<boolean | undefined>(commands.replaceKey, connection.id);
      return replaced ? session.run(session.lastRefresh) : undefined;
    }
    case 'openDashboard':
      return openDashboard(connection);
    case 'addConnection':
    case 'startSandbox':
    case 'showLog':
      return performGeneralAction(action);
  }
}

/** The actions that need no panel. */
export async function performGeneralAction(action: PanelAction): Promise<void> {
  if (action === 'addConnection') await vscode.commands.executeCommand(commands.addConnection);
  if (action === 'startSandbox') await vscode.commands.executeCommand(commands.startSandbox);
  if (action === 'showLog') await vscode.commands.executeCommand(commands.showLog);
}
