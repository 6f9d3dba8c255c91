// Takes a user's first steps: adds the connection of `npm run demo` and queries the last days. If no connection is configured,
// as after F5, it opens Sample Data.
const { readFileSync, rmSync } = require('node:fs');
const { commands, extensions, window } = require('vscode');

async function activate() {
  const { GRID_DATA_DEMO_URL: baseUrl, GRID_DATA_DEMO_NAME: name, GRID_DATA_DEMO_RANGE: range } = process.env;
  if (!baseUrl) return commands.executeCommand('gridData.startSandbox');
  const file = process.env.GRID_DATA_DEMO_KEY_FILE;
  // Connections are stored in the browser: the connection survives a reload, but another browser does not have it.
  if (!(await isConnected(name))) {
    const key = file && takeKey(file);
    if (file && !key)
      void window.showInformationMessage(
        'The key of this demo is stored in the browser that opened it first. Enter it here, too.',
      );
    if (key) await commands.executeCommand('gridData.addConnection', { name, baseUrl, key, verify: false });
    else if (!(await commands.executeCommand('gridData.addConnection', { baseUrl }))) return;
  }
  await commands.executeCommand('gridData.runQuery', {
    dataset: 'systemState',
    range,
    ...((await isConnected(name)) && { connection: name }),
  });
}

async function isConnected(name) {
  const api = await extensions.getExtension('grid-data.grid-data-inspector').activate();
  return api.connections().some(connection => connection.name === name);
}

/** Reads the key and deletes its file. A sandbox's file stays, so that other browsers can use its key for sample data. */
function takeKey(file) {
  try {
    const key = readFileSync(file, 'utf8');
    if (!process.env.GRID_DATA_DEMO_IS_SANDBOX) rmSync(file);
    return key;
  } catch {
    return undefined;
  }
}

module.exports = { activate };
