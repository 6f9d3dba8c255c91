import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { cutJson } from './cutJson.ts';

/** JSON as text. Blocks outside the view cost no layout. */
export function jsonView(text: string): TemplateResult {
  const { blocks, cut } = cutJson(text);
  return html`<div class="json" tabindex="0" role="region" aria-label=${t('JSON')}>
    ${blocks.map(block => html`<pre .textContent=${block}></pre>`)}
    ${cut ? html`<p class="more">${t('The rest is too long for this view. Open it in the editor to see all of it.')}</p>` : nothing}
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
