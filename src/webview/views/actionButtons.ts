import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { ActionOffer, PanelAction } from '../../shared/protocol.ts';

/** The codicon of each action. Preset ranges are missing, because their buttons show a text. */
const actionIcons: Readonly<Partial<Record<PanelAction, string>>> = {
  refresh: 'refresh',
  refreshAll: 'sync',
  fetchMissing: 'cloud-download',
  tryAgain: 'refresh',
  runPlan: 'play',
  cancel: 'stop-circle',
  export: 'export',
  openInEditor: 'go-to-file',
  openResponse: 'json',
  copyAs: 'code',
  copyLink: 'link',
  save: 'star-empty',
  saveAs: 'save-as',
  previousPeriod: 'chevron-left',
  nextPeriod: 'chevron-right',
  compare: 'git-compare',
  compareFile: 'file',
  endComparison: 'close',
  checkDays: 'calendar',
  showRevisions: 'diff',
  openInNewTab: 'open-preview',
  changeQuery: 'edit',
  chooseRange: 'calendar',
  chooseInterval: 'clock',
  enterKey: 'key',
  addConnection: 'plug',
  startSandbox: 'beaker',
  openDashboard: 'link-external',
  showLog: 'output',
  importOptions: 'settings',
  showChangedRows: 'filter',
};

/** A function that runs an action of the user. */
export type Act = (action: PanelAction) => void;

/** A button with an icon. */
export interface ButtonOffer extends ActionOffer {
  /** The codicon, which replaces the icon of the action. */
  readonly icon?: string;
  /** The text next to the icon. It is hidden if space is short. */
  readonly text?: string;
  /** Whether the button is visible but disabled. */
  readonly inert?: boolean;
}

/** Renders icon buttons for the toolbar. */
export function toolbarButtons(actions: readonly ButtonOffer[], act: Act): TemplateResult[] {
  return actions.map(
    ({ action, label, icon = actionIcons[action] ?? 'calendar', text, inert = false }) =>
      html`<vscode-toolbar-button
        data-action=${action}
        icon=${icon}
        label=${label}
        title=${label}
        ?inert=${inert}
        @click=${() => act(action)}
        >${text === undefined ? nothing : html`<span class="button-text">${text}</span>`}</vscode-toolbar-button
      >`,
  );
}

/** Renders text buttons for a message. The first button is the primary one, except while waiting. Escape then also cancels, as the tooltip says. */
export function textButtons(actions: readonly ActionOffer[], act: Act, isWaiting: boolean): TemplateResult[] {
  return actions.map(
    ({ action, label }, index) =>
      html`<vscode-button
        data-action=${action}
        title=${isWaiting && action === 'cancel' ? t('{0} (Escape)', label) : nothing}
        ?secondary=${isWaiting || index > 0}
        @click=${() => act(action)}
        >${label}</vscode-button
      >`,
  );
}
