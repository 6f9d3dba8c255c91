import type { NextLink } from './readAnswer.ts';

export type NextPage =
  | { readonly kind: 'none' }
  | { readonly kind: 'page'; readonly query: [name: string, value: string][] }
  /** The link leads to another path, or is none: it is not followed. */
  | { readonly kind: 'elsewhere' };

/**
 * The next page of a paginated answer (Django REST framework's `next`). Only the link's query parameters are taken: the
 * address stays our own, so that no response can send the key to another place, nor from https down to http.
 */
export function nextPage(link: NextLink, path: string): NextPage {
  if (link === null) return { kind: 'none' };
  if (link === false || !URL.canParse(link, 'http://base.invalid')) return { kind: 'elsewhere' };
  const url = new URL(link, `http://base.invalid${path}`);
  const samePath = trimmed(url.pathname).endsWith(trimmed(path)) && url.search !== '';
  return samePath ? { kind: 'page', query: [...url.searchParams] } : { kind: 'elsewhere' };
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '');
}
