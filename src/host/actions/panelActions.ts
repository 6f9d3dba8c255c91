import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isAbsent, type Connection } from '../../core/connections/connection.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import { createResolveContext } from '../../core/query/query.ts';
import { stepRange } from '../../core/range/steppedRange.ts';
import { maxJoinSources, type JoinSource } from '../../shared/analysis.ts';
import { parseView, serializeView } from '../../shared/view.ts';
import { presetRanges, type PanelAction } from '../../shared/protocol.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { QueryStores } from '../savedQueries/queryStores.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { pickFiles, fileName } from '../dataFile/readFile.ts';
import { openDashboard } from '../connections/openDashboard.ts';
import type { ResultExport } from '../export/resultExport.ts';
import type { ReportExport } from '../report/reportExport.ts';
import { generalCommands } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import { promptComparison, notMovableNotice, comparisonName } from '../panel/comparePrompt.ts';
import {
  intervalChoices,
  promptInterval,
  promptQuery,
  createRequestEstimator,
  type QueryPromptOptions,
} from '../query/queryPrompt.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';
import { copyLink } from '../tools/openLink.ts';
import { supportedIntervals } from '../messages/failures.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { formatCount, formatIntervals } from '../messages/numbers.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import { countMissingInCompared, countMissing } from '../panel/resultHeader.ts';
import { acceptChangedFiles, promptRemoval, promptSource } from '../dataFile/joinPrompt.ts';
import { addPreset, promptPreset } from '../panel/presetPrompt.ts';
import { checkDays } from '../panel/checkDays.ts';
import type { QuerySession, SessionDeps } from '../panel/querySession.ts';
import type { PanelRequest } from '../panel/sessionState.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { RevisionsDiff } from '../panel/revisionsDiff.ts';
import { moveComparison } from '../../core/compare/comparedRanges.ts';

export interface PanelActionsDeps {
  readonly sessions: QuerySessions;
  readonly engine: Pick<QueryEngine, 'run'>;
  /** Clears the record that the service rejected the connection's key. */
  readonly clearRejection: ConnectionEndpoints['clearConnectionRejection'];
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly pricing: Pick<RequestPricing, 'computeTotalPrice'>;
  readonly exporting: Pick<ResultExport, 'export' | 'openInEditor' | 'openResponse'>;
  readonly reports: Pick<ReportExport, 'exportPanel'>;
  readonly sandbox: Pick<SandboxHost, 'dashboardLink'>;
  readonly connections: Pick<Connections, 'list'>;
  readonly stores: Pick<QueryStores, 'settle' | 'queries'>;
  readonly createFileSource: (file: vscode.Uri) => Promise<JoinSource>;
  readonly revisions: Pick<RevisionsDiff, 'show'>;
  readonly report: (error: unknown) => void;
}

type PanelActionHandler = (session: QuerySession, deps: PanelActionsDeps) => unknown;

/** The handlers of the actions that a panel, a message or a notification offers. */
const handlers: Readonly<Record<PanelAction, PanelActionHandler>> = {
  refresh: (session, { sessions }) => sessions.refresh(session),
  fetchMissing,
  requestEarlier: session => session.requestEarlier(),
  refreshAll: session => session.run('always'),
  runPlan: session => session.confirmPlan(true),
  cancel: session => session.cancel(),
  export: (session, { exporting }) => exporting.export(session),
  report: (session, { reports }) => reports.exportPanel(session),
  openInEditor: (session, { exporting }) => exporting.openInEditor(session, undefined),
  openResponse: (session, { exporting }) => exporting.openResponse(session),
  copyAs: session => vscode.commands.executeCommand(commands.copyAs, session),
  copyLink: session => copyLink(session),
  save: session => vscode.commands.executeCommand(commands.saveQuery, session),
  saveAs: session => vscode.commands.executeCommand(commands.saveQueryAs, session),
  changeQuery,
  chooseRange: (session, deps) => {
    const title = t('Time Range · {0}', session.connection.name);
    const { query, rangeZone: zone } = session;
    return changeQuery(session, deps, { title, dataset: query.dataset, rangeOnly: true, zone });
  },
  chooseInterval,
  last24Hours: createRangeHandler(presetRanges.last24Hours),
  last7Days: createRangeHandler(presetRanges.last7Days),
  last30Days: createRangeHandler(presetRanges.last30Days),
  yesterday: createRangeHandler(presetRanges.yesterday),
  weekToDate: createRangeHandler(presetRanges.weekToDate),
  lastWeek: createRangeHandler(presetRanges.lastWeek),
  monthToDate: createRangeHandler(presetRanges.monthToDate),
  lastMonth: createRangeHandler(presetRanges.lastMonth),
  yearToDate: createRangeHandler(presetRanges.yearToDate),
  previousPeriod: (session, deps) => movePeriod(session, deps, -1),
  nextPeriod: (session, deps) => movePeriod(session, deps, 1),
  compare: async (session, { nowAt, pricing }) => {
    const { connection } = session;
    const comparison = await promptComparison(session.resolve(), nowAt(connection), async query => {
      const price = await pricing.computeTotalPrice([{ query, connection }]);
      return price.requests;
    });
    return comparison && runWith(session, { comparison });
  },
  compareFile: async session => {
    const [file] = await pickFiles(t('Compare With File'));
    return file && runWith(session, { comparison: { kind: 'file', uri: file.toString(), name: fileName(file) } });
  },
  // Only offered for files, which `FileSession` handles.
  importOptions: () => undefined,
  toggleHeading: () => undefined,
  toggleHourEnd: () => undefined,
  showChangedRows: () => undefined,
  endComparison: session => runWith(session, { comparison: undefined }),
  addPreset: async session => {
    const { result } = session;
    const chosen = await promptPreset(result, true);
    if (!chosen) return;
    const { columns = [] } = result?.frame ?? {};
    if (chosen.needsCapacity) await joinSource(session, () => ({ kind: 'installedCapacity' }));
    const view = session.view ?? parseView(session.serializeView());
    session.showView(serializeView(addPreset(view, chosen, columns), session.zone.timeZone));
  },
  addJoined: async (session, { connections, stores, createFileSource }) => {
    await stores.settle();
    const queries = stores.queries().map(({ item }) => item);
    return joinSource(session, async () =>
      promptSource(session.request, connections.list(), queries, createFileSource),
    );
  },
  removeJoined: async session => {
    const remaining = await promptRemoval(session.request.join ?? []);
    return remaining && runWith(session, { join: remaining.length > 0 ? remaining : undefined });
  },
  acceptFiles: session => {
    const { join = [] } = session.request;
    return runWith(session, { join: acceptChangedFiles(join, session.result?.joined ?? []) });
  },
  checkDays: (session, { engine }) => checkDays(session, engine),
  showRevisions: (session, { revisions }) => {
    session.markRevisionsSeen();
    return revisions.show(session);
  },
  openInNewTab: (session, { sessions }) => sessions.runInNewPanel(session),
  enterKey: async session => {
    const { id } = session.connection;
    const replaced = await vscode.commands.executeCommand<boolean | undefined>(commands.replaceKey, id);
    return replaced && session.run(session.lastRefresh);
  },
  tryAgain: async (session, { clearRejection }) => {
    await clearRejection(session.connection);
    return session.run(session.lastRefresh);
  },
  setLimits: ({ connection: { id } }) => vscode.commands.executeCommand(commands.setLimits, { kind: 'connection', id }),
  openDashboard: ({ connection }, { sandbox }) => openDashboard(connection, sandbox),
  addConnection: async session => {
    const connection = await vscode.commands.executeCommand<Connection | undefined>(commands.addConnection);
    if (!connection || !isAbsent(session.connection)) return undefined;
    session.setRequest({ ...session.request, connection });
    // Reveals this panel instead of the first rows of the new connection.
    session.panel.reveal();
    return session.run(session.lastRefresh);
  },
  startSandbox: () => vscode.commands.executeCommand(generalCommands.startSandbox),
  showLog: () => vscode.commands.executeCommand(generalCommands.showLog),
};

/** Creates the function that runs the action of a panel and reports a failure. */
export function createPanelActionHandler(deps: PanelActionsDeps): SessionDeps['runAction'] {
  const run = async (action: PanelAction, session: QuerySession): Promise<void> => {
    await handlers[action](session, deps);
  };
  return (action, session) => void run(action, session).catch(deps.report);
}

/** Requests the hours without a row and notifies the user how many were received. A failure is already reported by the run. */
async function fetchMissing(session: QuerySession): Promise<void> {
  const previous = countMissingHours(session.result);
  await session.run('missing');
  const { result, lastError } = session;
  if (!result || lastError !== undefined || result === previous.result) return;
  const { hours } = countMissingHours(result);
  const requested = formatIntervals(previous.hours, previous.interval);
  const sentence =
    hours === 0
      ? t('Fetch Missing: {0} received. Nothing else is missing.', requested)
      : hours < previous.hours
        ? t(
            'Fetch Missing: {0} of {1} received. The service has no rows for the others.',
            formatCount(previous.hours - hours),
            requested,
          )
        : t('Fetch Missing: the service has no rows for {0}.', requested);
  void showInformationMessage(sentence);
}

/** Counts the hours, or other intervals, without a row in a result and its compared ranges. */
function countMissingHours(result: ComparedResult | undefined) {
  const { coverage, provenance } = result ?? {};
  const hours = countMissing(coverage) + (result ? countMissingInCompared(result) : 0);
  return { result, hours, interval: provenance?.days ? '1h' : (provenance?.interval ?? '1h') };
}

/** Prompts for another query and runs it in the same panel. `overrides` restricts the prompt. */
async function changeQuery(
  session: QuerySession,
  { sessions, nowAt, pricing }: PanelActionsDeps,
  overrides: Partial<QueryPromptOptions> = {},
): Promise<void> {
  const { query, connection, comparison, join } = session.request;
  const changed = await promptQuery({
    now: nowAt(connection),
    zone: session.zone,
    last: query,
    connection: connection.name,
    estimateRequests: createRequestEstimator(pricing, connection),
    ...overrides,
  });
  if (!changed) return;
  // A comparison belongs to its dataset.
  const retainedComparison = changed.dataset === query.dataset ? comparison : undefined;
  return sessions.rerun(session, { query: changed, connection, comparison: retainedComparison, join });
}

/** Prompts for another interval. Offers the intervals that the service named when it rejected one, otherwise all intervals of the dataset. */
async function chooseInterval(session: QuerySession, { sessions, nowAt, pricing }: PanelActionsDeps): Promise<void> {
  const { query, connection } = session.request;
  const supported = supportedIntervals(session.lastError);
  const dataset = findDataset(query.dataset);
  const knownIntervals = dataset ? intervalChoices(dataset, session.zone, query.interval) : [];
  const interval = await promptInterval(supported.length > 0 ? supported : knownIntervals, query, {
    now: nowAt(connection),
    estimateRequests: createRequestEstimator(pricing, connection),
  });
  if (interval !== undefined) return rerunWith(session, sessions, { interval });
}

/** Creates a handler that runs the query with another range in the same panel. */
function createRangeHandler(range: string): PanelActionHandler {
  return (session, { sessions }) => {
    const { timeZone } = session.rangeZone;
    return rerunWith(session, sessions, { range, timeZone });
  };
}

/** Moves the query to the previous or next period in the same panel. */
async function movePeriod(
  session: QuerySession,
  { sessions, nowAt }: PanelActionsDeps,
  direction: -1 | 1,
): Promise<void> {
  const { query, connection, comparison, join } = session.request;
  const context = createResolveContext(query, nowAt(connection));
  const range = stepRange(query.range, direction, context);
  if (range === undefined)
    throw new UnavailableError(
      direction === 1 ? t('No data is published after this period yet.') : t('No earlier period.'),
    );
  const movedComparison = comparison && moveComparison(comparison, query.range, direction, context);
  const notice = comparison && !movedComparison ? notMovableNotice(comparisonName(comparison)) : undefined;
  return sessions.rerun(session, { query: { ...query, range }, connection, comparison: movedComparison, join, notice });
}

/** Runs the query with a change in the same panel. */
async function rerunWith(
  session: QuerySession,
  sessions: QuerySessions,
  change: Partial<QuerySession['query']>,
): Promise<void> {
  const { request } = session;
  return sessions.rerun(session, { ...request, query: { ...request.query, ...change }, notice: undefined });
}

/** Joins the columns of one more source. Throws InputError if there are too many. */
async function joinSource(
  session: QuerySession,
  getSource: () => JoinSource | Promise<JoinSource | undefined>,
): Promise<void> {
  const { join = [] } = session.request;
  if (join.length >= maxJoinSources)
    throw new InputError(t('A query can have columns from {0} sources. Remove one first.', maxJoinSources));
  const source = await getSource();
  // A file that is added again replaces itself, with its present content and options.
  const others = join.filter(other => source?.kind !== 'file' || other.kind !== 'file' || other.path !== source.path);
  if (source) await runWith(session, { join: [...others, source] });
}

/** Runs the query with the rows of other sources in the same panel. */
async function runWith(session: QuerySession, sources: Pick<PanelRequest, 'comparison' | 'join'>): Promise<void> {
  session.setRequest({ ...session.request, ...sources, notice: undefined });
  return session.run();
}
