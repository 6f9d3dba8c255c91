import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { live } from 'lit/directives/live.js';
import { t } from '@vscode/l10n';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import { eventBands, maxRampHours, eventChoices, unusualBins, type EventChoice } from '../../shared/eventSearch.ts';
import { unitOf } from '../../shared/units.ts';
import { getStressBandNames } from '../../presentation/columns/stressBand.ts';
import { columnSelect, labeledSelect } from '../views/labeledSelect.ts';
import { rove } from '../views/roving.ts';
import type { ResolvedEventChoice } from '../../core/events/resolveEventChoice.ts';
import {
  getEventChoiceNames,
  getUnusualBinNames,
  describeEventValueProblem,
} from '../../presentation/events/eventMessages.ts';

interface EventControlsModel {
  readonly choice: ResolvedEventChoice;
  readonly change: (change: Partial<EventChoice>) => void;
  /** The button that requests earlier rows for the comparison. Undefined if none can be requested. */
  readonly requestEarlier: { readonly label: string; readonly run: () => void } | undefined;
  /** Undefined if there is no event to show. */
  readonly showInChart: (() => void) | undefined;
  readonly showInTable: (() => void) | undefined;
}

/** Renders the controls above the table of events: the search settings, and buttons for the focused event. */
export function eventControls({
  choice,
  change,
  requestEarlier,
  showInChart,
  showInTable,
}: EventControlsModel): TemplateResult {
  const { kind, kinds, hours, band, by, columns, searched, intervalMs } = choice;
  const names = getEventChoiceNames();
  const hasColumn = kind !== 'ocgt' && kind !== 'band';
  const hasValue = kind === 'ramp' || kind === 'over' || kind === 'under' || kind === 'condition';
  const button = (label: string, run: (() => void) | undefined): TemplateResult =>
    html`<vscode-button secondary ?disabled=${!run} @click=${run}>${label}</vscode-button>`;
  return html`<div class="tab-controls" role="group" aria-label=${t('Search for Events')}>
    ${labeledSelect(
      t('Find'),
      kinds.map(option => [option, names[option]]),
      kind,
      // Clears the search value, which has no meaning for another kind of event.
      value => change({ kind: eventChoices.find(option => option === value) ?? kind, value: undefined }),
    )}
    ${
      hasColumn
        ? columnSelect(t('Column'), columns, searched, name =>
            change({ column: name, ...(kind !== 'condition' && { value: undefined }) }),
          )
        : nothing
    }
    ${hasValue ? valueInput(choice, change) : nothing}
    ${
      kind === 'ramp'
        ? labeledSelect(
            t('Hours'),
            Array.from({ length: maxRampHours }, (_, index) => [String(index + 1), String(index + 1)]),
            String(hours),
            value => change({ hours: Number(value) }),
          )
        : nothing
    }
    ${
      kind === 'unusual'
        ? labeledSelect(
            t('By'),
            unusualBins.map(bin => [bin, getUnusualBinNames(intervalMs)[bin]]),
            by,
            value => change({ by: unusualBins.find(bin => bin === value) ?? by }),
          )
        : nothing
    }
    ${
      kind === 'band'
        ? labeledSelect(
            t('Minimum Band'),
            eventBands.map(option => [option, getStressBandNames()[option]]),
            band,
            value => change({ band: eventBands.find(option => option === value) ?? band }),
          )
        : nothing
    }
    <span class="tab-buttons" role="toolbar" aria-label=${t('Event')} ${ref(rove)}>
      ${requestEarlier ? button(requestEarlier.label, requestEarlier.run) : nothing}
      ${button(t('Show in Chart'), showInChart)} ${button(t('Show in Table'), showInTable)}
    </span>
  </div>`;
}

function valueInput(choice: ResolvedEventChoice, change: EventControlsModel['change']): TemplateResult {
  const { kind, value, searched, problem } = choice;
  const isCondition = kind === 'condition';
  const unit = isCondition ? '' : unitOf(searched.field).text;
  const label = isCondition ? t('Condition') : kind === 'ramp' ? t('Change of at Least') : t('Value');
  return html`<label class=${[problem ? 'wrong' : '', isCondition ? 'condition' : ''].join(' ')}
    >${label}
    <input
      type="text"
      inputmode=${isCondition ? 'text' : 'decimal'}
      spellcheck="false"
      maxlength=${isCondition ? derivedLimits.formula : 40}
      aria-invalid=${problem !== undefined}
      aria-describedby=${problem ? 'event-problem' : nothing}
      .value=${live(value)}
      @input=${(event: Event) => change({ value: (event.target as HTMLInputElement).value })}
    />${unit ? html`<span class="event-unit">${unit}</span>` : nothing}
    ${problem ? html`<span id="event-problem" class="event-problem" role="alert">${describeEventValueProblem(choice)}</span>` : nothing}
  </label>`;
}
