import { html, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { RowWords } from '../../presentation/result/computedRows.ts';
import { icon } from './icon.ts';

/**
 * A button that shows how what is on screen is made: definitions stand behind it, so that the rows and the plot come first. `id`: that of
 * the text, one in the page.
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

/** One row over the table of a tab: its controls, what the rows are, and behind a button how they are made. */
export function tabHead(tab: string, controls: TemplateResult, { sentence, methods }: RowWords): TemplateResult {
  return html`<div class="tab-head">
    ${controls}
    <p class="tab-sentence" role="status" title=${sentence}>${sentence}</p>
    ${infoButton(`${tab}-about`, methods.join('\n') || sentence)}
  </div>`;
}
