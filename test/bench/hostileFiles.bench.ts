import { resolveQuery } from '../../src/core/query.ts';
import { parseQueriesFile } from '../../src/core/saved/file/queriesFile.ts';
import { readLinkQuery } from '../../src/host/tools/linkQuery.ts';
import { hostileQueriesFiles } from '../hostile/files.ts';
import { hostileLinks } from '../hostile/links.ts';
import type { Bench, Figure } from './bench.ts';
import { median } from './median.ts';
import { fixedLoop, threadMs } from './threadTime.ts';

const runs = 5;

/** How long a file or a link of somebody else's holds the host, beside a loop of a fixed length: 1 is what a person does not notice. */
export const bench: Bench = async () => {
  const loops: number[] = [];
  const measure = (what: string, work: () => unknown): Figure => {
    const times = Array.from({ length: runs }, () => {
      loops.push(fixedLoop());
      const began = threadMs();
      work();
      return threadMs() - began;
    });
    return { what, value: Math.min(...times) / median(loops), unit: '×', atMost: 1 };
  };
  const now = Date.now();
  const figures = [
    ...hostileQueriesFiles.map(({ name, text }) => measure(`file: ${name}`, () => parseQueriesFile(text))),
    ...hostileLinks.map(({ name, query }) =>
      measure(`link: ${name}`, () => {
        const asked = readLinkQuery(query.slice(0, 8_000));
        const [dataset = '', range = '', interval = ''] = ['dataset', 'range', 'interval'].map(part => asked.get(part));
        return resolveQuery({ dataset, range, interval, params: {} }, now, 'UTC');
      }),
    ),
  ];
  return Promise.resolve([{ what: 'the fixed loop', value: median(loops), unit: 'ms' }, ...figures]);
};
