import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { dataSnippets, type dataEngines } from '../../src/core/snippets/dataSnippets.ts';
import { firstDifference, type Cell, type Cells } from './cells.ts';
import { runPrograms, type Line, type Machine, type Program } from './engine.ts';
import {
  grownFolder,
  oddTable,
  queryOf,
  startService,
  tableOf,
  writtenFiles,
  writtenFolders,
  type Written,
} from './gridTables.ts';

type DataEngine = (typeof dataEngines)[number];

/** The columns that a partitioned folder adds. */
const partitions = ['dataset', 'interval', 'year', 'month'];

/** Three months of hours in each format, in the archive and as a folder, with rows of odd values, and days. */
async function writtenData({ folder }: Pick<Machine, 'folder'>): Promise<Written[]> {
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
      ...(await writtenFolders(
        { ...queryOf('systemState', '2024-01-30..2024-02-02'), params: { odd: 'true' } },
        oddTable(),
        own,
        'odd values',
      )),
      await grownFolder(join(own, 'grown')),
      ...(await writtenFolders(stress, await tableOf(stress, service), own)),
      ...(await writtenFolders(days, await tableOf(days, service), own)),
    ];
  } finally {
    await service.close();
  }
}

/** What the programs that the extension copies for an engine read of all that it writes. */
export async function* readData(engine: DataEngine, machine: Machine, ...launched: Launch): AsyncGenerator<Line> {
  const { editorLanguage, write } = dataSnippets[engine];
  const programOf = ({ data }: Written) => ({
    kind: editorLanguage(data) === 'sql' ? ('sql' as const) : engine,
    code: write(data),
  });
  yield* readBy(programOf, machine, ...launched);
}

type Launch = readonly [launcher?: readonly string[], env?: Readonly<Record<string, string>>];

/** What programs read of all that the extension writes; undefined for what is not for them. */
export async function* readBy(
  programOf: (written: Written) => Omit<Program, 'name'> | undefined,
  machine: Machine,
  ...[launcher = [machine.python], env]: Launch
): AsyncGenerator<Line> {
  const read = (await writtenData(machine)).flatMap(written => {
    const program = programOf(written);
    return program ? { ...written, program: { name: written.what, ...program } } : [];
  });
  const outcomes = await runPrograms(
    launcher,
    read.map(({ program }) => program),
    env,
  );
  for (const [index, { what, data, expected }] of read.entries()) {
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
  const named = form !== 'xlsx' ? rows : rows.map(row => withoutZone(row, timeColumn));
  const time = timeColumn.replace(inZone, '');
  const inTime = named.toSorted((a, b) => Number(a[time]) - Number(b[time]));
  return firstDifference(expected, inTime, form === 'hive' ? partitions : []);
}

const inZone = / \(SAST\)$/;

/** Programs make instants of one column of dates; the others stay dates, which Spark takes for those of UTC. */
function withoutZone(row: Cells, timeColumn: string): Cells {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]): [string, Cell] => {
      const isDate = inZone.test(name) && cell !== null;
      const short = name.replace(inZone, '');
      if (!isDate || (name === timeColumn && typeof cell === 'number')) return [short, cell];
      const local =
        typeof cell === 'number'
          ? cell
          : Date.parse(`${JSON.stringify(cell).slice(1, -1).replace(' without a zone', '')}Z`);
      return [short, local - 2 * 3_600_000];
    }),
  );
}
