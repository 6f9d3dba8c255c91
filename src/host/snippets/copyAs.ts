import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { isSampleConnection } from '../../core/connections/connection.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import { isServiceQuery, type ServiceQuery } from '../../core/query/query.ts';
import { seriesIdentity } from '../../core/query/seriesKey.ts';
import { panelSteps } from '../../core/snippets/panelSteps.ts';
import { keyVariable, relativeRange } from '../../core/snippets/snippetQuery.ts';
import { queryLanguagesOn, querySnippets } from '../../core/snippets/querySnippets.ts';
import type { Archive } from '../../service/archive/archive.ts';
import { archivedData } from '../../service/archive/archivedData.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints, SandboxEndpoint } from '../../service/connections/connectionEndpoints.ts';
import { sourceOf } from '../../service/connections/endpoint.ts';
import { redactKey } from '../../service/connections/redact.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { connectionFor, resolvedNow, readQueryArgument } from '../query/queryArgument.ts';
import { displayZone } from '../settings.ts';
import { dataChoices } from './copyDataSnippet.ts';
import { pickSnippet, type SnippetChoice } from './pickSnippet.ts';
import type { RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import { InputError } from '../inputError.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { PanelQuery } from '../panel/sessionState.ts';
import { runOfNode } from '../savedQueries/recentRunsTreeDataProvider.ts';
import type { SavedRunner } from '../savedQueries/savedRunner.ts';
import type { TreeSelection } from '../savedQueries/treeSelection.ts';
import { rangeWords } from '../messages/times.ts';

export interface CopyAsDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly sessions: Pick<QuerySessions, 'activeOne'>;
  readonly recent: Pick<RecentRuns, 'list'>;
  readonly runner: Pick<SavedRunner, 'connectionFor'>;
  readonly targets: Pick<TreeSelection, 'query'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly sandbox: SandboxEndpoint;
  /** The longest range a series was found to take in one request, in milliseconds. */
  readonly longestOf: (series: string) => number | undefined;
  readonly archive: Pick<Archive, 'read'>;
  /** Its path on disk. */
  readonly archiveFolder: string;
  /** Remembers which program was copied. */
  readonly state: KeyValueStore;
}

/** Registers Copy as…: a query as a program in several languages, which queries the service or reads the archive. */
export function registerCopyAs(deps: CopyAsDeps): vscode.Disposable {
  return deps.boundary.register(commands.copyAs, async argument => {
    const question = await questionOf(argument, deps);
    if (!question) return;
    const resolved = resolvedNow(question.query, deps.nowAt(question.connection));
    if (!isServiceQuery(resolved))
      throw new InputError(
        t('A program queries one dataset at a time. Copy a query of system state or of grid stress.'),
      );
    const choices = await choicesFor(resolved, question, deps);
    await pickSnippet(choices, t('Copy {0} as', rangeWords(resolved.range)), deps.state);
  });
}

/** `session`: the panel that shows the rows. */
type Copied = Pick<PanelQuery, 'query' | 'connection'> & { readonly session?: QuerySession };

async function choicesFor(
  query: ServiceQuery,
  { connection, session }: Copied,
  deps: CopyAsDeps,
): Promise<SnippetChoice[]> {
  const { timeZone } = query.days?.zone ?? displayZone();
  const isSandbox = connection.service === 'sandbox';
  const { baseUrl, key, source } = isSandbox
    ? await deps.sandbox.ensureRunning()
    : {
        baseUrl: connection.baseUrl,
        key: (await deps.connections.keyOf(connection)) ?? '',
        source: sourceOf(connection.baseUrl),
      };
  const series = { source, dataset: query.dataset.id, interval: query.interval };
  const longestMs = deps.longestOf(seriesIdentity({ ...series, params: {} }));
  const shown = session?.question.comparison ? undefined : await session?.panel.askShown();
  const steps = (moves: boolean) => shown && session?.result?.frame && panelSteps(session.result.frame, shown, moves);
  const ofQuery = steps(relativeRange(query, timeZone) !== undefined);
  const asking = queryLanguagesOn(process.platform).map((language): SnippetChoice => {
    const { name, editorLanguage, use, write } = querySnippets[language];
    // An address or a parameter may hold anything, the key too.
    const sample = isSampleConnection(connection);
    const text = redactKey(write({ baseUrl, query, timeZone, longestMs, sample, steps: ofQuery }), key);
    const copied = isSandbox
      ? t('Copied as {0}. Sample Data does not share its key: enter the address of your service instead.', name)
      : t('Copied as {0}. It reads the key from {1}.', name, keyVariable);
    const group = t('Queries the service');
    return { id: language, name, description: t(use), group, language: editorLanguage, text, copied };
  });
  const archived = await archivedData(deps.archive, deps.archiveFolder, { source, query, timeZone });
  const reads = query.days
    ? t('Reads the archive, without a key: the hours of the days')
    : t('Reads the archive, without a key');
  return archived ? [...asking, ...dataChoices({ ...archived, steps: steps(false) }, reads)] : asking;
}

/** The question of a line in Saved Queries or Recent, of an argument from outside, or, without one, of the active panel. Undefined when the person left. */
async function questionOf(
  argument: unknown,
  { sessions, connections, recent, runner, targets }: CopyAsDeps,
): Promise<Copied | undefined> {
  const session = argument === undefined ? sessions.activeOne() : undefined;
  if (session) return { ...session.question, session };
  const run = runOfNode(argument, recent);
  if (run) {
    const connection = connections.byId(run.connection.id) ?? (await runner.connectionFor(run.connection.name));
    return { query: run.query, connection };
  }
  if (typeof argument === 'object' && argument !== null && 'kind' in argument) {
    const entry = await targets.query(argument, t('Select a query to copy'));
    if (!entry) return undefined;
    return { query: entry.item.query, connection: await runner.connectionFor(entry.item.connection) };
  }
  const { query, connection } = readQueryArgument(argument);
  if (!query) throw new InputError(t('Specify a dataset and a range to copy.'));
  return { query, connection: connectionFor(connections, connection) };
}
