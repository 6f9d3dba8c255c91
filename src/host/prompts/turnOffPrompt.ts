import * as vscode from 'vscode';
import { showQuickPick } from '../messages.ts';
import { queriesFileName } from '../saved/queriesFileUri.ts';
import type { WatchedItem } from '../watch/savedQueriesPort.ts';
import type { Whose } from '../watch/watchEdits.ts';

/** For whom alerts are turned off; asked only where the query is in a workspace's file. Undefined when the person left. */
export async function promptTurnOff({ home, query }: WatchedItem): Promise<Whose | undefined> {
  if (home === 'personal') return 'everybody';
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { readonly whose: Whose })[] = [
    { label: t('For Me'), description: t('the file stays as it is'), whose: 'mine' },
    { label: t('For Everybody'), description: t('changes {0}', queriesFileName.join('/')), whose: 'everybody' },
  ];
  const chosen = await showQuickPick(items, {
    title: t('Turn Off Alerts · {0}', query.name),
    placeHolder: t('This query is shared with everybody who has the folder. Turn its alerts off for whom?'),
  });
  return chosen?.whose;
}
