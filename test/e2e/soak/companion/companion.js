// Beside the extension in its host: writes down what the host holds, and sets the clock that the host sees.
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

function activate({ subscriptions }) {
  const folder = process.env.GRID_DATA_SOAK;
  if (!folder) return;
  const timers = [
    every(10_000, memoryWriter(join(folder, 'memory.jsonl'))),
    every(500, clockSetter(join(folder, 'clock'))),
  ];
  subscriptions.push({ dispose: () => timers.forEach(clearInterval) });
}

function every(ms, act) {
  act();
  return setInterval(() => act(), ms);
}

/** What is held once garbage is collected: of a heap alone one cannot tell. */
function memoryWriter(file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  return () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, held: heapUsed + arrayBuffers })}\n`);
  };
}

/** Sets the clock as far from the machine's as the file says, in milliseconds: timers go on as before, as on a machine whose clock is set. */
function clockSetter(file) {
  const MachineDate = Date;
  let awayMs = 0;
  globalThis.Date = class Date extends MachineDate {
    constructor(...given) {
      if (given.length === 0) super(MachineDate.now() + awayMs);
      else super(...given);
    }
    static now() {
      return MachineDate.now() + awayMs;
    }
  };
  return () => {
    awayMs = Number(readFileSync(file, 'utf8'));
  };
}

module.exports = { activate };
