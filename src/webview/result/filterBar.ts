import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '@vscode/l10n';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { createColumnHeader } from '../../presentation/columns/columnHeader.ts';
import { listCalendarNotes, formatFilterHelp, formatFilterProblem } from '../rows/filterMessages.ts';
import { parseFilters } from '../../core/filter/parseFilter.ts';
import type { View } from '../../shared/view.ts';
import { maxFilterLength, type TimeRange } from '../../shared/analysis.ts';
import { formatChartWindow } from '../../presentation/result/windowText.ts';
import { iconButton } from '../views/icon.ts';
import { rove } from '../views/roving.ts';
import type { ResultRows } from '../../core/analysis/resultRows.ts';

interface FilterBarModel {
  readonly state: Pick<ResultRows, 'frame' | 'zone' | 'tariffs'>;
  /** The typed filters by column. */
  readonly filters: View['filters'];
  readonly locale: string;
  readonly change: (column: string, text: string) => void;
  readonly remove: (column: string) => void;
  /** The time window that also limits the rows; undefined for the whole range. */
  readonly window: TimeRange | undefined;
  /** Removes the time window. */
  readonly showAll: () => void;
  /** A note on how the rows are resampled. */
  readonly note?: string | undefined;
}

/**
 * Renders the time window that limits the rows, and a field for each filter of an existing column. An invalid filter is not applied. Its
 * error is displayed instead. Renders nothing if there is no window, no filter and no note.
 */
export function filterBar({ state, filters, locale, change, remove, window, showAll, note }: FilterBarModel) {
  const { frame, zone, tariffs } = state;
  const context = { locale, timeZone: zone.timeZone, tariffs };
  const { problems } = parseFilters(frame, filters, context);
  const fields = Object.entries(filters).flatMap(([name, text]) => {
    const column = frame.columns.find(candidate => candidate.name === name);
    return column ? [{ name, text, column, problem: problems.get(name) }] : [];
  });
  const notes = new Set(
    [note ?? [], fields.map(({ column, text }) => listCalendarNotes(column, text, context))].flat(2),
  );
  if (fields.length === 0 && !window && note === undefined) return nothing;
  return html`<div class="filters" role="group" aria-label=${t('Filters')} ${ref(rove)}>
    ${window ? windowField(formatChartWindow(window, findTimeColumn(frame)?.bins ?? zone, locale), showAll) : nothing}
    ${[...notes].map(text => html`<p class="note">${text}</p>`)}
    ${repeat(
      fields,
      ({ name }) => name,
      ({ name, text, column, problem }): TemplateResult => {
        const id = `filter-${name}`;
        const { label } = createColumnHeader(column);
        const help = formatFilterHelp(column.kind, zone.label, tariffs);
        return html`<div class="filter ${problem ? 'wrong' : ''}">
          <label for=${id}>${label}</label>
          <input
            id=${id}
            data-filter=${name}
            type="text"
            spellcheck="false"
            maxlength=${maxFilterLength}
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
          ${iconButton('close', t('Remove the filter of {0}', label), () => remove(name), t('Remove this filter'))}
          ${problem ? html`<p id="${id}-problem" role="alert">${formatFilterProblem(problem)}</p>` : nothing}
        </div>`;
      },
    )}
  </div>`;
}

function windowField(text: string, showAll: () => void): TemplateResult {
  return html`<div class="filter"><span>${text}</span>${iconButton('close', t('Show Whole Range'), showAll)}</div>`;
}
