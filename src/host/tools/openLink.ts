import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseDayZone } from '../../core/bins/dayInterval.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import { createAbsentConnection, type Connection } from '../../core/connections/connection.ts';
import { getRequestedSpan, type Query } from '../../core/query/query.ts';
import { parsePanelAnalysis } from '../../core/analysis/analysisSchema.ts';
import type { Analysis } from '../../shared/analysis.ts';
import { parseDisplay, type SerializedDisplay, type SerializedView } from '../../shared/view.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { parseQueryArgument, resolveQueryAt } from '../query/queryArgument.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { pickReplacement } from '../connections/pickConnection.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { uriPaths } from '../ids.ts';
import { InputError } from '../inputError.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { setStatusBarMessage } from '../messages/messages.ts';
import { createOpenLink, maxLinkLength, paramPrefix, parseLinkQuery } from './linkQuery.ts';

/** Copies a link to the hours and the view of a panel. */
export async function copyLink(session: QuerySession): Promise<void> {
  const { query, connection } = session;
  const view = session.serializeView();
  const { comparedRange } = session.result ?? {};
  const comparedSpan = comparedRange?.isFile ? undefined : comparedRange;
  const link = createOpenLink(
    vscode.env.uriScheme,
    query,
    getRequestedSpan(session.resolve()),
    connection,
    view,
    comparedSpan,
  );
  await vscode.env.clipboard.writeText(link);
  setStatusBarMessage(t('Copied a link to this result.'), 5_000);
}

export interface OpenLinksDeps {
  readonly boundary: Pick<ErrorBoundary, 'report'>;
  readonly connections: Connections;
  readonly choices: Pick<ConnectionChoices, 'find'>;
  readonly sessions: Pick<QuerySessions, 'reveal' | 'run'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
}

/**
 * Opens a link from any source. The rows come from the archive, without a request. A panel that is already open is revealed
 * and keeps running.
 */
export async function followLink(uri: Pick<vscode.Uri, 'path' | 'query'>, deps: OpenLinksDeps): Promise<void> {
  const { boundary, sessions, nowAt } = deps;
  try {
    const { query, connection: name, view } = parseOpenLink(uri);
    const connection = await findConnection(name, deps);
    if (!connection) return;
    // An invalid range throws before a panel opens.
    resolveQueryAt(query, nowAt(connection));
    if (!sessions.reveal(query, connection, view)) await sessions.run(query, connection, { refresh: 'never', view });
  } catch (error) {
    await boundary.report(error);
  }
}

/** Finds the connection with this name, or prompts for a replacement. Returns undefined if the user cancels. */
async function findConnection(name: string, { connections, choices }: OpenLinksDeps): Promise<Connection | undefined> {
  const knownConnection = choices.find(name);
  if (knownConnection) return knownConnection;
  if (connections.list().length === 0) return createAbsentConnection(name);
  return pickReplacement(connections, t("No connection named '{0}'. Select a connection.", name));
}

interface OpenLinkTarget {
  readonly query: Query;
  /** The name of the connection. */
  readonly connection: string;
  readonly view?: SerializedView;
}

/** Parses a link. Throws InputError if any part of it is unknown. */
export function parseOpenLink(uri: Pick<vscode.Uri, 'path' | 'query'>): OpenLinkTarget {
  const incomplete = new InputError(t('Invalid link: it needs a dataset, a range and the name of a connection.'));
  if (uri.query.length > maxLinkLength) throw new InputError(t('This link is too long. Use a shorter one.'));
  if (uri.path !== uriPaths.open) throw incomplete;
  const {
    dataset = '',
    range,
    interval,
    timeZone,
    connection,
    analysis,
    display,
    ...otherParams
  } = Object.fromEntries(parseLinkQuery(uri.query));
  const knownDataset = findDataset(dataset);
  const unknownParam =
    knownDataset &&
    Object.keys(otherParams).find(name => !knownDataset.params.some(param => name === `${paramPrefix}${param.name}`));
  if (unknownParam !== undefined) throw new InputError(t("Invalid link: unknown parameter '{0}'.", unknownParam));
  if (knownDataset && interval !== undefined && !knownDataset.intervals.includes(interval) && !parseDayZone(interval))
    throw new InputError(t("Invalid link: unknown interval '{0}'.", interval));
  const params = Object.fromEntries(
    Object.entries(otherParams).map(([name, value]) => [name.slice(paramPrefix.length), value]),
  );
  const { query } = parseQueryArgument({ dataset, range, interval, timeZone, params });
  if (!query || !connection) throw incomplete;
  if (analysis === undefined && display === undefined) return { query, connection };
  const view = {
    ...(analysis !== undefined && { analysis: parseLinkAnalysis(analysis) }),
    ...(display !== undefined && { display: parseLinkDisplay(display) }),
  };
  return { query, connection, view };
}

/** Parses an analysis from JSON, without the parts that a panel cannot show. */
function parseLinkAnalysis(text: string): Analysis {
  try {
    const analysis = parsePanelAnalysis(JSON.parse(text));
    if (analysis) return analysis;
  } catch {
    // The error is thrown below.
  }
  throw new InputError(
    t(
      'Invalid link: its analysis cannot be read. It is JSON with join, derive, where, compare, resample, find, score, missing, summarize or sort.',
    ),
  );
}

function parseLinkDisplay(text: string): SerializedDisplay {
  try {
    const display = parseDisplay(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (display) return display;
  } catch {
    // The error is thrown below.
  }
  throw new InputError(t('Invalid link: its view cannot be read.'));
}
