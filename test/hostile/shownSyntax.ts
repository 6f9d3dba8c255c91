import { lexer, walkTokens } from 'marked';

/*
 * What VS Code makes of a text, by its own grammar: src/vs/base/common/linkedText.ts and iconLabels.ts, and for Markdown the
 * library that it has.
 */

const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

/** Links of a notification, prompt or message under an input box. */
export function linksIn(text: string): string[] {
  return Array.from(text.matchAll(link), ([, , href = '']) => href);
}

/** Icons of a label. */
export function iconsIn(text: string): string[] {
  return Array.from(text.matchAll(icon), ([, , name = '']) => name);
}

/** What Markdown has beside text, paragraphs and the bold heading of our own. */
export function syntaxIn(markdown: string): string[] {
  const found: string[] = [];
  void walkTokens(lexer(markdown), token => {
    if (!['paragraph', 'text', 'escape', 'space', 'strong'].includes(token.type))
      found.push(`${token.type} ${token.raw}`);
  });
  return found;
}

/** The text that is read where Markdown is shown. */
export function plainTextOf(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('**', '');
}
