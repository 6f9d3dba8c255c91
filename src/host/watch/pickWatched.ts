import * as vscode from 'vscode';
import { datasetById } from '../../core/query/catalogue.ts';
import { showQuickPick } from '../messages/messages.ts';
import { intervalName } from '../messages/numbers.ts';
import { UnavailableError } from '../inputError.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';

export interface PickWatchedOptions {
  readonly placeHolder: string;
  readonly accepts: (item: WatchedItem) => boolean;
  /** What to say where no query is accepted. */
  readonly none: string;
}

/** The saved query whose line a command was called from, or of the id it was called with; else the one the person picks. */
export async function watchedItem(
  queries: Pick<SavedQueriesPort, 'all' | 'settle'>,
  argument: unknown,
  { placeHolder, accepts, none }: PickWatchedOptions,
): Promise<WatchedItem | undefined> {
  await queries.settle();
  const id = typeof argument === 'string' ? argument : idOfNode(argument);
  if (id !== undefined) {
    const item = queries.all().find(one => one.id === id);
    if (!item) throw new UnavailableError(vscode.l10n.t('This saved query no longer exists.'));
    return item;
  }
  const items = queries.all().filter(accepts);
  if (items.length === 0) throw new UnavailableError(none);
  const chosen = await showQuickPick(items.map(watchedPick), {
    placeHolder,
    matchOnDescription: true,
  });
  return chosen?.item;
}

/** A saved query as an item of a quick pick. */
export function watchedPick(item: WatchedItem): vscode.QuickPickItem & { readonly item: WatchedItem } {
  const { name, query, connection } = item.query;
  const { t } = vscode.l10n;
  const home = item.home === 'workspace' ? [t('workspace')] : [];
  const asks = [datasetById(query.dataset)?.title ?? query.dataset, query.range, intervalName(query.interval)];
  return { label: name, description: [...asks, ...(connection ? [connection] : []), ...home].join(' · '), item };
}

/** Lines of the view Saved Queries hold their home and their item. */
function idOfNode(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('home' in argument) || !('item' in argument))
    return undefined;
  const { home, item } = argument as { home: { readonly key?: unknown }; item: { readonly id?: unknown } };
  return typeof home.key === 'string' && typeof item.id === 'string' ? `${home.key}/${item.id}` : undefined;
}
