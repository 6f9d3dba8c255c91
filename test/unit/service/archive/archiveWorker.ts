import { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import { realClock } from '../../../support/realClock.ts';
import { windowsFs } from '../../../support/windowsFs.ts';
import { hourly, hourMs, keptRows, series } from './archiveSetUp.ts';

// A window of its own: `write` keeps every second hour of a month and says which are kept, `read` looks at the month.
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
  logger: { warn: line => process.send?.({ trouble: line }) },
});

if (role === 'write')
  for (let hour = Number(first); hour < 740 && !stop.signal.aborted; hour += 2) {
    const at = start + hour * hourMs;
    const isKept = await archive.merge(series, hourMs, { start: at, end: at + hourMs }, hourly(at, [hour]));
    process.send?.(isKept ? { kept: hour } : { trouble: `hour ${hour} was not kept` });
  }
else {
  let before = 0;
  while (!stop.signal.aborted) {
    const { frame } = await archive.read(series, hourMs, month);
    const rows = keptRows({ frame, requestedAt: new Float64Array(), meta: {} }) as { ts: string; mw: number }[];
    const wrong = rows.some(({ ts, mw }) => Date.parse(ts) !== start + mw * hourMs);
    if (wrong || rows.length < before) process.send?.({ torn: `${rows.length} rows after ${before}` });
    before = rows.length;
    // From the first on the others may write.
    process.send?.({ reads: 1 });
    // Many looks at each state of the month, and time for those who write it.
    await realClock.sleep(1);
  }
}
process.disconnect();
