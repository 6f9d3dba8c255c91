/** Every id that package.json and the code share, once. A unit test holds the two against each other. */
export const commands = {
  addConnection: 'gridData.addConnection',
  switchConnection: 'gridData.switchConnection',
  renameConnection: 'gridData.renameConnection',
  replaceKey: 'gridData.replaceKey',
  removeConnection: 'gridData.removeConnection',
  testConnection: 'gridData.testConnection',
  openDashboard: 'gridData.openDashboard',
  runQuery: 'gridData.runQuery',
  querySystemState: 'gridData.querySystemState',
  queryGridStress: 'gridData.queryGridStress',
  refreshResult: 'gridData.refreshResult',
  refreshIgnoringArchive: 'gridData.refreshIgnoringArchive',
  openResultInEditor: 'gridData.openResultInEditor',
  setLimits: 'gridData.setLimits',
  clearArchive: 'gridData.clearArchive',
  openArchiveFolder: 'gridData.openArchiveFolder',
  showBudget: 'gridData.showBudget',
  startSandbox: 'gridData.startSandbox',
  stopSandbox: 'gridData.stopSandbox',
  showLog: 'gridData.showLog',
  keepFresh: 'gridData.keepFresh',
  stopKeepingFresh: 'gridData.stopKeepingFresh',
  addAlert: 'gridData.addAlert',
  editAlerts: 'gridData.editAlerts',
  snoozeAlerts: 'gridData.snoozeAlerts',
  turnOffAlerts: 'gridData.turnOffAlerts',
  allowWatching: 'gridData.allowWatching',
  pinStress: 'gridData.pinStress',
  unpinStress: 'gridData.unpinStress',
} as const;

export const settings = {
  timeZone: 'gridData.timeZone',
  settledAfterHours: 'gridData.archive.settledAfterHours',
  archiveMaxSizeMB: 'gridData.archive.maxSizeMB',
} as const;

/** The views of the activity bar's container. */
export const views = {
  connections: 'gridData.connections',
} as const;

export const panelTypes = {
  result: 'gridData.result',
} as const;

/** What `when` clauses of the manifest ask for. */
export const contextKeys = {
  stressPinned: 'gridData.stressPinned',
} as const;

/** Names in globalState. */
export const stateNames = {
  lastQuery: 'lastQuery',
  pinnedStress: 'pinnedStress',
  saidStops: 'saidStops',
} as const;
