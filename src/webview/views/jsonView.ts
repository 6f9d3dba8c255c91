import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { jsonPieces } from '../../core/json/formatJson.ts';
import { maxRawLength } from '../../shared/protocol.ts';
import { hidden, hiddenName } from '../../presentation/columns/visibleText.ts';

/** Most elements for hidden characters: further ones are written as their names, and copied so. */
const mostMarks = 2_000;

/** JSON as text, its hidden characters marked by their names. Blocks outside the view are not laid out. */
export function jsonView(text: string): TemplateResult {
  const { blocks, cut } = cutJson(text);
  let marks = 0;
  const contentOf = (block: string): (string | TemplateResult)[] => {
    const parts: (string | TemplateResult)[] = [];
    let from = 0;
    for (const { 0: character, index } of block.matchAll(hidden)) {
      if (marks === mostMarks) return [...parts, block.slice(from).replace(hidden, hiddenName)];
      marks++;
      // Its name is drawn by the stylesheet: what is copied is the character as received.
      const marked = html`<span class="hidden-character" data-name=${hiddenName(character)}>${character}</span>`;
      parts.push(block.slice(from, index), marked);
      from = index + character.length;
    }
    return [...parts, block.slice(from)];
  };
  return html`<div class="json" tabindex="0" role="region" aria-label=${t('JSON')}>
    ${blocks.map(block => html`<pre>${contentOf(block)}</pre>`)}
    ${cut ? html`<p class="more">${t('Too long to show in full. Open it in the editor.')}</p>` : nothing}
  </div>`;
}

/** Selects the text of the JSON in `root` and nothing around it, unless a field has the keyboard. Returns whether it did. */
export function selectJson(root: HTMLElement): boolean {
  const blocks = root.querySelectorAll('.json pre');
  const [first, last] = [blocks[0], blocks[blocks.length - 1]];
  if (!first || !last || document.activeElement instanceof HTMLInputElement) return false;
  document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
  return true;
}

/** Wrapping one long word takes a browser more than linear time. */
const longestLine = 2_000;
const linesPerBlock = 200;
const longestBlock = 20_000;

/**
 * JSON laid out for the page, in blocks of lines that are drawn one by one: at most 2,000,000 characters and 2,000 in a line.
 * What is beyond is neither read nor laid out.
 */
export function cutJson(text: string): { readonly blocks: readonly string[]; readonly cut: boolean } {
  let laidOut = '';
  for (const piece of jsonPieces(text.slice(0, maxRawLength))) {
    laidOut += piece;
    if (laidOut.length > maxRawLength) break;
  }
  let cut = text.length > maxRawLength || laidOut.length > maxRawLength;
  const lastLine = laidOut.length > maxRawLength ? laidOut.lastIndexOf('\n', maxRawLength) : -1;
  const blocks: string[] = [];
  let [block, lines]: [string, number] = ['', 0];
  for (const line of (lastLine > 0 ? laidOut.slice(0, lastLine) : laidOut).split('\n')) {
    const isLong = line.length > longestLine;
    const shown = isLong ? `${line.slice(0, longestLine)}…` : line;
    cut ||= isLong;
    if (lines === linesPerBlock || (lines > 0 && block.length + shown.length > longestBlock)) {
      blocks.push(block);
      [block, lines] = ['', 0];
    }
    block += lines > 0 ? `\n${shown}` : shown;
    lines++;
  }
  return { blocks: [...blocks, block], cut };
}
