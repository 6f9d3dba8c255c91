import { join } from 'node:path';
import { recordsToFrame } from '../../src/core/decode/decode.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { writeHive } from '../../src/service/export/hiveFolder.ts';
import { runPrograms, type CheckResult, type Machine } from './engine.ts';
import { createSqlProgram, type SqlEngine } from './sqlPrograms.ts';

const hourMs = 3_600_000;
const months = [1, 2];
/** The alternating versions of both months; all hours have the same values. The second has the layout of the first, the third is shorter. */
const versions = [
  { rows: 600, load: 1 },
  { rows: 600, load: 2 },
  { rows: 24, load: 3 },
] as const;

async function writeVersion(folder: string, version: number): Promise<void> {
  const { rows, load } = versions[version % versions.length] ?? versions[0];
  const records = months.flatMap(month =>
    Array.from({ length: rows }, (_, hour) => {
      const ts = new Date(Date.UTC(2024, month - 1, 1) + hour * hourMs).toISOString();
      return { ts, load, noise: Math.sin(hour) / load, twice: 2 * load };
    }),
  );
  const series = { source: 'https://api.example.test', dataset: 'other', interval: '1h', params: {} };
  await writeHive({ folder, series: [{ ...series, frame: recordsToFrame(records) }], clock: systemClock });
}

const query =
  'SELECT month, count(*) AS rows, min(load) AS least, max(load) AS most, sum(twice) AS twice FROM other_1h GROUP BY month';

/** Python expressions that query the table again as tuples. Spark caches the list of files, which has to be refreshed. */
const readExpressions = {
  duckdb: 'run(query).fetchall()',
  spark: '[tuple(row) for row in (run("REFRESH TABLE other_1h"), run(query))[1].collect()]',
} as const;

/**
 * Reads two months repeatedly while both are exported repeatedly, and checks that each month is always complete. A query during the
 * replacement may fail, since an engine opens a file more than once, but it must report an error, and the next query must succeed.
 */
export async function* readWhileReplaced(
  engine: SqlEngine,
  { folder: baseFolder, python }: Machine,
  launcher: readonly string[] = [python],
  env: Readonly<Record<string, string>> = {},
): AsyncGenerator<CheckResult> {
  const folder = join(baseFolder, `replaced ${engine}`);
  await writeVersion(folder, 0);
  const reads = engine === 'spark' ? 60 : 600;
  const code = `${await createSqlProgram(engine, folder, 'other_1h')}
query = ${JSON.stringify(query)}
seen, refused = set(), 0
for turn in range(${reads}):
    try:
        seen.update(${readExpressions[engine]})
    except Exception:
        refused += 1
names = ["month", "rows", "least", "most", "twice"]
records = [dict(zip(names, row)) for row in sorted(seen)] + [{"refused": refused}]`;
  const stop = new AbortController();
  const [outcomes] = await Promise.all([
    runPrograms(launcher, [{ name: 'replaced', kind: 'records', code }], env).finally(() => stop.abort()),
    (async () => {
      for (let version = 1; !stop.signal.aborted; version++) await writeVersion(folder, version);
    })(),
  ]);
  const completeStates = months.flatMap(month =>
    versions.map(({ rows, load }) => JSON.stringify({ month, rows, least: load, most: load, twice: 2 * load * rows })),
  );
  const { rows: rowsSeen = [], error, seconds = 0 } = outcomes[0] ?? {};
  const states = rowsSeen.map(row => JSON.stringify(row));
  const failedReads = Number(rowsSeen.at(-1)?.['refused'] ?? reads);
  const incompleteStates = states.slice(0, -1).filter(state => !completeStates.includes(state));
  const missingStates = completeStates.filter(state => !states.includes(state));
  const difference =
    incompleteStates.length > 0
      ? `incomplete: ${incompleteStates.join(', ')}`
      : missingStates.length > 0 && `never read: ${missingStates.join(', ')}`;
  const label = `months replaced during reads, ${failedReads} reads failed`;
  yield { label, rows: reads - failedReads, seconds, failure: error ?? (difference || undefined) };
}
