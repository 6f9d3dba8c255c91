import * as vscode from 'vscode';

/**
 * What the product says of a failure in parentheses, for the person: a text of `failureDetails`, with a place in the answer
 * or a code behind it, which stay. The service's own words stay as they are.
 */
export function detailText(detail: string): string {
  const { t } = vscode.l10n;
  const place = /^(.+) at character (\d+)$/.exec(detail);
  if (place) return t('{0} at character {1}', t(place[1] ?? ''), place[2] ?? '');
  const coded = /^(.+) (\([A-Z][A-Z0-9_]*\))$/.exec(detail);
  return coded ? `${t(coded[1] ?? '')} ${coded[2] ?? ''}` : t(detail);
}
