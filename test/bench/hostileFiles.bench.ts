import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveQuery } from '../../src/core/query/query.ts';
import { parseQueriesFile } from '../../src/core/savedQueries/file/queriesFile.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { parseLinkQuery } from '../../src/host/tools/linkQuery.ts';
import { LimitFolder } from '../../src/service/limiter/limitFolder.ts';
import { schedulePermits } from '../../src/service/limiter/permitScheduler.ts';
import { hostileBudgetFiles, hostileQueriesFiles } from '../hostile/queriesFiles.ts';
import { hostileLinks } from '../hostile/links.ts';
import type { Bench, Figure } from './bench.ts';
import { median } from './median.ts';
import { measureFixedLoop, measureLongestBlock } from './threadTime.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const runs = 5;
const scope = 'system_state';

/** Measures how long an untrusted file or link blocks the extension host, as a ratio to a loop of fixed length; up to 1 is not noticeable. */
export const bench: Bench = async () => {
  const loops: number[] = [];
  const figures: Figure[] = [];
  const measure = async (label: string, work: () => unknown): Promise<void> => {
    const delays: number[] = [];
    for (let run = 0; run < runs; run++) {
      loops.push(measureFixedLoop());
      delays.push(await measureLongestBlock(async () => Promise.resolve(work())));
    }
    figures.push({ label, value: Math.min(...delays) / median(loops), unit: '×', atMost: 1 });
  };
  const now = Date.now();
  for (const { name, text } of hostileQueriesFiles) await measure(`file: ${name}`, () => parseQueriesFile(text));
  for (const { name, query } of hostileLinks)
    await measure(`link: ${name}`, () => {
      const linkQuery = parseLinkQuery(query.slice(0, 8_000));
      const [dataset = '', range = '', interval = ''] = ['dataset', 'range', 'interval'].map(part =>
        linkQuery.get(part),
      );
      return resolveQuery({ dataset, range, interval, params: {}, timeZone: 'UTC' }, now);
    });
  const folder = createTemporaryFolder();
  for (const { name, text } of hostileBudgetFiles(scope, now)) {
    const store = new LimitFolder({ folder, clock: systemClock, random: Math.random, logger: console });
    await measure(`budget: ${name}`, async () => {
      await writeFile(join(folder, 'key.json'), text);
      const scheduleOptions = { scope, window: 'bench', limit: { requests: 10, seconds: 60 }, now, leaseMs: 125_000 };
      return store.update('key', state =>
        schedulePermits(state, scheduleOptions, [{ id: 'bench 1', priority: 'user' }]),
      );
    });
  }
  return [{ label: 'the fixed loop', value: median(loops), unit: 'ms' }, ...figures];
};
