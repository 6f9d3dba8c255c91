import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { dataSnippets, type dataEngines } from '../../src/core/snippets/dataSnippets.ts';
import { findFirstDifference, type Cell, type Cells } from './cells.ts';
import { runPrograms, type CheckResult, type Machine, type Program } from './engine.ts';
import {
  writeFolderWithNewColumn,
  createUnusualTable,
  createQuery,
  startService,
  fetchTable,
  writeFiles,
  writeFolders,
  type WrittenData,
} from './gridTables.ts';

type DataEngine = (typeof dataEngines)[number];

/** The columns that a partitioned folder adds. */
const partitions = ['dataset', 'interval', 'year', 'month'];

/** Writes three months of hours, days and rows of unusual values in each format, in the archive and as a folder. */
async function writeTestData({ folder }: Pick<Machine, 'folder'>): Promise<WrittenData[]> {
  const service = await startService();
  try {
    const hours = createQuery('systemState', '2024-01-20..2024-03-09');
    const stress = createQuery('gridStress', '2024-01-30..2024-02-02');
    const days = createQuery('systemState', '2024-01-20..2024-03-09', '1d');
    const frame = await fetchTable(hours, service);
    const dataFolder = await mkdtemp(join(folder, 'data-'));
    return [
      ...(await writeFiles(frame, dataFolder, 'hours')),
      ...(await writeFiles(createUnusualTable(), dataFolder, 'unusual values')),
      ...(await writeFolders(hours, frame, dataFolder)),
      ...(await writeFolders(
        { ...createQuery('systemState', '2024-01-30..2024-02-02'), params: { unusual: 'true' } },
        createUnusualTable(),
        dataFolder,
        'unusual values',
      )),
      await writeFolderWithNewColumn(join(dataFolder, 'later column')),
      ...(await writeFolders(stress, await fetchTable(stress, service), dataFolder)),
      ...(await writeFolders(days, await fetchTable(days, service), dataFolder)),
    ];
  } finally {
    await service.close();
  }
}

/** Runs the extension's snippets for an engine on all the data that it writes. */
export async function* readData(
  engine: DataEngine,
  machine: Machine,
  ...launched: Launch
): AsyncGenerator<CheckResult> {
  const { editorLanguage, write } = dataSnippets[engine];
  const createProgram = ({ data }: WrittenData) => ({
    kind: editorLanguage(data) === 'sql' ? ('sql' as const) : engine,
    code: write(data),
  });
  yield* readWith(createProgram, machine, ...launched);
}

type Launch = readonly [launcher?: readonly string[], env?: Readonly<Record<string, string>>];

/** Runs programs on all the data that the extension writes. `createProgram` returns undefined to skip data. */
export async function* readWith(
  createProgram: (written: WrittenData) => Omit<Program, 'name'> | undefined,
  machine: Machine,
  ...[launcher = [machine.python], env]: Launch
): AsyncGenerator<CheckResult> {
  const read = (await writeTestData(machine)).flatMap(written => {
    const program = createProgram(written);
    return program ? { ...written, program: { name: written.label, ...program } } : [];
  });
  const outcomes = await runPrograms(
    launcher,
    read.map(({ program }) => program),
    env,
  );
  for (const [index, { label, data, expected }] of read.entries()) {
    const { rows, error, seconds = 0 } = outcomes[index] ?? {};
    const isOffline = error?.includes('Failed to download extension');
    if (isOffline) yield { label, seconds, skipped: 'DuckDB could not download its extension for Excel' };
    else
      yield { label, rows: rows?.length ?? 0, seconds, failure: error ?? findDifference(expected, rows ?? [], data) };
  }
}

/** Compares rows sorted by time, since engines return any order. Excel's headings name the zone of its dates, which have none. */
function findDifference(
  expected: WrittenData['expected'],
  rows: WrittenData['expected'],
  { form, timeColumn = '' }: WrittenData['data'],
) {
  const renamed = form !== 'xlsx' ? rows : rows.map(row => removeZone(row, timeColumn));
  const time = timeColumn.replace(zoneSuffix, '');
  const sortedRows = renamed.toSorted((a, b) => Number(a[time]) - Number(b[time]));
  return findFirstDifference(expected, sortedRows, form === 'hive' ? partitions : []);
}

const zoneSuffix = / \(SAST\)$/;

/** Removes the zone from headings and converts local dates to UTC. Programs convert only one column; Spark reads the others as UTC. */
function removeZone(row: Cells, timeColumn: string): Cells {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]): [string, Cell] => {
      const isDate = zoneSuffix.test(name) && cell !== null;
      const shortName = name.replace(zoneSuffix, '');
      if (!isDate || (name === timeColumn && typeof cell === 'number')) return [shortName, cell];
      const local =
        typeof cell === 'number'
          ? cell
          : Date.parse(`${JSON.stringify(cell).slice(1, -1).replace(' without a zone', '')}Z`);
      return [shortName, local - 2 * 3_600_000];
    }),
  );
}
