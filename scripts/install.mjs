// Makes a fresh clone ready: the dependencies, Node 24, VS Code's server, a Chromium. Runs on Node 20 before node_modules
// exists, so it uses built-ins only; what comes after the dependencies is typed code under Node 24 (prepare.ts).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setInterval, clearInterval } from 'node:timers';
import { delimiter, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');
const logs = join(root, '.vscode-test', 'logs');
const stamp = join(root, 'node_modules', '.installed-lock');

/**
 * Installs what is missing and says one line a step; silent when nothing is. `vscode` says what of it: `all` (the server and
 * a browser), `server`, or `none`. Returns the path of Node 24. Throws an Error that names the failed step.
 */
export async function install({ vscode = 'all' } = {}) {
  mkdirSync(logs, { recursive: true });
  installDependencies();
  const node = findNode24();
  if (vscode !== 'none' && (await runUnderNode24(node, ['scripts/install/prepare.ts', vscode])) !== 0)
    throw new Error('VS Code or the browser could not be made ready (see above).');
  return node;
}

/** Runs a program of this project under Node 24 with the project's tools first on the PATH; resolves to its exit code. */
export function runUnderNode24(node, args) {
  const path = [bin, dirname(node), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } });
  // The child ends what it started; this process only waits for it, whoever the signal was sent to.
  const forward = signal => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  // A TERM to npm ends npm and its shell, and does not come further: then the parent is gone.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) forward('SIGTERM');
  }, 250);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
      done(code ?? 128 + (constants.signals[signal] ?? 1));
    });
  });
}

/** Runs a bootstrap's main function; an error becomes one sentence and exit code 1. */
export async function main(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing the dependencies (npm ci), which takes minutes …');
  rmSync(stamp, { force: true });
  runNpm('npm ci', ['ci', '--no-audit', '--no-fund']);
  writeFileSync(stamp, lock);
}

function runNpm(step, args) {
  const log = join(logs, 'npm-ci.log');
  const output = openSync(log, 'w');
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32' && command === 'npm',
  });
  closeSync(output);
  if (status === 0) return;
  const tail = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  throw new Error(`${step} failed${error ? ` (${error.message})` : ''}. The end of ${log}:\n${tail}`);
}

/** The `node` package fetches Node 24 in its install script, which a machine may forbid: run it then, or use our own Node. */
function findNode24() {
  const node = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
  const binary = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (isNode24(binary)) return binary;
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    if (!existsSync(node) && process.platform !== 'win32') symlinkSync(process.execPath, node);
    return process.execPath;
  }
  console.log('Fetching Node 24 …');
  spawnSync(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(root, 'node_modules', 'node') });
  if (isNode24(binary)) return binary;
  throw new Error(`Node 24 is missing: ${binary} does not run. Install Node 24 and start again.`);
}

function isNode24(binary) {
  const { status, stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number.parseInt(stdout.slice(1), 10) >= 24;
}

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    await install();
    return 0;
  });
