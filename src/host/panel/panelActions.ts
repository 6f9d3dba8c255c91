import * as vscode from 'vscode';
import { datasetById } from '../../core/query/catalogue.ts';
import { contextOf } from '../../core/query/query.ts';
import { steppedRange } from '../../core/range/steppedRange.ts';
import type { PanelAction } from '../../shared/protocol.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { openDashboard } from '../connections/connectionCommands.ts';
import type { ResultExport } from '../export/resultExport.ts';
import { generalCommands, isGeneral, type GeneralAction } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { promptComparison } from './comparePrompt.ts';
import {
  intervalChoices,
  promptInterval,
  promptQuery,
  requestsAt,
  type QueryPromptOptions,
} from '../query/queryPrompt.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';
import { displayZone } from '../settings.ts';
import { cannotStep, comparisonName } from './comparisonMessages.ts';
import { supportedIntervals } from '../messages/failures.ts';
import { checkDays } from './dayCheckRun.ts';
import type { QuerySession } from './querySession.ts';
import type { QuerySessions } from './querySessions.ts';
import type { RevisionsDiff } from './revisionsDiff.ts';
import { steppedComparison, type Comparison } from '../../core/compare/comparedRanges.ts';

export interface PanelActionsDeps {
  readonly engine: Pick<QueryEngine, 'run'>;
  /** What the service said of the connection's key no longer counts. */
  readonly clearRejection: ConnectionEndpoints['clearConnectionRejection'];
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly pricing: Pick<RequestPricing, 'priceOf'>;
  readonly exporting: Pick<ResultExport, 'export' | 'openInEditor' | 'openResponse'>;
  readonly sandbox: Pick<SandboxHost, 'dashboardLink'>;
  readonly revisions: Pick<RevisionsDiff, 'show'>;
  readonly report: (error: unknown) => void;
}

/** The panel whose button was pressed. */
interface PressedPanel {
  readonly session: QuerySession;
  readonly sessions: QuerySessions;
  readonly deps: PanelActionsDeps;
}

type PanelActionHandler = (pressed: PressedPanel) => unknown;

/** What each button of a panel does. Messages and notifications offer some of them too. */
const handlers: Readonly<Record<Exclude<PanelAction, GeneralAction>, PanelActionHandler>> = {
  refresh: ({ session }) => session.run(),
  fetchMissing: ({ session }) => session.run('missing'),
  refreshAll: ({ session }) => session.run('always'),
  runPlan: ({ session }) => session.answerPlan(true),
  cancel: ({ session }) => session.cancel(),
  export: ({ session, deps }) => deps.exporting.export(session),
  openInEditor: ({ session, deps }) => deps.exporting.openInEditor(session, undefined),
  openResponse: ({ session, deps }) => deps.exporting.openResponse(session),
  copyAs: () => vscode.commands.executeCommand(commands.copyAs),
  save: ({ session: { query, connection } }) =>
    vscode.commands.executeCommand(commands.saveQuery, { ...query, connection: connection.name }),
  changeQuery,
  chooseRange: pressed => {
    const { query, connection } = pressed.session;
    const title = vscode.l10n.t('Time Range · {0}', connection.name);
    return changeQuery(pressed, { title, dataset: query.dataset, rangeOnly: true });
  },
  chooseInterval,
  previousPeriod: pressed => step(pressed, -1),
  nextPeriod: pressed => step(pressed, 1),
  compare: async ({ session, deps }) => {
    const comparison = await promptComparison(session.resolved(), displayZone(), deps.nowAt(session.connection));
    return comparison && compareWith(session, comparison);
  },
  endComparison: ({ session }) => compareWith(session, undefined),
  checkDays: ({ session, deps }) => checkDays(session, deps.engine),
  showRevisions: ({ session, deps }) => {
    session.revisionsSeen();
    return deps.revisions.show(session);
  },
  openInNewTab: ({ session, sessions }) => sessions.runInNewPanel(session),
  enterKey: async ({ session }) => {
    const { id } = session.connection;
    const replaced = await vscode.commands.executeCommand<boolean | undefined>(commands.replaceKey, id);
    return replaced && session.run(session.lastRefresh);
  },
  tryAgain: async ({ session, deps }) => {
    await deps.clearRejection(session.connection);
    return session.run(session.lastRefresh);
  },
  openDashboard: ({ session, deps }) => openDashboard(session.connection, deps.sandbox),
};

/** Carries out what the buttons of panels ask for; what fails is reported. */
export function panelActionsWith(
  deps: PanelActionsDeps,
): (action: PanelAction, session: QuerySession, sessions: QuerySessions) => void {
  const act = async (action: PanelAction, pressed: PressedPanel): Promise<void> => {
    await (isGeneral(action) ? vscode.commands.executeCommand(generalCommands[action]) : handlers[action](pressed));
  };
  return (action, session, sessions) => void act(action, { session, sessions, deps }).catch(deps.report);
}

/** Another query in the same panel; `only` says what of it is asked, where that is not all. */
async function changeQuery(
  { session, sessions, deps }: PressedPanel,
  only: Partial<QueryPromptOptions> = {},
): Promise<void> {
  const { query, connection, comparison } = session.question;
  const changed = await promptQuery({
    now: deps.nowAt(connection),
    zone: displayZone(),
    last: query,
    connection: connection.name,
    shownZone: session.zone,
    requestsOf: requestsAt(deps.pricing, connection),
    ...only,
  });
  if (!changed) return;
  // What the person compared was this dataset: another one is another matter.
  const kept = changed.dataset === query.dataset ? comparison : undefined;
  return sessions.rerunAs(session, { query: changed, connection, comparison: kept });
}

/** The same query by another interval: those that the service named where it refused one, else all of the dataset. */
async function chooseInterval({ session, sessions, deps }: PressedPanel): Promise<void> {
  const { query, connection, comparison } = session.question;
  const named = supportedIntervals(session.lastError);
  const dataset = datasetById(query.dataset);
  const known = dataset ? intervalChoices(dataset, session.zone, query.interval) : [];
  const interval = await promptInterval(named.length > 0 ? named : known, query, {
    now: deps.nowAt(connection),
    zone: displayZone(),
    requestsOf: requestsAt(deps.pricing, connection),
  });
  if (interval !== undefined)
    return sessions.rerunAs(session, { query: { ...query, interval }, connection, comparison });
}

/** The period before or after, in the same panel. */
async function step({ session, sessions, deps }: PressedPanel, direction: -1 | 1): Promise<void> {
  const { query, connection, comparison } = session.question;
  const context = contextOf(query.interval, deps.nowAt(connection), displayZone().timeZone);
  const range = steppedRange(query.range, direction, context);
  if (range === undefined)
    throw new UnavailableError(
      direction === 1
        ? vscode.l10n.t('No data is published after this period yet.')
        : vscode.l10n.t('No earlier period.'),
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
