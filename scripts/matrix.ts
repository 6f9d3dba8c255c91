// `npm run test:matrix`: runs the cheap suites in clones of the last commit that lie and run elsewhere. Each clone has several
// oddities at once, since what fails names its own. `npm run test:matrix -- unit` runs only those suites.
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { logs, root } from './paths.ts';
import { lastLines } from './steps.ts';

interface Place {
  readonly title: string;
  /** Where the clone lies, below a fresh folder. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs as a user without rights, whose home nobody can write and who has a temporary folder of its own; needs root. */
  readonly asNobody?: boolean;
}

const places: readonly Place[] = [
  {
    title: 'blanks, quotes and letters beyond ASCII; Chatham; Turkish',
    path: `it's a "grid" & é 网 $HOME/clone`,
    env: { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
  {
    title: 'below test; another user, its home read-only; Newfoundland; no language',
    path: 'test/out/dist',
    env: { TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C' },
    asNobody: true,
  },
  {
    title: 'percent signs; Afrikaans',
    path: 'src/100%20/%',
    env: { TZ: 'Africa/Johannesburg', LANG: 'af_ZA', LC_ALL: 'af_ZA' },
  },
];

const views = ['chart', 'grid', 'states', 'statistics'].map(name => `test/view/${name}.test.ts`);
const suites: Readonly<Record<string, readonly string[]>> = {
  build: ['node', 'esbuild.js'],
  unit: ['mocha', '--config', 'test/unit/.mocharc.json'],
  view: ['mocha', '--no-config', '--exit', '--timeout', '60000', ...views],
  integration: ['node', 'test/host/integration.ts'],
};

const wanted = process.argv.slice(2);
const unknown = wanted.find(name => !Object.hasOwn(suites, name));
if (unknown !== undefined) throw new Error(`No such suite: ${unknown}. There are: ${Object.keys(suites).join(', ')}.`);
mkdirSync(logs, { recursive: true });
const failed = places.map((place, at) => runAt(place, at)).reduce((sum, count) => sum + count, 0);
console.log(failed === 0 ? 'The same everywhere.' : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs the suites at a place and returns how many of them failed. */
function runAt(place: Place, at: number): number {
  console.log(`\n${place.title}`);
  if (place.asNobody && userInfo().uid !== 0) {
    console.log('  skipped: only root can run them as another user');
    return 0;
  }
  const base = mkdtempSync(join(tmpdir(), 'grid-data-matrix-'));
  try {
    const clone = cloneTo(join(base, place.path));
    const own = place.asNobody ? giveToNobody(base) : {};
    const path = `${join(clone, 'node_modules', '.bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, ...place.env, ...own, PATH: path };
    const names = Object.keys(suites).filter(name => wanted.length === 0 || wanted.includes(name));
    return names.filter(name => !passes(name, place, clone, env, join(logs, `matrix-${at}-${name}.log`))).length;
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A clone with what is installed here. */
function cloneTo(clone: string): string {
  mustRun('git', ['clone', '--quiet', '--local', root, clone]);
  // Links to the same files where the disk is the same: only read, they take neither time nor room.
  const modules = [join(root, 'node_modules'), join(clone, 'node_modules')];
  if (spawnSync('cp', ['-al', ...modules]).status !== 0) mustRun('cp', ['-a', ...modules]);
  mkdirSync(join(clone, '.vscode-test'));
  for (const name of readdirSync(join(root, '.vscode-test')).filter(one => one.startsWith('code-server-')))
    symlinkSync(join(root, '.vscode-test', name), join(clone, '.vscode-test', name));
  return clone;
}

/** Makes the folders those of the user nobody, except what is linked, and returns the environment of that user. */
function giveToNobody(base: string): Record<string, string> {
  const [home, temporary] = [join(base, 'home'), join(base, 'temporary')];
  for (const folder of [home, temporary]) mkdirSync(folder);
  mustRun('find', [base, '-name', 'node_modules', '-prune', '-o', '-exec', 'chown', '-h', 'nobody', '{}', '+']);
  mustRun('chown', ['root', home]);
  chmodSync(home, 0o555);
  return { HOME: home, TMPDIR: temporary, USER: 'nobody', LOGNAME: 'nobody' };
}

function passes(name: string, place: Place, clone: string, env: NodeJS.ProcessEnv, log: string): boolean {
  const started = performance.now();
  const output = openSync(log, 'w');
  const command = place.asNobody ? ['runuser', '-u', 'nobody', '--', ...(suites[name] ?? [])] : suites[name];
  const [program = '', ...args] = command ?? [];
  const { status } = spawnSync(program, args, { cwd: clone, env, stdio: ['ignore', output, output] });
  closeSync(output);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`  ${name.padEnd(12)} ${seconds.padStart(6)} s  ${status === 0 ? 'ok' : `FAILED, see ${log}`}`);
  if (status !== 0) console.log(lastLines(log, 30));
  return status === 0;
}

/** Throws an Error with what a command said when it fails. */
function mustRun(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}
