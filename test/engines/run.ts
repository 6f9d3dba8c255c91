// `npm run engines`: runs the engines that users run on exported data, in a virtual environment, and prints a line for each check.
// `-- --all` includes the long ones; `-- spark` runs those whose names start with it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeCounts } from '../host/counts.ts';
import { secondsSince, type Engine, type CheckResult, type Machine } from './engine.ts';
import { installPackages } from './environment.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const ending = '.engine.ts';
process.exitCode = await runEngines(process.argv.slice(2));

async function runEngines(args: readonly string[]): Promise<number> {
  const names = args.filter(argument => !argument.startsWith('--'));
  const selected: { readonly name: string; readonly engine: Engine }[] = [];
  for (const file of readdirSync(import.meta.dirname)
    .filter(entry => entry.endsWith(ending))
    .sort()) {
    const name = file.slice(0, -ending.length);
    const { engine } = (await import(pathToFileURL(join(import.meta.dirname, file)).href)) as { engine: Engine };
    const isSelected =
      names.length > 0 ? names.some(prefix => name.startsWith(prefix)) : !engine.isLong || args.includes('--all');
    if (isSelected) selected.push({ name, engine });
  }
  const installed = await installPackages(selected.some(({ engine }) => engine.usesSpark));
  if (typeof installed === 'string') {
    console.log(`engines: skipped, because ${installed}.`);
    console.log(describeCounts({ passed: 0, failed: 0, skipped: selected.length }));
    return 0;
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, engine } of selected)
    for await (const line of runEngine(engine, { ...installed, folder: createTemporaryFolder() })) {
      counts[line.skipped !== undefined ? 'skipped' : line.failure === undefined ? 'passed' : 'failed'] += 1;
      console.log(formatResult(name, line));
    }
  console.log(describeCounts(counts));
  return counts.failed > 0 ? 1 : 0;
}

/** Runs an engine; an error becomes a failed check. */
async function* runEngine(engine: Engine, machine: Machine): AsyncGenerator<CheckResult> {
  const startMs = performance.now();
  try {
    yield* engine.run(machine);
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    yield { label: 'all', seconds: secondsSince(startMs), failure };
  }
}

/** Formats a line of the summary: engine, check, number of rows, outcome and seconds. */
function formatResult(name: string, { label, rows, seconds, failure, skipped }: CheckResult): string {
  const outcome = skipped !== undefined ? 'skipped' : failure === undefined ? 'equal' : 'DIFFERENT';
  const reason = skipped ?? failure;
  return [
    name.padEnd(12),
    label.padEnd(32),
    (rows?.toLocaleString('en') ?? '').padStart(9),
    ` ${outcome.padEnd(9)}`,
    `${seconds.toFixed(2)} s`.padStart(9),
    ...(reason === undefined ? [] : [`\n             ${reason.trim().replaceAll('\n', '\n             ')}`]),
  ].join(' ');
}
