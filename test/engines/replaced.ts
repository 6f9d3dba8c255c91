import { join } from 'node:path';
import { frameOf } from '../../src/core/decode/decode.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { writeHive } from '../../src/service/export/hiveFolder.ts';
import { runPrograms, type Line, type Machine } from './engine.ts';
import { sqlMaking, type SqlEngine } from './sqlPrograms.ts';

const hourMs = 3_600_000;
const months = [1, 2];
/** What both months are in turn: all hours have the same values. The second has the layout of the first, the third is much shorter. */
const versions = [
  { rows: 600, load: 1 },
  { rows: 600, load: 2 },
  { rows: 24, load: 3 },
] as const;

async function writeVersion(folder: string, turn: number): Promise<void> {
  const { rows, load } = versions[turn % versions.length] ?? versions[0];
  const records = months.flatMap(month =>
    Array.from({ length: rows }, (_, hour) => {
      const ts = new Date(Date.UTC(2024, month - 1, 1) + hour * hourMs).toISOString();
      return { ts, load, noise: Math.sin(hour) / load, twice: 2 * load };
    }),
  );
  const series = { source: 'https://api.example.test', dataset: 'other', interval: '1h', params: {} };
  await writeHive({ folder, series: [{ ...series, frame: frameOf(records) }], clock: systemClock });
}

const query =
  'SELECT month, count(*) AS rows, min(load) AS least, max(load) AS most, sum(twice) AS twice FROM other_1h GROUP BY month';

/** How an engine reads the table anew, as rows of tuples. Spark keeps a list of the files, which a reader that goes on has to renew. */
const reading = {
  duckdb: 'run(query).fetchall()',
  spark: '[tuple(row) for row in (run("REFRESH TABLE other_1h"), run(query))[1].collect()]',
} as const;

/**
 * Reads two months again and again while both are exported again and again: each is to be seen whole. A query that meets the change
 * itself may be refused, since an engine opens a file more than once: it has to say so, and the next one is answered.
 */
export async function* readReplaced(
  engine: SqlEngine,
  { folder: own, python }: Machine,
  launcher: readonly string[] = [python],
  env: Readonly<Record<string, string>> = {},
): AsyncGenerator<Line> {
  const folder = join(own, `replaced ${engine}`);
  await writeVersion(folder, 0);
  const reads = engine === 'spark' ? 60 : 600;
  const code = `${await sqlMaking(engine, folder, 'other_1h')}
query = ${JSON.stringify(query)}
seen, refused = set(), 0
for turn in range(${reads}):
    try:
        seen.update(${reading[engine]})
    except Exception:
        refused += 1
names = ["month", "rows", "least", "most", "twice"]
records = [dict(zip(names, row)) for row in sorted(seen)] + [{"refused": refused}]`;
  const stop = new AbortController();
  const [outcomes] = await Promise.all([
    runPrograms(launcher, [{ name: 'replaced', kind: 'records', code }], env).finally(() => stop.abort()),
    (async () => {
      for (let turn = 1; !stop.signal.aborted; turn++) await writeVersion(folder, turn);
    })(),
  ]);
  const whole = months.flatMap(month =>
    versions.map(({ rows, load }) => JSON.stringify({ month, rows, least: load, most: load, twice: 2 * load * rows })),
  );
  const { rows: seen = [], error, seconds = 0 } = outcomes[0] ?? {};
  const states = seen.map(row => JSON.stringify(row));
  const refused = Number(seen.at(-1)?.['refused'] ?? reads);
  const odd = states.slice(0, -1).filter(state => !whole.includes(state));
  const missed = whole.filter(state => !states.includes(state));
  const differs =
    odd.length > 0 ? `not whole: ${odd.join(', ')}` : missed.length > 0 && `never seen: ${missed.join(', ')}`;
  const what = `months replaced meanwhile, ${refused} refused`;
  yield { what, rows: reads - refused, seconds, failure: error ?? (differs || undefined) };
}
