import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { resolveQuery } from '../../core/query/query.ts';
import { listConditionColumns, type Alert, type AlertRule } from '../../core/watch/alert.ts';
import { createReading, type Reading } from '../../core/watch/alertReading.ts';
import { listActiveAlerts, changeAlerts, addAlert } from '../../core/watch/watchedQuery.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import { toOutcome } from '../../service/watch/watcher.ts';
import { presetRanges } from '../../shared/protocol.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { showInformationMessage, showQuickPick } from '../messages/messages.ts';
import { promptAlert, promptSnooze, promptTurnOff, type AlertPromptOptions } from './alertPrompt.ts';
import { customTariffs, displayZone } from '../settings.ts';
import { resolveWatchedItem, requireOpenEnded, type WatchCommandsDeps } from './watchCommands.ts';
import type { WatchedItem } from './savedQueriesPort.ts';
import { formatAlertState, formatFiredHours, formatRule, describeWatchingCost } from '../messages/alertMessages.ts';

export interface AlertCommandsDeps extends Omit<WatchCommandsDeps, 'consent' | 'pin' | 'connections'> {
  readonly newId: () => string;
  /** Returns the hours for which the user was notified, by alert id. */
  readonly getNotifiedHours: (item: WatchedItem) => Promise<ReadonlyMap<string, readonly number[]>>;
  readonly engine: Pick<QueryEngine, 'run'>;
}

type AlertAction = 'edit' | 'turnOff' | 'turnOn' | 'snooze' | 'remove';

/** Registers the commands Add Alert…, Edit Alerts…, Snooze Alerts… and Turn Off Alerts. */
export function registerAlertCommands(deps: AlertCommandsDeps): vscode.Disposable {
  const { boundary } = deps;
  return vscode.Disposable.from(
    boundary.register(commands.addAlert, async argument => addAlertToQuery(argument, deps)),
    boundary.register(commands.editAlerts, async argument => editAlerts(argument, deps)),
    boundary.register(commands.snoozeAlerts, async argument => snoozeActiveAlerts(argument, deps)),
    boundary.register(commands.turnOffAlerts, async argument => turnOffActiveAlerts(argument, deps)),
  );
}

function formatItemRule(item: WatchedItem, rule: AlertRule, { choices }: Pick<AlertCommandsDeps, 'choices'>): string {
  return formatRule(rule, item.query.query.dataset, choices.getConnection(item));
}

async function addAlertToQuery(argument: unknown, deps: AlertCommandsDeps): Promise<void> {
  const item = await resolveWatchedItem(deps.queries, argument, {
    placeHolder: t('Select a saved query for the alert'),
    accepts: () => true,
    none: t('No saved queries yet. Save a query first.'),
  });
  if (item) await promptAndAddAlert(item, deps);
}

async function promptAndAddAlert(item: WatchedItem, deps: AlertCommandsDeps): Promise<void> {
  requireOpenEnded(item, deps);
  const { name } = item.query;
  const rule = await promptRule(item, { title: t('Add Alert · {0}', name) }, deps);
  if (!rule) return;
  await deps.edits.changeAlerts(item, addAlert(deps.newId(), rule));
  void showInformationMessage(t("Alert added to '{0}': {1}.", name, formatItemRule(item, rule, deps)));
}

async function promptRule(
  item: WatchedItem,
  { title, current }: Pick<AlertPromptOptions, 'title' | 'current'>,
  deps: AlertCommandsDeps,
): Promise<AlertRule | undefined> {
  const { query, keepFresh, analysis } = item.query;
  const { dataset, interval } = query;
  // Not awaited, so that the prompt opens at once.
  const past = readArchivedMonth(item, deps);
  const cost = describeWatchingCost(dataset, keepFresh);
  const columns = listConditionColumns(dataset, interval, analysis?.derive);
  return promptAlert({ title, dataset, interval, columns, current, cost, past });
}

/**
 * Reads the last 30 days of a query from the archive, without sending a request. Returns undefined if the query has no connection or the
 * archive cannot provide the data.
 */
async function readArchivedMonth(item: WatchedItem, deps: AlertCommandsDeps): Promise<Reading | undefined> {
  const { choices, nowAt, engine } = deps;
  const connection = choices.getConnection(item);
  if (!connection) return undefined;
  const now = nowAt(connection);
  const month = resolveQuery({ ...item.query.query, range: presetRanges.last30Days }, now);
  if (!month.ok) return undefined;
  const outcome = await toOutcome(engine.run(month.value, connection, { refresh: 'never' }).result);
  const { tariffs } = customTariffs();
  return 'result' in outcome ? createReading(outcome.result, now, item.query.analysis?.derive, tariffs) : undefined;
}

async function editAlerts(argument: unknown, deps: AlertCommandsDeps): Promise<void> {
  const item = await resolveItemWithAlerts(
    argument,
    t('Select a saved query to edit its alerts'),
    query => query.alerts ?? [],
    deps,
  );
  if (!item) return;
  const { name, alerts = [] } = item.query;
  const notifiedHours = await deps.getNotifiedHours(item);
  const zone = displayZone();
  const now = deps.nowAt({ baseUrl: '' });
  const selected = await showQuickPick(
    [
      ...alerts.map(alert => {
        const detail = formatFiredHours(notifiedHours.get(alert.id) ?? [], zone);
        return {
          label: formatItemRule(item, alert, deps),
          description: formatAlertState(alert, now, zone),
          detail,
          alert,
        };
      }),
      { label: t('Add Alert…'), iconPath: new vscode.ThemeIcon('add'), alert: undefined },
    ],
    { title: t('Alerts · {0}', name), placeHolder: t('Select an alert to edit, snooze, turn off or remove') },
  );
  if (!selected) return;
  if (selected.alert) await editAlert(item, selected.alert, deps);
  else await promptAndAddAlert(item, deps);
}

async function editAlert(item: WatchedItem, alert: Alert, deps: AlertCommandsDeps): Promise<void> {
  const { edits } = deps;
  const title = formatItemRule(item, alert, deps);
  const action = await pickAction(title, alert);
  const updateAlert = (update: (alert: Alert) => Alert | undefined): Promise<void> =>
    edits.changeAlerts(item, changeAlerts([alert.id], update));
  switch (action) {
    case 'edit': {
      const rule = await promptRule(item, { title: t('Edit Alert · {0}', item.query.name), current: alert }, deps);
      return rule && updateAlert(({ id, on }) => ({ ...rule, id, on }));
    }
    case 'turnOn':
      return edits.turnOn(item, [alert.id]);
    case 'turnOff':
      return turnOffAlerts(item, [alert.id], deps);
    case 'snooze':
      return snoozeAlerts(item, [alert.id], title, deps);
    case 'remove':
      return updateAlert(() => undefined);
    case undefined:
      return undefined;
  }
}

/** Snoozes all active alerts of a query. */
async function snoozeActiveAlerts(argument: unknown, deps: AlertCommandsDeps): Promise<void> {
  const item = await resolveItemWithAlerts(
    argument,
    t('Select a saved query to snooze its alerts'),
    listActiveAlerts,
    deps,
  );
  if (item) await snoozeAlerts(item, listActiveAlertIds(item), item.query.name, deps);
}

async function snoozeAlerts(
  item: WatchedItem,
  ids: readonly string[],
  subject: string,
  deps: AlertCommandsDeps,
): Promise<void> {
  const until = await promptSnooze(subject, deps.nowAt({ baseUrl: '' }), displayZone());
  if (until !== undefined) await deps.edits.snooze(item, ids, until);
}

async function turnOffActiveAlerts(argument: unknown, deps: AlertCommandsDeps): Promise<void> {
  const item = await resolveItemWithAlerts(
    argument,
    t('Select a saved query to turn off its alerts'),
    listActiveAlerts,
    deps,
  );
  if (item) await turnOffAlerts(item, listActiveAlertIds(item), deps);
}

async function turnOffAlerts(item: WatchedItem, ids: readonly string[], deps: AlertCommandsDeps): Promise<void> {
  const audience = await promptTurnOff(item);
  if (audience) await deps.edits.turnOff(item, ids, audience);
}

async function resolveItemWithAlerts(
  argument: unknown,
  placeHolder: string,
  listAlerts: (query: WatchedItem['query']) => readonly Alert[],
  { queries }: AlertCommandsDeps,
): Promise<WatchedItem | undefined> {
  const hasAlerts = ({ query }: WatchedItem): boolean => listAlerts(query).length > 0;
  const emptyMessage = t("No matching alerts. To add one, run 'Add Alert…'.");
  const item = await resolveWatchedItem(queries, argument, { placeHolder, accepts: hasAlerts, none: emptyMessage });
  if (item && !hasAlerts(item)) throw new UnavailableError(emptyMessage);
  return item;
}

function listActiveAlertIds({ query }: WatchedItem): string[] {
  return listActiveAlerts(query).map(({ id }) => id);
}

async function pickAction(title: string, { on }: Alert): Promise<AlertAction | undefined> {
  const icon = (id: string): vscode.ThemeIcon => new vscode.ThemeIcon(id);
  const items: (vscode.QuickPickItem & { readonly action: AlertAction })[] = [
    { label: t('Edit…'), iconPath: icon('edit'), action: 'edit' },
    on
      ? { label: t('Turn Off'), iconPath: icon('bell-slash'), action: 'turnOff' }
      : { label: t('Turn On'), iconPath: icon('bell'), action: 'turnOn' },
    ...(on ? [{ label: t('Snooze…'), iconPath: icon('clock'), action: 'snooze' as const }] : []),
    { label: t('Remove'), iconPath: icon('trash'), action: 'remove' },
  ];
  return (await showQuickPick(items, { title, placeHolder: t('Select an action') }))?.action;
}
