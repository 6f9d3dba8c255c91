import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { format } from 'node:util';
import { writeCounts } from '../host/counts.ts';

/**
 * VS Code calls this function to run the built test files, or those that `TEST_FILES` names, in the extension host. Rejects if a
 * test fails or if there are no tests.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const prefix = process.env['TEST_LINE_PREFIX'] ?? '';
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(prefix + format(...args));
  const mocha = new Mocha({ ui: 'bdd', timeout: 240_000, forbidOnly: true, color: false });
  const selectedFiles = (process.env['TEST_FILES'] ?? '').split(delimiter).filter(Boolean);
  const built = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.test.js'));
  const files = built.filter(file => selectedFiles.length === 0 || selectedFiles.includes(file));
  const load = createRequire(__filename);
  try {
    // The activation test needs an extension that has not been used yet.
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
    writeCounts(runner);
  });
  if (total === 0) throw new Error('There are no tests in these files.');
  if (failures > 0) throw new Error(`${failures} failed`);
}
