import * as vscode from 'vscode';
import { commands } from '../ids.ts';
import { createMarkdown, showStatusBarText } from '../messages/messages.ts';
import type { SavedQueriesPort } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';

export interface ConsentStatusDeps {
  readonly queries: SavedQueriesPort;
  readonly consent: WatchConsent;
}

/** The one quiet place that says what a workspace's file would like to watch: an item that is there until it is answered. */
export function showWaitingConsent({ queries, consent }: ConsentStatusDeps): vscode.Disposable {
  const { t } = vscode.l10n;
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
  const endings = [queries.onDidChange(show), consent.onDidChange(show)];
  show();
  return vscode.Disposable.from(item, { dispose: () => endings.forEach(end => end()) });
}
