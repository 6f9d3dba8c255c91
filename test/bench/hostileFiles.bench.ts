import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveQuery } from '../../src/core/query/query.ts';
import { parseQueriesFile } from '../../src/core/savedQueries/file/queriesFile.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { parseLinkQuery } from '../../src/host/tools/linkQuery.ts';
import { LimitFolder } from '../../src/service/limiter/limitFolder.ts';
import { schedulePermits } from '../../src/service/limiter/permitScheduler.ts';
import { hostileBudgetFiles, hostileQueriesFiles } from '../hostile/files.ts';
import { hostileLinks } from '../hostile/links.ts';
import type { Bench, Figure } from './bench.ts';
import { median } from './median.ts';
import { fixedLoop, longestDelay } from './threadTime.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const runs = 5;
const scope = 'system_state';

/** How long a file or a link of somebody else's holds the host, beside a loop of a fixed length: 1 is what a person does not notice. */
export const bench: Bench = async () => {
  const loops: number[] = [];
  const figures: Figure[] = [];
  const measure = async (what: string, work: () => unknown): Promise<void> => {
    const delays: number[] = [];
    for (let run = 0; run < runs; run++) {
      loops.push(fixedLoop());
      delays.push(await longestDelay(async () => Promise.resolve(work())));
    }
    figures.push({ what, value: Math.min(...delays) / median(loops), unit: '×', atMost: 1 });
  };
  const now = Date.now();
  for (const { name, text } of hostileQueriesFiles) await measure(`file: ${name}`, () => parseQueriesFile(text));
  for (const { name, query } of hostileLinks)
    await measure(`link: ${name}`, () => {
      const asked = parseLinkQuery(query.slice(0, 8_000));
      const [dataset = '', range = '', interval = ''] = ['dataset', 'range', 'interval'].map(part => asked.get(part));
      return resolveQuery({ dataset, range, interval, params: {}, timeZone: 'UTC' }, now);
    });
  const folder = temporaryFolder();
  for (const { name, text } of hostileBudgetFiles(scope, now)) {
    const store = new LimitFolder({ folder, clock: systemClock, random: Math.random, logger: console });
    await measure(`budget: ${name}`, async () => {
      await writeFile(join(folder, 'key.json'), text);
      const place = { scope, window: 'bench', limit: { requests: 10, seconds: 60 }, now, leaseMs: 125_000 };
      return store.update('key', state => schedulePermits(state, place, [{ id: 'bench 1', priority: 'person' }]));
    });
  }
  return [{ what: 'the fixed loop', value: median(loops), unit: 'ms' }, ...figures];
};
