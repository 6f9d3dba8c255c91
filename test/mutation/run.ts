// `npm run test:mutation -- --places 60 --seed 1`: changes one operator, bound or condition of core and service at a time and
// runs the unit tests that import the file. Prints the mutants that no test notices; exits with 1 where one is not listed in
// survivors.json with the reason.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/paths.ts';
import { importsOf } from '../unit/imports.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

/** A mutant that does no harm, by its text as it is printed, and why. */
interface Survivor {
  readonly mutant: string;
  readonly reason: string;
}

const { values } = parseArgs({
  options: { places: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
/** A mutant that runs for ever is noticed, too. */
const limitMs = 5 * 60_000;
const known = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as readonly Survivor[];
const tests = filesIn('test/unit')
  .filter(file => /(?<!\.long)\.test\.ts$/.test(file))
  .map(file => join(root, file));
const imports = new Map<string, readonly string[]>();

const chosen = choose(Number(values.places), Number(values.seed));
let survived = 0;
for (const [at, { file, text, mutant }] of chosen.entries()) {
  const what = describe(file, text, mutant);
  const reason = known.find(one => one.mutant === what)?.reason;
  const isNoticed = await notices(join(root, file), mutated(text, mutant));
  if (!isNoticed && reason === undefined) survived += 1;
  console.log(
    `${at + 1}/${chosen.length} ${isNoticed ? 'noticed ' : 'SURVIVED'} ${what}${reason ? ` (${reason})` : ''}`,
  );
}
console.log(`${survived} of ${chosen.length} survived without a reason`);
process.exitCode = survived > 0 ? 1 : 0;

/** So many mutants, drawn from all of core and service; the same for the same seed and sources. */
function choose(places: number, seed: number): { file: string; text: string; mutant: Mutant }[] {
  const all = [...filesIn('src/core'), ...filesIn('src/service')].flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8');
    return mutantsOf(text).map(mutant => ({ file, text, mutant }));
  });
  let state = seed;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  return Array.from({ length: places }, () => all.splice(Math.floor(next() * all.length), 1)).flat();
}

/** `src/core/frame/frames.ts: a < b → a <= b`: the line before and after, without its number, which changes. */
function describe(file: string, text: string, { start, end, replacement }: Mutant): string {
  const from = text.lastIndexOf('\n', start) + 1;
  const to = text.indexOf('\n', end);
  const line = text.slice(from, to).trim();
  return `${file}: ${line} → ${(text.slice(from, start) + replacement + text.slice(end, to)).trim()}`;
}

function mutated(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Whether a test fails: first those next to the file, then all that reach it. */
async function notices(file: string, source: string): Promise<boolean> {
  const distances = tests.map(test => ({ test, distance: distanceTo(file, test) }));
  const near = distances.filter(({ distance }) => distance === 1).map(({ test }) => test);
  const far = distances.filter(({ distance }) => distance > 1 && distance < Infinity);
  const rest = far.sort((a, b) => a.distance - b.distance).map(({ test }) => test);
  for (const files of [near, rest]) if (files.length > 0 && !(await pass(files, file, source))) return true;
  return false;
}

/** How many imports away a file is from a test; Infinity where it is not reached. */
function distanceTo(file: string, test: string): number {
  let edge = [test];
  const seen = new Set(edge);
  for (let distance = 0; edge.length > 0; distance += 1) {
    if (edge.includes(file)) return distance;
    edge = edge.flatMap(importedBy).filter(one => !seen.has(one) && seen.add(one));
  }
  return Infinity;
}

function importedBy(file: string): readonly string[] {
  let found = imports.get(file);
  if (!found) {
    found = file.endsWith('.ts')
      ? importsOf(file)
          .filter(({ target, kind }) => target.startsWith('.') && kind !== 'type' && target !== './computed')
          .map(({ target }) => resolve(dirname(file), target))
      : [];
    imports.set(file, found);
  }
  return found;
}

function pass(files: readonly string[], file: string, source: string): Promise<boolean> {
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const hook = pathToFileURL(join(import.meta.dirname, 'mutantHook.mjs')).href;
  return new Promise(done => {
    const child = spawn(process.execPath, [mocha, '--no-config', '--bail', '--exit', '--timeout', '60000', ...files], {
      cwd: root,
      stdio: 'ignore',
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=${hook}`,
        MUTANT: JSON.stringify({ url: pathToFileURL(file).href, source }),
      },
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    child.once('exit', code => done(code === 0));
  });
}

/** All TypeScript files of a folder, such as src/core/frame/frames.ts. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}
