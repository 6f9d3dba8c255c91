/** The parameters of a link, by name. */
export type LinkQuery = Readonly<Record<string, string>>;

/**
 * Serializes the query of a link. VS Code decodes `Uri.query` once before it passes the link on, so names and values are
 * encoded twice.
 */
export function writeLinkQuery(asked: LinkQuery): string {
  return new URLSearchParams(asked).toString().replaceAll('%', '%25');
}

/** Parses the `Uri.query` that VS Code passes on. If a name occurs twice, the first value counts. */
export function readLinkQuery(query: string): Map<string, string> {
  const asked = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) if (!asked.has(name)) asked.set(name, value);
  return asked;
}
