import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { connectionData } from '../../core/connections/connection.ts';
import { dataLine } from '../../core/query/serviceMeta.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import { isServiceQuery, serviceQueries, type ResolvedQuery, type ServiceQuery } from '../../core/query/query.ts';
import { seriesIdentity } from '../../core/query/seriesKey.ts';
import { datasetById } from '../../core/query/catalogue.ts';
import { describeFields } from '../../core/frame/describeFields.ts';
import { Analyser } from '../../core/analysis/analyse.ts';
import { shownResult } from '../../presentation/result/shownRows.ts';
import { zoneOfRows } from '../../core/bins/dayInterval.ts';
import type { StepsContext } from '../../core/snippets/calendarSql.ts';
import type { Frame } from '../../shared/frame.ts';
import { initialView, viewOfParts, zoneOfView, type SavedView } from '../../shared/savedView.ts';
import { displayLocale } from '../language.ts';
import { showQuickPick } from '../messages/messages.ts';
import { panelSteps, stepsOfMember, viewSteps } from '../../core/snippets/panelSteps.ts';
import { keyVariable, relativeRange } from '../../core/snippets/snippetQuery.ts';
import { queryLanguagesOn, querySnippets } from '../../core/snippets/querySnippets.ts';
import { translated } from '../messages/catalogue.ts';
import type { Archive } from '../../service/archive/archive.ts';
import { archivedData } from '../../service/archive/archivedData.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints, SandboxEndpoint } from '../../service/connections/connectionEndpoints.ts';
import { sourceOf } from '../../service/connections/endpoint.ts';
import { redactKey } from '../../service/connections/redact.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { connectionFor, resolvedNow, readQueryArgument } from '../query/queryArgument.ts';
import { ownTariffs, zoneOf, zoneOfPage } from '../settings.ts';
import { dataChoices } from '../snippets/copyDataSnippet.ts';
import { pickSnippet, type SnippetChoice } from '../snippets/pickSnippet.ts';
import type { RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import { InputError } from '../inputError.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { PanelQuery } from '../panel/sessionState.ts';
import { entryId } from './queryStore.ts';
import { runOfNode } from './recentRunsTreeDataProvider.ts';
import type { SavedRunner } from './savedRunner.ts';
import type { TreeSelection } from './treeSelection.ts';
import { rangeWords } from '../messages/times.ts';

export interface CopyAsDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly sessions: Pick<QuerySessions, 'sessionOf'>;
  readonly recent: Pick<RecentRuns, 'list'>;
  readonly runner: Pick<SavedRunner, 'connectionFor'>;
  readonly targets: Pick<TreeSelection, 'query'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly sandbox: SandboxEndpoint;
  /** Returns the longest range that one request of a series was found to return, in milliseconds. */
  readonly longestOf: (series: string) => number | undefined;
  readonly archive: Pick<Archive, 'read'>;
  /** The path of the archive on disk. */
  readonly archiveFolder: string;
  /** Stores the language that was copied last. */
  readonly state: KeyValueStore;
}

/** Registers Copy As…, which copies a query as a program that queries the service or reads the archive. */
export function registerCopyAs(deps: CopyAsDeps): vscode.Disposable {
  return deps.boundary.register(commands.copyAs, async argument => {
    const question = await questionOf(argument, deps);
    if (!question) return;
    const resolved = resolvedNow(question.query, deps.nowAt(question.connection));
    const title = t('Copy {0} As', rangeWords(resolved.range));
    const asked = isServiceQuery(resolved) ? resolved : await pickMember(resolved, title);
    if (asked) await pickSnippet(await choicesFor(asked, question, deps), title, deps.state);
  });
}

/** Prompts for one of the joined datasets. Returns undefined if the user cancels. */
async function pickMember(query: ResolvedQuery, title: string): Promise<ServiceQuery | undefined> {
  const members = serviceQueries(query).map(member => ({
    label: t(member.dataset.title),
    iconPath: new vscode.ThemeIcon(member.dataset.icon),
    member: { ...member, ...(query.days && { days: query.days }) },
  }));
  const placeHolder = t('Select a dataset to copy. A program queries one at a time.');
  return (await showQuickPick(members, { title, placeHolder }))?.member;
}

/** The query to copy. `session` is the panel that shows its rows; `view` is the view of a saved query. */
type Copied = Pick<PanelQuery, 'query' | 'connection'> & {
  readonly session?: QuerySession;
  readonly view?: SavedView | undefined;
};

async function choicesFor(
  query: ServiceQuery,
  { query: whole, connection, session, view }: Copied,
  deps: CopyAsDeps,
): Promise<SnippetChoice[]> {
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
  const kept = view && (await stepsOfView(view, query, source, deps));
  const title = whole.dataset === query.dataset.id ? undefined : datasetById(whole.dataset)?.title;
  const frame = session?.question.comparison ? undefined : session?.result?.frame;
  const ofPanel = session && frame && stepsOfPanel(session, frame, query);
  const steps = (moves: boolean) => {
    const made = (ofPanel ?? kept)?.(moves);
    return title === undefined ? made : stepsOfMember(made, title);
  };
  const ofQuery = steps(relativeRange(query) !== undefined);
  // The kind of data is known from the displayed result; otherwise from the connection's last response.
  const sample = dataLine(session?.result?.provenance ?? { meta: { source: connectionData(connection) } });
  const asking = queryLanguagesOn(process.platform).map((language): SnippetChoice => {
    const { name, editorLanguage, use, write } = querySnippets[language];
    // A URL or a parameter may contain anything, even the key.
    const text = redactKey(write({ baseUrl, query, longestMs, sample, steps: ofQuery }), key);
    const copied = isSandbox
      ? t('Copied as {0}. Sample Data does not share its key: enter the address of your service instead.', name)
      : t('Copied as {0}. It reads the key from {1}.', name, keyVariable);
    const group = t('Queries the service');
    return { id: language, name, description: t(use), group, language: editorLanguage, text, copied };
  });
  const archived = await archivedData(deps.archive, deps.archiveFolder, { source, query });
  const reads = query.days
    ? t('Reads the archive, without a key: the hours of the days')
    : t('Reads the archive, without a key');
  return archived ? [...asking, ...dataChoices({ ...archived, steps: steps(false) }, reads)] : asking;
}

/** Returns the SQL of what a panel's table does to its result; undefined if the panel does not show a table. */
function stepsOfPanel(session: QuerySession, frame: Frame, asked: ServiceQuery) {
  const { query, zone, view = initialView } = session;
  const state = session.panel.settled;
  if (state?.view !== 'table') return undefined;
  const analyser = new Analyser({ locale: displayLocale(), say: translated });
  const { analysis, analysed } = shownResult(analyser, { ...state, frame }, view);
  const { where: filters = {}, sort = [] } = analysis;
  const { derivation, resampling } = analysed;
  const made = { filters, sort, ...(derivation && { derivation }), ...(resampling && { resampling }) };
  const { timeZone } = resampling ? zoneOfRows(query.interval, zone) : zone;
  return (moves: boolean) => panelSteps(frame, made, { timeZone, ...stepsContext(asked) }, moves);
}

function stepsContext({ start, end }: ServiceQuery): Omit<StepsContext, 'timeZone'> {
  const { tariffs } = ownTariffs();
  return { locale: displayLocale(), start, end, ...(tariffs && { tariffs }) };
}

/** Returns the SQL of what a saved query's view does to the archived rows of the query. */
async function stepsOfView(view: SavedView, query: ServiceQuery, source: string, { archive }: CopyAsDeps) {
  const { dataset, interval, params, stepMs = NaN, start, end, days } = query;
  const isHours = !days && interval === '1h';
  const span = { start, end };
  const archived = isHours && (await archive.read({ source, dataset: dataset.id, interval, params }, stepMs, span));
  const frame = archived && archived.frame.rowCount > 0 ? describeFields(archived.frame, dataset.fields) : undefined;
  const zone = zoneOfRows(interval, zoneOfPage(zoneOfView(view) ?? '') ?? zoneOf(query));
  return (moves: boolean) => viewSteps(frame, view.analysis ?? {}, { ...zone, ...stepsContext(query), stepMs }, moves);
}

/**
 * Finds the query to copy: that of a node in Saved Queries or Recent, that of an external argument, or, without an argument, that of the
 * active panel. Returns undefined if the user cancels.
 */
async function questionOf(
  argument: unknown,
  { sessions, connections, recent, runner, targets }: CopyAsDeps,
): Promise<Copied | undefined> {
  const session = sessions.sessionOf(argument);
  if (session) return { ...session.question, session };
  const run = runOfNode(argument, recent);
  if (run) {
    const connection =
      connections.byId(run.connection.id) ?? (await runner.connectionFor({ connection: run.connection.name }));
    return { query: run.query, connection };
  }
  if (typeof argument === 'object' && argument !== null && 'kind' in argument) {
    const entry = await targets.query(argument, t('Select a query to copy'));
    if (!entry) return undefined;
    const { query } = entry.item;
    return {
      query,
      view: viewOfParts(entry.item),
      connection: await runner.connectionFor({ ...entry.item, saved: entryId(entry) }),
    };
  }
  const { query, connection } = readQueryArgument(argument);
  if (!query) throw new InputError(t('Specify a dataset and a range to copy.'));
  return { query, connection: connectionFor(connections, connection) };
}
