import { t } from '@vscode/l10n';
import type { Connection } from '../../core/connections/connection.ts';
import { usesConnection, renameConnection } from '../../core/savedQueries/edit.ts';
import { allQueries } from '../../core/savedQueries/walk.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { formatQueryCount } from './savedMessages.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { QueryStore } from './queryStore.ts';

export interface RenameDeps {
  readonly stores: { settle(): Promise<void>; list(): readonly QueryStore[] };
  readonly choices: Pick<ConnectionChoices, 'rememberChoice'>;
  readonly report: (error: unknown) => void;
}

/**
 * Updates saved queries after a connection was renamed. Personal queries get the new name. Workspace files are shared, so they keep the old
 * name. This machine remembers which connection the old name means, and a notification offers to change the files.
 */
export async function updateRenamedConnection(
  connection: Connection,
  oldName: string,
  deps: RenameDeps,
): Promise<void> {
  const { stores, choices, report } = deps;
  // Connection names are case-insensitive, so a change of case needs no update.
  if (usesConnection({ connection: oldName }, connection.name)) return;
  await stores.settle();
  const affectedStores = stores.list().flatMap(store => {
    const queries = allQueries(store.tree()).filter(query => usesConnection(query, oldName));
    return queries.length > 0 ? [{ store, queries }] : [];
  });
  const workspaceStores = affectedStores.filter(({ store }) => store.kind === 'workspace');
  const spellings = new Set(
    workspaceStores.flatMap(({ queries }) => queries.map(query => query.connection ?? oldName)),
  );
  for (const spelling of spellings) await choices.rememberChoice(spelling, connection);
  for (const { store } of affectedStores) if (store.kind === 'personal') await renameInStore(store);
  if (workspaceStores.length > 0) void offerFileChange().catch(report);

  async function renameInStore(store: QueryStore): Promise<void> {
    await store.edit(tree => renameConnection(tree, oldName, connection.name));
  }

  async function offerFileChange(): Promise<void> {
    const count = workspaceStores.reduce((sum, { queries }) => sum + queries.length, 0);
    const changeButton = t('Change File');
    const sentence = t(
      "The workspace file uses '{0}' in {1}. On this machine, that connection is now named '{2}'. Other people may still use the old name.",
      ...[oldName, formatQueryCount(count), connection.name],
    );
    if ((await showInformationMessage(sentence, changeButton)) !== changeButton) return;
    for (const { store } of workspaceStores) await renameInStore(store);
  }
}
