import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '@vscode/l10n';

/** One filter as it is typed. */
export interface FilterField {
  readonly column: string;
  readonly label: string;
  readonly text: string;
  /** What is wrong with the text; the filter does not count then. */
  readonly problem: string | undefined;
  /** What can be typed for this kind of column. */
  readonly help: string;
}

export interface FilterBarModel {
  readonly filters: readonly FilterField[];
  readonly change: (column: string, text: string) => void;
  readonly remove: (column: string) => void;
}

/** The filters in force, one field a column. Gone where there is none. */
export function filterBar({ filters, change, remove }: FilterBarModel): TemplateResult | typeof nothing {
  if (filters.length === 0) return nothing;
  return html`<div class="filters" role="group" aria-label=${t('Filters')}>
    ${repeat(
      filters,
      ({ column }) => column,
      ({ column, label, text, problem, help }) => {
        const id = `filter-${column}`;
        return html`<div class="filter ${problem === undefined ? '' : 'wrong'}">
          <label for=${id}>${label}</label>
          <input
            id=${id}
            data-filter=${column}
            type="text"
            spellcheck="false"
            title=${help}
            placeholder=${help.split('\n')[0] ?? ''}
            aria-invalid=${problem !== undefined}
            aria-describedby=${problem === undefined ? nothing : `${id}-problem`}
            .value=${text}
            @input=${(event: Event) => change(column, (event.target as HTMLInputElement).value)}
            @keydown=${(event: KeyboardEvent) => {
              if (event.key !== 'Escape') return;
              event.preventDefault();
              remove(column);
            }}
          />
          <button
            class="bare"
            aria-label=${t('Remove the filter of {0}', label)}
            title=${t('Remove this filter')}
            @click=${() => remove(column)}
          >
            <span class="codicon codicon-close" aria-hidden="true"></span>
          </button>
          ${problem === undefined ? nothing : html`<p id="${id}-problem" role="alert">${problem}</p>`}
        </div>`;
      },
    )}
  </div>`;
}
