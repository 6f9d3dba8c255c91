import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';

export interface FindModel {
  readonly open: boolean;
  readonly text: string;
  /** “2 of 7, 16 Nov 18:00”, “No results” or nothing while it is looked for. */
  readonly found: string;
  readonly change: (text: string) => void;
  readonly next: (backwards: boolean) => void;
  readonly close: () => void;
}

/** The find box, above the table. */
export function findBar(model: FindModel): TemplateResult | typeof nothing {
  if (!model.open) return nothing;
  const button = (icon: string, label: string, act: () => void) =>
    html`<button class="bare" aria-label=${label} title=${label} @click=${act}>
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    </button>`;
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') model.next(event.shiftKey);
    if (event.key === 'Escape') model.close();
    if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault();
  };
  return html`<div class="find" role="search" @keydown=${pressed}>
    <input
      class="find-text"
      type="text"
      spellcheck="false"
      aria-label=${t('Find in the table')}
      placeholder=${t('Find')}
      .value=${model.text}
      @input=${(event: Event) => model.change((event.target as HTMLInputElement).value)}
    />
    <span role="status">${model.found}</span>
    ${button('arrow-up', t('Previous match (Shift+Enter, Shift+F3)'), () => model.next(true))}
    ${button('arrow-down', t('Next match (Enter, F3)'), () => model.next(false))}
    ${button('close', t('Close (Escape)'), model.close)}
  </div>`;
}
