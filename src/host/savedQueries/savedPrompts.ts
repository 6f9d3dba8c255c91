import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Query } from '../../core/query/query.ts';
import { maxNoteLength } from '../../core/savedQueries/savedItem.ts';
import { walk } from '../../core/savedQueries/walk.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { showQuickPick } from '../messages/messages.ts';
import { promptQuery, type QueryPromptOptions } from '../query/queryPrompt.ts';
import { formatCount } from '../messages/numbers.ts';
import {
  input,
  describeNameProblem,
  pick,
  type StepOutcome,
  type StepPosition,
  type PromptStep,
} from '../messages/prompts.ts';
import { formatQuery } from './savedMessages.ts';
import type { StorePosition } from './savedEdits.ts';
import type { SavedEntry, QueryStore } from './queryStore.ts';

/** The values that the user entered for a saved query. */
export interface SavedDraft {
  readonly name: string;
  readonly query: Query;
  /** The name of a connection; undefined for the active connection. */
  readonly connection: string | undefined;
}

export interface SavedPromptOptions extends Omit<QueryPromptOptions, 'connection' | 'more' | 'last'> {
  /** The existing query, whose values all steps show first. */
  readonly before:
    | { readonly name: string; readonly query: Query; readonly connection?: string | undefined }
    | undefined;
  readonly last: Query | undefined;
  readonly connections: Pick<Connections, 'list'>;
  readonly title: string;
}

/** Prompts for a query, its connection (if there is a choice) and its name. Returns undefined if the user cancels. */
export async function promptSaved(options: SavedPromptOptions): Promise<SavedDraft | undefined> {
  const { before, connections, title } = options;
  let name = before?.name ?? '';
  let connection = before?.connection;
  const extraSteps = (getQuery: () => Query): PromptStep[] => [
    {
      isNeeded: () => connections.list().length > 1 || before?.connection !== undefined,
      prompt: async position => {
        const outcome = await pickQueryConnection(position, connections, connection);
        if (outcome.kind === 'next') connection = outcome.value.connection;
        return outcome;
      },
    },
    {
      prompt: async position => {
        const outcome = await inputName(position, name || formatQuery(getQuery()));
        if (outcome.kind === 'next') name = outcome.value;
        return outcome;
      },
    },
  ];
  const last = before?.query ?? options.last;
  const query = await promptQuery({ ...options, last, title, connection: before?.connection ?? '', extraSteps });
  return query && { name, query, connection };
}

/** Prompts for a name. Returns undefined if the user cancels. */
export async function promptSavedName(title: string, value: string): Promise<string | undefined> {
  const outcome = await inputName({ title, step: 1, total: 1, first: true }, value);
  return outcome.kind === 'next' ? outcome.value : undefined;
}

/** Prompts for the note that appears in reports. Returns an empty text to remove it, and undefined if the user cancels. */
export async function promptNote(title: string, value: string): Promise<string | undefined> {
  const outcome = await input(
    { title, step: 1, total: 1, first: true },
    {
      prompt: t('Enter a note for reports; ↵ starts a new line. Leave empty to remove it.'),
      // An input box has only one line.
      value: value.replaceAll(/\r?\n/g, ' ↵ '),
      validate: text =>
        text.length > maxNoteLength ? t('Enter at most {0} characters.', formatCount(maxNoteLength)) : undefined,
    },
  );
  return outcome.kind === 'next' ? outcome.value.replaceAll(/ *↵ */g, '\n') : undefined;
}

async function inputName(position: StepPosition, value: string): Promise<StepOutcome<string>> {
  const outcome = await input(position, {
    prompt: t('The name in the sidebar'),
    value,
    validate: describeNameProblem,
  });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.trim() } : outcome;
}

type ConnectionItem = vscode.QuickPickItem & { readonly connection: string | undefined };

async function pickQueryConnection(
  position: StepPosition,
  connections: Pick<Connections, 'list'>,
  current: string | undefined,
): Promise<StepOutcome<ConnectionItem>> {
  const names = connections.list().map(({ name }) => name);
  if (current !== undefined && !names.includes(current)) names.push(current);
  const items: ConnectionItem[] = [
    { label: t('The Active Connection'), description: t('whichever it is when the query runs'), connection: undefined },
    ...names.map(name => ({ label: name, connection: name })),
  ];
  items.sort((a, b) => Number(b.connection === current) - Number(a.connection === current));
  return pick(position, { placeholder: t('Select a connection'), items: () => items });
}

type DestinationItem = vscode.QuickPickItem & StorePosition;

/** Prompts for a store or a folder in it. If there is only one choice, returns it without a prompt. Returns undefined if the user cancels. */
export async function pickDestination(
  stores: readonly QueryStore[],
  placeHolder: string,
): Promise<StorePosition | undefined> {
  const items = stores.flatMap(store => listDestinations(store));
  const [firstItem] = items;
  if (items.length <= 1) return firstItem;
  return showQuickPick(items, { placeHolder, matchOnDescription: true });
}

function listDestinations(store: QueryStore): DestinationItem[] {
  const names = new Map<string, string>();
  const description =
    store.kind === 'personal'
      ? t('in your profile; Settings Sync copies them to your other machines')
      : t('in .vscode/grid-queries.json, for everybody with this folder');
  const storeItem: DestinationItem = {
    label: store.name,
    description,
    store,
    iconPath: new vscode.ThemeIcon(store.kind === 'personal' ? 'account' : 'root-folder'),
  };
  const folders = walk(store.tree()).flatMap(({ item, path }): DestinationItem[] => {
    if (item.kind !== 'folder') return [];
    names.set(item.id, item.name);
    const label = [store.name, ...path.map(id => names.get(id) ?? ''), item.name].join(' › ');
    return [{ label, iconPath: vscode.ThemeIcon.Folder, store, folder: item.id }];
  });
  return [storeItem, ...folders];
}

type EntryItem<T extends SavedEntry> = vscode.QuickPickItem & { readonly entry: T };

/** Prompts for saved items. Returns an empty array if the user cancels. Throws UnavailableError if there are no items. */
export async function pickEntries<T extends SavedEntry>(
  entries: readonly T[],
  placeHolder: string,
  mode: 'one' | 'several',
): Promise<readonly T[]> {
  if (entries.length === 0)
    throw new UnavailableError(t('No saved queries yet.'), {
      title: t('New Saved Query…'),
      command: commands.newSavedQuery,
    });
  const items = entries.map((entry): EntryItem<T> => {
    const { item, store } = entry;
    const text = item.kind === 'query' ? formatQuery(item.query) : t('folder');
    return { label: item.name, description: `${text} · ${store.name}`, entry };
  });
  const options = { placeHolder, matchOnDescription: true };
  if (mode === 'several') {
    const selected = await showQuickPick(items, { ...options, canPickMany: true });
    return selected?.map(({ entry }) => entry) ?? [];
  }
  const selected = await showQuickPick(items, options);
  return selected ? [selected.entry] : [];
}
