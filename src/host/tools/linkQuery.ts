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
