import { t } from '@vscode/l10n';
import { createIsoDateFormatter, parseDayZone } from '../../core/bins/dayInterval.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { formatInstant } from '../../core/time/instant.ts';
import type { Query } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { SerializedView } from '../../shared/view.ts';
import { extensionId, uriPaths } from '../ids.ts';
import { InputError } from '../inputError.ts';

export const paramPrefix = 'param.';

/** The maximum length of a link, which is several times the length of a query with all its parameters. */
export const maxLinkLength = 8_000;

/**
 * Creates a link that opens exactly these hours in a panel with this view. A comparison with another range is pinned to
 * `comparedSpan`. `uriScheme`: the scheme of the editor, such as "vscode". VS Code asks the user before it opens a link from outside. Throws InputError if the view makes it too long.
 */
export function createOpenLink(
  uriScheme: string,
  { dataset, interval, params, timeZone }: Query,
  { start, end }: Span,
  { name }: Connection,
  { analysis, display }: SerializedView = {},
  comparedSpan?: Span,
): string {
  const range = formatPinnedRange(interval, { start, end });
  const paramEntries = Object.entries(params).map(([param, value]) => [`${paramPrefix}${param}`, value] as const);
  const encodedDisplay = display && Buffer.from(JSON.stringify(display)).toString('base64url');
  const linkQuery = serializeLinkQuery({
    dataset,
    range,
    interval,
    timeZone,
    connection: name,
    ...Object.fromEntries(paramEntries),
    ...(analysis && { analysis: JSON.stringify(pinComparison(analysis, interval, comparedSpan)) }),
    ...(encodedDisplay !== undefined && { display: encodedDisplay }),
  });
  if (linkQuery.length > maxLinkLength)
    throw new InputError(t('This view is too long for a link. Save the query in the workspace to share it.'));
  return `${uriScheme}://${extensionId}${uriPaths.open}?${linkQuery}`;
}

/** Replaces the compared range with its dates, because "last week" would be another week when the link is opened. */
function pinComparison(analysis: Analysis, interval: string, comparedSpan: Span | undefined): Analysis {
  if (analysis.compare?.kind !== 'range' || !comparedSpan) return analysis;
  return { ...analysis, compare: { kind: 'range', range: formatPinnedRange(interval, comparedSpan) } };
}

/** Formats exactly these hours as the text of a range. */
function formatPinnedRange(interval: string, { start, end }: Span): string {
  const zone = parseDayZone(interval);
  const formatDate = zone && createIsoDateFormatter(zone.timeZone);
  return formatDate ? `${formatDate(start)}..${formatDate(end - 1)}` : `${formatInstant(start)}..${formatInstant(end)}`;
}

/** The parameters of a link, by name. */
export type LinkParameters = Readonly<Record<string, string>>;

/**
 * Serializes the query of a link. VS Code decodes `Uri.query` once before it passes the link on, so names and values are
 * encoded twice.
 */
export function serializeLinkQuery(parameters: LinkParameters): string {
  return new URLSearchParams(parameters).toString().replaceAll('%', '%25');
}

/** Parses the `Uri.query` that VS Code passes on. If a name occurs twice, the first value counts. */
export function parseLinkQuery(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) if (!parameters.has(name)) parameters.set(name, value);
  return parameters;
}
