import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { dataSnippets, type dataEngines } from '../../src/core/snippets/dataSnippets.ts';
import { firstDifference, type Cell } from './cells.ts';
import { runPrograms, type Line, type Machine, type Program } from './engine.ts';
import { oddTable, queryOf, startService, tableOf, writtenFiles, writtenFolders, type Written } from './gridTables.ts';

type DataEngine = (typeof dataEngines)[number];

/** The columns that a partitioned folder adds. */
const partitions = ['dataset', 'interval', 'year', 'month'];

/** Three months of hours in each format, in the archive and as a folder, with rows of odd values, and days. */
export async function writtenData({ folder }: Pick<Machine, 'folder'>): Promise<Written[]> {
  const service = await startService();
  try {
    const [hours, stress, days] = [
      queryOf('systemState', '2024-01-20..2024-03-09'),
      queryOf('gridStress', '2024-01-30..2024-02-02'),
      queryOf('systemState', '2024-01-20..2024-03-09', '1d'),
    ];
    const frame = await tableOf(hours, service);
    const own = await mkdtemp(join(folder, 'data-'));
    return [
      ...(await writtenFiles(frame, own, 'hours')),
      ...(await writtenFiles(oddTable(), own, 'odd values')),
      ...(await writtenFolders(hours, frame, own)),
      ...(await writtenFolders(stress, await tableOf(stress, service), own)),
      ...(await writtenFolders(days, await tableOf(days, service), own)),
    ];
  } finally {
    await service.close();
  }
}

/** What an engine reads of all that the extension writes, by the program that it copies for it. */
export async function* readData(
  engine: DataEngine,
  machine: Machine,
  launcher: readonly string[] = [machine.python],
  env: Readonly<Record<string, string>> = {},
): AsyncGenerator<Line> {
  const written = await writtenData(machine);
  const programs = written.map(({ what, data }): Program => {
    const { editorLanguage, write } = dataSnippets[engine];
    return { name: what, kind: editorLanguage(data) === 'sql' ? 'sql' : engine, code: write(data) };
  });
  const outcomes = await runPrograms(launcher, programs, env);
  for (const [index, { what, data, expected }] of written.entries()) {
    const { rows, error, seconds = 0 } = outcomes[index] ?? {};
    const isOffline = error?.includes('Failed to download extension');
    if (isOffline) yield { what, seconds, skipped: 'DuckDB fetches its extension for Excel, and cannot here' };
    else yield { what, rows: rows?.length ?? 0, seconds, failure: error ?? difference(expected, rows ?? [], data) };
  }
}

/** Rows may come in any order from an engine. Excel's headings name the zone of its dates, which have none themselves. */
function difference(
  expected: Written['expected'],
  rows: Written['expected'],
  { form, timeColumn = '' }: Written['data'],
) {
  const named = form !== 'xlsx' ? rows : rows.map(row => Object.fromEntries(Object.entries(row).map(withoutZone)));
  const time = withoutZone([timeColumn, null])[0];
  const inTime = named.toSorted((a, b) => Number(a[time]) - Number(b[time]));
  return firstDifference(expected, inTime, form === 'hive' ? partitions : []);
}

function withoutZone([name, cell]: [string, Cell]): [string, Cell] {
  const local = typeof cell === 'string' ? /^(.*) without a zone$/.exec(cell)?.[1] : undefined;
  return [name.replace(/ \(SAST\)$/, ''), local === undefined ? cell : Date.parse(`${local}+02:00`)];
}
