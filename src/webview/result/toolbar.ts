import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { ActionOffer, DisplayZone, PanelAction } from '../../shared/protocol.ts';
import { toolbarButtons } from '../views/actionButtons.ts';
import type { Act } from '../views/actionButtons.ts';
import { rove } from '../views/roving.ts';
import { resultTabs, type ResultTab } from './panelView.ts';
import { shortZone } from '../../core/zone.ts';

/** Everything the toolbar shows and does. */
export interface ToolbarModel {
  readonly actions: readonly ActionOffer[];
  readonly act: Act;
  readonly range: string;
  readonly interval: string;
  readonly tab: ResultTab;
  readonly setTab: (tab: ResultTab) => void;
  readonly zone: DisplayZone;
  readonly zones: readonly DisplayZone[];
  readonly setZone: (zone: DisplayZone) => void;
  /** Opens the menu of all that is not in the row. */
  readonly more: (anchor: DOMRect) => void;
}

/** Actions with a button of their own; the others are in the menu. */
const inRow: readonly PanelAction[] = ['refresh', 'previousPeriod', 'nextPeriod'];
/** It comes and goes with the answer: behind the buttons that are pressed again and again, so that it never slips under the pointer. */
const sometimes: readonly PanelAction[] = ['fetchMissing'];
/** What is done with a result, at the end of the row. */
const atTheEnd: readonly PanelAction[] = ['save', 'export', 'openInEditor'];

/** What goes into the menu. */
export function menuActions(actions: readonly ActionOffer[]): readonly ActionOffer[] {
  return actions.filter(
    ({ action }) =>
      ![...inRow, ...sometimes].includes(action) && action !== 'changeQuery' && !atTheEnd.includes(action),
  );
}

/** One row over the result; wraps where it is narrow. */
export function toolbar(model: ToolbarModel): TemplateResult {
  const { actions, act } = model;
  const offered = (names: readonly PanelAction[]) => actions.filter(({ action }) => names.includes(action));
  return html`<div class="toolbar">
    <div class="tools" role="toolbar" aria-label=${t('Query')}>
      ${toolbarButtons(offered(inRow), act)}
      ${picker('changeQuery', model.range, t('Range: {0}. Change the query.', model.range), act)}
      ${picker('chooseInterval', model.interval, t('Interval: {0}. Choose another.', model.interval), act)}
      ${toolbarButtons(offered(sometimes), act)}
    </div>
    ${tabs(model.tab, model.setTab)} ${zones(model)}
    <div class="tools" role="toolbar" aria-label=${t('Result')}>
      ${toolbarButtons(offered(atTheEnd), act)}
      <vscode-toolbar-button
        class="more-button"
        icon="ellipsis"
        label=${t('More Actions')}
        title=${t('More Actions')}
        aria-haspopup="menu"
        @click=${(event: Event) => model.more((event.currentTarget as HTMLElement).getBoundingClientRect())}
      ></vscode-toolbar-button>
    </div>
  </div>`;
}

function picker(action: PanelAction, text: string, tooltip: string, act: Act): TemplateResult {
  return html`<button class="toolbar-choice" data-action=${action} title=${tooltip} @click=${() => act(action)}>
    ${text}<span class="codicon codicon-chevron-down" aria-hidden="true"></span>
  </button>`;
}

function tabs(chosen: ResultTab, choose: (tab: ResultTab) => void): TemplateResult {
  const names: Readonly<Record<ResultTab, string>> = {
    table: t('Table'),
    chart: t('Chart'),
    statistics: t('Statistics'),
    raw: t('Raw'),
  };
  return html`<div class="tabs" role="tablist" aria-label=${t('View')} @keydown=${rove}>
    ${resultTabs.map(
      tab =>
        html`<button
          id="tab-${tab}"
          role="tab"
          data-tab=${tab}
          aria-selected=${tab === chosen}
          aria-controls="result-${tab}"
          tabindex=${tab === chosen ? 0 : -1}
          @click=${() => choose(tab)}
        >
          ${names[tab]}
        </button>`,
    )}
  </div>`;
}

function zones({ zone, zones: offered, setZone }: ToolbarModel): TemplateResult {
  const all = offered.some(({ timeZone }) => timeZone === zone.timeZone) ? offered : [...offered, zone];
  return html`<div class="zones" role="radiogroup" aria-label=${t('Time zone')} @keydown=${rove}>
    ${all.map(one => {
      const chosen = one.timeZone === zone.timeZone;
      return html`<button
        role="radio"
        data-zone=${one.timeZone}
        aria-checked=${chosen}
        tabindex=${chosen ? 0 : -1}
        title=${t('Show times in {0}', one.label)}
        @click=${() => (chosen ? undefined : setZone(one))}
      >
        ${shortName(one)}
      </button>`;
    })}
  </div>`;
}

/** "SAST" for "SAST (UTC+2)", "Berlin" for "Europe/Berlin": the tooltip has the whole. */
function shortName(zone: DisplayZone): string {
  return shortZone(zone).replace(/^.*\//, '').replaceAll('_', ' ');
}
