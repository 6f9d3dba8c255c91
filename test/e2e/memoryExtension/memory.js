// Writes down every ten seconds what this extension host holds once garbage is collected: of a heap alone one cannot tell.
const { appendFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

function activate({ subscriptions }) {
  const file = process.env.GRID_DATA_MEMORY;
  if (!file) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const write = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, at: Date.now(), held: heapUsed + arrayBuffers })}\n`);
  };
  const timer = setInterval(write, 10_000);
  subscriptions.push({ dispose: () => clearInterval(timer) });
}

module.exports = { activate };
