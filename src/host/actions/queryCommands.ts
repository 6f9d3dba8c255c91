import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import type { Query } from '../../core/query/query.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import { presetRanges } from '../../shared/protocol.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands, settings } from '../ids.ts';
import { LastQuery } from '../query/lastQuery.ts';
import { showWarningMessage } from '../messages/messages.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { promptQuery, createRequestEstimator } from '../query/queryPrompt.ts';
import {
  getConnection,
  resolveQueryAt,
  parseQueryArgument,
  type ParsedArgument,
  ignoreTreeItem,
} from '../query/queryArgument.ts';
import { displayZone, customTariffs, getUnknownZone } from '../settings.ts';
import { copyLink } from '../tools/openLink.ts';

export interface QueryCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly sessions: QuerySessions;
  readonly state: KeyValueStore;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly pricing: Pick<RequestPricing, 'computeTotalPrice'>;
}

/** Registers Run Query…, Chart Last Month, Refresh Result and Copy Link. */
export function registerQueryCommands(deps: QueryCommandsDeps): vscode.Disposable {
  const { boundary, sessions } = deps;
  const last = new LastQuery(deps.state);
  return vscode.Disposable.from(
    boundary.register(commands.runQuery, async argument => runQuery(ignoreTreeItem(argument), last, deps)),
    boundary.register(commands.chartLastMonth, async () => chartLastMonth(last, deps)),
    boundary.register(commands.refreshResult, async () => sessions.refresh(sessions.requireActive())),
    boundary.register(commands.copyLink, async () => copyLink(sessions.requireActive())),
    boundary.register(commands.refreshIgnoringArchive, async () => sessions.requireActive().run('always')),
  );
}

/** Runs the query in the argument; prompts for what the argument leaves out. */
async function runQuery(argument: unknown, last: LastQuery, deps: QueryCommandsDeps): Promise<void> {
  const { connections, sessions, nowAt } = deps;
  warnAboutSettings();
  const parsed = parseQueryArgument(argument);
  const connection = getConnection(connections, parsed.connection);
  const query = parsed.query ?? (await promptForQuery(parsed, connection, last, deps));
  if (!query) return;
  // Throws before a panel opens.
  resolveQueryAt(query, nowAt(connection));
  const session = await sessions.run(query, connection);
  // A query that the service rejected is not offered the next time.
  if (session.result) await last.set(query);
}

/** Charts the hours of the last month, of the dataset of the last query or else of the system state. */
async function chartLastMonth(last: LastQuery, deps: QueryCommandsDeps): Promise<void> {
  const { connections, sessions, nowAt } = deps;
  warnAboutSettings();
  const connection = getConnection(connections, undefined);
  const { dataset = 'systemState' } = last.get() ?? {};
  const { timeZone } = displayZone();
  const query = { dataset, range: presetRanges.lastMonth, interval: '1h', params: {}, timeZone };
  resolveQueryAt(query, nowAt(connection));
  await sessions.runAsChart(query, connection);
}

async function promptForQuery(
  { dataset }: ParsedArgument,
  connection: Connection,
  last: LastQuery,
  { nowAt, pricing }: QueryCommandsDeps,
): Promise<Query | undefined> {
  return promptQuery({
    now: nowAt(connection),
    zone: displayZone(),
    last: last.get(),
    connection: connection.name,
    estimateRequests: createRequestEstimator(pricing, connection),
    ...(dataset !== undefined && findDataset(dataset) && { dataset }),
  });
}

/** Warns before each query if a setting is invalid, because times and tariff periods would not be the expected ones. */
function warnAboutSettings(): void {
  const name = getUnknownZone();
  if (name !== undefined)
    showSettingWarning(
      settings.timeZone,
      t(
        "Unknown time zone '{0}'; using UTC. Set gridData.timeZone to UTC, SAST or a name such as Europe/Berlin.",
        name,
      ),
    );
  const { invalidAt } = customTariffs();
  if (invalidAt !== undefined)
    showSettingWarning(
      settings.tariffPeriods,
      t(
        "The setting gridData.tariffPeriods isn't valid at '{0}'; using Eskom's periods. Dates are like 2025-04-01 and ascend, hours like 06:00-09:00.",
        invalidAt,
      ),
    );
}

function showSettingWarning(setting: string, sentence: string): void {
  void showWarningMessage(sentence, t('Open Settings')).then(selected => {
    if (selected) void vscode.commands.executeCommand('workbench.action.openSettings', setting);
  });
}
