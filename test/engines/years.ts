import { join } from 'node:path';
import { decode } from '../../src/core/decode/decode.ts';
import { createRequestParameters, resolveQuery } from '../../src/core/query/query.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { exportArchive } from '../../src/service/export/exportArchive.ts';
import type { Frame } from '../../src/shared/frame.ts';
import { toServiceQuery } from '../support/serviceQuery.ts';
import { toCells, type Cells } from './cells.ts';
import { runPrograms, secondsSince, type CheckResult, type Machine, type Program } from './engine.ts';
import { openArchive, startService } from './gridTables.ts';
import { createSqlProgram, sqlRunner, type SqlEngine } from './sqlPrograms.ts';

const firstYear = 2018;
const years = 30;
const source = 'https://api.example.test';
const sources = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw', 'wind_mw', 'pv_mw'];
/** The datasets and their tables: 16 columns of system state and 5 of stress. */
const datasets = [
  ['systemState', 'systemState_1h'],
  ['gridStress', 'gridStress_components_true_1h'],
] as const;

/** An export: its folder, number of rows and duration. */
interface Exported {
  readonly folder: string;
  readonly rows: number;
  readonly seconds: number;
}

/** A query of the monthly energy by source in MWh, which is the sum of the hourly mean power. */
const energy = `SELECT year, month, ${sources.map(name => `sum(${name}) AS ${name}`).join(', ')} FROM systemState_1h`;
const groupByMonth = 'GROUP BY year, month ORDER BY year, month';

/** Python code that sets `plan`, which shows how many files the query `one` reads. */
const explain = {
  duckdb: 'plan = "\\n".join(str(row[1]) for row in run("EXPLAIN ANALYZE " + one).fetchall())',
  spark: 'plan = "files: " + str(len(run(one).inputFiles()))',
};
const rowsFunctions = {
  duckdb: `def rows(query):
    result = run(query)
    names = [column[0] for column in result.description]
    return [dict(zip(names, row)) for row in result.fetchall()]`,
  spark: `def rows(query):
    return [row.asDict() for row in run(query).collect()]`,
};

/** Writes hours of the sandbox to an archive, and exports it after the first and the last year. */
export async function exportYears({ folder }: Pick<Machine, 'folder'>): Promise<{
  readonly exports: readonly [Exported, Exported];
  readonly expected: readonly Cells[];
}> {
  const service = await startService(Date.UTC(firstYear + years, 0, 1));
  const headers = { 'X-API-KEY': service.createKey('engines').value };
  const archive = openArchive(join(folder, 'years archive'));
  const exports: Exported[] = [];
  const months = new Map<string, Record<string, number>>();
  try {
    for (let year = firstYear; year < firstYear + years; year++) {
      for (const [dataset] of datasets) {
        const queryFields = { dataset, range: `${year}-01-01..${year}-12-31`, interval: '1h' };
        const params: Record<string, string> = dataset === 'gridStress' ? { components: 'true' } : {};
        const resolved = resolveQuery({ ...queryFields, params, timeZone: 'UTC' }, Date.UTC(firstYear + years, 0, 1));
        if (!resolved.ok) throw new Error(resolved.problem);
        const query = toServiceQuery(resolved.value);
        const address = `${service.baseUrl}${query.dataset.path}?${new URLSearchParams(createRequestParameters(query)).toString()}`;
        const { frame, meta } = decode([await (await fetch(address, { headers })).json()]);
        if (!frame) throw new Error(`The year ${year} has no rows.`);
        const series = { source, dataset, interval: '1h', params };
        const { start, end } = query;
        if (!(await archive.merge(series, 3_600_000, { start, end }, { frame, requestedAt: end, meta })))
          throw new Error('The hours were not archived.');
        if (dataset === 'systemState') addEnergy(months, frame);
      }
      if (year !== firstYear && year !== firstYear + years - 1) continue;
      const target = join(folder, `years to ${year}`);
      const to = { archive, clock: systemClock, now: Date.UTC(firstYear + years, 0, 1) };
      // A first export warms up the code.
      if (year === firstYear) await exportArchive({ ...to, folder: target });
      const from = performance.now();
      const { rows } = await exportArchive({ ...to, folder: target });
      exports.push({ folder: target, rows, seconds: secondsSince(from) });
    }
  } finally {
    await service.close();
  }
  const expected = Array.from(months, ([month, sums]): Cells => {
    const [year, number] = month.split('-').map(Number);
    return { year: year ?? NaN, month: number ?? NaN, ...sums };
  });
  const [firstExport, lastExport] = exports;
  if (!firstExport || !lastExport) throw new Error('No table was exported.');
  return { exports: [firstExport, lastExport], expected };
}

function addEnergy(months: Map<string, Record<string, number>>, frame: Frame): void {
  for (const cells of toCells(frame)) {
    const key = new Date(Number(cells['ts'])).toISOString().slice(0, 7);
    const sums = months.get(key) ?? Object.fromEntries(sources.map(name => [name, 0]));
    for (const name of sources) sums[name] = (sums[name] ?? 0) + Number(cells[name] ?? 0);
    months.set(key, sums);
  }
}

/** Reads the exports: the monthly energy by source, and one month, for which one file should be read. */
export async function* readYears(
  engine: SqlEngine,
  machine: Machine,
  { exports, expected }: Awaited<ReturnType<typeof exportYears>>,
  launcher: readonly string[] = [machine.python],
  env: Readonly<Record<string, string>> = {},
): AsyncGenerator<CheckResult> {
  const monthQuery = `${energy} WHERE year = ${firstYear} AND month = 7 GROUP BY year, month`;
  const begin = `${sqlRunner[engine]}${rowsFunctions[engine]}\n`;
  const programs: Program[] = [];
  for (const { folder } of exports)
    for (const code of [
      `${await createSqlProgram(engine, folder, datasets[0][1])}records = []`,
      `${begin}records = rows(${JSON.stringify(`${energy} ${groupByMonth}`)})`,
      `${begin}one = ${JSON.stringify(monthQuery)}\nrecords = rows(one)`,
      `${begin}one = ${JSON.stringify(monthQuery)}\n${explain[engine]}\nrecords = [{"plan": plan}]`,
    ])
      programs.push({ name: 'years', kind: 'records', code });
  const outcomes = await runPrograms(launcher, programs, env);
  for (const [index, { rows }] of exports.entries()) {
    const span = index === 0 ? '1 year' : `${years} years`;
    const expectedMonths = index === 0 ? expected.slice(0, 12) : expected;
    const [tableOutcome, yearsOutcome, monthOutcome, planOutcome] = outcomes.slice(4 * index, 4 * index + 4);
    if (!tableOutcome || !yearsOutcome || !monthOutcome || !planOutcome)
      throw new Error('The program returned no outcome.');
    yield { label: `${span}: table created`, rows, seconds: tableOutcome.seconds, failure: tableOutcome.error };
    const failure = yearsOutcome.error ?? findDifference(expectedMonths, yearsOutcome.rows ?? []);
    yield { label: `${span}: energy by month`, rows, seconds: yearsOutcome.seconds, failure };
    const monthFailure = monthOutcome.error ?? findDifference(expectedMonths.slice(6, 7), monthOutcome.rows ?? []);
    yield { label: `${span}: energy of one month`, rows: 744, seconds: monthOutcome.seconds, failure: monthFailure };
    const text = JSON.stringify(planOutcome.rows?.[0]?.['plan'] ?? '');
    const files = /files(?: read)?: (\d+)/i.exec(text)?.[1];
    const unpruned = files === '1' ? undefined : `${files} files read: ${text}`;
    yield {
      label: `${span}: only one file read`,
      seconds: planOutcome.seconds,
      failure: planOutcome.error ?? unpruned,
    };
  }
}

/** Checks that each column of each row group has its minimum and maximum, which engines use to skip rows. */
export async function checkStatistics({ python }: Machine, folder: string): Promise<CheckResult> {
  const path = JSON.stringify(join(folder, '**', '*.parquet'));
  const query = `SELECT count(*), count(*) FILTER (stats_min_value IS NULL AND stats_null_count < num_values) FROM parquet_metadata(?)`;
  const code = `import duckdb
[(chunks, bare)] = duckdb.execute(${JSON.stringify(query)}, [${path}]).fetchall()
records = [{"chunks": chunks, "bare": bare}]`;
  const [outcome] = await runPrograms([python], [{ name: 'statistics', kind: 'records', code }]);
  const { rows: [counts] = [], error, seconds = 0 } = outcome ?? {};
  const { chunks = 0, bare } = counts ?? {};
  const isWhole = Number(chunks) > 0 && bare === 0;
  const failure = error ?? (isWhole ? undefined : `${JSON.stringify(bare)} columns without a minimum and maximum`);
  return { label: 'minimum and maximum of each column', rows: Number(chunks), seconds, failure };
}

/** Describes the first difference between sums. Allows rounding errors, since engines add numbers in any order. */
function findDifference(expected: readonly Cells[], rows: readonly Cells[]): string | undefined {
  if (expected.length !== rows.length) return `${rows.length} months instead of ${expected.length}`;
  for (const [index, expectedMonth] of expected.entries())
    for (const [name, expectedSum] of Object.entries(expectedMonth)) {
      const actualSum = Number(rows[index]?.[name]);
      if (!(Math.abs(actualSum - Number(expectedSum)) <= 1e-11 * Math.abs(Number(expectedSum))))
        return `${name}: ${actualSum} instead of ${JSON.stringify(expectedSum)}`;
    }
  return undefined;
}
