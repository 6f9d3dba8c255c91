import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '@vscode/l10n';
import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import type { FilterContext } from '../../core/filter/filterTypes.ts';
import { filterHelp, filterProblemText } from '../rows/filterWords.ts';
import { parseFilters } from '../rows/parseFilter.ts';
import type { PanelView } from '../../shared/savedView.ts';

interface FilterBarModel {
  readonly frame: Frame;
  /** What is typed, by column. */
  readonly filters: PanelView['filters'];
  readonly locale: string;
  readonly zone: DisplayZone;
  readonly tariffs: FilterContext['tariffs'];
  readonly change: (column: string, text: string) => void;
  readonly remove: (column: string) => void;
}

/** One field for each filter of a column in the frame, with its problem: invalid filters are not applied. Nothing without filters. */
export function filterBar({ frame, filters, locale, zone, tariffs, change, remove }: FilterBarModel) {
  const { problems } = parseFilters(frame, filters, { locale, timeZone: zone.timeZone, tariffs });
  const fields = Object.entries(filters).flatMap(([name, text]) => {
    const column = frame.columns.find(candidate => candidate.name === name);
    return column ? [{ name, text, column, problem: problems.get(name) }] : [];
  });
  if (fields.length === 0) return nothing;
  return html`<div class="filters" role="group" aria-label=${t('Filters')}>
    ${repeat(
      fields,
      ({ name }) => name,
      ({ name, text, column, problem }): TemplateResult => {
        const id = `filter-${name}`;
        const { label } = columnHeader(column);
        const help = filterHelp(column.kind, zone.label, tariffs);
        return html`<div class="filter ${problem ? 'wrong' : ''}">
          <label for=${id}>${label}</label>
          <input
            id=${id}
            data-filter=${name}
            type="text"
            spellcheck="false"
            title=${help}
            placeholder=${help.split('\n')[0] ?? ''}
            aria-invalid=${problem !== undefined}
            aria-describedby=${problem ? `${id}-problem` : nothing}
            .value=${text}
            @input=${(event: Event) => change(name, (event.target as HTMLInputElement).value)}
            @keydown=${(event: KeyboardEvent) => {
              if (event.key !== 'Escape') return;
              event.preventDefault();
              remove(name);
            }}
          />
          <button
            class="bare"
            aria-label=${t('Remove the filter of {0}', label)}
            title=${t('Remove this filter')}
            @click=${() => remove(name)}
          >
            <span class="codicon codicon-close" aria-hidden="true"></span>
          </button>
          ${problem ? html`<p id="${id}-problem" role="alert">${filterProblemText(problem)}</p>` : nothing}
        </div>`;
      },
    )}
  </div>`;
}
