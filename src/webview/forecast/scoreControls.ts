import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { demandField } from '../../shared/fields.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { ScoreGrouping, ScoreChoice } from '../../shared/scorecard.ts';
import { columnSelect, labeledSelect } from '../views/labeledSelect.ts';
import type { ResolvedScoreChoice } from '../../core/forecast/scoreChoice.ts';

interface ScoreControls {
  readonly score: ResolvedScoreChoice;
  readonly change: (change: Partial<ScoreChoice>) => void;
  /** Shows the forecast error in the chart. Undefined if there is no error to show. */
  readonly showInChart: (() => void) | undefined;
}

/** Renders the controls above the scores, which select the columns to compare and the grouping. */
export function scoreControls({ score, change, showInChart }: ScoreControls): TemplateResult {
  const { actual, forecast, actuals, forecasts, by, groupings } = score;
  const groupingNames = getGroupingNames(actual);
  return html`<div class="tab-controls" role="group" aria-label=${t('Forecast')}>
    ${columnSelect(t('Actual'), actuals, actual, name => change({ actual: name }))}
    ${columnSelect(t('Forecast'), forecasts, forecast, name => change({ forecast: name }))}
    ${labeledSelect(
      t('By'),
      groupings.map(grouping => [grouping, groupingNames[grouping]]),
      by,
      grouping => change({ by: grouping }),
    )}
    <span class="tab-buttons">
      <vscode-button secondary ?disabled=${!showInChart} @click=${showInChart}>${t('Show in Chart')}</vscode-button>
    </span>
  </div>`;
}

function getGroupingNames(actual: NumberColumn): Readonly<Record<ScoreGrouping, string>> {
  return {
    all: t('All Hours'),
    hourOfDay: t('Hour of Day'),
    weekday: t('Weekday'),
    monthOfYear: t('Month'),
    season: t('Season'),
    tariffPeriod: t('Tariff Period'),
    band: actual.name === demandField ? t('Band of Demand') : t('Band of Actual'),
    worst: t('Worst Hours'),
  };
}
