import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { getConnectionData } from '../../core/connections/connection.ts';
import { formatDataSentence } from '../../core/query/serviceMeta.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import {
  isServiceQuery,
  splitIntoServiceQueries,
  type ResolvedQuery,
  type ServiceQuery,
} from '../../core/query/query.ts';
import { getSeriesIdentity } from '../../core/query/seriesKey.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import { describeFields } from '../../core/frame/describeFields.ts';
import { Analyzer } from '../../core/analysis/analyze.ts';
import { describeAnalysis } from '../../core/analysis/describeAnalysis.ts';
import { computeDisplayedResult } from '../../presentation/result/displayedRows.ts';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import type { RangeFilterContext } from '../../core/snippets/calendarSql.ts';
import type { Frame } from '../../shared/frame.ts';
import { initialView, createSerializedView, getViewZone, toAnalysis, type SerializedView } from '../../shared/view.ts';
import { displayLocale } from '../language.ts';
import { showQuickPick } from '../messages/messages.ts';
import {
  translateTransformations,
  describeMemberTransformations,
  translateViewTransformations,
} from '../../core/snippets/panelTransformations.ts';
import { keyVariable, findRelativeRange } from '../../core/snippets/snippetQuery.ts';
import { getQueryLanguages, querySnippets } from '../../core/snippets/querySnippets.ts';
import { translateCatalogueText } from '../messages/catalogue.ts';
import type { Archive } from '../../service/archive/archive.ts';
import { describeArchivedData } from '../../service/archive/archivedData.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints, SandboxEndpoint } from '../../service/connections/connectionEndpoints.ts';
import { getSource } from '../../service/connections/endpoint.ts';
import { redactKey } from '../../service/connections/redact.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { getConnection, resolveQueryAt, parseQueryArgument } from '../query/queryArgument.ts';
import { customTariffs, getQueryZone, findOfferedZone } from '../settings.ts';
import { createDataChoices } from '../snippets/copyDataSnippet.ts';
import { pickSnippet, type SnippetChoice } from '../snippets/pickSnippet.ts';
import type { RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import { InputError } from '../inputError.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { getSavedSources, type PanelRequest } from '../panel/sessionState.ts';
import { entryId } from './queryStore.ts';
import { getNodeRun } from './recentRunsTreeDataProvider.ts';
import type { SavedRunner } from './savedRunner.ts';
import type { TreeSelection } from './treeSelection.ts';
import { translateRange } from '../messages/times.ts';

export interface CopyAsDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly sessions: Pick<QuerySessions, 'resolveSession'>;
  readonly recent: Pick<RecentRuns, 'list'>;
  readonly runner: Pick<SavedRunner, 'connectionFor'>;
  readonly targets: Pick<TreeSelection, 'resolveQuery'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly sandbox: SandboxEndpoint;
  /** Returns the maximum range of a request of the series in milliseconds, if earlier responses have shown it. */
  readonly getMaxRangeMs: (series: string) => number | undefined;
  readonly archive: Pick<Archive, 'read'>;
  /** The path of the archive on disk. */
  readonly archiveFolder: string;
  /** Stores the language that was selected last. */
  readonly state: KeyValueStore;
}

/** Registers Copy As…, which copies a query as a program that queries the service or reads the archive. */
export function registerCopyAs(deps: CopyAsDeps): vscode.Disposable {
  return deps.boundary.register(commands.copyAs, async argument => {
    const source = await resolveSource(argument, deps);
    if (!source) return;
    const resolved = resolveQueryAt(source.query, deps.nowAt(source.connection));
    const title = t('Copy {0} As', translateRange(resolved.range));
    const serviceQuery = isServiceQuery(resolved) ? resolved : await pickMember(resolved, title);
    if (serviceQuery) await pickSnippet(await createChoices(serviceQuery, source, deps), title, deps.state);
  });
}

/** Prompts for one of the joined datasets. Returns undefined if the user cancels. */
async function pickMember(query: ResolvedQuery, title: string): Promise<ServiceQuery | undefined> {
  const members = splitIntoServiceQueries(query).map(member => ({
    label: t(member.dataset.title),
    iconPath: new vscode.ThemeIcon(member.dataset.icon),
    member: { ...member, ...(query.days && { days: query.days }) },
  }));
  const placeHolder = t('Select a dataset to copy. A program queries one at a time.');
  return (await showQuickPick(members, { title, placeHolder }))?.member;
}

/** The query to copy. `session` is the panel that shows its rows; `view` is the view of a saved query. */
type CopySource = Pick<PanelRequest, 'query' | 'connection'> & {
  readonly session?: QuerySession;
  readonly view?: SerializedView | undefined;
};

async function createChoices(
  query: ServiceQuery,
  { query: sourceQuery, connection, session, view }: CopySource,
  deps: CopyAsDeps,
): Promise<SnippetChoice[]> {
  const isSandbox = connection.service === 'sandbox';
  const { baseUrl, key, source } = isSandbox
    ? await deps.sandbox.ensureRunning()
    : {
        baseUrl: connection.baseUrl,
        key: (await deps.connections.getKey(connection)) ?? '',
        source: getSource(connection.baseUrl),
      };
  const series = { source, dataset: query.dataset.id, interval: query.interval };
  const maxRangeMs = deps.getMaxRangeMs(getSeriesIdentity({ ...series, params: {} }));
  const sources = session ? getSavedSources(session.request) : {};
  const hasSources = Object.keys(sources).length > 0;
  const savedView =
    session && hasSources ? { analysis: { ...toAnalysis(session.view ?? initialView), ...sources } } : view;
  const transformSavedView = savedView && (await createViewTransformer(savedView, query, source, deps));
  const title = sourceQuery.dataset === query.dataset.id ? undefined : findDataset(sourceQuery.dataset)?.title;
  const frame = session?.request.comparison || hasSources ? undefined : session?.result?.frame;
  const transformPanel = session && frame && createPanelTransformer(session, frame, query);
  const createTransformations = (isRelative: boolean) => {
    const transformations = (transformPanel ?? transformSavedView)?.(isRelative);
    return title === undefined ? transformations : describeMemberTransformations(transformations, title);
  };
  const transformations = createTransformations(findRelativeRange(query) !== undefined);
  // The displayed result shows whether the data is Sample Data. Without a result, the last response of the connection does.
  const sample = formatDataSentence(session?.result?.provenance ?? { meta: { source: getConnectionData(connection) } });
  const queryPrograms = getQueryLanguages(process.platform).map((language): SnippetChoice => {
    const { name, editorLanguage, description, write } = querySnippets[language];
    // The user may have put the key into the URL or a parameter.
    const text = redactKey(write({ baseUrl, query, maxRangeMs, sample, transformations }), key);
    const copied = isSandbox
      ? t('Copied as {0}. Sample Data does not share its key: enter the address of your service instead.', name)
      : t('Copied as {0}. It reads the key from {1}.', name, keyVariable);
    const group = t('Queries the service');
    return { id: language, name, description: t(description), group, language: editorLanguage, text, copied };
  });
  const archived = await describeArchivedData(deps.archive, deps.archiveFolder, { source, query });
  const archiveGroup = query.days
    ? t('Reads the archive, without a key: the hours of the days')
    : t('Reads the archive, without a key');
  return archived
    ? [
        ...queryPrograms,
        ...createDataChoices({ ...archived, transformations: createTransformations(false) }, archiveGroup),
      ]
    : queryPrograms;
}

/**
 * Creates the function that translates the filters and the analysis of a panel's table to SQL; undefined if the panel does not show a table.
 * `isRelative`: whether the program resolves the range each time that it runs.
 */
function createPanelTransformer(session: QuerySession, frame: Frame, serviceQuery: ServiceQuery) {
  const { query, zone, view = initialView } = session;
  const state = session.panel.settled;
  if (state?.view !== 'table') return undefined;
  const analyzer = new Analyzer({ locale: displayLocale(), translate: translateCatalogueText });
  const { analysis, analyzed } = computeDisplayedResult(analyzer, { ...state, frame }, view);
  const { where: filters = {}, missing, within, sort = [] } = analysis;
  const { derivation, resampling } = analyzed;
  const transformations = {
    ...(derivation && { derivation }),
    ...(resampling && { resampling }),
    filters,
    sort,
    untranslated: describeAnalysis({ ...(missing && { missing }), ...(within && { within }) }, { derived: [] }),
  };
  const { timeZone } = resampling ? getZoneOfRows(query.interval, zone) : zone;
  return (isRelative: boolean) =>
    translateTransformations(frame, transformations, { timeZone, ...createFilterContext(serviceQuery) }, isRelative);
}

function createFilterContext({ start, end }: ServiceQuery): Omit<RangeFilterContext, 'timeZone'> {
  const { tariffs } = customTariffs();
  return { locale: displayLocale(), start, end, ...(tariffs && { tariffs }) };
}

/**
 * Creates the function that translates a view to SQL, with the columns of the archived rows. The view is that of a saved query or of a panel
 * with a compared period or joined columns. Such a panel's rows are not used, because programs do not request these.
 */
async function createViewTransformer(
  view: SerializedView,
  query: ServiceQuery,
  source: string,
  { archive }: CopyAsDeps,
) {
  const { dataset, interval, params, intervalMs = NaN, start, end, days } = query;
  const hasArchivedHours = !days && interval === '1h';
  const span = { start, end };
  const archived =
    hasArchivedHours && (await archive.read({ source, dataset: dataset.id, interval, params }, intervalMs, span));
  const frame = archived && archived.frame.rowCount > 0 ? describeFields(archived.frame, dataset.fields) : undefined;
  const zone = getZoneOfRows(interval, findOfferedZone(getViewZone(view) ?? '') ?? getQueryZone(query));
  return (isRelative: boolean) =>
    translateViewTransformations(
      frame,
      view.analysis ?? {},
      { ...zone, ...createFilterContext(query), intervalMs },
      isRelative,
    );
}

/**
 * Finds the query to copy: the query of a node in Saved Queries or Recent, or of an external argument. Without an argument, it is the query
 * of the active panel. Returns undefined if the user cancels.
 */
async function resolveSource(
  argument: unknown,
  { sessions, connections, recent, runner, targets }: CopyAsDeps,
): Promise<CopySource | undefined> {
  const session = sessions.resolveSession(argument);
  if (session) return { ...session.request, session };
  const run = getNodeRun(argument, recent);
  if (run) {
    const connection =
      connections.findById(run.connection.id) ?? (await runner.connectionFor({ connection: run.connection.name }));
    return { query: run.query, connection };
  }
  if (typeof argument === 'object' && argument !== null && 'kind' in argument) {
    const entry = await targets.resolveQuery(argument, t('Select a query to copy'));
    if (!entry) return undefined;
    const { query } = entry.item;
    return {
      query,
      view: createSerializedView(entry.item),
      connection: await runner.connectionFor({ ...entry.item, saved: entryId(entry) }),
    };
  }
  const { query, connection } = parseQueryArgument(argument);
  if (!query) throw new InputError(t('Specify a dataset and a range to copy.'));
  return { query, connection: getConnection(connections, connection) };
}
