// Runs in the extension host: logs the host's memory, and sets the clock that the host sees.
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

/** Returns a function that logs the memory in use after a garbage collection. */
function memoryWriter(file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  return () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, held: heapUsed + arrayBuffers })}\n`);
  };
}

/** Replaces Date by one with an offset in milliseconds from a file. Timers are unaffected, as on a machine whose clock is set. */
function clockSetter(file) {
  const MachineDate = Date;
  let offsetMs = 0;
  globalThis.Date = class Date extends MachineDate {
    constructor(...args) {
      if (args.length === 0) super(MachineDate.now() + offsetMs);
      else super(...args);
    }
    static now() {
      return MachineDate.now() + offsetMs;
    }
  };
  return () => {
    offsetMs = Number(readFileSync(file, 'utf8'));
  };
}

module.exports = { activate };
