// Runs many queries at once, each of a separate series so that none waits for another, and writes their outcomes to a file.
const { renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { commands, extensions } = require('vscode');

async function activate() {
  const { GRID_DATA_BURST_URL: baseUrl, GRID_DATA_BURST_KEY: key, GRID_DATA_BURST_FOLDER: folder } = process.env;
  if (!baseUrl) return;
  const limits = { normalized_data: { requests: 10, seconds: 6 } };
  await commands.executeCommand('gridData.addConnection', { name: 'Burst', baseUrl, key, limits, verify: false });
  const api = await extensions.getExtension('grid-data.grid-data-inspector').activate();
  const queries = Array.from({ length: 12 }, (_, index) => {
    const params = { burst: `${process.pid}-${index}` };
    return api.query({ dataset: 'systemState', range: '2023-05-01', params, connection: 'Burst' });
  });
  const results = await Promise.allSettled(queries);
  const outcomes = results.map(({ status, value, reason }) =>
    status === 'fulfilled' ? value.provenance.requestsSpent : String(reason),
  );
  // Renaming makes the write atomic, since the test polls for the file.
  writeFileSync(join(folder, `${process.pid}.tmp`), JSON.stringify(outcomes));
  renameSync(join(folder, `${process.pid}.tmp`), join(folder, `${process.pid}.json`));
}

module.exports = { activate };
