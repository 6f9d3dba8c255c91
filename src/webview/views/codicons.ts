import type { PanelAction } from '../../shared/protocol.ts';

/** The codicon of each action. */
export const actionIcons: Readonly<Record<PanelAction, string>> = {
  refresh: 'refresh',
  refreshAll: 'sync',
  fetchMissing: 'cloud-download',
  runPlan: 'play',
  cancel: 'stop-circle',
  export: 'export',
  openInEditor: 'go-to-file',
  openResponse: 'json',
  copyAs: 'code',
  save: 'star-empty',
  previousPeriod: 'chevron-left',
  nextPeriod: 'chevron-right',
  compare: 'git-compare',
  endComparison: 'close',
  checkDays: 'calendar',
  openInNewTab: 'open-preview',
  changeQuery: 'edit',
  chooseInterval: 'calendar',
  enterKey: 'key',
  addConnection: 'plug',
  startSandbox: 'beaker',
  openDashboard: 'link-external',
  showLog: 'output',
};
