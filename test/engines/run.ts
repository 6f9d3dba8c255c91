// `npm run engines`: what users run on our data, for real, in a virtual environment of its own: a line for each thing that is
// read. `-- --all` runs the long ones too, `-- spark` those whose names begin so.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeCounts } from '../host/counts.ts';
import { secondsSince, type Engine, type Line, type Machine } from './engine.ts';
import { installPackages } from './environment.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const ending = '.engine.ts';
process.exitCode = await runEngines(process.argv.slice(2));

async function runEngines(args: readonly string[]): Promise<number> {
  const names = args.filter(argument => !argument.startsWith('--'));
  const wanted: { readonly name: string; readonly engine: Engine }[] = [];
  for (const file of readdirSync(import.meta.dirname)
    .filter(entry => entry.endsWith(ending))
    .sort()) {
    const name = file.slice(0, -ending.length);
    const { engine } = (await import(pathToFileURL(join(import.meta.dirname, file)).href)) as { engine: Engine };
    const isWanted =
      names.length > 0 ? names.some(one => name.startsWith(one)) : !engine.isLong || args.includes('--all');
    if (isWanted) wanted.push({ name, engine });
  }
  const installed = await installPackages(wanted.some(({ engine }) => engine.usesSpark));
  if (typeof installed === 'string') {
    console.log(`engines: skipped, because ${installed}.`);
    console.log(describeCounts({ passed: 0, failed: 0, skipped: wanted.length }));
    return 0;
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, engine } of wanted)
    for await (const line of linesOf(engine, { ...installed, folder: temporaryFolder() })) {
      counts[line.skipped !== undefined ? 'skipped' : line.failure === undefined ? 'passed' : 'failed'] += 1;
      console.log(textOf(name, line));
    }
  console.log(describeCounts(counts));
  return counts.failed > 0 ? 1 : 0;
}

/** The lines of an engine; what it throws is one that has failed. */
async function* linesOf(engine: Engine, machine: Machine): AsyncGenerator<Line> {
  const from = performance.now();
  try {
    yield* engine.run(machine);
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    yield { what: 'all', seconds: secondsSince(from), failure };
  }
}

/** The engine, what it read, how many rows, whether they are those of the table, and the seconds that it took. */
function textOf(name: string, { what, rows, seconds, failure, skipped }: Line): string {
  const verdict = skipped !== undefined ? 'skipped' : failure === undefined ? 'equal' : 'DIFFERENT';
  const why = skipped ?? failure;
  return [
    name.padEnd(12),
    what.padEnd(32),
    (rows?.toLocaleString('en') ?? '').padStart(9),
    ` ${verdict.padEnd(9)}`,
    `${seconds.toFixed(2)} s`.padStart(9),
    ...(why === undefined ? [] : [`\n             ${why.trim().replaceAll('\n', '\n             ')}`]),
  ].join(' ');
}
