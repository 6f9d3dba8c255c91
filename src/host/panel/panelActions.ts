import * as vscode from 'vscode';
import { datasetById } from '../../core/query/catalogue.ts';
import { steppedComparison, type Comparison } from '../../core/compare/comparison.ts';
import { contextOf } from '../../core/query/query.ts';
import { steppedRange } from '../../core/range/steppedRange.ts';
import type { PanelAction } from '../../shared/protocol.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { openDashboard } from '../connections/connectionCommands.ts';
import type { ResultExport } from '../export/resultExport.ts';
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

export interface PanelActionsDeps {
  readonly sessions: QuerySessions;
  readonly engine: Pick<QueryEngine, 'run'>;
  /** What the service said of the connection's key no longer counts. */
  readonly clearRejection: ConnectionEndpoints['clearConnectionRejection'];
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly pricing: Pick<RequestPricing, 'priceOf'>;
  readonly exporting: Pick<ResultExport, 'export' | 'openInEditor' | 'openResponse'>;
  readonly sandbox: Pick<SandboxHost, 'dashboardLink'>;
  readonly revisions: Pick<RevisionsDiff, 'show'>;
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
      return session.run();
    case 'fetchMissing':
      return session.run('missing');
    case 'refreshAll':
      return session.run('always');
    case 'runPlan':
      session.answerPlan(true);
      return;
    case 'cancel':
      session.cancel();
      return;
    case 'export':
      return deps.exporting.export(session);
    case 'openInEditor':
      return deps.exporting.openInEditor(session, undefined);
    case 'openResponse':
      return deps.exporting.openResponse(session);
    case 'copyAs':
      return vscode.commands.executeCommand(commands.copyAs);
    case 'save':
      return vscode.commands.executeCommand(commands.saveQuery, { ...query, connection: connection.name });
    case 'changeQuery':
      return changeQuery(session, deps);
    case 'chooseRange':
      return changeQuery(session, deps, {
        ...{ title: vscode.l10n.t('Time Range · {0}', connection.name) },
        ...{ dataset: query.dataset, rangeOnly: true },
      });
    case 'previousPeriod':
      return step(session, -1, deps);
    case 'nextPeriod':
      return step(session, 1, deps);
    case 'compare': {
      const comparison = await promptComparison(session.resolved(), displayZone(), deps.nowAt(connection));
      return comparison && compareWith(session, comparison);
    }
    case 'endComparison':
      return compareWith(session, undefined);
    case 'checkDays':
      return checkDays(session, deps.engine);
    case 'showRevisions':
      session.revisionsSeen();
      return deps.revisions.show(session);
    case 'openInNewTab':
      return deps.sessions.runInNewPanel(session);
    case 'chooseInterval': {
      const named = supportedIntervals(session.lastError);
      const dataset = datasetById(query.dataset);
      const known = dataset ? intervalChoices(dataset, session.zone, query.interval) : [];
      const interval = await promptInterval(named.length > 0 ? named : known, query, {
        ...{ now: deps.nowAt(connection), zone: displayZone(), requestsOf: requestsAt(deps.pricing, connection) },
      });
      if (interval === undefined) return;
      const { comparison } = session.question;
      return deps.sessions.rerunAs(session, { query: { ...query, interval }, connection, comparison });
    }
    case 'enterKey': {
      const replaced = await vscode.commands.executeCommand<boolean | undefined>(commands.replaceKey, connection.id);
      return replaced ? session.run(session.lastRefresh) : undefined;
    }
    case 'tryAgain':
      await deps.clearRejection(connection);
      return session.run(session.lastRefresh);
    case 'openDashboard':
      return openDashboard(connection, deps.sandbox);
    case 'addConnection':
    case 'startSandbox':
    case 'showLog':
      return performGeneralAction(action);
  }
}

/** Another query in the same panel; `only` says what of it is asked, where that is not all. */
async function changeQuery(
  session: QuerySession,
  deps: PanelActionsDeps,
  only: Partial<QueryPromptOptions> = {},
): Promise<void> {
  const { query, connection, comparison } = session.question;
  const changed = await promptQuery({
    ...{ now: deps.nowAt(connection), zone: displayZone(), last: query, connection: connection.name },
    shownZone: session.zone,
    requestsOf: requestsAt(deps.pricing, connection),
    ...only,
  });
  if (!changed) return;
  // What the person compared was this dataset: another one is another matter.
  const kept = changed.dataset === query.dataset ? comparison : undefined;
  return deps.sessions.rerunAs(session, { query: changed, connection, comparison: kept });
}

/** The period before or after, in the same panel. */
async function step(session: QuerySession, direction: -1 | 1, deps: PanelActionsDeps): Promise<void> {
  const { query, connection, comparison } = session.question;
  const context = contextOf(query.interval, deps.nowAt(connection), displayZone().timeZone);
  const range = steppedRange(query.range, direction, context);
  if (range === undefined)
    throw new UnavailableError(
      direction === 1
        ? vscode.l10n.t('Nothing is published yet after this period.')
        : vscode.l10n.t('There is no earlier period.'),
    );
  const stepped = comparison && steppedComparison(comparison, query.range, direction, context);
  const notice = comparison && !stepped ? cannotStep(comparisonName(comparison)) : undefined;
  return deps.sessions.rerunAs(session, { query: { ...query, range }, connection, comparison: stepped, notice });
}

async function compareWith(session: QuerySession, comparison: Comparison | undefined): Promise<void> {
  const { query, connection } = session;
  session.change({ query, connection, comparison });
  return session.run();
}

/** The actions that need no panel. */
export async function performGeneralAction(action: PanelAction): Promise<void> {
  if (action === 'addConnection') await vscode.commands.executeCommand(commands.addConnection);
  if (action === 'startSandbox') await vscode.commands.executeCommand(commands.startSandbox);
  if (action === 'showLog') await vscode.commands.executeCommand(commands.showLog);
}
