import { writeSync } from 'node:fs';
import { kill, memoryUsage, pid } from 'node:process';

/** Milliseconds between two reports, in which reading allocates some megabytes. */
const reportIntervalMs = 50;

/**
 * A worker thread of the reader process, which reports the memory of the process while the main thread is busy. It uses stderr, which any thread
 * can write to. It ends the process once the pipe is closed.
 */
setInterval(() => {
  try {
    writeSync(2, `rss ${memoryUsage.rss()}\n`);
  } catch {
    kill(pid, 'SIGKILL');
  }
}, reportIntervalMs);
