import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { formatJsonPieces } from '../../core/json/formatJson.ts';
import { maxRawLength } from '../../shared/protocol.ts';
import { hiddenCharacters, formatHiddenCharacter } from '../../presentation/columns/visibleText.ts';

/** The maximum number of elements that mark hidden characters. Further hidden characters are replaced by their names, also in copied text. */
const maxMarks = 2_000;

/** Renders JSON as text. Hidden characters are displayed as their names. The text is split into blocks, because browsers skip the layout of blocks outside the view. */
export function jsonView(text: string): TemplateResult {
  const { blocks, isCut } = layOutJson(text);
  let markCount = 0;
  const renderBlock = (block: string): (string | TemplateResult)[] => {
    const parts: (string | TemplateResult)[] = [];
    let from = 0;
    for (const { 0: character, index } of block.matchAll(hiddenCharacters)) {
      if (markCount === maxMarks) return [...parts, block.slice(from).replace(hiddenCharacters, formatHiddenCharacter)];
      markCount++;
      // The stylesheet displays the name, so that copied text has the received character.
      const mark = html`<span class="hidden-character" data-name=${formatHiddenCharacter(character)}
        >${character}</span
      >`;
      parts.push(block.slice(from, index), mark);
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

/** The maximum length of a line. It is limited because browsers wrap very long words slowly. */
const maxLineLength = 2_000;
const linesPerBlock = 200;
const maxBlockLength = 20_000;

/**
 * Formats JSON for the page, in blocks of lines that the browser lays out separately. The text is cut after 2,000,000 characters,
 * and each line after 2,000.
 */
export function layOutJson(text: string): { readonly blocks: readonly string[]; readonly isCut: boolean } {
  let formattedText = '';
  for (const piece of formatJsonPieces(text.slice(0, maxRawLength))) {
    formattedText += piece;
    if (formattedText.length > maxRawLength) break;
  }
  let isCut = text.length > maxRawLength || formattedText.length > maxRawLength;
  const lastLine = formattedText.length > maxRawLength ? formattedText.lastIndexOf('\n', maxRawLength) : -1;
  const blocks: string[] = [];
  let [block, lineCount]: [string, number] = ['', 0];
  for (const line of (lastLine > 0 ? formattedText.slice(0, lastLine) : formattedText).split('\n')) {
    const isLineCut = line.length > maxLineLength;
    const visibleText = isLineCut ? `${line.slice(0, maxLineLength)}…` : line;
    isCut ||= isLineCut;
    if (lineCount === linesPerBlock || (lineCount > 0 && block.length + visibleText.length > maxBlockLength)) {
      blocks.push(block);
      [block, lineCount] = ['', 0];
    }
    block += lineCount > 0 ? `\n${visibleText}` : visibleText;
    lineCount++;
  }
  return { blocks: [...blocks, block], isCut };
}
