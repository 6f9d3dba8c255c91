import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { commands } from '../ids.ts';
import { createMarkdown, showStatusBarText } from '../messages/messages.ts';
import type { SavedQueriesPort } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';

export interface ConsentStatusDeps {
  readonly queries: SavedQueriesPort;
  readonly consent: WatchConsent;
}

/** Shows the number of workspace queries that wait for consent in the status bar, until the person has answered. */
export function showWaitingConsent({ queries, consent }: ConsentStatusDeps): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('gridData.watching', vscode.StatusBarAlignment.Right, 99);
  item.name = t('Grid Data hourly refresh');
  item.command = commands.allowWatching;
  const show = (): void => {
    const count = queries.all().filter(one => consent.isWaiting(one)).length;
    if (count === 0) {
      item.hide();
      return;
    }
    const sentence =
      count === 1
        ? t('1 saved query in this workspace is set to refresh hourly. Nothing is sent until you allow it.')
        : t(
            '{0} saved queries in this workspace are set to refresh hourly. Nothing is sent until you allow it.',
            count,
          );
    const tooltip = createMarkdown([sentence]);
    showStatusBarText(item, { icon: 'bell-slash', text: String(count), tooltip, spoken: sentence });
  };
  show();
  return vscode.Disposable.from(item, queries.onDidChange(show), consent.onDidChange(show));
}
