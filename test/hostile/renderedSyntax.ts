import { lexer, walkTokens } from 'marked';

/*
 * Finds the syntax that VS Code would interpret in a text, with the grammar of its src/vs/base/common/linkedText.ts and
 * iconLabels.ts, and with its Markdown library.
 */

const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

/** Finds the links of a notification, a prompt or a validation message. */
export function findLinks(text: string): string[] {
  return Array.from(text.matchAll(link), ([, , href = '']) => href);
}

/** Finds the icons of a label. */
export function findIcons(text: string): string[] {
  return Array.from(text.matchAll(icon), ([, , name = '']) => name);
}

/** Finds Markdown syntax other than text, paragraphs and our bold heading. */
export function findMarkdownSyntax(markdown: string): string[] {
  const matches: string[] = [];
  void walkTokens(lexer(markdown), token => {
    if (!['paragraph', 'text', 'escape', 'space', 'strong'].includes(token.type))
      matches.push(`${token.type} ${token.raw}`);
  });
  return matches;
}

/** Returns the text that rendered Markdown shows. */
export function toPlainText(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('**', '');
}
