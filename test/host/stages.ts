// The stages of `npm test`, started by test/run.mjs under Node 24. Arguments select stages.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { countStage, countsVariable, describeCounts, describeFailures, sumCounts } from './counts.ts';
import type { Counts, Report } from './counts.ts';
import { findChromium } from '../../scripts/install/chromium.ts';
import { logs, root, screenshots } from '../../scripts/paths.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** A check has no tests, so it is counted only if it fails. */
  readonly kind: 'check' | 'suite';
  /** Consecutive stages of the same group run in parallel, since they share no files. */
  readonly parallelGroup?: 'sources' | 'parts';
  /** Returns why the stage cannot run on this machine, or undefined if it can. */
  readonly unavailable?: () => string | undefined;
  /** Whether the stage saves screenshots of its failures. */
  readonly hasPictures?: boolean;
}

const mocha = (kind: string) => [
  ...['node', 'node_modules/mocha/bin/mocha.js', '--config', `test/${kind}/.mocharc.json`],
  ...['--reporter', 'test/host/countingReporter.ts'],
];
const findMissingBrowser = () =>
  findChromium() ? undefined : 'there is no browser: install Chromium, Google Chrome or Edge, or set CHROME_PATH';
const findMissingServer = () =>
  process.platform === 'linux' ? undefined : 'the server of VS Code, in which they run, is available on Linux only';

// Lint uses one process and a window mostly waits, so other stages can use the remaining cores.
const stages: readonly Stage[] = [
  { name: 'build', command: ['npm', 'run', '-s', 'build'], kind: 'check' },
  { name: 'lint', command: ['npm', 'run', '-s', 'lint'], kind: 'check', parallelGroup: 'sources' },
  { name: 'format', command: ['npm', 'run', '-s', 'format:check'], kind: 'check', parallelGroup: 'sources' },
  { name: 'types', command: ['npm', 'run', '-s', 'types'], kind: 'check', parallelGroup: 'sources' },
  { name: 'unit', command: mocha('unit'), kind: 'suite', parallelGroup: 'sources' },
  { name: 'integration', command: ['node', 'test/host/integration.ts'], kind: 'suite', parallelGroup: 'parts' },
  { name: 'view', command: mocha('view'), kind: 'suite', parallelGroup: 'parts', unavailable: findMissingBrowser },
  { name: 'package', command: ['node', 'scripts/package/package.ts'], kind: 'check' },
  { name: 'e2e', command: mocha('e2e'), kind: 'suite', hasPictures: true, unavailable: findMissingServer },
];

interface Outcome {
  readonly counts: Counts;
  readonly report?: Report | undefined;
}

/** Stages that hang are stopped after this time. */
const stageLimitMs = 60 * 60_000;
const started = performance.now();
const folder = createTemporaryFolder();
process.exitCode = await runStages(process.argv.slice(2));

async function runStages(names: readonly string[]): Promise<number> {
  const unknown = names.filter(name => !stages.some(stage => stage.name === name));
  if (unknown.length > 0) {
    console.error(`No such stage: ${unknown.join(', ')}. There are: ${stages.map(stage => stage.name).join(', ')}.`);
    return 2;
  }
  const results: (Outcome & { stage: Stage; seconds: string })[] = [];
  const chosenStages = stages.filter(({ name }) => names.length === 0 || isChosen(name, names));
  for (const group of groupStages(chosenStages)) {
    console.log(`\n── ${group.map(({ name }) => name).join(', ')} ──`);
    const run = async (stage: Stage) => {
      const from = performance.now();
      const outcome = await runStage(stage, group.length > 1 && stage.kind === 'suite');
      return { stage, ...outcome, seconds: secondsSince(from) };
    };
    results.push(...(await Promise.all(group.map(run))));
  }
  console.log('\n── summary ──');
  for (const { stage, counts, report, seconds } of results) {
    const outcome = stage.kind === 'suite' ? describeCounts(counts) : counts.failed > 0 ? 'FAILED' : 'ok';
    console.log(`${stage.name.padEnd(12)} ${seconds.padStart(6)} s  ${outcome}`);
    for (const line of describeFailures(report?.failures)) console.log(line);
    if (stage.hasPictures && counts.failed > 0)
      console.log(`  pictures of the failures: ${relative(root, screenshots)}/`);
  }
  console.log(`${'all'.padEnd(12)} ${secondsSince(started).padStart(6)} s`);
  const sum = sumCounts(results.map(({ counts }) => counts));
  console.log(describeCounts(sum));
  return sum.failed > 0 ? 1 : 0;
}

/** Groups consecutive stages that run in parallel. */
function groupStages(chosenStages: readonly Stage[]): readonly (readonly Stage[])[] {
  const groups: Stage[][] = [];
  for (const stage of chosenStages) {
    const lastGroup = groups.at(-1);
    if (stage.parallelGroup && lastGroup?.[0]?.parallelGroup === stage.parallelGroup) lastGroup.push(stage);
    else groups.push([stage]);
  }
  return groups;
}

/** Whether to run a stage. The end-to-end tests need the package. */
function isChosen(name: string, names: readonly string[]): boolean {
  return names.includes(name) || (name === 'package' && names.includes('e2e') && !findMissingServer());
}

/** Runs a stage. With `isOutputDeferred`, its output goes to its log, and is printed when the stage ends. */
async function runStage(stage: Stage, isOutputDeferred: boolean): Promise<Outcome> {
  const reason = stage.unavailable?.();
  if (reason !== undefined) {
    console.log(`${stage.name}: skipped, because ${reason}.`);
    return { counts: { passed: 0, failed: 0, skipped: 1 } };
  }
  const file = join(folder, `${stage.name}.json`);
  const log = join(logs, `${stage.name}.log`);
  if (isOutputDeferred) mkdirSync(logs, { recursive: true });
  const output = isOutputDeferred ? openSync(log, 'w') : 'inherit';
  const exitCode = await execute(stage, { [countsVariable]: file }, output);
  if (output !== 'inherit') {
    closeSync(output);
    console.log(`\n── ${stage.name} ──\n${readFileSync(log, 'utf8')}`);
  }
  if (stage.kind === 'check') return { counts: { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 } };
  const report = readReport(file);
  return { counts: countStage(exitCode, report), report };
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

function execute(
  { name, command: [command = '', ...args] }: Stage,
  env: Record<string, string>,
  output: number | 'inherit',
): Promise<number> {
  return new Promise(resolve => {
    // Scripts run without a shell, which Windows needs for programs such as npm.cmd.
    const npm = process.env['npm_execpath'];
    const script = command === 'node' ? [] : npm?.endsWith('.js') ? [npm] : undefined;
    const child = spawn(script ? process.execPath : command, [...(script ?? []), ...args], {
      cwd: root,
      stdio: ['inherit', output, output],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32' && !script,
    });
    const limit = setTimeout(() => {
      console.error(`The stage ${name} did not end within ${stageLimitMs / 60_000} minutes.`);
      child.kill('SIGTERM');
    }, stageLimitMs);
    // The terminal sends Ctrl+C to the child too, but not SIGTERM. The run ends after the child has cleaned up.
    let interrupted = false;
    const forward = (signal: NodeJS.Signals) => {
      interrupted = true;
      child.kill(signal);
    };
    process.once('SIGTERM', forward);
    process.once('SIGINT', forward);
    child.once('error', error => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', code => {
      clearTimeout(limit);
      process.off('SIGTERM', forward);
      process.off('SIGINT', forward);
      if (interrupted) process.exit(130);
      resolve(code ?? 1);
    });
  });
}

function secondsSince(from: number): string {
  return ((performance.now() - from) / 1_000).toFixed(1);
}
