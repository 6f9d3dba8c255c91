import { join } from 'node:path';
import { decode } from '../../src/core/decode/decode.ts';
import { createRequestParameters, resolveQuery } from '../../src/core/query/query.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { exportArchive } from '../../src/service/export/exportArchive.ts';
import type { Frame } from '../../src/shared/frame.ts';
import { serviceQuery } from '../support/serviceQuery.ts';
import { cellsOf, type Cells } from './cells.ts';
import { runPrograms, secondsSince, type Line, type Machine, type Program } from './engine.ts';
import { archiveIn, startService } from './gridTables.ts';
import { sqlMaking, sqlRunner, type SqlEngine } from './sqlPrograms.ts';

const first = 2018;
const years = 30;
const source = 'https://api.example.test';
const sources = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw', 'wind_mw', 'pv_mw'];
/** Both datasets: 16 series of system state and 5 of stress. */
const datasets = [
  ['systemState', 'systemState_1h'],
  ['gridStress', 'gridStress_components_true_1h'],
] as const;

/** The folder of an export of so many years, the rows that it has, and the seconds that it took. */
interface Exported {
  readonly folder: string;
  readonly rows: number;
  readonly seconds: number;
}

/** Energy of each month by source, in MWh: mean power of an hour is its energy. */
const energy = `SELECT year, month, ${sources.map(name => `sum(${name}) AS ${name}`).join(', ')} FROM systemState_1h`;
const byMonth = 'GROUP BY year, month ORDER BY year, month';

/** Makes `plan`, which says how many files the query `one` reads. */
const explain = {
  duckdb: 'plan = "\\n".join(str(row[1]) for row in run("EXPLAIN ANALYZE " + one).fetchall())',
  spark: 'plan = "files: " + str(len(run(one).inputFiles()))',
};
const rowsOf = {
  duckdb: `def rows(query):
    result = run(query)
    names = [column[0] for column in result.description]
    return [dict(zip(names, row)) for row in result.fetchall()]`,
  spark: `def rows(query):
    return [row.asDict() for row in run(query).collect()]`,
};

/** Writes hours of the sandbox into an archive, and exports it after the first year and after the last. */
export async function exportYears({ folder }: Pick<Machine, 'folder'>): Promise<{
  readonly exports: readonly [Exported, Exported];
  readonly expected: readonly Cells[];
}> {
  const service = await startService(Date.UTC(first + years, 0, 1));
  const headers = { 'X-API-KEY': service.createKey('engines').value };
  const archive = archiveIn(join(folder, 'years archive'));
  const exports: Exported[] = [];
  const months = new Map<string, Record<string, number>>();
  try {
    for (let year = first; year < first + years; year++) {
      for (const [dataset] of datasets) {
        const asked = { dataset, range: `${year}-01-01..${year}-12-31`, interval: '1h' };
        const params: Record<string, string> = dataset === 'gridStress' ? { components: 'true' } : {};
        const resolved = resolveQuery({ ...asked, params, timeZone: 'UTC' }, Date.UTC(first + years, 0, 1));
        if (!resolved.ok) throw new Error(resolved.problem);
        const query = serviceQuery(resolved.value);
        const address = `${service.baseUrl}${query.dataset.path}?${new URLSearchParams(createRequestParameters(query)).toString()}`;
        const { frame, meta } = decode([await (await fetch(address, { headers })).json()]);
        if (!frame) throw new Error(`no rows of ${year}`);
        const series = { source, dataset, interval: '1h', params };
        const { start, end } = query;
        if (!(await archive.merge(series, 3_600_000, { start, end }, { frame, requestedAt: end, meta })))
          throw new Error('not archived');
        if (dataset === 'systemState') addEnergy(months, frame);
      }
      if (year !== first && year !== first + years - 1) continue;
      const target = join(folder, `years to ${year}`);
      const to = { archive, clock: systemClock, now: Date.UTC(first + years, 0, 1) };
      // The first time, code is not compiled yet.
      if (year === first) await exportArchive({ ...to, folder: target });
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
  const [one, all] = exports;
  if (!one || !all) throw new Error('nothing was exported');
  return { exports: [one, all], expected };
}

function addEnergy(months: Map<string, Record<string, number>>, frame: Frame): void {
  for (const cells of cellsOf(frame)) {
    const key = new Date(Number(cells['ts'])).toISOString().slice(0, 7);
    const sums = months.get(key) ?? Object.fromEntries(sources.map(name => [name, 0]));
    for (const name of sources) sums[name] = (sums[name] ?? 0) + Number(cells[name] ?? 0);
    months.set(key, sums);
  }
}

/** Thirty years of 20 series: the energy of each month by source, and one month for which one file is read. */
export async function* readYears(
  engine: SqlEngine,
  machine: Machine,
  { exports, expected }: Awaited<ReturnType<typeof exportYears>>,
  launcher: readonly string[] = [machine.python],
  env: Readonly<Record<string, string>> = {},
): AsyncGenerator<Line> {
  const one = `${energy} WHERE year = ${first} AND month = 7 GROUP BY year, month`;
  const begin = `${sqlRunner[engine]}${rowsOf[engine]}\n`;
  const programs: Program[] = [];
  for (const { folder } of exports)
    for (const code of [
      `${await sqlMaking(engine, folder, datasets[0][1])}records = []`,
      `${begin}records = rows(${JSON.stringify(`${energy} ${byMonth}`)})`,
      `${begin}one = ${JSON.stringify(one)}\nrecords = rows(one)`,
      `${begin}one = ${JSON.stringify(one)}\n${explain[engine]}\nrecords = [{"plan": plan}]`,
    ])
      programs.push({ name: 'years', kind: 'records', code });
  const outcomes = await runPrograms(launcher, programs, env);
  for (const [index, { rows }] of exports.entries()) {
    const span = index === 0 ? '1 year' : `${years} years`;
    const wanted = index === 0 ? expected.slice(0, 12) : expected;
    const [made, all, month, plan] = outcomes.slice(4 * index, 4 * index + 4);
    if (!made || !all || !month || !plan) throw new Error('no outcome');
    yield { what: `${span}: the table made`, rows, seconds: made.seconds, failure: made.error };
    const failure = all.error ?? off(wanted, all.rows ?? []);
    yield { what: `${span}: energy by month`, rows, seconds: all.seconds, failure };
    const ofOne = month.error ?? off(wanted.slice(6, 7), month.rows ?? []);
    yield { what: `${span}: energy of one month`, rows: 744, seconds: month.seconds, failure: ofOne };
    const text = JSON.stringify(plan.rows?.[0]?.['plan'] ?? '');
    const files = /files(?: read)?: (\d+)/i.exec(text)?.[1];
    const unpruned = files === '1' ? undefined : `${files} files read: ${text}`;
    yield { what: `${span}: one file read`, seconds: plan.seconds, failure: plan.error ?? unpruned };
  }
}

/** Whether each column of each row group says its least and largest value, by which engines leave out rows. */
export async function statistics({ python }: Machine, folder: string): Promise<Line> {
  const path = JSON.stringify(join(folder, '**', '*.parquet'));
  const query = `SELECT count(*), count(*) FILTER (stats_min_value IS NULL AND stats_null_count < num_values) FROM parquet_metadata(?)`;
  const code = `import duckdb
[(chunks, bare)] = duckdb.execute(${JSON.stringify(query)}, [${path}]).fetchall()
records = [{"chunks": chunks, "bare": bare}]`;
  const [outcome] = await runPrograms([python], [{ name: 'statistics', kind: 'records', code }]);
  const { rows: [counts] = [], error, seconds = 0 } = outcome ?? {};
  const { chunks = 0, bare } = counts ?? {};
  const isWhole = Number(chunks) > 0 && bare === 0;
  const failure =
    error ?? (isWhole ? undefined : `${JSON.stringify(bare)} columns without their least and largest value`);
  return { what: 'least and largest of each column', rows: Number(chunks), seconds, failure };
}

/** The order in which an engine adds numbers is its own. */
function off(expected: readonly Cells[], rows: readonly Cells[]): string | undefined {
  if (expected.length !== rows.length) return `${rows.length} months instead of ${expected.length}`;
  for (const [index, wanted] of expected.entries())
    for (const [name, should] of Object.entries(wanted)) {
      const is = Number(rows[index]?.[name]);
      if (!(Math.abs(is - Number(should)) <= 1e-11 * Math.abs(Number(should))))
        return `${name}: ${is} instead of ${JSON.stringify(should)}`;
    }
  return undefined;
}
