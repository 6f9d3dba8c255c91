import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createSerializedView } from '../../shared/view.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { AlertNotification } from '../../core/watch/alertHistory.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { StoppedConnection } from '../../service/watch/stoppedConnections.ts';
import { commands } from '../ids.ts';
import { showWarningMessage } from '../messages/messages.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { promptSnooze, promptTurnOff } from './alertPrompt.ts';
import { displayZone } from '../settings.ts';
import { formatNotification } from '../messages/alertMessages.ts';
import { connectionLabel } from '../connections/connectionMessages.ts';
import type { WatchedItem } from './savedQueriesPort.ts';
import type { WatchEdits } from './watchEdits.ts';
import type { WatchingEvents } from './watching.ts';

export interface WatchNoticesDeps {
  /** The result panels. */
  readonly panels: Pick<QuerySessions, 'run' | 'refreshed'>;
  readonly edits: Pick<WatchEdits, 'snooze' | 'turnOff'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly report: (error: unknown) => void;
}

/** Shows the events of watching: updates open panels, and lists the alerts of a run in one notification. */
export class WatchNotices implements WatchingEvents {
  readonly #deps: WatchNoticesDeps;

  constructor(deps: WatchNoticesDeps) {
    this.#deps = deps;
  }

  readonly refreshed: WatchingEvents['refreshed'] = (query, connection, result) => {
    this.#deps.panels.refreshed(query, connection, result);
  };

  alerted(item: WatchedItem, connection: Connection, notifications: readonly AlertNotification[]): void {
    this.#showAlerts(item, connection, notifications).catch(this.#deps.report);
  }

  stopped({ connectionId, reason, dataset }: StoppedConnection, { name }: Connection): void {
    const enterKeyButton = t('Enter Another Key');
    const datasetName = findDataset(dataset ?? '')?.title ?? dataset ?? '';
    const sentence = {
      keyRejected: t(
        "The service rejected the key of '{0}'. Hourly refresh is paused until you enter another one.",
        name,
      ),
      noKey: t("No key for '{0}' on this machine. Hourly refresh is paused until you enter it again.", name),
      forbidden: t("The key of '{0}' has no access to this dataset, so it is not refreshed: {1}.", name, datasetName),
    }[reason];
    showWarningMessage(sentence, enterKeyButton).then(async selected => {
      if (selected) await vscode.commands.executeCommand(commands.replaceKey, connectionId);
    }, this.#deps.report);
  }

  lost(connectionName: string, count: number): void {
    void showWarningMessage(
      count === 1
        ? t("The connection '{0}' was removed: 1 query no longer refreshes hourly.", connectionName)
        : t("The connection '{0}' was removed: {1} queries no longer refresh hourly.", connectionName, count),
    );
  }

  async #showAlerts(
    item: WatchedItem,
    connection: Connection,
    notifications: readonly AlertNotification[],
  ): Promise<void> {
    const { panels, edits, nowAt } = this.#deps;
    const zone = displayZone();
    const openButton = t('Open');
    const snoozeButton = t('Snooze');
    const turnOffButton = t('Turn Off');
    const sentence = formatNotification(item.query, notifications, {
      connection,
      label: connectionLabel(connection),
      zone,
    });
    const selected = await showWarningMessage(sentence, openButton, snoozeButton, turnOffButton);
    const ids = notifications.map(({ alert }) => alert.id);
    const { query } = item.query;
    const view = createSerializedView(item.query);
    if (selected === openButton) await panels.run(query, connection, { savedId: item.id, view });
    if (selected === snoozeButton) {
      const until = await promptSnooze(item.query.name, nowAt(connection), zone);
      if (until !== undefined) await edits.snooze(item, ids, until);
    }
    if (selected !== turnOffButton) return;
    const audience = await promptTurnOff(item);
    if (audience) await edits.turnOff(item, ids, audience);
  }
}
