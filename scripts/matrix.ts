// `npm run test:matrix`: runs the fast suites in clones of the last commit under unusual paths, time zones, languages and users.
// Each environment combines several of these. `npm run test:matrix -- unit` runs the named suites only.
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { logs, root } from './paths.ts';
import { lastLines } from './steps.ts';

interface Environment {
  readonly title: string;
  /** The path of the clone, relative to a temporary folder. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it runs as the user nobody, with a read-only home and a separate temporary folder; this needs root. */
  readonly asNobody?: boolean;
}

const environments: readonly Environment[] = [
  {
    title: 'spaces, quotes and non-ASCII letters in the path; Chatham; Turkish',
    path: `it's a "grid" & é 网 $HOME/clone`,
    env: { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
  {
    title: 'inside a test folder; another user with a read-only home; Newfoundland; no language',
    path: 'test/out/dist',
    env: { TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C' },
    asNobody: true,
  },
  {
    title: 'percent signs in the path; Afrikaans',
    path: 'src/100%20/%',
    env: { TZ: 'Africa/Johannesburg', LANG: 'af_ZA', LC_ALL: 'af_ZA' },
  },
];

const viewTests = ['chart', 'grid', 'states', 'statistics'].map(name => `test/view/${name}.test.ts`);
const suites: Readonly<Record<string, readonly string[]>> = {
  build: ['node', 'esbuild.js'],
  unit: ['mocha', '--config', 'test/unit/.mocharc.json'],
  view: ['mocha', '--no-config', '--exit', '--timeout', '60000', ...viewTests],
  integration: ['node', 'test/host/integration.ts'],
};

const requestedSuites = process.argv.slice(2);
const unknownSuite = requestedSuites.find(name => !Object.hasOwn(suites, name));
if (unknownSuite !== undefined)
  throw new Error(`No such suite: ${unknownSuite}. There are: ${Object.keys(suites).join(', ')}.`);
mkdirSync(logs, { recursive: true });
const failed = environments
  .map((environment, index) => runSuites(environment, index))
  .reduce((sum, count) => sum + count, 0);
console.log(failed === 0 ? 'All suites passed in every environment.' : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs the suites in an environment. Returns how many failed. */
function runSuites(environment: Environment, index: number): number {
  console.log(`\n${environment.title}`);
  if (environment.asNobody && userInfo().uid !== 0) {
    console.log('  skipped: running as another user needs root');
    return 0;
  }
  const base = mkdtempSync(join(tmpdir(), 'grid-data-matrix-'));
  try {
    const clone = createClone(join(base, environment.path));
    const userEnv = environment.asNobody ? changeOwnerToNobody(base) : {};
    const path = `${join(clone, 'node_modules', '.bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, ...environment.env, ...userEnv, PATH: path };
    const names = Object.keys(suites).filter(name => requestedSuites.length === 0 || requestedSuites.includes(name));
    return names.filter(name => !runSuite(name, environment, clone, env, join(logs, `matrix-${index}-${name}.log`)))
      .length;
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Clones the repository and links the installed dependencies. */
function createClone(clone: string): string {
  runOrThrow('git', ['clone', '--quiet', '--local', root, clone]);
  // Hard links are quick and take no space, but need the same disk; otherwise the files are copied.
  const moduleFolders = [join(root, 'node_modules'), join(clone, 'node_modules')];
  if (spawnSync('cp', ['-al', ...moduleFolders]).status !== 0) runOrThrow('cp', ['-a', ...moduleFolders]);
  mkdirSync(join(clone, '.vscode-test'));
  for (const name of readdirSync(join(root, '.vscode-test')).filter(entry => entry.startsWith('code-server-')))
    symlinkSync(join(root, '.vscode-test', name), join(clone, '.vscode-test', name));
  return clone;
}

/** Makes the user nobody the owner of everything but the linked modules. Returns the environment of that user. */
function changeOwnerToNobody(base: string): Record<string, string> {
  const home = join(base, 'home');
  const temporary = join(base, 'temporary');
  for (const folder of [home, temporary]) mkdirSync(folder);
  runOrThrow('find', [base, '-name', 'node_modules', '-prune', '-o', '-exec', 'chown', '-h', 'nobody', '{}', '+']);
  runOrThrow('chown', ['root', home]);
  chmodSync(home, 0o555);
  return { HOME: home, TMPDIR: temporary, USER: 'nobody', LOGNAME: 'nobody' };
}

function runSuite(name: string, environment: Environment, clone: string, env: NodeJS.ProcessEnv, log: string): boolean {
  const started = performance.now();
  const output = openSync(log, 'w');
  const command = environment.asNobody ? ['runuser', '-u', 'nobody', '--', ...(suites[name] ?? [])] : suites[name];
  const [program = '', ...args] = command ?? [];
  const { status } = spawnSync(program, args, { cwd: clone, env, stdio: ['ignore', output, output] });
  closeSync(output);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`  ${name.padEnd(12)} ${seconds.padStart(6)} s  ${status === 0 ? 'ok' : `FAILED, see ${log}`}`);
  if (status !== 0) console.log(lastLines(log, 30));
  return status === 0;
}

/** Runs a command. Throws an Error with its output if it fails. */
function runOrThrow(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}
