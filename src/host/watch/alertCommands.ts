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
import { promptAlert, promptSnooze, promptTurnOff } from './alertPrompt.ts';
import { displayZone } from '../settings.ts';
import { resolveWatchedItem, requireOpenEnded, type WatchCommandsDeps } from './watchCommands.ts';
import type { WatchedItem } from './savedQueriesPort.ts';
import { formatAlertState, formatFiredHours, formatRule, describeWatchingCost } from '../messages/alertMessages.ts';

export interface AlertCommandsDeps extends Pick<
  WatchCommandsDeps,
  'boundary' | 'queries' | 'edits' | 'choices' | 'nowAt'
> {
  readonly newId: () => string;
  /** Returns the hours that the user was notified of, by the id of the alert. */
  readonly notified: (item: WatchedItem) => Promise<ReadonlyMap<string, readonly number[]>>;
  readonly engine: Pick<QueryEngine, 'run'>;
}

type AlertAction = 'change' | 'turnOff' | 'turnOn' | 'snooze' | 'remove';

/** Registers the commands Add Alert…, Edit Alerts…, Snooze Alerts… and Turn Off Alerts. */
export function registerAlertCommands(deps: AlertCommandsDeps): vscode.Disposable {
  const { boundary, queries, edits } = deps;
  const now = (): number => deps.nowAt({ baseUrl: '' });
  const formatRuleOf = (item: WatchedItem, rule: AlertRule): string =>
    formatRule(rule, item.query.query.dataset, deps.choices.getConnection(item));

  /** Reads the last 30 days of a query from the archive, without a request. Returns undefined if none are archived. */
  async function readArchivedMonth(item: WatchedItem): Promise<Reading | undefined> {
    const connection = deps.choices.getConnection(item);
    if (!connection) return undefined;
    const asOf = deps.nowAt(connection);
    const month = resolveQuery({ ...item.query.query, range: presetRanges.last30Days }, asOf);
    if (!month.ok) return undefined;
    const outcome = await toOutcome(deps.engine.run(month.value, connection, { refresh: 'never' }).result);
    return 'result' in outcome ? createReading(outcome.result, asOf, item.query.analysis?.derive) : undefined;
  }

  async function add(argument: unknown): Promise<void> {
    const item = await resolveWatchedItem(queries, argument, {
      placeHolder: t('Select a saved query for the alert'),
      accepts: () => true,
      none: t('No saved queries yet. Save a query first.'),
    });
    if (item) await addTo(item);
  }

  async function addTo(item: WatchedItem): Promise<void> {
    requireOpenEnded(item, deps);
    const { name } = item.query;
    const rule = await promptRule(item, t('Add Alert · {0}', name));
    if (!rule) return;
    await edits.changeAlerts(item, addAlert(deps.newId(), rule));
    void showInformationMessage(t("Alert added to '{0}': {1}.", name, formatRuleOf(item, rule)));
  }

  async function promptRule(item: WatchedItem, title: string, current?: Alert): Promise<AlertRule | undefined> {
    const { query, keepFresh, analysis } = item.query;
    const { dataset, interval } = query;
    const [past, cost] = [readArchivedMonth(item), describeWatchingCost(dataset, keepFresh)];
    const columns = listConditionColumns(dataset, interval, analysis?.derive);
    return promptAlert({ title, dataset, interval, columns, current, cost, past });
  }

  async function edit(argument: unknown): Promise<void> {
    const item = await resolveItemWithAlerts(
      argument,
      t('Select a saved query to edit its alerts'),
      query => query.alerts ?? [],
    );
    if (!item) return;
    const { name, alerts = [] } = item.query;
    const notified = await deps.notified(item);
    const zone = displayZone();
    const chosen = await showQuickPick(
      [
        ...alerts.map(alert => {
          const detail = formatFiredHours(notified.get(alert.id) ?? [], zone);
          return { label: formatRuleOf(item, alert), description: formatAlertState(alert, now(), zone), detail, alert };
        }),
        { label: t('Add Alert…'), iconPath: new vscode.ThemeIcon('add'), alert: undefined },
      ],
      { title: t('Alerts · {0}', name), placeHolder: t('Choose an alert to change, snooze, turn off or remove') },
    );
    if (!chosen) return;
    if (chosen.alert) await editAlert(item, chosen.alert);
    else await addTo(item);
  }

  async function editAlert(item: WatchedItem, alert: Alert): Promise<void> {
    const title = formatRuleOf(item, alert);
    const action = await pickAction(title, alert);
    const change = (to: (alert: Alert) => Alert | undefined): Promise<void> =>
      edits.changeAlerts(item, changeAlerts([alert.id], to));
    switch (action) {
      case 'change': {
        const rule = await promptRule(item, t('Change Alert · {0}', item.query.name), alert);
        return rule && change(({ id, on }) => ({ ...rule, id, on }));
      }
      case 'turnOn':
        return edits.turnOn(item, [alert.id]);
      case 'turnOff':
        return turnOffAlerts(item, [alert.id]);
      case 'snooze':
        return snoozeAlerts(item, [alert.id], title);
      case 'remove':
        return change(() => undefined);
      case undefined:
        return undefined;
    }
  }

  async function snoozeAlerts(item: WatchedItem, ids: readonly string[], about: string): Promise<void> {
    const until = await promptSnooze(about, now(), displayZone());
    if (until !== undefined) await edits.snooze(item, ids, until);
  }

  /** Snoozes all active alerts of a query. */
  async function snooze(argument: unknown): Promise<void> {
    const item = await resolveItemWithAlerts(
      argument,
      t('Select a saved query to snooze its alerts'),
      listActiveAlerts,
    );
    if (item) await snoozeAlerts(item, listLiveAlertIds(item), item.query.name);
  }

  async function turnOff(argument: unknown): Promise<void> {
    const item = await resolveItemWithAlerts(
      argument,
      t('Select a saved query to turn off its alerts'),
      listActiveAlerts,
    );
    if (item) await turnOffAlerts(item, listLiveAlertIds(item));
  }

  async function turnOffAlerts(item: WatchedItem, ids: readonly string[]): Promise<void> {
    const audience = await promptTurnOff(item);
    if (audience) await edits.turnOff(item, ids, audience);
  }

  async function resolveItemWithAlerts(
    argument: unknown,
    placeHolder: string,
    alertsOf: (query: WatchedItem['query']) => readonly Alert[],
  ): Promise<WatchedItem | undefined> {
    const has = ({ query }: WatchedItem): boolean => alertsOf(query).length > 0;
    const none = t("No matching alerts. To add one, run 'Add Alert…'.");
    const item = await resolveWatchedItem(queries, argument, { placeHolder, accepts: has, none });
    if (item && !has(item)) throw new UnavailableError(none);
    return item;
  }

  return vscode.Disposable.from(
    boundary.register(commands.addAlert, add),
    boundary.register(commands.editAlerts, edit),
    boundary.register(commands.snoozeAlerts, snooze),
    boundary.register(commands.turnOffAlerts, turnOff),
  );
}

function listLiveAlertIds({ query }: WatchedItem): string[] {
  return listActiveAlerts(query).map(({ id }) => id);
}

async function pickAction(title: string, { on }: Alert): Promise<AlertAction | undefined> {
  const icon = (id: string): vscode.ThemeIcon => new vscode.ThemeIcon(id);
  const items: (vscode.QuickPickItem & { readonly action: AlertAction })[] = [
    { label: t('Change…'), iconPath: icon('edit'), action: 'change' },
    on
      ? { label: t('Turn Off'), iconPath: icon('bell-slash'), action: 'turnOff' }
      : { label: t('Turn On'), iconPath: icon('bell'), action: 'turnOn' },
    ...(on ? [{ label: t('Snooze…'), iconPath: icon('clock'), action: 'snooze' as const }] : []),
    { label: t('Remove'), iconPath: icon('trash'), action: 'remove' },
  ];
  return (await showQuickPick(items, { title, placeHolder: t('Select an action') }))?.action;
}
