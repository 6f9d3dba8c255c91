// The stages of `npm test`; started by test/run.mjs under Node 24. Arguments choose some of them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { countsOfStage, countsVariable, describeCounts, sumCounts } from './counts.ts';
import type { Counts } from './counts.ts';
import { root, screenshots } from './paths.ts';

interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** A check has no tests of its own: it counts only when it fails. */
  readonly kind: 'check' | 'suite';
  /** Leaves pictures of its failures. */
  readonly pictures?: boolean;
}

const mocha = (kind: string) => ['mocha', '--config', `test/${kind}/.mocharc.json`, '--reporter', reporter];
const reporter = 'test/host/countingReporter.ts';

const stages: readonly Stage[] = [
  { name: 'lint', command: ['npm', 'run', '-s', 'lint'], kind: 'check' },
  { name: 'types', command: ['npm', 'run', '-s', 'types'], kind: 'check' },
  { name: 'build', command: ['npm', 'run', '-s', 'build'], kind: 'check' },
  { name: 'unit', command: mocha('unit'), kind: 'suite' },
  { name: 'view', command: mocha('view'), kind: 'suite' },
  { name: 'integration', command: ['node', 'test/host/integration.ts'], kind: 'suite' },
  { name: 'package', command: ['node', 'test/host/package.ts'], kind: 'check' },
  { name: 'e2e', command: mocha('e2e'), kind: 'suite', pictures: true },
];

/** A stage that hangs must not hang the run. */
const stageLimitMs = 40 * 60_000;
const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'grid-data-counts-'));
process.exitCode = await runStages(process.argv.slice(2));
rmSync(folder, { recursive: true, force: true });

async function runStages(names: readonly string[]): Promise<number> {
  const unknown = names.filter(name => !stages.some(stage => stage.name === name));
  if (unknown.length > 0) {
    console.error(`No such stage: ${unknown.join(', ')}. There are: ${stages.map(stage => stage.name).join(', ')}.`);
    return 2;
  }
  const results: { stage: Stage; counts: Counts; seconds: string }[] = [];
  for (const stage of stages.filter(({ name }) => names.length === 0 || isWanted(name, names))) {
    console.log(`\n── ${stage.name} ──`);
    const from = performance.now();
    const counts = await runStage(stage);
    results.push({ stage, counts, seconds: secondsSince(from) });
  }
  console.log('\n── summary ──');
  for (const { stage, counts, seconds } of results) {
    const outcome = stage.kind === 'suite' ? describeCounts(counts) : counts.failed > 0 ? 'FAILED' : 'ok';
    console.log(`${stage.name.padEnd(12)} ${seconds.padStart(6)} s  ${outcome}`);
    if (stage.pictures && counts.failed > 0) console.log(`  pictures of the failures: ${relative(root, screenshots)}/`);
  }
  console.log(`${'all'.padEnd(12)} ${secondsSince(started).padStart(6)} s`);
  const sum = sumCounts(results.map(({ counts }) => counts));
  console.log(describeCounts(sum));
  return sum.failed > 0 ? 1 : 0;
}

/** The suites in VS Code need what the build and the package make. */
function isWanted(name: string, names: readonly string[]): boolean {
  const needs: Record<string, readonly string[]> = { build: ['integration'], package: ['e2e'] };
  return names.includes(name) || (needs[name] ?? []).some(need => names.includes(need));
}

async function runStage(stage: Stage): Promise<Counts> {
  const file = join(folder, `${stage.name}.json`);
  const exitCode = await execute(stage.command, { [countsVariable]: file });
  if (stage.kind === 'check') return { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
  return countsOfStage(exitCode, readCounts(file));
}

function readCounts(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    return undefined;
  }
}

function execute([command = '', ...args]: readonly string[], env: Record<string, string>): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
    });
    const limit = setTimeout(() => {
      console.error(`This stage has not ended within ${stageLimitMs / 60_000} minutes.`);
      child.kill('SIGTERM');
    }, stageLimitMs);
    // Ctrl+C reaches the child by itself; a TERM does not. The child cleans up, then the run ends.
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
