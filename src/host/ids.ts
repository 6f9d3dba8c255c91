/** The command ids. A unit test compares the ids in this file with package.json. */
export const commands = {
  addConnection: 'gridData.addConnection',
  switchConnection: 'gridData.switchConnection',
  renameConnection: 'gridData.renameConnection',
  replaceKey: 'gridData.replaceKey',
  removeConnection: 'gridData.removeConnection',
  testConnection: 'gridData.testConnection',
  openDashboard: 'gridData.openDashboard',
  runQuery: 'gridData.runQuery',
  chartLastMonth: 'gridData.chartLastMonth',
  refreshResult: 'gridData.refreshResult',
  refreshIgnoringArchive: 'gridData.refreshIgnoringArchive',
  openResultInEditor: 'gridData.openResultInEditor',
  exportResult: 'gridData.exportResult',
  exportResultAgain: 'gridData.exportResultAgain',
  exportReport: 'gridData.exportReport',
  exportSavedData: 'gridData.exportSavedData',
  exportArchive: 'gridData.exportArchive',
  setLimits: 'gridData.setLimits',
  clearArchive: 'gridData.clearArchive',
  openArchiveFolder: 'gridData.openArchiveFolder',
  showBudget: 'gridData.showBudget',
  startSandbox: 'gridData.startSandbox',
  stopSandbox: 'gridData.stopSandbox',
  showLog: 'gridData.showLog',
  saveQuery: 'gridData.saveQuery',
  saveQueryAs: 'gridData.saveQueryAs',
  copyLink: 'gridData.copyLink',
  newSavedQuery: 'gridData.newSavedQuery',
  newSavedFolder: 'gridData.newSavedFolder',
  openSavedQuery: 'gridData.openSavedQuery',
  runSavedQuery: 'gridData.runSavedQuery',
  runSavedQueryWithRange: 'gridData.runSavedQueryWithRange',
  editSavedQuery: 'gridData.editSavedQuery',
  renameSavedItem: 'gridData.renameSavedItem',
  editSavedNote: 'gridData.editSavedNote',
  duplicateSavedItem: 'gridData.duplicateSavedItem',
  deleteSavedItem: 'gridData.deleteSavedItem',
  undoDelete: 'gridData.undoDelete',
  openBoard: 'gridData.openBoard',
  saveBoardLayout: 'gridData.saveBoardLayout',
  linkBoard: 'gridData.linkBoard',
  unlinkBoard: 'gridData.unlinkBoard',
  addBoard: 'gridData.addBoard',
  moveSavedItem: 'gridData.moveSavedItem',
  moveSavedItemUp: 'gridData.moveSavedItemUp',
  moveSavedItemDown: 'gridData.moveSavedItemDown',
  filterSavedQueries: 'gridData.filterSavedQueries',
  clearSavedFilter: 'gridData.clearSavedFilter',
  importQueries: 'gridData.importQueries',
  exportQueries: 'gridData.exportQueries',
  openWorkspaceQueries: 'gridData.openWorkspaceQueries',
  openRecentRun: 'gridData.openRecentRun',
  rerunRecentRun: 'gridData.rerunRecentRun',
  saveRecentRun: 'gridData.saveRecentRun',
  clearRecentRuns: 'gridData.clearRecentRuns',
  keepFresh: 'gridData.keepFresh',
  moveRefresh: 'gridData.moveRefresh',
  stopKeepingFresh: 'gridData.stopKeepingFresh',
  addAlert: 'gridData.addAlert',
  editAlerts: 'gridData.editAlerts',
  snoozeAlerts: 'gridData.snoozeAlerts',
  turnOffAlerts: 'gridData.turnOffAlerts',
  allowWatching: 'gridData.allowWatching',
  pinStress: 'gridData.pinStress',
  unpinStress: 'gridData.unpinStress',
  openWalkthrough: 'gridData.openWalkthrough',
  copyAs: 'gridData.copyAs',
  openInNotebook: 'gridData.openInNotebook',
  openDataFile: 'gridData.openDataFile',
  compareDataFiles: 'gridData.compareDataFiles',
} as const;

export const settings = {
  language: 'gridData.language',
  timeZone: 'gridData.timeZone',
  minCoverage: 'gridData.resample.minCoverage',
  tariffPeriods: 'gridData.tariffPeriods',
  settledAfterHours: 'gridData.archive.settledAfterHours',
  archiveMaxSizeMB: 'gridData.archive.maxSizeMB',
  maxAgentRequestsPerHour: 'gridData.agents.maxRequestsPerHour',
  csvDialect: 'gridData.csv.dialect',
  exportTimes: 'gridData.export.times',
  exportIntervalEnd: 'gridData.export.intervalEnd',
  exportUnits: 'gridData.export.units',
  exportProvenance: 'gridData.export.provenance',
} as const;

/** The search text that finds the export settings in the settings editor. */
export const exportSettingsPrefix = 'gridData export csv';

/** The views of the activity bar's container. */
export const views = {
  connections: 'gridData.connections',
  savedQueries: 'gridData.savedQueries',
  recent: 'gridData.recent',
} as const;

export const panelTypes = {
  result: 'gridData.result',
} as const;

/** The view type of the custom editor for data files. */
export const dataFileEditor = 'gridData.dataFile';

/** The URI scheme of the virtual documents that show revisions. */
export const revisionsScheme = 'grid-data-revisions';

/** The walkthroughs on VS Code's Welcome page. */
export const walkthroughs = {
  start: 'start',
} as const;

/** Keys in globalState, or in workspaceState if the value belongs to a workspace. More keys are in `storedNames`. */
export const stateNames = {
  lastQuery: 'lastQuery',
  lastExport: 'lastExport',
  lastReport: 'lastReport',
  connectionChoices: 'connectionChoices',
  watchedConnections: 'watchedConnections',
  pinnedStress: 'pinnedStress',
  reportedPauses: 'saidStops',
  localSnoozes: 'ownSilence',
  walkthrough: 'walkthrough',
  lastSnippet: 'lastSnippet',
  zoneOffered: 'zoneOffered',
  importOptions: 'importOptions',
} as const;

/** The context keys that `when` clauses and completion events in package.json use. */
export const contextKeys = {
  hasSaved: 'gridData.hasSaved',
  /** A saved query is refreshed hourly. */
  hasWatched: 'gridData.hasWatched',
  /** A saved query has alerts. */
  hasAlerts: 'gridData.hasAlerts',
  hasRecent: 'gridData.hasRecent',
  savedFilter: 'gridData.savedFilter',
  canUndoDelete: 'gridData.canUndoDelete',
  /** Whether the board of the active panel is `linked` or `unlinked`. */
  board: 'gridData.board',
  stressPinned: 'gridData.stressPinned',
  /** The sandbox of this window is running. */
  sampleDataRunning: 'gridData.sampleDataRunning',
  /** No connection exists. Unset until the connections are known, so that the welcome view is not shown for a moment. */
  noConnection: 'gridData.noConnection',
  /** Walkthrough step: a connection exists. */
  hasConnected: 'gridData.hasConnected',
  /** Walkthrough step: a result was shown. */
  hasRun: 'gridData.hasRun',
  /** Walkthrough step: another tab of a result was opened. */
  hasRead: 'gridData.hasRead',
  /** Walkthrough step: a query was saved, or a result exported. */
  hasSavedResult: 'gridData.hasKept',
  /** The user has opened the walkthrough in this window or before. */
  walkthrough: 'gridData.walkthrough',
} as const;

/** The name of the language model tool that queries a dataset, such as `gridData_querySystemState`. */
export function queryToolName(dataset: string): string {
  return `gridData_query${dataset.charAt(0).toUpperCase()}${dataset.slice(1)}`;
}

/** The names of the other language model tools. */
export const tools = {
  describeFields: 'gridData_describeFields',
  listSavedQueries: 'gridData_listSavedQueries',
  checkBudget: 'gridData_checkBudget',
} as const;

export const extensionId = 'grid-data.grid-data-inspector';

/** Paths of links into the extension. */
export const uriPaths = {
  open: '/open',
} as const;
