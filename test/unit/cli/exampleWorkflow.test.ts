import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { createGridWorkspace, type GridWorkspace } from './gridWorkspace.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));
const workflow = readFileSync(join(root, 'docs', 'examples', 'grid-report.yml'), 'utf8');

/** A step of the workflow with commands. */
interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the names and values of a YAML block of one level. */
function parseEnv(block: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(block.matchAll(/^ +([A-Z_]+): (.*)$/gm), ([, name = '', value = '']) => [name, value] as const),
  );
}

/** Returns the environment of the job, and its steps with commands. */
function parseWorkflow(text: string): {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
} {
  const [head = '', steps = ''] = text.split(/^ {4}steps:\n/m);
  const [, jobEnv = ''] = head.split(/^ {4}env:\n/m);
  return {
    env: parseEnv(jobEnv),
    steps: steps.split(/^ {6}- /m).flatMap(step => {
      const [, run] = /^ {8}run: \|\n((?: {10}.*\n)+)/m.exec(step) ?? [];
      const [, env = ''] = step.split(/^ {8}env:\n/m);
      return run === undefined ? [] : [{ run: run.replace(/^ {10}/gm, ''), env: parseEnv(env) }];
    }),
  };
}

describe('the example workflow', () => {
  let workspace: GridWorkspace;
  afterEach(async () => workspace.close());

  it('writes the report with its own commands, and gives the key to one step only', async function () {
    if (['bash', 'unzip'].some(command => spawnSync(command, ['--help']).error)) {
      console.log('      (bash or unzip is missing)');
      this.skip();
    }
    const query = { name: 'Demand', dataset: 'systemState', range: '2023-05-01' };
    workspace = await createGridWorkspace([{ folder: 'Weekly', queries: [query] }]);
    const { folder, key, variables, list, countRequests, read } = workspace;
    // The stand-in for GitHub's command downloads a package that runs the source.
    const bin = createTemporaryFolder();
    const entry = JSON.stringify(join(root, 'src', 'cli', 'grid.ts'));
    const program = `const { spawnSync } = require('node:child_process');
process.exitCode = spawnSync(process.execPath, [${entry}, ...process.argv.slice(2)], { stdio: 'inherit' }).status;`;
    writeFileSync(join(bin, 'package.vsix'), zipSync({ 'extension/dist/grid.js': strToU8(program) }));
    writeFileSync(
      join(bin, 'gh'),
      `#!/bin/sh
[ "$1 $2" = "release download" ] && [ -n "$GH_TOKEN" ] || exit 1
while [ "$1" != --output ]; do shift; done
exec cp "$(dirname "$0")/package.vsix" "$2"
`,
    );
    chmodSync(join(bin, 'gh'), 0o755);
    mkdirSync(join(bin, 'home'));
    const values: Readonly<Record<string, string>> = {
      'github.workspace': folder,
      'github.token': 'token',
      'secrets.GRID_DATA_API_KEY': key,
    };
    const fill = (env: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(env).map(([name, text]) => [
          name,
          text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, expression: string) => {
            assert.ok(expression in values, expression);
            return values[expression] ?? '';
          }),
        ]),
      );
    const { env: jobEnv, steps } = parseWorkflow(workflow);
    assert.equal(steps.length, 3);
    assert.equal(steps.filter(({ env }) => Object.values(fill(env)).includes(key)).length, 1);
    for (const { run, env } of steps) {
      assert.doesNotMatch(run, /\$\{\{/);
      const child = spawn('bash', ['-e', '-c', run], {
        cwd: folder,
        env: {
          PATH: [bin, dirname(process.execPath), process.env['PATH']].join(':'),
          HOME: join(bin, 'home'),
          GITHUB_WORKSPACE: folder,
          GRID_DATA_URL: variables['GRID_DATA_URL'],
          ...fill(jobEnv),
          ...fill(env),
        },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)));
      const code = await new Promise(resolve => child.once('close', resolve));
      assert.deepEqual([code, output], [0, run.includes(' check ') ? 'OK: Demand\n' : ''], run);
    }
    const reports = list().filter(path => path.startsWith('reports/'));
    assert.match(reports.join(), /^reports\/weekly-\d{4}-\d\d-\d\d\.html$/);
    assert.match(read(reports[0] ?? ''), /<h1[^>]*>Weekly</);
    assert.equal(countRequests(), 1);
    // The folder that the workflow keeps in its cache.
    assert.match(workflow, /^ {10}path: grid-storage$/m);
    assert.ok(readdirSync(join(folder, 'grid-storage')).includes('archive'));
  });
});
