import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findUnknownCommands } from './unknownCommands.ts';

const root = dirname(dirname(import.meta.dirname));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  engines: { vscode: string };
  repository: { url: string };
  devDependencies: Record<string, string>;
};
const names = readdirSync(join(root, '.github', 'workflows'));
const workflows = names.map(name => [name, read(`.github/workflows/${name}`)] as const);

describe('the workflows', () => {
  it("runs only scripts and stages that also run locally, and GitHub's own command", () => {
    const commands = workflows.flatMap(([, text]) =>
      [...text.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, run = '']) => run),
    );
    assert.ok(commands.length > 5, `${commands.length} commands`);
    for (const command of commands)
      assert.match(command, /^(?:(?:xvfb-run -a )?npm (?:test|run)|gh release create)\b/, command);
    assert.deepEqual(commands.flatMap(findUnknownCommands), []);
  });

  it("tests the oldest supported VS Code, with the project's version of Node", () => {
    const [, floor] = /vscode: \['([\d.]+)', stable\]/.exec(read('.github/workflows/ci.yml')) ?? [];
    assert.equal(`^${floor}`, manifest.engines.vscode);
    const major = read('.nvmrc').trim();
    assert.equal(manifest.devDependencies['node']?.split('.')[0], major);
    for (const [name, text] of workflows) {
      assert.doesNotMatch(text, /node-version:/, name);
      assert.equal(text.split('setup-node@').length, text.split('node-version-file: .nvmrc').length, name);
    }
  });

  it('runs the slow tests every week, and no others', () => {
    const ci = read('.github/workflows/ci.yml');
    assert.match(ci, /^ {2}schedule:\n(?: +#.*\n)? {4}- cron: '\d+ \d+ \* \* [0-6]'$/m);
    const [test = '', long = ''] = ci.split(/^ {2}long:$/m);
    assert.match(test, /^ {4}if: github\.event_name != 'schedule'$/m);
    assert.match(long, /^ {4}if: github\.event_name == 'schedule' \|\|/m);
    assert.match(long, /run: npm run test:long$/m);
  });

  it('pins every action to a commit, with its version in a comment', () => {
    const uses = workflows.flatMap(([, text]) => [...text.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action));
    assert.ok(uses.length > 5);
    for (const action of uses) assert.match(action, /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const byAction = new Map(uses.map(action => [action.split('@')[0], action]));
    assert.deepEqual(
      uses.filter(action => byAction.get(action.split('@')[0]) !== action),
      [],
    );
  });

  it('sets a time limit for each job, read permission unless it needs more, and no stored credentials', () => {
    for (const [name, text] of workflows) {
      assert.match(text, /^permissions:\n {2}contents: read\n\n/m, name);
      assert.match(text, /^concurrency:\n/m, name);
      const jobs = text.split(/^jobs:\n/m)[1] ?? '';
      assert.equal(jobs.match(/^ {2}[\w-]+:$/gm)?.length, jobs.match(/^ {4}timeout-minutes: \d+$/gm)?.length, name);
      assert.equal(text.split('actions/checkout@').length, text.split('persist-credentials: false').length, name);
    }
  });

  it('uses no text of other people in a command', () => {
    for (const [name, text] of workflows) assert.doesNotMatch(text, /run:.*\$\{\{/, name);
  });
});

describe('the issue forms', () => {
  it('links to the repository of package.json', () => {
    const links = [...read('.github/ISSUE_TEMPLATE/config.yml').matchAll(/url: (\S+)/g)].map(([, url = '']) => url);
    assert.ok(links.length > 0);
    for (const url of links) assert.ok(url.startsWith(`${manifest.repository.url}/`), url);
  });
});
