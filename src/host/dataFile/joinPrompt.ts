import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { JoinedSource } from '../../service/query/joinSources.ts';
import type { JoinSource, QuerySource } from '../../shared/analysis.ts';
import { dataFileExtensions, fileName, pickFiles } from './readFile.ts';
import { sourceName } from '../messages/joined.ts';
import { datasetTitle } from '../messages/catalogue.ts';
import { showQuickPick } from '../messages/messages.ts';
import { intervalName } from '../messages/numbers.ts';
import type { PanelRequest } from '../panel/sessionState.ts';

/** The maximum number of files of the workspace that the quick pick lists. */
const maxListedFiles = 100;

interface SourceItem extends vscode.QuickPickItem {
  readonly createSource?: () => JoinSource | Promise<JoinSource | undefined>;
}

/** Asks for a source of columns: a data file, a saved query, another connection, or a table of the extension. Undefined if the user cancels. */
export async function promptSource(
  { query, connection }: PanelRequest,
  connections: readonly Connection[],
  queries: readonly SavedQuery[],
  createFileSource: (file: vscode.Uri) => Promise<JoinSource>,
): Promise<JoinSource | undefined> {
  // JSON files of a workspace are mostly settings.
  const extensions = dataFileExtensions.filter(extension => extension !== 'json' && extension !== 'txt');
  const files = await vscode.workspace.findFiles(
    `**/*.{${extensions.join(',')}}`,
    '**/{node_modules,.*}/**',
    maxListedFiles,
  );
  const fileItems = files
    .toSorted((first, second) => first.path.localeCompare(second.path))
    .map((uri): SourceItem => ({
      label: fileName(uri),
      description: vscode.workspace.asRelativePath(uri).slice(0, -fileName(uri).length - 1),
      createSource: async () => createFileSource(uri),
    }));
  const browse: SourceItem = {
    label: t('Browse…'),
    createSource: async () => {
      const [uri] = await pickFiles(t('Add Columns From'));
      return uri && createFileSource(uri);
    },
  };
  const createQueryItem = (source: QuerySource): SourceItem => ({
    label: source.name,
    description: [datasetTitle(source.dataset), intervalName(source.interval), source.connection].join(' · '),
    createSource: () => source,
  });
  const { dataset, interval, params } = query;
  const queryItems = queries.map(({ name, analysis, ...saved }) =>
    createQueryItem({
      kind: 'query',
      name,
      dataset: saved.query.dataset,
      interval: saved.query.interval,
      params: saved.query.params,
      connection: saved.connection ?? connection.name,
      ...(analysis?.derive && { derive: analysis.derive }),
    }),
  );
  const connectionItems = connections
    .filter(({ id }) => id !== connection.id)
    .map(({ name }) => createQueryItem({ kind: 'query', name, dataset, interval, params, connection: name }));
  const capacity: SourceItem = {
    label: sourceName({ kind: 'installedCapacity' }),
    description: t('wind, PV and CSP in South Africa'),
    createSource: () => ({ kind: 'installedCapacity' }),
  };
  const picked = await showQuickPick<SourceItem>(
    [
      ...createGroup(t('Data Files'), [...fileItems, browse]),
      ...createGroup(t('Saved Queries'), queryItems),
      ...createGroup(t('Connections'), connectionItems),
      ...createGroup(t('Tables'), [capacity]),
    ],
    {
      title: t('Add Columns From'),
      placeHolder: t('Select a source. Its columns are joined to the rows by time.'),
      matchOnDescription: true,
    },
  );
  return picked?.createSource?.();
}

function createGroup(label: string, items: readonly SourceItem[]): SourceItem[] {
  return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}

/** Asks which sources to remove, and returns the others. Undefined if the user cancels. */
export async function promptRemoval(sources: readonly JoinSource[]): Promise<readonly JoinSource[] | undefined> {
  if (sources.length === 1) return [];
  const picked = await showQuickPick(
    sources.map(source => ({ label: sourceName(source), source })),
    { title: t('Remove Joined Columns'), placeHolder: t('Select a source') },
  );
  return picked && sources.filter(source => source !== picked.source);
}

/** Returns the sources with the present content and options of their files. */
export function acceptChangedFiles(
  sources: readonly JoinSource[],
  joined: readonly JoinedSource[],
): readonly JoinSource[] {
  return sources.map(source => joined.find(joinedSource => joinedSource.source === source)?.changedTo ?? source);
}
