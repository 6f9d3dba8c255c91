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
 * Updates saved queries after a connection was renamed. Personal queries get the new name. A workspace file is shared, so it keeps the old
 * name, which is mapped to the connection on this machine; a notification offers to change the file.
 */
export async function updateRenamedConnection(connection: Connection, before: string, deps: RenameDeps): Promise<void> {
  const { stores, choices, report } = deps;
  // Names are compared without case, so a change of case needs no update.
  if (usesConnection({ connection: before }, connection.name)) return;
  await stores.settle();
  const usingStores = stores.list().flatMap(store => {
    const queries = allQueries(store.tree()).filter(query => usesConnection(query, before));
    return queries.length > 0 ? [{ store, queries }] : [];
  });
  const shared = usingStores.filter(({ store }) => store.kind === 'workspace');
  const spellings = new Set(shared.flatMap(({ queries }) => queries.map(query => query.connection ?? before)));
  for (const spelling of spellings) await choices.rememberChoice(spelling, connection);
  for (const { store } of usingStores) if (store.kind === 'personal') await rename(store);
  if (shared.length > 0) void offer().catch(report);

  async function rename(store: QueryStore): Promise<void> {
    await store.edit(tree => renameConnection(tree, before, connection.name));
  }

  async function offer(): Promise<void> {
    const count = shared.reduce((sum, { queries }) => sum + queries.length, 0);
    const change = t('Change File');
    const sentence = t(
      "The workspace file uses '{0}' in {1}. On this machine, that connection is now named '{2}'. Other people may still use the old name.",
      ...[before, formatQueryCount(count), connection.name],
    );
    if ((await showInformationMessage(sentence, change)) !== change) return;
    for (const { store } of shared) await rename(store);
  }
}
