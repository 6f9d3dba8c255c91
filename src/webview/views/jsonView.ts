import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { formatJsonPieces } from '../../core/json/formatJson.ts';
import { maxRawLength } from '../../shared/protocol.ts';
import { hiddenCharacters, formatHiddenCharacter } from '../../presentation/columns/visibleText.ts';

/** The maximum number of elements for hidden characters. Further ones are replaced by their names, also when copied. */
const maxMarks = 2_000;

/** Renders JSON as text, with hidden characters marked by their names. The browser does not lay out blocks outside the view. */
export function jsonView(text: string): TemplateResult {
  const { blocks, isCut } = layOutJson(text);
  let marks = 0;
  const renderBlock = (block: string): (string | TemplateResult)[] => {
    const parts: (string | TemplateResult)[] = [];
    let from = 0;
    for (const { 0: character, index } of block.matchAll(hiddenCharacters)) {
      if (marks === maxMarks) return [...parts, block.slice(from).replace(hiddenCharacters, formatHiddenCharacter)];
      marks++;
      // The stylesheet draws the name, so that a copy has the received character.
      const marked = html`<span class="hidden-character" data-name=${formatHiddenCharacter(character)}
        >${character}</span
      >`;
      parts.push(block.slice(from, index), marked);
      from = index + character.length;
    }
    return [...parts, block.slice(from)];
  };
  return html`<div class="json" tabindex="0" role="region" aria-label=${t('JSON')}>
    ${blocks.map(block => html`<pre>${renderBlock(block)}</pre>`)}
    ${isCut ? html`<p class="more">${t('Too long to show in full. Open it in the editor.')}</p>` : nothing}
  </div>`;
}

/** Selects the text of the JSON in `root`, unless a text field has the focus. Returns whether it selected the text. */
export function selectJson(root: HTMLElement): boolean {
  const blocks = root.querySelectorAll('.json pre');
  const first = blocks[0];
  const last = blocks[blocks.length - 1];
  if (!first || !last || document.activeElement instanceof HTMLInputElement) return false;
  document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
  return true;
}

/** The maximum length of a line, because browsers need more than linear time to wrap a long word. */
const maxLineLength = 2_000;
const linesPerBlock = 200;
const maxBlockLength = 20_000;

/**
 * Formats JSON for the page, in blocks of lines that the browser lays out separately. The text is cut after 2,000,000 characters,
 * and each line after 2,000.
 */
export function layOutJson(text: string): { readonly blocks: readonly string[]; readonly isCut: boolean } {
  let laidOut = '';
  for (const piece of formatJsonPieces(text.slice(0, maxRawLength))) {
    laidOut += piece;
    if (laidOut.length > maxRawLength) break;
  }
  let isCut = text.length > maxRawLength || laidOut.length > maxRawLength;
  const lastLine = laidOut.length > maxRawLength ? laidOut.lastIndexOf('\n', maxRawLength) : -1;
  const blocks: string[] = [];
  let [block, lines]: [string, number] = ['', 0];
  for (const line of (lastLine > 0 ? laidOut.slice(0, lastLine) : laidOut).split('\n')) {
    const isLong = line.length > maxLineLength;
    const visibleText = isLong ? `${line.slice(0, maxLineLength)}…` : line;
    isCut ||= isLong;
    if (lines === linesPerBlock || (lines > 0 && block.length + visibleText.length > maxBlockLength)) {
      blocks.push(block);
      [block, lines] = ['', 0];
    }
    block += lines > 0 ? `\n${visibleText}` : visibleText;
    lines++;
  }
  return { blocks: [...blocks, block], isCut };
}
