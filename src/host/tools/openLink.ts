import * as vscode from 'vscode';
import type { Connection } from '../../core/connection.ts';
import { formatInstant } from '../../core/instant.ts';
import type { Query } from '../../core/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { Connections } from '../../service/connections.ts';
import { readQueryArgument } from '../commands/queryArgument.ts';
import { connectionFor } from '../commands/queryCommands.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { extensionId, uriPaths } from '../ids.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { readLinkQuery, writeLinkQuery } from './linkQuery.ts';

const paramPrefix = 'param.';

/** A link that opens these very hours in a panel. VS Code asks the person before it follows one from outside. */
export function openLink({ dataset, interval, params }: Query, { start, end }: Span, { name }: Connection): string {
  const range = `${formatInstant(start)}..${formatInstant(end)}`;
  const own = Object.entries(params).map(([param, value]) => [`${paramPrefix}${param}`, value] as const);
  const asked = writeLinkQuery({ dataset, range, interval, connection: name, ...Object.fromEntries(own) });
  return `${vscode.env.uriScheme}://${extensionId}${uriPaths.open}?${asked}`;
}

export interface OpenLinksDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly sessions: Pick<QuerySessions, 'run'>;
}

/** Follows such links, wherever they come from: what opens is what the archive has, and no request is sent for it. */
export function registerOpenLinks({ boundary, connections, sessions }: OpenLinksDeps): vscode.Disposable {
  return vscode.window.registerUriHandler({
    async handleUri(uri) {
      try {
        const { query, connection } = readOpenLink(uri);
        await sessions.run(query, connectionFor(connections, connection), 'never');
      } catch (error) {
        await boundary.report(error);
      }
    },
  });
}

/** The question of a link. Throws InputError. */
export function readOpenLink(uri: Pick<vscode.Uri, 'path' | 'query'>): {
  query: Query;
  connection: string | undefined;
} {
  const asked = readLinkQuery(uri.query);
  const of = (name: string): Record<string, string> => {
    const value = asked.get(name);
    return value === undefined ? {} : { [name]: value };
  };
  const params = [...asked].flatMap(([name, value]) =>
    name.startsWith(paramPrefix) ? [[name.slice(paramPrefix.length), value] as const] : [],
  );
  const argument = { ...of('dataset'), ...of('range'), ...of('interval'), ...of('connection') };
  const { query, connection } = readQueryArgument({ ...argument, params: Object.fromEntries(params) });
  if (uri.path !== uriPaths.open || !query)
    throw new InputError(vscode.l10n.t('This link opens nothing: it needs a dataset and a range.'));
  return { query, connection };
}
