// Sets up a fresh clone: the dependencies, Node 24, VS Code's server and Chromium. It runs on Node 20 before node_modules
// exists, so it uses built-in modules only. The steps after the dependencies are TypeScript under Node 24 (prepare.ts).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setInterval, clearInterval } from 'node:timers';
import { delimiter, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');
const logs = join(root, '.vscode-test', 'logs');
const stampFile = join(root, 'node_modules', '.installed-lock');

/**
 * Installs what is missing, printing one line for each step. `vscode` selects the parts of VS Code: `all` (the server and a
 * browser), `server`, or `none`. Returns the path of Node 24. Throws an Error that names the failed step.
 */
export async function install({ vscode = 'all' } = {}) {
  mkdirSync(logs, { recursive: true });
  installDependencies();
  const node = findNode24();
  if (vscode !== 'none' && (await runUnderNode24(node, ['scripts/install/prepare.ts', vscode])) !== 0)
    throw new Error('VS Code or the browser could not be installed (see above).');
  return node;
}

/** Runs a script under Node 24 with the project's tools first on the PATH. Resolves to its exit code. */
export function runUnderNode24(node, args) {
  const path = [bin, dirname(node), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } });
  // The child ends the processes that it started, so every signal is forwarded to it.
  const forward = signal => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  // npm does not pass SIGTERM on to this process: a changed parent shows that npm has ended.
  const parent = process.ppid;
  const parentCheck = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) forward('SIGTERM');
  }, 250);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      clearInterval(parentCheck);
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
      done(code ?? 128 + (constants.signals[signal] ?? 1));
    });
  });
}

/** Runs a script's main function. An error is printed as one line, with exit code 1. */
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
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock) return;
  console.log('Installing the dependencies (npm ci), which takes minutes …');
  rmSync(stampFile, { force: true });
  runNpm('npm ci', ['ci', '--no-audit', '--no-fund']);
  writeFileSync(stampFile, lock);
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

/** Finds Node 24. The `node` package downloads it in an install script; where these are disabled, the script runs here. */
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
