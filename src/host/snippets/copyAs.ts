import * as vscode from 'vscode';
import { isSampleConnection, type Connection } from '../../core/connections/connection.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import { seriesIdentity } from '../../core/query/seriesKey.ts';
import { keyVariable } from '../../core/snippets/snippetQuery.ts';
import { queryLanguages, querySnippets } from '../../core/snippets/querySnippets.ts';
import type { Archive } from '../../service/archive/archive.ts';
import { archivedData } from '../../service/archive/archivedData.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints, SandboxEndpoint } from '../../service/connections/connectionEndpoints.ts';
import { sourceOf } from '../../service/connections/endpoint.ts';
import { redactKey } from '../../service/connections/redact.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { resolvedNow } from '../query/resolvedNow.ts';
import { displayZone } from '../settings.ts';
import { dataChoices } from './copyDataSnippet.ts';
import { pickSnippet, type SnippetChoice } from './pickSnippet.ts';

/** A question that is to be said as a program. */
export interface CopiedQuestion {
  readonly query: Query;
  readonly connection: Connection;
}

/** What a snippet is made from, beside the question. */
export interface SnippetSources {
  readonly connections: Pick<Connections, 'keyOf'>;
  readonly sandbox: SandboxEndpoint;
  /** The longest range a series was found to take in one request, in milliseconds. */
  readonly longestOf: (series: string) => number | undefined;
  readonly archive: Pick<Archive, 'read'>;
  /** Its path on disk. */
  readonly archiveFolder: string;
}

export interface CopyAsDeps {
  readonly boundary: ErrorBoundary;
  readonly sources: SnippetSources;
  readonly state: KeyValueStore;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  /** The question a command is meant for: of a line, a panel or an argument; undefined where the person left. */
  readonly questionOf: (argument: unknown) => Promise<CopiedQuestion | undefined>;
}

/** “Copy as…”: a query as a program in several languages, which asks the service, or reads what the archive has of it. */
export function registerCopyAs(deps: CopyAsDeps): vscode.Disposable {
  const { sources, state } = deps;
  return deps.boundary.register(commands.copyAs, async argument => {
    const question = await deps.questionOf(argument);
    if (!question) return;
    const { connection } = question;
    const zone = displayZone();
    const resolved = resolvedNow(question.query, deps.nowAt(connection));
    const { timeZone } = resolved.days?.zone ?? zone;
    const choices = await choicesFor(resolved, connection, timeZone, sources);
    await pickSnippet(choices, vscode.l10n.t('Copy {0} as', resolved.range), state);
  });
}

async function choicesFor(
  query: ResolvedQuery,
  connection: Connection,
  timeZone: string,
  sources: SnippetSources,
): Promise<SnippetChoice[]> {
  const { t } = vscode.l10n;
  const isSandbox = connection.service === 'sandbox';
  const { baseUrl, key, source } = isSandbox
    ? await sources.sandbox.ensureRunning()
    : {
        baseUrl: connection.baseUrl,
        key: (await sources.connections.keyOf(connection)) ?? '',
        source: sourceOf(connection.baseUrl),
      };
  const series = { source, dataset: query.dataset.id, interval: query.interval };
  const longestMs = sources.longestOf(seriesIdentity({ ...series, params: {} }));
  const asking = queryLanguages.map((language): SnippetChoice => {
    const { name, editorLanguage, use, write } = querySnippets[language];
    // Whatever a person put into an address or a parameter.
    const text = redactKey(write({ baseUrl, query, timeZone, longestMs, sample: isSampleConnection(connection) }), key);
    const copied = isSandbox
      ? t('Copied as {0}. Sample Data does not share its key: enter the address of your service instead.', name)
      : t('Copied as {0}. It reads the key from {1}.', name, keyVariable);
    const group = t('Queries the service');
    return {
      id: language,
      name,
      description: t(use),
      group,
      language: editorLanguage,
      text,
      copied,
    };
  });
  const kept = await archivedData(sources.archive, sources.archiveFolder, { source, query, timeZone });
  const reads = query.days
    ? t('Reads the archive, without a key: the hours of the days')
    : t('Reads the archive, without a key');
  return kept ? [...asking, ...dataChoices(kept, reads)] : asking;
}
