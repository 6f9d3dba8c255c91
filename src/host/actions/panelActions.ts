import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isAbsent, type Connection } from '../../core/connections/connection.ts';
import { datasetById } from '../../core/query/catalogue.ts';
import { contextOf } from '../../core/query/query.ts';
import { steppedRange } from '../../core/range/steppedRange.ts';
import { presetRanges, type PanelAction } from '../../shared/protocol.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { askWhichFile, fileName } from '../dataFile/readFile.ts';
import { openDashboard } from '../connections/openDashboard.ts';
import type { ResultExport } from '../export/resultExport.ts';
import type { ReportExport } from '../report/reportExport.ts';
import { generalCommands } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { promptComparison, cannotStep, comparisonName } from '../panel/comparePrompt.ts';
import {
  intervalChoices,
  promptInterval,
  promptQuery,
  requestsAt,
  type QueryPromptOptions,
} from '../query/queryPrompt.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';
import { copyLink } from '../tools/openLink.ts';
import { supportedIntervals } from '../messages/failures.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { count, steps } from '../messages/numbers.ts';
import type { ComparedResult } from '../panel/comparedRun.ts';
import { lackingThere, withoutRow } from '../panel/resultHeader.ts';
import { checkDays } from '../panel/checkDays.ts';
import type { QuerySession, SessionDeps } from '../panel/querySession.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { RevisionsDiff } from '../panel/revisionsDiff.ts';
import { steppedComparison, type Comparison } from '../../core/compare/comparedRanges.ts';

export interface PanelActionsDeps {
  readonly sessions: QuerySessions;
  readonly engine: Pick<QueryEngine, 'run'>;
  /** Clears the record that the service rejected the connection's key. */
  readonly clearRejection: ConnectionEndpoints['clearConnectionRejection'];
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly pricing: Pick<RequestPricing, 'priceOf'>;
  readonly exporting: Pick<ResultExport, 'export' | 'openInEditor' | 'openResponse'>;
  readonly reports: Pick<ReportExport, 'ofPanel'>;
  readonly sandbox: Pick<SandboxHost, 'dashboardLink'>;
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
  runPlan: session => session.answerPlan(true),
  cancel: session => session.cancel(),
  export: (session, { exporting }) => exporting.export(session),
  report: (session, { reports }) => reports.ofPanel(session),
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
  last24Hours: withRange(presetRanges.last24Hours),
  last7Days: withRange(presetRanges.last7Days),
  last30Days: withRange(presetRanges.last30Days),
  yesterday: withRange(presetRanges.yesterday),
  weekToDate: withRange(presetRanges.weekToDate),
  lastWeek: withRange(presetRanges.lastWeek),
  monthToDate: withRange(presetRanges.monthToDate),
  lastMonth: withRange(presetRanges.lastMonth),
  yearToDate: withRange(presetRanges.yearToDate),
  previousPeriod: (session, deps) => step(session, deps, -1),
  nextPeriod: (session, deps) => step(session, deps, 1),
  compare: async (session, { nowAt, pricing }) => {
    const { connection } = session;
    const comparison = await promptComparison(session.resolved(), nowAt(connection), async query => {
      const price = await pricing.priceOf([{ query, connection }]);
      return price.requests;
    });
    return comparison && compareWith(session, comparison);
  },
  compareFile: async session => {
    const [file] = await askWhichFile(t('Compare With File'));
    return file && compareWith(session, { kind: 'file', uri: file.toString(), name: fileName(file) });
  },
  // Only offered for files, which `FileSession` handles.
  importOptions: () => undefined,
  toggleHeading: () => undefined,
  toggleHourEnd: () => undefined,
  showChangedRows: () => undefined,
  endComparison: session => compareWith(session, undefined),
  checkDays: (session, { engine }) => checkDays(session, engine),
  showRevisions: (session, { revisions }) => {
    session.revisionsSeen();
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
    session.change({ ...session.question, connection });
    // Reveals this panel instead of the first rows of the new connection.
    session.panel.reveal();
    return session.run(session.lastRefresh);
  },
  startSandbox: () => vscode.commands.executeCommand(generalCommands.startSandbox),
  showLog: () => vscode.commands.executeCommand(generalCommands.showLog),
};

/** Creates the function that runs the action of a panel and reports a failure. */
export function panelActionsWith(deps: PanelActionsDeps): SessionDeps['act'] {
  const act = async (action: PanelAction, session: QuerySession): Promise<void> => {
    await handlers[action](session, deps);
  };
  return (action, session) => void act(action, session).catch(deps.report);
}

/** Requests the hours without a row and notifies the person how many were received. A failure is already reported by the run. */
async function fetchMissing(session: QuerySession): Promise<void> {
  const before = lackingHours(session.result);
  await session.run('missing');
  const { result, lastError } = session;
  if (!result || lastError !== undefined || result === before.result) return;
  const { hours } = lackingHours(result);
  const asked = steps(before.hours, before.interval);
  const sentence =
    hours === 0
      ? t('Fetch Missing: {0} received, none is missing any more.', asked)
      : hours < before.hours
        ? t(
            'Fetch Missing: {0} of {1} received. The service has no rows for the others.',
            count(before.hours - hours),
            asked,
          )
        : t('Fetch Missing: the service has no rows for {0}.', asked);
  void showInformationMessage(sentence);
}

/** Counts the hours, or other intervals, without a row in a result and its compared ranges. */
function lackingHours(result: ComparedResult | undefined) {
  const { coverage, provenance } = result ?? {};
  const hours = withoutRow(coverage) + (result ? lackingThere(result) : 0);
  return { result, hours, interval: provenance?.days ? '1h' : (provenance?.interval ?? '1h') };
}

/** Prompts for another query and runs it in the same panel. `overrides` restricts the prompt. */
async function changeQuery(
  session: QuerySession,
  { sessions, nowAt, pricing }: PanelActionsDeps,
  only: Partial<QueryPromptOptions> = {},
): Promise<void> {
  const { query, connection, comparison } = session.question;
  const changed = await promptQuery({
    now: nowAt(connection),
    zone: session.zone,
    last: query,
    connection: connection.name,
    requestsOf: requestsAt(pricing, connection),
    ...only,
  });
  if (!changed) return;
  // A comparison belongs to its dataset.
  const kept = changed.dataset === query.dataset ? comparison : undefined;
  return sessions.rerunAs(session, { query: changed, connection, comparison: kept });
}

/** Prompts for another interval: those that the service named when it refused one, otherwise all of the dataset. */
async function chooseInterval(session: QuerySession, { sessions, nowAt, pricing }: PanelActionsDeps): Promise<void> {
  const { query, connection, comparison } = session.question;
  const named = supportedIntervals(session.lastError);
  const dataset = datasetById(query.dataset);
  const known = dataset ? intervalChoices(dataset, session.zone, query.interval) : [];
  const interval = await promptInterval(named.length > 0 ? named : known, query, {
    now: nowAt(connection),
    requestsOf: requestsAt(pricing, connection),
  });
  if (interval !== undefined)
    return sessions.rerunAs(session, { query: { ...query, interval }, connection, comparison });
}

/** Creates a handler that runs the query with another range in the same panel. */
function withRange(range: string): PanelActionHandler {
  return (session, { sessions }) => {
    const { query, connection, comparison } = session.question;
    const { timeZone } = session.rangeZone;
    return sessions.rerunAs(session, { query: { ...query, range, timeZone }, connection, comparison });
  };
}

/** Moves the query to the previous or next period in the same panel. */
async function step(session: QuerySession, { sessions, nowAt }: PanelActionsDeps, direction: -1 | 1): Promise<void> {
  const { query, connection, comparison } = session.question;
  const context = contextOf(query, nowAt(connection));
  const range = steppedRange(query.range, direction, context);
  if (range === undefined)
    throw new UnavailableError(
      direction === 1 ? t('No data is published after this period yet.') : t('No earlier period.'),
    );
  const stepped = comparison && steppedComparison(comparison, query.range, direction, context);
  const notice = comparison && !stepped ? cannotStep(comparisonName(comparison)) : undefined;
  return sessions.rerunAs(session, { query: { ...query, range }, connection, comparison: stepped, notice });
}

async function compareWith(session: QuerySession, comparison: Comparison | undefined): Promise<void> {
  const { query, connection } = session;
  session.change({ query, connection, comparison });
  return session.run();
}
