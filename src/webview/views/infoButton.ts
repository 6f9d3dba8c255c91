import { html, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { TabTexts } from '../../presentation/result/computedRows.ts';
import { icon } from './icon.ts';

/**
 * Renders a button that opens a text about how the displayed rows are computed. `id` is the id of the text, which must be unique in
 * the page.
 */
export function infoButton(id: string, text: string): TemplateResult {
  return html`<button
      type="button"
      class="info-button"
      popovertarget=${id}
      title=${text}
      aria-label=${t('How This Is Calculated')}
    >
      ${icon('info')}
    </button>
    <div id=${id} class="info" popover role="note">${text}</div>`;
}

/** Renders the row above the table of a tab: its controls, a description of the rows, and a button for how they are computed. */
export function renderTabHead(tab: string, controls: TemplateResult, { sentence, methods }: TabTexts): TemplateResult {
  return html`<div class="tab-head">
    ${controls}
    <p class="tab-sentence" role="status" title=${sentence}>${sentence}</p>
    ${infoButton(`${tab}-about`, methods.join('\n') || sentence)}
  </div>`;
}
