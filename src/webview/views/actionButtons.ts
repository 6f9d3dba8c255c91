import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { ActionOffer, PanelAction } from '../../shared/protocol.ts';

/** The codicon of each action; those of ranges have words. */
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

/** Called when the person chooses an action. */
export type Act = (action: PanelAction) => void;

/** A button with an icon: the action's own, unless `icon` is given. */
export interface ButtonOffer extends ActionOffer {
  readonly icon?: string;
  /** Stands beside the icon, where there is room. */
  readonly text?: string;
  /** Shown, and disabled. */
  readonly inert?: boolean;
}

/** Small icon buttons, for the toolbar. */
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

/** Buttons with words, the first the likeliest, for a message. While waiting none is, and Escape does the same as Cancel. */
export function wordButtons(actions: readonly ActionOffer[], act: Act, waiting: boolean): TemplateResult[] {
  return actions.map(
    ({ action, label }, index) =>
      html`<vscode-button
        data-action=${action}
        title=${waiting && action === 'cancel' ? t('{0} (Escape)', label) : nothing}
        ?secondary=${waiting || index > 0}
        @click=${() => act(action)}
        >${label}</vscode-button
      >`,
  );
}
