import { writeSync } from 'node:fs';
import { kill, memoryUsage, pid } from 'node:process';

/** Milliseconds between two reports: what is read makes some megabytes in each. */
const everyMs = 50;

/**
 * A thread of the reader, which reports the bytes that the process has in memory while its main thread is busy: on its error stream, since
 * that can be written from any thread. Ends the process once nobody listens.
 */
setInterval(() => {
  try {
    writeSync(2, `rss ${memoryUsage.rss()}\n`);
  } catch {
    kill(pid, 'SIGKILL');
  }
}, everyMs);
