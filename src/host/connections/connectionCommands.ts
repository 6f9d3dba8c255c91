import * as vscode from 'vscode';
import { isSameOrigin, powerSignals, type Connection } from '../../core/connections/connection.ts';
import { isSampleData } from '../../core/query/serviceMeta.ts';
import { GridError, keyRefusals } from '../../core/errors.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../messages/messages.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import {
  promptBaseUrl,
  promptConnection,
  promptKey,
  promptName,
  type ConnectionDraft,
  type NameState,
} from './connectionPrompt.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';
import type { RunHistoryRecorder } from '../savedQueries/runHistoryRecorder.ts';
import { withoutLine } from '../lineArgument.ts';
import { failureWords } from '../messages/failures.ts';
import { readConnectionArgument } from './connectionArgument.ts';
import { checkConnection, checkQuery, testConnection, type CheckOutcome } from './connectionCheck.ts';
import { connectionOfNode } from './connectionsTreeDataProvider.ts';
import { pickConnection } from './pickConnection.ts';

export interface ConnectionCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly engine: Pick<QueryEngine, 'runAt'>;
  readonly sessions: QuerySessions;
  /** Lists the first run of a new key among the others. */
  readonly history: Pick<RunHistoryRecorder, 'record'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly test: ConnectionEndpoints['test'];
  /** What the service said of a key no longer counts once the person enters it again. */
  readonly clearRejection: ConnectionEndpoints['clearRejection'];
  /** The connection had another name, which saved queries may have. */
  readonly renamed: (connection: Connection, before: string) => Promise<void>;
  readonly sandbox: Pick<SandboxHost, 'dashboardLink' | 'renewKey'>;
  /** Starts the embedded service, adds its connection and opens sample data. */
  readonly startSandbox: () => Promise<unknown>;
}

/** Add, switch, rename, replace key, remove. */
export function registerConnectionCommands(deps: ConnectionCommandsDeps): vscode.Disposable {
  const { boundary, connections } = deps;
  const { t } = vscode.l10n;

  async function add(argument: unknown): Promise<Connection | undefined> {
    const { given, verify, limits } = readConnectionArgument(argument);
    const nameState = (name: string, baseUrl: string): NameState => nameStateOf(connections, name, baseUrl);
    const draft = await promptConnection({ given, nameState });
    if (!draft) return undefined;
    if (draft.service === 'sandbox') {
      await deps.startSandbox();
      return connections.active();
    }
    const checked = { ...checkedDraft(draft), limits };
    if (verify) return tryAndKeep(checked);
    await deps.clearRejection(checked);
    return connections.add({ ...checked, state: 'unchecked' });
  }

  /** Whether the name may stand for this address, and which service it is. */
  function checkedDraft<T extends ConnectionDraft>(draft: T): T {
    if (!connections.nameIsFree(draft.name, draft.baseUrl)) {
      throw new InputError(t("'{0}' is the name of another service. Enter another name.", draft.name));
    }
    return { ...draft, service: draft.baseUrl === powerSignals.baseUrl ? 'powerSignals' : 'other' };
  }

  async function tryAndKeep(draft: ConnectionDraft & Pick<Connection, 'limits'>): Promise<Connection | undefined> {
    await deps.clearRejection(draft);
    const outcome = await checkConnection(draft, deps);
    if (outcome.kind === 'works') {
      const connection = await connections.add({
        ...draft,
        state: 'works',
        ...(isSampleData(outcome.result.provenance) && { isSample: true }),
      });
      deps.history.record(checkQuery, connection, outcome.result);
      deps.sessions.show(checkQuery, connection, outcome.result);
      return connection;
    }
    if (outcome.kind === 'refused') return afterRefusal(draft, outcome.error);
    if (outcome.kind === 'unknown') return keepUnchecked(draft, outcome);
    const [another, keep] = [t('Change Address'), t('Save Anyway')];
    const chosen = await showWarningMessage(sentenceOf(outcome.error), another, keep);
    if (chosen === keep) return connections.add({ ...draft, state: 'unchecked' });
    if (chosen !== another) return undefined;
    const baseUrl = await promptBaseUrl(t('Address of {0}', draft.name), draft.baseUrl);
    if (baseUrl === undefined) return undefined;
    // A key goes to the origin alone that it was entered for.
    const isBound = isSameOrigin(baseUrl, draft.baseUrl);
    const key = isBound ? draft.key : await promptKey(t('Key for {0}', draft.name), baseUrl);
    return key === undefined ? undefined : tryAndKeep(checkedDraft({ ...draft, baseUrl, key }));
  }

  async function afterRefusal(
    draft: ConnectionDraft & Pick<Connection, 'limits'>,
    error: GridError,
  ): Promise<Connection | undefined> {
    const [enter, again, dashboard] = [t('Enter Another Key'), t('Try Again'), t('Open Dashboard')];
    const chosen = await showErrorMessage(sentenceOf(error), enter, again, dashboard);
    if (chosen === dashboard) await openDashboard(draft, deps.sandbox);
    if (chosen === undefined) return undefined;
    if (chosen === again) return tryAndKeep(draft);
    const key = await promptKey(t('Key for {0}', draft.name), draft.baseUrl);
    return key === undefined ? undefined : tryAndKeep({ ...draft, key });
  }

  async function keepUnchecked(
    draft: ConnectionDraft & Pick<Connection, 'limits'>,
    outcome: CheckOutcome & { readonly error: GridError },
  ): Promise<Connection> {
    const connection = await connections.add({ ...draft, state: 'unchecked' });
    void showWarningMessage(
      t("'{0}' is saved, but its key could not be tested yet. {1}", connection.name, sentenceOf(outcome.error)),
    );
    return connection;
  }

  /** The one of the line whose menu was used, else the one the person picks. */
  async function chosen(placeholder: string, argument: unknown): Promise<Connection> {
    const named = connectionOfNode(argument);
    const connection = named ? connections.byId(named) : await pickConnection(connections, placeholder);
    if (named && !connection) throw new UnavailableError(t('This connection was removed.'));
    if (!connection) throw new GridError(connections.list().length === 0 ? 'noConnection' : 'cancelled');
    return connection;
  }

  async function test(connection: Connection): Promise<void> {
    const error = await testConnection(connection, deps);
    if (!error) {
      void showInformationMessage(t("'{0}' works: the service accepts its key.", connection.name));
      return;
    }
    const [again, enter, dashboard] = [t('Try Again'), t('Enter Another Key'), t('Open Dashboard')];
    const ofKey =
      error.reason === 'noKey' ? [enter] : keyRefusals.includes(error.reason) ? [again, enter, dashboard] : [again];
    const chosen = await showErrorMessage(`${connection.name}: ${sentenceOf(error)}`, ...ofKey);
    if (chosen === dashboard) await openDashboard(connection, deps.sandbox);
    const isReplaced = chosen === enter && (await replaceKey(connection.id));
    const current = connections.byId(connection.id);
    if (current && (isReplaced || chosen === again)) await test(current);
  }

  async function replaceKey(argument: unknown): Promise<boolean> {
    const id = typeof argument === 'string' ? argument : connectionOfNode(argument);
    const named = id === undefined ? undefined : connections.byId(id);
    if (id !== undefined && !named)
      throw new UnavailableError(t('This connection was removed; add it again to enter its key.'));
    const connection = named ?? (await chosen(t('Select a connection to replace its key'), undefined));
    // The sandbox of this window makes its own key: nobody has to enter one.
    const isOwn = connection.service === 'sandbox';
    const key = isOwn
      ? await deps.sandbox.renewKey()
      : await promptKey(t('New Key for {0}', connection.name), connection.baseUrl);
    if (key === undefined) return false;
    if (!isOwn) await deps.clearRejection({ ...connection, key });
    await connections.replaceKey(connection, key);
    if (!named) void showInformationMessage(t("Key of '{0}' replaced. The next query uses it.", connection.name));
    return true;
  }

  async function rename(argument: unknown): Promise<void> {
    const connection = await chosen(t('Select a connection to rename'), argument);
    const nameState = (name: string): NameState =>
      (connections.byName(name)?.id ?? connection.id) === connection.id ? 'free' : 'taken';
    const name = await promptName(t('Rename Connection'), connection.name, nameState);
    if (name === undefined || name === connection.name) return;
    await connections.rename(connection.id, name);
    const renamed = connections.byId(connection.id);
    if (renamed) await deps.renamed(renamed, connection.name);
  }

  async function remove(argument: unknown): Promise<void> {
    const connection = await chosen(t('Select a connection to remove'), argument);
    const confirm = t('Remove');
    const detail = t(
      'Its key is deleted from this machine. It stays valid at the service until it is revoked in the dashboard.',
    );
    const answer = await showWarningMessage(t("Remove '{0}'?", connection.name), { modal: true, detail }, confirm);
    if (answer === confirm) await connections.remove(connection);
  }

  return vscode.Disposable.from(
    boundary.register(commands.addConnection, async argument => add(withoutLine(argument))),
    boundary.register(commands.switchConnection, async argument =>
      connections.activate((await chosen(t('Select a connection for queries'), argument)).id),
    ),
    boundary.register(commands.openDashboard, async argument =>
      openDashboard(await chosen(t('Select a connection to open its dashboard'), argument), deps.sandbox),
    ),
    boundary.register(commands.testConnection, async argument => {
      return test(await chosen(t('Select a connection to test'), argument));
    }),
    boundary.register(commands.renameConnection, rename),
    boundary.register(commands.replaceKey, replaceKey),
    boundary.register(commands.removeConnection, remove),
  );
}

/** At the box a name never passes to another origin, not even on this machine. */
function nameStateOf(connections: Connections, name: string, baseUrl: string): NameState {
  const existing = connections.byName(name);
  if (!existing) return 'free';
  return existing.baseUrl === baseUrl ? 'replaces' : 'taken';
}

/** Opens the page where keys are made and revoked; for a service of unknown kind, its own address. */
export async function openDashboard(
  { service, baseUrl }: Pick<Connection, 'service' | 'baseUrl'>,
  sandbox: Pick<SandboxHost, 'dashboardLink'>,
): Promise<void> {
  if (service === 'sandbox') return openSandboxDashboard(await sandbox.dashboardLink());
  await vscode.env.openExternal(vscode.Uri.parse(service === 'powerSignals' ? powerSignals.dashboard : baseUrl, true));
}

/** A VS Code in a browser may lead local addresses through a proxy of its own; the sandbox answers under no other name. */
async function openSandboxDashboard(link: string): Promise<void> {
  const uri = vscode.Uri.parse(link, true);
  const { authority } = await vscode.env.asExternalUri(uri);
  if ([uri.authority, uri.authority.replace('127.0.0.1', 'localhost')].includes(authority)) {
    await vscode.env.openExternal(uri);
    return;
  }
  await vscode.env.clipboard.writeText(link);
  void showInformationMessage(
    vscode.l10n.t(
      'Dashboard link copied. Open it within ten minutes, in a browser on the machine that runs Sample Data. It signs in once.',
    ),
  );
}

function sentenceOf(error: GridError): string {
  return failureWords(error)?.sentence ?? '';
}
