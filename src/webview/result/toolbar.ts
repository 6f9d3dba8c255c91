import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import { formatShortZone } from '../../core/time/zone.ts';
import {
  presetActions,
  type ActionOffer,
  type DisplayZone,
  type PanelAction,
  type QueryTools,
} from '../../shared/protocol.ts';
import { openPopupMenu, type MenuItem } from '../grid/popupMenu.ts';
import { toolbarButtons, type Act, type ButtonOffer } from '../views/actionButtons.ts';
import type { ResultTab } from '../../shared/view.ts';
import { icon } from '../views/icon.ts';
import { rove } from '../views/roving.ts';

/** The contents and actions of the toolbar of a result. */
interface ToolbarModel {
  readonly tools: QueryTools;
  /** Whether the Export button has a label beside its icon. */
  readonly showsExportLabel: boolean;
  readonly act: Act;
  readonly tab: ResultTab;
  /** The available tabs in display order. */
  readonly tabs: readonly ResultTab[];
  readonly setTab: (tab: ResultTab) => void;
  /** The reasons why tabs cannot be opened. */
  readonly disabledTabs: Readonly<Partial<Record<ResultTab, string>>>;
  readonly zone: DisplayZone;
  readonly zones: readonly DisplayZone[];
  readonly setZone: (zone: DisplayZone) => void;
  /** The button for resampling; undefined if the rows cannot be resampled. */
  readonly resample: ResampleChoice | undefined;
  /** Opens the More Actions menu. */
  readonly openMoreActions: (anchor: DOMRect) => void;
}

/** The button for resampling. */
export interface ResampleChoice {
  /** The name of the current choice; undefined for received rows. */
  readonly name: string | undefined;
  /** Opens the menu of choices. */
  readonly open: (anchor: DOMRect) => void;
}

/** The actions of the query that have buttons. */
const queryActions: readonly PanelAction[] = ['refresh', 'previousPeriod', 'nextPeriod', 'changeQuery'];
/** Actions that only some results have. They come last, so that the other buttons never move under the pointer. */
const occasionalActions: readonly PanelAction[] = ['fetchMissing'];
/** The actions on a result. Their buttons are at the end of the toolbar. */
const resultActions: readonly PanelAction[] = ['save', 'export', 'openInEditor'];

/** Whether the button of an action is hidden because the toolbar has no room for it. */
function isHidden(action: PanelAction): boolean {
  const button = document.querySelector(`.toolbar [data-action=${action}]`);
  return resultActions.includes(action) && button?.checkVisibility() === false;
}

/** Lists the actions of the More Actions menu. They include actions whose buttons do not fit in the toolbar. */
export function menuActions({ actions, isChanged }: QueryTools): readonly ActionOffer[] {
  const actionsWithButtons: readonly PanelAction[] = [
    ...queryActions,
    ...occasionalActions,
    ...resultActions,
    ...presetActions,
    // The Events tab shows this action itself.
    'requestEarlier',
  ];
  // Save As is omitted if the query is not saved, because Save then prompts for a name too.
  return actions.filter(
    ({ action }) =>
      (isHidden(action) || !actionsWithButtons.includes(action)) && (action !== 'saveAs' || isChanged !== undefined),
  );
}

/** Renders the toolbar above the result. It wraps if there is little room. */
export function toolbar(model: ToolbarModel): TemplateResult {
  const { tools, act } = model;
  return html`<div class="toolbar" role="toolbar" aria-label=${t('Query and Result')} ${ref(rove)}>
    ${queryTools(tools, act, false, model.resample)} ${tabs(model.tab, model.tabs, model.setTab, model.disabledTabs)}
    ${zonePicker(model)}
    <div class="tools" role="group" aria-label=${t('Result')}>
      ${toolbarButtons(resultOffers(tools, model.showsExportLabel), act)}
      <vscode-toolbar-button
        class="more-button"
        icon="ellipsis"
        label=${t('More Actions')}
        title=${t('More Actions')}
        aria-haspopup="menu"
        @click=${(event: Event) => model.openMoreActions((event.currentTarget as HTMLElement).getBoundingClientRect())}
      ></vscode-toolbar-button>
    </div>
  </div>`;
}

/**
 * Renders the toolbar of a panel without a table. The user can select another period, range or interval, even during a request.
 * If `isWaiting` is set, a request is running and Refresh is disabled.
 */
export function plainToolbar(
  tools: QueryTools,
  act: Act,
  tabRow: TemplateResult | undefined,
  { isWaiting, namesExport }: { readonly isWaiting: boolean; readonly namesExport: boolean },
): TemplateResult {
  // Without a menu, all result actions have buttons.
  const offers = resultOffers(tools, namesExport);
  return html`<div class="toolbar" role="toolbar" aria-label=${t('Query and Result')} ${ref(rove)}>
    ${queryTools(tools, act, isWaiting)} ${tabRow ?? nothing}
    ${
      offers.length > 0
        ? html`<div class="tools" role="group" aria-label=${t('Result')}>${toolbarButtons(offers, act)}</div>`
        : nothing
    }
  </div>`;
}

function queryTools(tools: QueryTools, act: Act, isWaitingForRows = false, resample?: ResampleChoice): TemplateResult {
  const { range, interval } = tools;
  const buttons = (...actions: readonly PanelAction[]) =>
    toolbarButtons(
      findOffers(tools, actions).map(offer => ({ ...offer, inert: isWaitingForRows && offer.action === 'refresh' })),
      act,
    );
  return html`<div class="tools" role="group" aria-label=${t('Query')}>
    ${buttons('refresh', 'previousPeriod')} ${range === undefined ? nothing : rangePicker(tools, range, act)}
    ${buttons('nextPeriod')}
    ${
      interval === undefined
        ? nothing
        : picker('chooseInterval', interval, t('Interval: {0}. Choose another.', interval), act)
    }
    ${resample ? resampleButton(resample) : nothing} ${toolbarButtons(findOffers(tools, occasionalActions), act)}
  </div>`;
}

/** Renders the button that opens the range menu: the presets, Other Range and Change Query. The current preset is checked. */
function rangePicker(tools: QueryTools, range: string, act: Act): TemplateResult {
  const { days } = tools;
  const presets = findOffers(tools, presetActions).map(({ action, label }): MenuItem => ({
    label: days === undefined ? label : `${label} (${days})`,
    checked: action === tools.preset,
    separatorBefore: action === 'yesterday' || action === 'monthToDate',
    run: () => act(action),
  }));
  const otherRange = { label: t('Other Range…'), separatorBefore: true, run: () => act('chooseRange') };
  const query = findOffers(tools, ['changeQuery']).map(({ action, label }) => ({ label, run: () => act(action) }));
  const open = (event: Event): void =>
    openPopupMenu(
      [...presets, otherRange, ...query],
      (event.currentTarget as HTMLElement).getBoundingClientRect(),
      t('Range'),
    );
  return html`<button
    class="toolbar-choice"
    data-action="chooseRange"
    title=${t('Range: {0}. Choose another.', range)}
    aria-haspopup="menu"
    @click=${open}
  >
    <span class="range-icon">${icon('calendar')}</span><span class="range-text">${range}${icon('chevron-down')}</span>
  </button>`;
}

/** Returns the buttons of the result. Save has a filled star for a saved query, and a disk if there are changes to save. */
function resultOffers(tools: QueryTools, namesExport: boolean): readonly ButtonOffer[] {
  const { savedAs, isChanged } = tools;
  return findOffers(tools, resultActions).map(offer => {
    if (offer.action === 'export' && namesExport) return { ...offer, text: t('Export') };
    if (offer.action !== 'save' || savedAs === undefined) return offer;
    if (isChanged) return { ...offer, icon: 'save', label: t("Save Changes to '{0}'", savedAs) };
    const label = isChanged === undefined ? t("Saved as '{0}'. Save again…", savedAs) : t("Saved as '{0}'", savedAs);
    return { ...offer, icon: 'star-full', label };
  });
}

function findOffers({ actions }: QueryTools, names: readonly PanelAction[]): readonly ActionOffer[] {
  return actions.filter(({ action }) => names.includes(action));
}

function picker(action: PanelAction, text: string, tooltip: string, act: Act): TemplateResult {
  return html`<button class="toolbar-choice" data-action=${action} title=${tooltip} @click=${() => act(action)}>
    ${text}${icon('chevron-down')}
  </button>`;
}

function resampleButton({ name, open }: ResampleChoice): TemplateResult {
  const help = name ? t('Resampled: {0}. Choose another.', name) : t('Resample to days, months, hours of the day…');
  return html`<button
    class="toolbar-choice"
    data-choice="resample"
    title=${help}
    aria-haspopup="menu"
    @click=${(event: Event) => open((event.currentTarget as HTMLElement).getBoundingClientRect())}
  >
    ${name ?? t('Resample')}${icon('chevron-down')}
  </button>`;
}

/** Renders the tabs of a result. A menu replaces them if there is no room. */
export function tabs(
  selectedTab: ResultTab,
  availableTabs: readonly ResultTab[],
  openTab: (tab: ResultTab) => void,
  disabledTabs: ToolbarModel['disabledTabs'] = {},
): TemplateResult {
  const labels: Readonly<Record<ResultTab, string>> = {
    table: t('Table'),
    chart: t('Chart'),
    split: t('Split'),
    statistics: t('Statistics'),
    forecast: t('Forecast'),
    events: t('Events'),
    raw: t('Raw'),
  };
  const items = availableTabs.map((tab): MenuItem => {
    return {
      label: labels[tab],
      checked: tab === selectedTab,
      disabled: disabledTabs[tab] !== undefined,
      run: () => openTab(tab),
    };
  });
  return html`<div class="tabs" role="tablist" aria-label=${t('View')} ${ref(rove)}>
      ${availableTabs.map((tab, index) => {
        // Uses Control on a Mac too, because Command+Shift+digit takes screenshots.
        const keys = navigator.platform.startsWith('Mac') ? `⌃⇧${index + 1}` : `Ctrl+Shift+${index + 1}`;
        const help = tab === 'split' ? t('Chart and table in one view') : labels[tab];
        return html`<button
          id="tab-${tab}"
          role="tab"
          data-tab=${tab}
          aria-selected=${tab === selectedTab}
          aria-controls="result-${tab}"
          aria-disabled=${disabledTabs[tab] === undefined ? nothing : true}
          aria-keyshortcuts="Control+Shift+${index + 1}"
          title=${disabledTabs[tab] ?? t('{0} ({1})', help, keys)}
          @click=${() => disabledTabs[tab] ?? openTab(tab)}
        >
          ${labels[tab]}
        </button>`;
      })}
    </div>
    <button
      class="toolbar-choice"
      data-choice="tab"
      title=${t('View: {0}. Choose another.', labels[selectedTab])}
      aria-haspopup="menu"
      @click=${(event: Event) =>
        openPopupMenu(items, (event.currentTarget as HTMLElement).getBoundingClientRect(), t('View'))}
    >
      ${labels[selectedTab]}${icon('chevron-down')}
    </button>`;
}

/** Renders the button that shows the time zone and opens a menu of zones. */
function zonePicker({ zone, zones: listedZones, setZone }: ToolbarModel): TemplateResult {
  const allZones = listedZones.some(({ timeZone }) => timeZone === zone.timeZone)
    ? listedZones
    : [...listedZones, zone];
  const items = allZones.map((candidate): MenuItem => {
    return { label: candidate.label, checked: candidate.timeZone === zone.timeZone, run: () => setZone(candidate) };
  });
  const open = (event: Event): void =>
    openPopupMenu(items, (event.currentTarget as HTMLElement).getBoundingClientRect(), t('Time zone'));
  // "SAST" for "SAST (UTC+2)", "Berlin" for "Europe/Berlin". The tooltip has the full name.
  const name = formatShortZone(zone).replace(/^.*\//, '').replaceAll('_', ' ');
  return html`<button
    class="toolbar-choice"
    data-choice="zone"
    title=${t('Time zone of times and ranges: {0}. Choose another.', zone.label)}
    aria-haspopup="menu"
    @click=${open}
  >
    ${name}${icon('chevron-down')}
  </button>`;
}
