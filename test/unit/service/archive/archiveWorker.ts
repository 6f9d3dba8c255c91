import { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import { realClock } from '../../../support/realClock.ts';
import { windowsFs } from '../../../support/windowsFs.ts';
import { createHourlyResponse, hourMs, listRows, series } from './archiveSetUp.ts';

// Runs one window of `shareInProcesses`: `write` stores every second hour of a month and reports it, `read` reads the month repeatedly.
const [folder = '', system = '', role = '', first = '0'] = process.argv.slice(2);
const start = Date.UTC(2023, 4, 1);
const month = { start, end: Date.UTC(2023, 5, 1) };
const stop = new AbortController();
process.once('message', () => stop.abort());

const archive = new FileArchive({
  folder,
  clock: realClock,
  maxBytes: () => 1e9,
  staleMs: 2000,
  ...(system !== '' && { fs: windowsFs(process.pid) }),
  logger: { warn: line => process.send?.({ error: line }) },
});

if (role === 'write')
  for (let hour = Number(first); hour < 740 && !stop.signal.aborted; hour += 2) {
    const instant = start + hour * hourMs;
    const isWritten = await archive.merge(
      series,
      hourMs,
      { start: instant, end: instant + hourMs },
      createHourlyResponse(instant, [hour]),
    );
    process.send?.(isWritten ? { stored: hour } : { error: `hour ${hour} was not stored` });
  }
else {
  let previousCount = 0;
  while (!stop.signal.aborted) {
    const { frame } = await archive.read(series, hourMs, month);
    const rows = listRows({ frame, requestedAt: new Float64Array(), meta: {} }) as { ts: string; mw: number }[];
    const wrong = rows.some(({ ts, mw }) => Date.parse(ts) !== start + mw * hourMs);
    if (wrong || rows.length < previousCount) process.send?.({ torn: `${rows.length} rows after ${previousCount}` });
    previousCount = rows.length;
    // Other writers may write after the first hour.
    process.send?.({ reads: 1 });
    // Reads each state of the month many times, and leaves time for the writers.
    await realClock.sleep(1);
  }
}
process.disconnect();
