import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { hidden, hiddenName } from '../columns/visibleText.ts';
import { cutJson } from './cutJson.ts';

/** Each costs an element: further hidden characters are written out, and copied so. */
const mostMarks = 2_000;

/** JSON as text, its hidden characters with their names before them. Blocks outside the view cost no layout. */
export function jsonView(text: string): TemplateResult {
  const { blocks, cut } = cutJson(text);
  let marks = 0;
  const contentOf = (block: string): (string | TemplateResult)[] => {
    const parts: (string | TemplateResult)[] = [];
    let from = 0;
    for (const { 0: character, index } of block.matchAll(hidden)) {
      if (marks === mostMarks) return [...parts, block.slice(from).replace(hidden, hiddenName)];
      marks++;
      parts.push(block.slice(from, index), markedCharacter(character));
      from = index + character.length;
    }
    return [...parts, block.slice(from)];
  };
  return html`<div class="json" tabindex="0" role="region" aria-label=${t('JSON')}>
    ${blocks.map(block => html`<pre>${contentOf(block)}</pre>`)}
    ${cut ? html`<p class="more">${t('Too long to show in full. Open it in the editor to see all of it.')}</p>` : nothing}
  </div>`;
}

/** Its name is of the style sheet: what is copied is the character as received. */
function markedCharacter(character: string): TemplateResult {
  return html`<span class="hidden-character" data-name=${hiddenName(character)}>${character}</span>`;
}

/** Selects the text of the JSON in `root` and nothing around it, unless a field has the keyboard. Returns whether it did. */
export function selectJson(root: HTMLElement): boolean {
  const blocks = root.querySelectorAll('.json pre');
  const [first, last] = [blocks[0], blocks[blocks.length - 1]];
  if (!first || !last || document.activeElement instanceof HTMLInputElement) return false;
  document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
  return true;
}
