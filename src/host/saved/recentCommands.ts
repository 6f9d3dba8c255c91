import * as vscode from 'vscode';
import type { Connection } from '../../core/connection.ts';
import { asOf } from '../../core/saved/asOf.ts';
import type { Connections } from '../../service/connections.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { RecentRun, RecentRuns } from '../../service/saved/recentRuns.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { displayZone } from '../settings.ts';
import { recentDescription, recentTitle } from '../words/saved.ts';

export interface RecentCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly recent: RecentRuns;
  readonly sessions: Pick<QuerySessions, 'run'>;
  readonly connections: Pick<Connections, 'byId' | 'byName'>;
  readonly nowAt: QueryService['nowAt'];
}

/** Open again from the archive, run again, save, clear. */
export function registerRecentCommands(deps: RecentCommandsDeps): vscode.Disposable {
  const { boundary, recent, sessions } = deps;
  const { t } = vscode.l10n;

  /** The line's run, else the one the person picks; undefined where they left. */
  async function chosen(argument: unknown, placeHolder: string): Promise<RecentRun | undefined> {
    const id = idOf(argument);
    if (id !== undefined) return recent.list().find(run => run.id === id);
    const items = recent.list().map(run => ({
      label: recentTitle(run.query),
      description: recentDescription(run, displayZone(), deps.nowAt({ baseUrl: '' })),
      run,
    }));
    if (items.length === 0) throw new InputError(t('Nothing was run yet.'));
    return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.run;
  }

  function connectionOf({ connection: { id, name } }: RecentRun): Connection {
    const connection = deps.connections.byId(id) ?? deps.connections.byName(name);
    if (!connection) throw new InputError(t('The connection “{0}” was removed. Add it again to see this run.', name));
    return connection;
  }

  async function open(argument: unknown): Promise<void> {
    const run = await chosen(argument, t('Open which run from the archive?'));
    if (!run) return;
    const connection = connectionOf(run);
    const query = asOf(run.query, run.at, { now: deps.nowAt(connection), timeZone: displayZone().timeZone });
    await sessions.run(query, connection, 'never');
  }

  async function rerun(argument: unknown): Promise<void> {
    const run = await chosen(argument, t('Run which one again?'));
    if (run) await sessions.run(run.query, connectionOf(run));
  }

  async function save(argument: unknown): Promise<void> {
    const run = await chosen(argument, t('Save which run?'));
    if (run)
      await vscode.commands.executeCommand(commands.saveQuery, { ...run.query, connection: run.connection.name });
  }

  return vscode.Disposable.from(
    boundary.register(commands.openRecentRun, open),
    boundary.register(commands.rerunRecentRun, rerun),
    boundary.register(commands.saveRecentRun, save),
    boundary.register(commands.clearRecentRuns, async () => recent.clear()),
  );
}

function idOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('id' in argument)) return undefined;
  return typeof argument.id === 'string' ? argument.id : undefined;
}
