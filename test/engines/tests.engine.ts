import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { countsVariable, describeFailures, type Report } from '../host/counts.ts';
import { runCommand, secondsSince, type Engine } from './engine.ts';

/** Tests in `unit/core/` that skip checks for which Python packages are missing. */
const files = [
  'export/markdownText',
  'snippets/doubledHour',
  'snippets/dataSnippets',
  'snippets/notebook',
  'snippets/panelTransformations',
  'snippets/columnNames',
  'snippets/archiveRange',
  'snippets/literalPaths',
  'snippets/querySnippets.long',
];

export const engine: Engine = {
  isLong: true,
  async *run({ python, folder }) {
    const report = join(folder, 'tests.json');
    for (const file of files) {
      const from = performance.now();
      await rm(report, { force: true });
      const test = `test/unit/core/${file}.test.ts`;
      const args = ['node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--timeout', '240000', '--reporter'];
      const env = { GRID_DATA_PYTHON: python, [countsVariable]: report };
      await runCommand(process.execPath, [...args, 'test/host/countingReporter.ts', test], { env, cwd: root }).catch(
        () => undefined,
      );
      const { passed, failed, failures }: Report = JSON.parse(await readFile(report, 'utf8')) as Report;
      const failure = failed > 0 || passed === 0 ? describeFailures(failures).join('\n') : undefined;
      yield { label: `${file}: ${passed} tests`, seconds: secondsSince(from), failure };
    }
  },
};
