import { marked } from 'marked';
import type { Token } from 'marked';

/**
 * The links and pictures of a packed README that lead nowhere from the marketplace: what is no https address, no heading of
 * its own, or a file that the repository does not have. `readText` returns the text of a file of the repository, undefined
 * without one.
 */
export function brokenLinks(
  readme: string,
  repository: string,
  readText: (path: string) => string | undefined,
): string[] {
  const leads = (target: string): boolean => {
    if (target.startsWith('#')) return headingIds(readme).has(target.slice(1));
    const path = ['blob', 'raw'].map(kind => `${repository}/${kind}/HEAD/`).find(start => target.startsWith(start));
    if (path === undefined) return target.startsWith('https://');
    const [file = '', heading] = decodeURIComponent(target.slice(path.length)).split('#');
    const text = readText(file);
    return text !== undefined && (heading === undefined || headingIds(text).has(heading));
  };
  return targetsOf(readme).filter(target => !leads(target));
}

/** Where links and pictures lead, of Markdown and of HTML in it. */
function targetsOf(markdown: string): string[] {
  const targets: string[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(String(token['href']));
    if (token.type !== 'html') return;
    for (const [, target = ''] of token.raw.matchAll(/\s(?:href|src|srcset)\s*=\s*["']([^"']*)["']/gi))
      targets.push(target);
  });
  return targets;
}

/** The anchors that GitHub and the marketplace give to headings. */
export function headingIds(markdown: string): Set<string> {
  const ids = new Set<string>();
  for (const token of marked.lexer(markdown)) {
    if (token.type !== 'heading') continue;
    const id = String(token['text'])
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let own = id;
    for (let again = 1; ids.has(own); again++) own = `${id}-${again}`;
    ids.add(own);
  }
  return ids;
}
