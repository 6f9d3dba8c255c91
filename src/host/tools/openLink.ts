import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isoDates, zoneOfDays } from '../../core/bins/dayInterval.ts';
import { datasetById } from '../../core/query/catalogue.ts';
import { absentConnection, type Connection } from '../../core/connections/connection.ts';
import { formatInstant } from '../../core/time/instant.ts';
import { requestedSpan, type Query } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { panelAnalysisOf } from '../../core/analysis/analysisSchema.ts';
import type { Analysis } from '../../shared/analysis.ts';
import { savedDisplayOf, type SavedDisplay, type SavedView } from '../../shared/savedView.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { readQueryArgument, resolvedNow } from '../query/queryArgument.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { replaceConnection } from '../connections/pickConnection.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { extensionId, uriPaths } from '../ids.ts';
import { InputError } from '../inputError.ts';
import type { QuerySession } from '../panel/querySession.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { setStatusBarMessage } from '../messages/messages.ts';
import { readLinkQuery, writeLinkQuery } from './linkQuery.ts';

const paramPrefix = 'param.';

/** The maximum length of a link that is read: several times that of a query with all its parameters. */
const longestLink = 8_000;

/**
 * Creates a link that opens exactly these hours in a panel with this view. A comparison with another range is pinned to
 * `comparedSpan`. VS Code asks the person before it opens a link from outside. Throws InputError if the view makes it too long.
 */
export function openLink(
  { dataset, interval, params, timeZone }: Query,
  { start, end }: Span,
  { name }: Connection,
  { analysis, display }: SavedView = {},
  against?: Span,
): string {
  const range = pinnedRange(interval, { start, end });
  const own = Object.entries(params).map(([param, value]) => [`${paramPrefix}${param}`, value] as const);
  const shown = display && Buffer.from(JSON.stringify(display)).toString('base64url');
  const asked = writeLinkQuery({
    dataset,
    range,
    interval,
    timeZone,
    connection: name,
    ...Object.fromEntries(own),
    ...(analysis && { analysis: JSON.stringify(pinned(analysis, interval, against)) }),
    ...(shown !== undefined && { display: shown }),
  });
  if (asked.length > longestLink)
    throw new InputError(t('This view is too long for a link. Save the query in the workspace to share it.'));
  return `${vscode.env.uriScheme}://${extensionId}${uriPaths.open}?${asked}`;
}

/** Replaces the compared range with its dates, because "last week" would be another week when the link is opened. */
function pinned(analysis: Analysis, interval: string, against: Span | undefined): Analysis {
  if (analysis.compare?.kind !== 'range' || !against) return analysis;
  return { ...analysis, compare: { kind: 'range', range: pinnedRange(interval, against) } };
}

/** Formats exactly these hours as the text of a range. */
function pinnedRange(interval: string, { start, end }: Span): string {
  const zone = zoneOfDays(interval);
  const dateOf = zone && isoDates(zone.timeZone);
  return dateOf ? `${dateOf(start)}..${dateOf(end - 1)}` : `${formatInstant(start)}..${formatInstant(end)}`;
}

/** Copies a link to the hours and the view of a panel. */
export async function copyLink(session: QuerySession): Promise<void> {
  const { query, connection } = session;
  const view = session.savedView();
  const { against } = session.result ?? {};
  const asked = against?.isFile ? undefined : against;
  const link = openLink(query, requestedSpan(session.resolved()), connection, view, asked);
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
    const { query, connection: name, view } = readOpenLink(uri);
    const connection = await connectionOf(name, deps);
    if (!connection) return;
    // Throws before a panel opens.
    resolvedNow(query, nowAt(connection));
    if (!sessions.reveal(query, connection, view)) await sessions.run(query, connection, { refresh: 'never', view });
  } catch (error) {
    await boundary.report(error);
  }
}

/** Finds the connection with this name, or asks for a replacement. Undefined if the person cancels. */
async function connectionOf(name: string, { connections, choices }: OpenLinksDeps): Promise<Connection | undefined> {
  const known = choices.find(name);
  if (known) return known;
  if (connections.list().length === 0) return absentConnection(name);
  return replaceConnection(connections, t("No connection named '{0}'. Select a connection.", name));
}

/** What a link opens. */
interface OpenLinkTarget {
  readonly query: Query;
  /** The name of the connection. */
  readonly connection: string;
  readonly view?: SavedView;
}

/** Parses a link. Throws InputError if it has anything unknown. */
export function readOpenLink(uri: Pick<vscode.Uri, 'path' | 'query'>): OpenLinkTarget {
  const incomplete = new InputError(t('Invalid link: it needs a dataset, a range and the name of a connection.'));
  if (uri.query.length > longestLink) throw new InputError(t('This link is too long. Use a shorter one.'));
  if (uri.path !== uriPaths.open) throw incomplete;
  const {
    dataset = '',
    range,
    interval,
    timeZone,
    connection,
    analysis,
    display,
    ...rest
  } = Object.fromEntries(readLinkQuery(uri.query));
  const known = datasetById(dataset);
  const unknown =
    known && Object.keys(rest).find(name => !known.params.some(param => name === `${paramPrefix}${param.name}`));
  if (unknown !== undefined) throw new InputError(t("Invalid link: unknown parameter '{0}'.", unknown));
  if (known && interval !== undefined && !known.intervals.includes(interval) && !zoneOfDays(interval))
    throw new InputError(t("Invalid link: unknown interval '{0}'.", interval));
  const params = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name.slice(paramPrefix.length), value]),
  );
  const { query } = readQueryArgument({ dataset, range, interval, timeZone, params });
  if (!query || !connection) throw incomplete;
  if (analysis === undefined && display === undefined) return { query, connection };
  const view = {
    ...(analysis !== undefined && { analysis: readLinkAnalysis(analysis) }),
    ...(display !== undefined && { display: readLinkDisplay(display) }),
  };
  return { query, connection, view };
}

/** Parses an analysis from JSON, without the parts that a panel cannot show. */
function readLinkAnalysis(text: string): Analysis {
  try {
    const analysis = panelAnalysisOf(JSON.parse(text));
    if (analysis) return analysis;
  } catch {
    // Reported below.
  }
  throw new InputError(
    t(
      'Invalid link: its analysis cannot be read. It is JSON with derive, where, compare, resample, find, score, missing, summarise or sort.',
    ),
  );
}

function readLinkDisplay(text: string): SavedDisplay {
  try {
    const display = savedDisplayOf(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (display) return display;
  } catch {
    // Reported below.
  }
  throw new InputError(t('Invalid link: its view cannot be read.'));
}
