/** What a link asks, by name. */
export type LinkQuery = Readonly<Record<string, string>>;

/**
 * The part of a link behind its question mark. VS Code undoes one encoding before it hands the link over (`Uri.query`), and
 * what stands between & and = has to be encoded still.
 */
export function writeLinkQuery(asked: LinkQuery): string {
  return new URLSearchParams(asked).toString().replaceAll('%', '%25');
}

/** Reads what VS Code hands over of a link. Where a name comes twice the first counts. */
export function readLinkQuery(query: string): Map<string, string> {
  const asked = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) if (!asked.has(name)) asked.set(name, value);
  return asked;
}
