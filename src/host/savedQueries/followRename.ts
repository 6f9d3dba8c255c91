import { t } from '@vscode/l10n';
import type { Connection } from '../../core/connections/connection.ts';
import { namesConnection, renameConnection } from '../../core/savedQueries/edit.ts';
import { allQueries } from '../../core/savedQueries/walk.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { queryCount } from './savedMessages.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { QueryStore } from './queryStore.ts';

export interface FollowRenameDeps {
  readonly stores: { settle(): Promise<void>; list(): readonly QueryStore[] };
  readonly choices: Pick<ConnectionChoices, 'keep'>;
  readonly report: (error: unknown) => void;
}

/**
 * Updates saved queries after a connection was renamed. Personal queries get the new name. A workspace file is shared, so it keeps the old
 * name, which is mapped to the connection on this machine; a notification offers to change the file.
 */
export async function followRename(connection: Connection, before: string, deps: FollowRenameDeps): Promise<void> {
  const { stores, choices, report } = deps;
  // Names are compared without case, so a change of case needs no update.
  if (namesConnection({ connection: before }, connection.name)) return;
  await stores.settle();
  const asking = stores.list().flatMap(store => {
    const queries = allQueries(store.tree()).filter(query => namesConnection(query, before));
    return queries.length > 0 ? [{ store, queries }] : [];
  });
  const shared = asking.filter(({ store }) => store.kind === 'workspace');
  const spellings = new Set(shared.flatMap(({ queries }) => queries.map(query => query.connection ?? before)));
  for (const spelling of spellings) await choices.keep(spelling, connection);
  for (const { store } of asking) if (store.kind === 'personal') await rename(store);
  if (shared.length > 0) void offer().catch(report);

  async function rename(store: QueryStore): Promise<void> {
    await store.edit(tree => renameConnection(tree, before, connection.name));
  }

  async function offer(): Promise<void> {
    const count = shared.reduce((sum, { queries }) => sum + queries.length, 0);
    const change = t('Change File');
    const sentence = t(
      "The workspace file has '{0}' in {1}. On this machine that name now means '{2}'; others may still use the old one.",
      ...[before, queryCount(count), connection.name],
    );
    if ((await showInformationMessage(sentence, change)) !== change) return;
    for (const { store } of shared) await rename(store);
  }
}
