import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '@vscode/l10n';
import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { columnHead } from '../columns/head.ts';
import { parseFilters } from '../rows/filterRows.ts';
import { filterHelp, filterProblemText } from '../rows/filterTypes.ts';

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

/** The filters of the columns there are, each with what is wrong with it. */
export function filterFields(
  frame: Frame,
  filters: Readonly<Record<string, string>>,
  locale: string,
  zone: DisplayZone,
): FilterField[] {
  const { problems } = parseFilters(frame, filters, { locale, timeZone: zone.timeZone });
  return Object.entries(filters).flatMap(([column, text]): FilterField[] => {
    const found = frame.columns.find(({ name }) => name === column);
    if (!found) return [];
    const problem = problems.get(column);
    return [
      {
        column,
        text,
        label: columnHead(found).label,
        help: filterHelp(found.kind, zone.label),
        problem: problem && filterProblemText(problem),
      },
    ];
  });
}
