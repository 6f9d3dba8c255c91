import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { format } from 'node:util';
import { handOverCounts } from '../host/counts.ts';

/**
 * Runs the built test files, or those that `TEST_FILES` names, in this extension host; VS Code calls it. Rejects when a test
 * fails, and when there is none.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const prefix = process.env['TEST_LINE_PREFIX'] ?? '';
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(prefix + format(...args));
  const mocha = new Mocha({ ui: 'bdd', timeout: 240_000, forbidOnly: true, color: false });
  const chosen = (process.env['TEST_FILES'] ?? '').split(delimiter).filter(Boolean);
  const built = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.test.js'));
  const files = built.filter(file => chosen.length === 0 || chosen.includes(file));
  const load = createRequire(__filename);
  try {
    // In all other suites, the extension has been used before.
    const isFirst = (file: string): number => Number(file === 'activation.test.js');
    for (const file of files.sort((a, b) => isFirst(b) - isFirst(a) || (a < b ? -1 : 1))) {
      const path = join(__dirname, file);
      // Mocha would import the file, but only VS Code's `require` resolves the module `vscode`.
      mocha.suite.emit('pre-require', globalThis, path, mocha);
      mocha.suite.emit('require', load(path), path, mocha);
      mocha.suite.emit('post-require', globalThis, path, mocha);
    }
  } catch (error) {
    Mocha.reporters.Base.consoleLog(error instanceof Error ? error.stack : error);
    throw error;
  }
  let total = 0;
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(resolve);
    total = runner.total;
    handOverCounts(runner);
  });
  if (total === 0) throw new Error('There are no tests in these files.');
  if (failures > 0) throw new Error(`${failures} failed`);
}
